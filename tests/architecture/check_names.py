#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that namespaces follow folders, names follow one style, and files begin as agreed."""
import re

from source_tree import LAYERS, code_only, cpp_files, find, main, read

LICENSE_LINE = "// SPDX-License-Identifier: Apache-2.0"
NAMESPACE = re.compile(r"^(?:inline\s+)?namespace\s+([\w:]+)\s*\{", re.M)
TYPE = re.compile(r"^[ \t]*(?:template\s*<[^\n]*>\s*)?(?:class|struct|enum class|enum)\s+([A-Z]\w*)\b", re.M)
REEXPORT = re.compile(r"^namespace weir \{((?:[^{}])*)\}", re.M)
# Namespaces of others: to specialise, or to name a type without including its header.
FOREIGN = {"std", "caf", "leveldb", "google", "google::protobuf"}
SNAKE = re.compile(r"[a-z][a-z0-9_]*")


def namespace_complaint(path, name, code, start):
    layer = path.parts[0]
    home = "weir" if layer == "core" else f"weir::{layer}"
    if "internal" in path.parts:
        home += "::internal"
    if name == home or name.startswith(home + "::") or name.split("::")[0] in FOREIGN:
        return None
    if name == "internal" and path.suffix == ".hpp":
        return None  # private parts of a template, inside the namespace of the layer
    if name == "weir" or name == f"weir::{layer}":
        match = REEXPORT.match(code, start)
        statements = [s.strip() for s in match.group(1).split(";")] if match else ["a definition"]
        # What a user needs is put into weir:: by using it; what is not public is only declared.
        if all(re.match(r"using\b|inline namespace\b|class \w+$|struct \w+$|$", s) for s in statements):
            return None
    return f"namespace {name}; here it is {home}"


def check(root):
    complaints = []
    for path in cpp_files(root):
        text = read(root, path)
        if text.split("\n", 1)[0] != LICENSE_LINE:
            complaints.append(f"{path}:1: the first line is not {LICENSE_LINE}")
        if path.suffix == ".hpp" and "#pragma once" not in text:
            complaints.append(f"{path}:1: no #pragma once")
        if not all(SNAKE.fullmatch(p) for p in (*path.parts[:-1], path.stem)) and path.parts[0] in LAYERS:
            complaints.append(f"{path}:1: files and folders are named in snake_case")
        code = code_only(text)
        for line, match in find(re.compile(r"^using namespace [\w:]+;", re.M), code):
            if path.suffix == ".hpp":
                complaints.append(f"{path}:{line}: using namespace in a header")
        if path.parts[0] not in LAYERS:
            continue
        for line, match in find(TYPE, code):
            complaints.append(f"{path}:{line}: types are named in snake_case: {match.group(1)}")
        for line, match in find(NAMESPACE, code):
            complaint = namespace_complaint(path, match.group(1), code, match.start())
            if complaint:
                complaints.append(f"{path}:{line}: {complaint}")
    return complaints


HEAD = LICENSE_LINE + "\n#pragma once\n"
SEEDS = {
    "core/good.hpp": HEAD + "namespace weir {\nclass good {};\nnamespace internal {}\n}\n"
    "namespace std {\ntemplate <> struct hash<weir::good> {};\n}\n",
    "core/bare.hpp": "class x;\n",
    "state/good.hpp": HEAD + "namespace weir::state {\nclass good {};\n}\nnamespace weir {\nusing state::good;\n}\n",
    "state/wrong.hpp": HEAD + "namespace weir {\nclass wrong {};\n}\nusing namespace std;\n",
    "state/internal/wrong.hpp": HEAD + "namespace weir::state {\nint f() { return 1; }\n}\n",
    "state/internal/good.hpp": HEAD + "namespace weir::state::internal {\nint f();\n}\n",
    "dataflow/Graph.cpp": LICENSE_LINE + "\nnamespace weir::windowing {\nclass Graph {};\n}\n",
}
EXPECTED = [
    "core/bare.hpp:1: the first line",
    "core/bare.hpp:1: no #pragma once",
    "state/wrong.hpp:3: namespace weir; here it is weir::state",
    "state/wrong.hpp:6: using namespace in a header",
    "state/internal/wrong.hpp:3: namespace weir::state; here it is weir::state::internal",
    "dataflow/Graph.cpp:1: files and folders",
    "dataflow/Graph.cpp:2: namespace weir::windowing; here it is weir::dataflow",
    "dataflow/Graph.cpp:3: types are named in snake_case: Graph",
]

if __name__ == "__main__":
    main(check, SEEDS, EXPECTED)
