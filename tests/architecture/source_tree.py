# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the layers, reading the tree, and a main with a self-test.

A check is a function from the root of a source tree to a list of lines "file:line: what to do".
"""
import argparse
import re
import sys
import tempfile
from pathlib import Path

# What each layer may include. The same table stands in docs/architecture.md, and CMakeLists.txt
# says it once more as what each library depends on.
BELOW_ACTORS = ["core", "state", "dataflow", "windowing", "checkpoint", "connectors"]
LAYERS = {
    "core": [],
    "state": ["core"],
    "dataflow": ["core", "state"],
    "windowing": ["core", "state", "dataflow"],
    "checkpoint": ["core", "state"],
    "connectors": ["core", "state", "dataflow"],
    "actors": BELOW_ACTORS,
    "simulation": BELOW_ACTORS + ["actors"],
    "testing": BELOW_ACTORS,
}
PROGRAMS = ["tests", "bench", "examples"]

STRING_OR_COMMENT = re.compile(
    r'R"(?P<mark>[^()\s\\]{0,16})\((?:.|\n)*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])*'"
    r"|//[^\n]*|/\*(?:.|\n)*?\*/"
)


def files(root, folders, *endings):
    """Paths below `root`, relative to it, sorted; those of a folder that is not there are none."""
    found = []
    for folder in folders:
        for path in (root / folder).rglob("*"):
            if path.suffix in endings and path.is_file():
                found.append(path.relative_to(root))
    return sorted(found)


def cpp_files(root, folders=tuple(LAYERS) + tuple(PROGRAMS)):
    return files(root, folders, ".hpp", ".cpp")


def read(root, path):
    return (root / path).read_text(encoding="utf-8")


def code_only(text, keep_strings=False):
    """`text` without comments and, unless kept, without what stands in quotes. Keeps the lines."""

    def blank(match):
        token = match.group(0)
        if token[0] == "/":
            return "\n" * token.count("\n")
        return token if keep_strings else '""' + "\n" * token.count("\n")

    return STRING_OR_COMMENT.sub(blank, text)


def includes(text):
    """Pairs of line number and what stands after #include, with its quotes or brackets."""
    pattern = re.compile(r'^\s*#\s*include\s*([<"][^>"]*[>"])')
    for number, line in enumerate(text.splitlines(), 1):
        match = pattern.match(line)
        if match:
            yield number, match.group(1)


def find(pattern, text):
    """Pairs of line number and match, of a compiled pattern."""
    for match in pattern.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match


def is_public_header(path):
    return path.suffix == ".hpp" and path.parts[0] in LAYERS and "internal" not in path.parts


class seeded_tree:
    """A small source tree in a temporary folder, made of a dict from path to text."""

    def __init__(self, contents):
        self.contents = contents

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        for path, text in self.contents.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return root

    def __exit__(self, *_):
        self.folder.cleanup()


def self_test(check, contents, expected):
    """Runs `check` on a tree with seeded violations: each of `expected` must be in one complaint of
    its own, and there must be no other."""
    with seeded_tree(contents) as root:
        complaints = list(check(root))
    wrong = []
    left = list(complaints)
    for text in expected:
        hits = [c for c in left if text in c]
        if hits:
            left.remove(hits[0])
        else:
            wrong.append(f"self-test: not noticed: {text}")
    return wrong + [f"self-test: without reason: {c}" for c in left]


def main(check, seeds, expected):
    """Runs `check` on the tree, or with --self-test on the seeds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    arguments = parser.parse_args()
    if arguments.self_test:
        complaints = self_test(check, seeds, expected)
    else:
        complaints = list(check(arguments.root))
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaint(s)")
    sys.exit(1 if complaints else 0)
