#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the compiler says about programs that are wrong: every *.cpp here must fail, the
first error must hold the text of its line `// expect: …`, and with WEIR_CORRECT defined, which
puts the mistake right, it must compile.

check_messages.py <include folder> [<name of a program>...]"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def compile_program(path, includes, *flags):
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", f"-I{includes}", *flags]
    return subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)


def complaint_about(path, includes):
    expected = [
        line.split("// expect:", 1)[1].strip()
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("// expect:")
    ]
    if len(expected) != 1:
        return "has no line `// expect: …`, or more than one"
    wrong = compile_program(path, includes)
    if wrong.returncode == 0:
        return "compiles, and must not"
    errors = [line for line in wrong.stderr.splitlines() if "error:" in line]
    if not errors or expected[0] not in errors[0]:
        first = errors[0] if errors else wrong.stderr
        return f"the first error must say\n  {expected[0]}\nand says\n  {first}"
    correct = compile_program(path, includes, "-DWEIR_CORRECT")
    if correct.returncode != 0:
        return f"must compile with the mistake put right\n{correct.stderr}"
    return None


def main():
    includes, *names = sys.argv[1:]
    programs = sorted(p for p in FOLDER.glob("*.cpp") if not names or p.stem in names)
    if not programs:
        sys.exit("no programs found")
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        complaints = list(pool.map(lambda path: complaint_about(path, includes), programs))
    for path, complaint in zip(programs, complaints):
        if complaint:
            print(f"{path.name}: {complaint}")
    sys.exit(1 if any(complaints) else 0)


if __name__ == "__main__":
    main()
