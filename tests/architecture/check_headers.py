#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every header compiles alone, and twice. What was found good is remembered in the
build folder, by the content of the header and of all it includes."""
import hashlib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source_tree import LAYERS, cpp_files, includes, main, read, seeded_tree, self_test

FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-x", "c++", "-"]


class header_check:
    def __init__(self, compiler, build):
        self.compiler = compiler
        self.build = build
        self.texts = {}
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
        self.compiler_version = version.stdout

    def include_folders(self, root):
        """The links of the build tree; for a seeded tree, links of its own."""
        if self.build is not None:
            return [self.build / "include", self.build / "generated"]
        links = root / "links" / "weir"
        links.mkdir(parents=True)
        for layer in LAYERS:
            (links / layer).symlink_to(root / layer)
        return [links.parent]

    def text_of(self, root, path):
        if path not in self.texts:
            generated = self.build / "generated" / "weir" / path if self.build else None
            if (root / path).is_file():
                self.texts[path] = read(root, path)
            elif generated and generated.is_file():
                self.texts[path] = generated.read_text(encoding="utf-8")
            else:
                self.texts[path] = ""
        return self.texts[path]

    def fingerprint(self, root, header):
        """Of all that decides whether the header compiles, but for foreign headers."""
        seen = {header}
        left = [header]
        while left:
            for _, quoted in includes(self.text_of(root, left.pop())):
                path = Path(quoted[1:-1].removeprefix("weir/"))
                if quoted.startswith('"weir/') and path not in seen:
                    seen.add(path)
                    left.append(path)
        digest = hashlib.sha256((self.compiler_version + " ".join(FLAGS)).encode())
        for path in sorted(seen):
            digest.update(f"\0{path}\0{self.text_of(root, path)}".encode())
        return digest.hexdigest()

    def compile(self, folders, header):
        code = f'#include "weir/{header}"\n' * 2
        command = [self.compiler, *(f"-I{f}" for f in folders), *FLAGS]
        done = subprocess.run(command, input=code, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return None
        first = re.search(r"error: .*", done.stderr)
        return f"{header}:1: does not compile alone: {first.group(0) if first else done.stderr}"

    def __call__(self, root):
        self.texts = {}
        folders = self.include_folders(root)
        headers = [p for p in cpp_files(root, LAYERS) if p.suffix == ".hpp"]
        memory = self.build / "checked_headers.txt" if self.build else None
        known = set(memory.read_text().split()) if memory and memory.exists() else set()
        marks = {h: self.fingerprint(root, h) for h in headers}
        to_do = [h for h in headers if marks[h] not in known]
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            failures = dict(zip(to_do, pool.map(lambda h: self.compile(folders, h), to_do)))
        if memory:
            good = [marks[h] for h in headers if not failures.get(h)]
            memory.write_text("\n".join(good) + "\n")
        return [f for f in failures.values() if f]


SEEDS = {
    "core/good.hpp": '#pragma once\n#include <string>\n#include "weir/core/base.hpp"\nstd::string f(base b);\n',
    "core/base.hpp": "#pragma once\nstruct base {};\n",
    "core/needs.hpp": "#pragma once\nstd::string f();\n",
    "core/internal/twice.hpp": "struct twice {};\n",
}
EXPECTED = ["core/needs.hpp:1: does not compile alone", "core/internal/twice.hpp:1: does not compile"]


def memory_complaints(compiler):
    """What was good is not compiled again, unless something it includes has changed."""
    sources = {p: t for p, t in SEEDS.items() if p in ("core/good.hpp", "core/base.hpp")}
    with seeded_tree(sources) as root:
        build = root / "build"
        (build / "include").mkdir(parents=True)
        (build / "include" / "weir").symlink_to(root)
        check = header_check(compiler, build)
        compiled = []
        real_compile = check.compile
        check.compile = lambda f, h: compiled.append(str(h)) or real_compile(f, h)
        first = check(root) + check(root)
        (root / "core/base.hpp").write_text("#pragma once\nstruct other {};\n", encoding="utf-8")
        second = check(root)
    twice = ["core/base.hpp"] * 2 + ["core/good.hpp"] * 2
    if first or len(second) != 1 or sorted(compiled) != twice:
        yield f"self-test: the memory of good headers is wrong: {first} {second} {compiled}"


if __name__ == "__main__":
    compiler_name = os.environ.get("CXX", "c++")
    if "--self-test" in sys.argv:
        found = self_test(header_check(compiler_name, None), SEEDS, EXPECTED)
        found += memory_complaints(compiler_name)
        print("\n".join(found))
        sys.exit(1 if found else 0)
    main(header_check(compiler_name, Path(os.environ["WEIR_BUILD"])), {}, [])
