#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that tests can fail, do not wait, and run with Catch2 2 and 3."""
import re

from source_tree import code_only, cpp_files, find, includes, main, read

FORBIDDEN = {
    r"\b(sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(": "tests do not sleep; wait for an event",
    r"\bSUCCEED\s*\(": "SUCCEED cannot fail",
    r"\b(CHECK|REQUIRE)\s*\(\s*true\s*\)": "an assertion that cannot fail",
    r"\b(CHECK|REQUIRE)_FALSE\s*\(\s*false\s*\)": "an assertion that cannot fail",
    r"\bSKIP\s*\(": "SKIP is not in Catch2 2",
    r"\bBENCHMARK\b": "benchmarks are in bench/",
    r"\bApprox\b": "Approx differs between Catch2 2 and 3",
}
MAY_INCLUDE_CATCH = ("tests/support/catch.hpp", "tests/support/catch_main.cpp")
STRING = r'"((?:\\.|[^"\\])*)"'
NAME = re.compile(
    r"\b(?:TEMPLATE_TEST_CASE|TEST_CASE_METHOD|TEST_CASE)\s*\(\s*(?:[\w:]+\s*,\s*)?"
    rf"((?:{STRING}\s*)+)(?:,\s*{STRING})?"
)


def name_complaints(name, tags):
    if ";" in name:
        yield "a ';' in a test's name makes it two tests that run nothing"
    if name.count("[") != name.count("]"):
        yield "a lone bracket in a test's name swallows the names after it"
    if name.endswith("\\"):
        yield "a test's name ends with a backslash"
    if re.search(r"\[(\.|!mayfail|!shouldfail)", tags):
        yield "a tag that hides the test or lets it fail"
    if not re.search(r"\[\w", tags):
        yield "a test without a tag [thing]"


def check(root):
    complaints = []
    for path in cpp_files(root, ["tests"]):
        text = read(root, path)
        code = code_only(text)
        for pattern, why in FORBIDDEN.items():
            for line, _ in find(re.compile(pattern), code):
                complaints.append(f"{path}:{line}: {why}")
        with_strings = code_only(text, keep_strings=True)
        for line, quoted in includes(with_strings):
            if quoted.startswith("<catch2/") and str(path) not in MAY_INCLUDE_CATCH:
                complaints.append(f'{path}:{line}: write #include "support/catch.hpp"')
        tests = 0
        for line, match in find(NAME, with_strings):
            tests += 1
            name = "".join(re.findall(STRING, match.group(1)))
            for why in name_complaints(name, match.group(3) or ""):
                complaints.append(f"{path}:{line}: {why}: {name}")
        if path.name.endswith("_test.cpp") and tests == 0:
            complaints.append(f"{path}:1: no test in a test file")
    return complaints


SEEDS = {
    "tests/support/catch.hpp": "#include <catch2/catch.hpp>\n",
    "tests/core/a_test.cpp": "#include <catch2/catch.hpp>\n"
    'TEST_CASE("holds [start, end)", "[a]") {\n  SUCCEED();\n  CHECK(true);\n}\n'
    'TEST_CASE("one; two", "[a]") { std::this_thread::sleep_for(1ms); }\n'
    'TEST_CASE("hidden", "[.][a]") { REQUIRE( true ); }\n'
    'TEST_CASE("bare") { CHECK_FALSE(false); }\n',
    "tests/core/b_test.cpp": '#include "support/catch.hpp"\n// CHECK(true) and sleep(1)\n'
    'TEST_CASE("a list [1, 2], with \\"quotes\\"", "[b]") { CHECK(f("sleep(1); CHECK(true)")); }\n'
    'TEMPLATE_TEST_CASE("a name in "\n    "two parts", "[b]", int, long) { CHECK(g(TestType{})); }\n',
    "tests/core/c_test.cpp": "int f() { return 1; }\n",
}
EXPECTED = [
    'a_test.cpp:1: write #include "support/catch.hpp"',
    "a_test.cpp:2: a lone bracket",
    "a_test.cpp:3: SUCCEED cannot fail",
    "a_test.cpp:4: an assertion that cannot fail",
    "a_test.cpp:6: a ';' in",
    "a_test.cpp:6: tests do not sleep",
    "a_test.cpp:7: a tag that hides",
    "a_test.cpp:7: an assertion that cannot fail",
    "a_test.cpp:8: a test without a tag",
    "a_test.cpp:8: an assertion that cannot fail",
    "c_test.cpp:1: no test in a test file",
]

if __name__ == "__main__":
    main(check, SEEDS, EXPECTED)
