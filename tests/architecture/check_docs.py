#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that code in the documents is code that is compiled and run, and that links lead
somewhere."""
import re

from source_tree import cpp_files, files, find, main, read

BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


def code_lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def pieces(block):
    """A block in pieces: a line of only "..." or "// ..." leaves something out."""
    result = [[]]
    for line in code_lines(block):
        if line in ("...", "// ..."):
            result.append([])
        else:
            result[-1].append(line)
    return [piece for piece in result if piece]


def is_excerpt(block, source):
    """Whether the pieces of `block` stand in the lines of `source`, one after the other."""
    start = 0
    for piece in pieces(block):
        while start + len(piece) <= len(source) and source[start : start + len(piece)] != piece:
            start += 1
        if start + len(piece) > len(source):
            return False
        start += len(piece)
    return True


def check(root):
    complaints = []
    sources = [code_lines(read(root, p)) for p in cpp_files(root, ["examples", "tests/docs"])]
    documents = [p for p in files(root, ["docs"], ".md")]
    documents += [p.relative_to(root) for p in sorted(root.glob("*.md"))]
    for path in documents:
        text = read(root, path)
        for line, match in find(BLOCK, text):
            if not any(is_excerpt(match.group(1), source) for source in sources):
                complaints.append(f"{path}:{line}: this code is no excerpt of examples/ or tests/docs/")
        for line, match in find(LINK, text):
            target = match.group(1)
            if not re.match(r"[a-z]+:", target) and not (root / path.parent / target).exists():
                complaints.append(f"{path}:{line}: there is no {target}")
    return complaints


SEEDS = {
    "README.md": "Text.\n```cpp\nint main() {\n  return f();\n}\n```\n[docs](docs/a.md) [web](https://x.y)\n"
    "```cpp\nint main() {\n  // ...\n}\n```\n",
    "docs/a.md": "```cpp\nint g();\n```\n```sh\nmake\n```\n[gone](b.md) [up](../README.md#text)\n"
    "```cpp\nreturn f();\n...\nint main() {\n```\n",
    "examples/01_a.cpp": "#include <x>\n\nint main() {\n    return f();\n}\n",
}
EXPECTED = [
    "docs/a.md:1: this code is no excerpt",
    "docs/a.md:7: there is no b.md",
    "docs/a.md:8: this code is no excerpt",
]

if __name__ == "__main__":
    main(check, SEEDS, EXPECTED)
