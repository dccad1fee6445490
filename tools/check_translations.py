#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""tools/check_translations.py [ROOT]: README.ko.md is in step with README.md.

The same headings by level, the same examples letter by letter, the same links in the same order. Exit code 1 and a line for
each difference otherwise.
"""
import os
import re
import sys

ORIGINAL, TRANSLATION = "README.md", "README.ko.md"


def parts(text):
    """Levels of headings, lines of examples, targets of links without those to each other."""
    lines = text.splitlines()
    headings = [len(m.group(1)) for line in lines if (m := re.match(r"(#+) \S", line))]
    examples = [line.rstrip() for line in lines if line.startswith("    ") and line.strip()]
    links = [t for t in re.findall(r"\]\(([^)]+)\)", text) if t not in (ORIGINAL, TRANSLATION)]
    return {"headings": headings, "examples": examples, "links": links}


def differences(original, translation):
    one, other = parts(original), parts(translation)
    found = []
    for what in one:
        if len(one[what]) != len(other[what]):
            found.append(f"{TRANSLATION}: {len(other[what])} {what}, {ORIGINAL} has {len(one[what])}")
        for index, (a, b) in enumerate(zip(one[what], other[what])):
            if a != b:
                found.append(f"{TRANSLATION}: {what} number {index + 1}: {b!r}, in {ORIGINAL} {a!r}")
                break
    return found


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    texts = []
    for name in (ORIGINAL, TRANSLATION):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            texts.append(file.read())
    found = differences(*texts)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
