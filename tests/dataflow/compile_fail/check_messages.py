#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the compiler says about programs that are wrong: every *.cpp here must fail, the
first error must hold the text of its line `// expect: …`, and with WEIR_CORRECT defined, which
puts the mistake right, it must compile. A program of several mistakes has a line
`// expect NAME: …` for each: it must compile, and fail so with NAME defined.

check_messages.py <include folder> [<name of a program>...]"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def compile_program(path, includes, *flags):
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", f"-I{includes}", *flags]
    return subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)


def expectations(path):
    """Pairs of a macro, empty for none, and the text of the first error."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"// expect ?(\w*): (.*)", line) for line in lines]
    return [(match[1], match[2].strip()) for match in found if match]


def complaint_about(path, includes, macro, expected):
    wrong = compile_program(path, includes, "-Wfatal-errors", *([f"-D{macro}"] if macro else []))
    if wrong.returncode == 0:
        return "compiles, and must not"
    errors = [line for line in wrong.stderr.splitlines() if "error:" in line]
    if not errors or expected not in errors[0]:
        first = errors[0] if errors else wrong.stderr
        return f"the first error must say\n  {expected}\nand says\n  {first}"
    return None


def complaint_about_correct(path, includes):
    correct = compile_program(path, includes, "-DWEIR_CORRECT")
    if correct.returncode != 0:
        return f"must compile with the mistake put right\n{correct.stderr}"
    return None


def main():
    includes, *names = sys.argv[1:]
    programs = sorted(p for p in FOLDER.glob("*.cpp") if not names or p.stem in names)
    if not programs:
        sys.exit("no programs found")
    checks = []
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for path in programs:
            mistakes = expectations(path)
            if not mistakes:
                sys.exit(f"{path.name}: has no line `// expect: …`")
            checks.append((path.name, pool.submit(complaint_about_correct, path, includes)))
            for macro, text in mistakes:
                name = f"{path.name} {macro}".rstrip()
                checks.append((name, pool.submit(complaint_about, path, includes, macro, text)))
    complaints = [(name, check.result()) for name, check in checks if check.result()]
    for name, complaint in complaints:
        print(f"{name}: {complaint}")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
