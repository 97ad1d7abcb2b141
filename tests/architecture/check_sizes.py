#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that files and functions stay small enough to read."""
import re

from source_tree import code_only, cpp_files, files, includes, main, read

HEADER_LINES = 300
SOURCE_LINES = 500
CMAKE_LINES = 80
FUNCTION_LINES = 60
HEADER_INCLUDES = 12

# (path, what) -> its size. May only shrink: a file that got smaller must lower its allowance.
ALLOWED = {
    # The one list of CAF headers, which every actor includes.
    ("actors/internal/caf.hpp", "includes"): 22,
}


def without_brackets(head):
    """`head` without what stands in parentheses and template brackets."""
    head = re.sub(r"operator\s*(\(\)|<=>|<<=?|>>=?|<=?|>=?|->\*?)", "operator", head)
    head = head.replace("->", " ")
    for pair in (r"\([^()]*\)", r"<[^<>]*>"):
        previous = None
        while previous != head:
            previous, head = head, re.sub(pair, " ", head)
    return head


def opens_function(head):
    """Whether a brace in a namespace or class, after the text `head`, opens a function's body."""
    if head.rstrip().endswith("="):
        return False
    if re.search(r"\b(namespace|class|struct|union|enum|extern)\b", without_brackets(head)):
        return False
    return "(" in head or not head.strip() or head.lstrip().startswith(",")


def name_of(head):
    match = re.search(r"([\w:~]+|operator[^(]*)\s*\(", head)
    return match.group(1) if match else "function"


def functions(text):
    """Triples of first line, number of lines and name of each function body and constructor's
    initialiser outside of other functions."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", code_only(text), flags=re.M)
    if code.count("\n") != text.count("\n"):
        code = code_only(text)
    open_braces = []
    head, head_line, line = "", 1, 1
    for char in code:
        if char == "{":
            inside = any(is_function for is_function, _, _ in open_braces)
            open_braces.append((not inside and opens_function(head), head_line, name_of(head)))
            head = ""
        elif char == "}":
            is_function, first, name = open_braces.pop() if open_braces else (False, 0, "")
            if is_function:
                yield first, line - first + 1, name
            head = ""
        elif char == ";" and head.count("(") <= head.count(")"):
            head = ""
        elif head or not char.isspace():
            if not head:
                head_line = line
            head += char
        line += char == "\n"


def sizes(root):
    """Triples of where, what and how much, and the limit."""
    for path in cpp_files(root):
        text = read(root, path)
        lines = len(text.splitlines())
        header = path.suffix == ".hpp"
        yield f"{path}:1", (str(path), "lines"), lines, HEADER_LINES if header else SOURCE_LINES
        if header:
            count = len(list(includes(text)))
            yield f"{path}:1", (str(path), "includes"), count, HEADER_INCLUDES
        for first, length, name in functions(text):
            yield f"{path}:{first}", (str(path), f"{name}()"), length, FUNCTION_LINES
    cmake = [p for p in files(root, ["."], ".cmake", ".txt") if p.parts[0] != "build"]
    for path in cmake:
        if path.suffix == ".cmake" or path.name == "CMakeLists.txt":
            yield f"{path}:1", (str(path), "lines"), len(read(root, path).splitlines()), CMAKE_LINES


def check(root):
    complaints = []
    needed = set()
    for where, key, size, limit in sizes(root):
        allowed = ALLOWED.get(key, limit)
        if size > limit and key in ALLOWED:
            needed.add(key)
        if size > allowed:
            complaints.append(f"{where}: {key[1]}: {size} is more than {allowed}")
        elif limit < size < allowed:
            complaints.append(f"{where}: {key[1]}: lower the allowance to {size}")
    for key in set(ALLOWED) - needed:
        if (root / key[0]).exists():
            complaints.append(f"{key[0]}:1: {key[1]}: no longer needs an allowance")
    return complaints


LONG_BODY = "  f();\n" * 60
SEEDS = {
    "core/long.hpp": "// x\n" * 301,
    "core/long.cpp": "// x\n" * 501,
    "core/many.hpp": "#include <vector>\n" * 13,
    "core/edge.hpp": "#include <vector>\n" * 12 + "// x\n" * 288,
    "core/table.cpp": "namespace weir {\nconstexpr int table[] = {\n" + "  1,\n" * 70 + "};\n}\n",
    "core/function.cpp": "namespace weir {\n"
    "class a {\n  a() : x_{1}, y_{2} {\n" + LONG_BODY + "  }\n  int x_, y_;\n};\n"
    "template <class T>\nbool operator<(const T& l, const T& r) {\n" + LONG_BODY + "}\n"
    'int fits() {\n  auto s = "{";\n' + "  f();\n" * 57 + "}\n"
    "}\n",
    "tests/core/x_test.cpp": 'TEST_CASE("a", "[b]") {\n' + LONG_BODY + "}\n",
    "cmake/x.cmake": "# x\n" * 81,
    "docs/long.txt": "x\n" * 81,
}
EXPECTED = [
    "core/long.hpp:1: lines: 301",
    "core/long.cpp:1: lines: 501",
    "core/many.hpp:1: includes: 13",
    "core/function.cpp:3: ",
    "core/function.cpp:67: operator<(): 63",
    "tests/core/x_test.cpp:1: TEST_CASE(): 62",
    "cmake/x.cmake:1: lines: 81",
]

if __name__ == "__main__":
    main(check, SEEDS, EXPECTED)
