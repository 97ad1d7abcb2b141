#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that clang-format would change nothing. Exits with 77 when it is not installed."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

from source_tree import cpp_files, main

# One version: others format some lines in another way.
TOOL = shutil.which("clang-format-19")
STYLE = Path(__file__).resolve().parents[2] / ".clang-format"


def check(root):
    paths = [str(p) for p in cpp_files(root)]
    if not paths:
        return []
    done = subprocess.run(
        [TOOL, f"--style=file:{STYLE}", "--dry-run", *paths],
        cwd=root, capture_output=True, text=True, check=False,
    )
    lines = re.findall(r"^(\S+?:\d+):\d+: (?:warning|error): (.*)", done.stderr, re.M)
    complaints = {where: f"{where}: {what}; run clang-format-19 -i" for where, what in lines}
    if done.returncode != 0 and not complaints:
        return [done.stderr]
    return list(complaints.values())


SEEDS = {
    "core/good.hpp": "#pragma once\n\n#include <vector>\n\nint f(int a);\n",
    "core/bad.hpp": "#pragma once\n\nint  f(int a) ;\n",
}
EXPECTED = ["core/bad.hpp:3: code should be clang-formatted"]

if __name__ == "__main__":
    if TOOL is None:
        print("clang-format-19 is not installed")
        sys.exit(77)
    main(check, SEEDS, EXPECTED)
