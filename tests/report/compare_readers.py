# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Both readers must print the same of the same files: whole, unfinished, and cut in the middle of a group."""
import os
import subprocess
import sys
import tempfile


def main(sample, python_reader):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "sample.sxt")
        subprocess.run([sample, "write", report], check=True)
        whole = os.path.getsize(report)
        for length in (whole, whole - 32, whole * 3 // 4, whole // 2, 3000):
            os.truncate(report, length)
            ours = subprocess.run([sample, "dump", report], check=True, stdout=subprocess.PIPE).stdout
            theirs = subprocess.run([sys.executable, "-B", python_reader, report], check=True,
                                    stdout=subprocess.PIPE).stdout
            print("%d of %d bytes: %d lines" % (length, whole, ours.count(b"\n")))
            if ours != theirs:
                pairs = zip(ours.split(b"\n"), theirs.split(b"\n"))
                print("different:", next(((a, b) for a, b in pairs if a != b), "lengths"))
                return 1
            if length == whole and ours.count(b"\n") < 100000:
                print("the sample is not what it was meant to be")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
