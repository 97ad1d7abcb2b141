#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up what runs of ctest --output-junit wrote. Shows the lines of tests that begin with
"seeds=", and as the last line "N passed, N failed". Exits with 1 if something failed, or no test
passed. A test that was skipped is named, and is neither."""
import argparse
import sys
import xml.etree.ElementTree as xml
from pathlib import Path


class report:
    def __init__(self, failed):
        self.passed = 0
        self.failed = list(failed)
        self.lines = []

    def add_case(self, case):
        name = case.get("name")
        output = (case.findtext("system-out") or "").splitlines()
        self.lines += [line for line in output if line.startswith("seeds=")]
        skipped = case.find("skipped")
        if case.get("status") == "run":
            self.passed += 1
        elif skipped is not None and skipped.get("message", "").startswith("SKIP_"):
            self.lines.append(f"skipped: {name}")
        else:
            self.failed.append(name)

    def add(self, path):
        before = self.passed
        if path.is_file():
            for case in xml.parse(path).getroot().iter("testcase"):
                self.add_case(case)
        if self.passed == before:
            self.failed.append(f"no test passed in {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failed", action="append", default=[], help="what else has failed")
    parser.add_argument("junit", nargs="*", type=Path)
    arguments = parser.parse_args()
    total = report(arguments.failed)
    for path in arguments.junit:
        total.add(path)
    for line in total.lines + [f"failed: {name}" for name in total.failed]:
        print(line)
    print(f"{total.passed} passed, {len(total.failed)} failed")
    sys.exit(1 if total.failed or not total.passed else 0)


if __name__ == "__main__":
    main()
