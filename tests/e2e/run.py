#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""run.py --build FOLDER [--label e2e|full] [THEME | THEME/PART-OF-NAME]...: runs end-to-end cases (see README.md).

Exit code: 0 all passed, 1 some failed, 77 all were skipped.
"""
import argparse
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import case_file  # noqa: E402
import harness  # noqa: E402


class FunctionCase:
    def __init__(self, name, function, requires, full, timeout):
        self.name, self.run, self.requires, self.full, self.timeout = name, function, requires, full, timeout


def load_module(path):
    """Cases of a .py file: functions under @case."""
    found = []

    def case(name, requires="", full=False, timeout=60):
        def register(function):
            found.append(FunctionCase(name, function, requires.split(), full, timeout))
            return function
        return register

    spec = importlib.util.spec_from_file_location("e2e_" + os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    module.case = case
    spec.loader.exec_module(module)
    return found


def themes():
    folder = os.path.join(HERE, "cases")
    found = {}
    for file in sorted(os.listdir(folder)):
        stem, extension = os.path.splitext(file)
        if extension == ".case":
            found.setdefault(stem, []).extend(case_file.parse(os.path.join(folder, file)))
        elif extension == ".py":
            found.setdefault(stem, []).extend(load_module(os.path.join(folder, file)))
    return found


def run_case(theme, one, options):
    slug = re.sub(r"[^A-Za-z0-9]+", "-", f"{theme}-{one.name}")[:60].strip("-")
    folder = tempfile.mkdtemp(prefix=f"sextant-e2e-{slug}-", dir=options.folder)
    case = harness.Case(folder, options.build, one.timeout, options.verbose)
    start, outcome, why = time.monotonic(), "PASS", ""
    try:
        for word in one.requires:
            case.requires(word)
        one.run(case)
    except harness.Skipped as skip:
        outcome, why = "SKIP", str(skip)
    except harness.Failed as failure:
        outcome, why = "FAIL", str(failure)
    except Exception:  # a mistake in a case fails that case only
        outcome, why = "FAIL", traceback.format_exc()
    left = case.close()
    if left and outcome == "PASS":
        outcome, why = "FAIL", "still running 5 s after the end: " + "; ".join(left)
    print(f"{outcome} {theme}/{one.name} ({time.monotonic() - start:.1f} s)" + (f": {why}" if why else ""), flush=True)
    if outcome == "FAIL" or options.verbose:
        print("    " + "\n".join(case.log)[-8000:].replace("\n", "\n    "), flush=True)
    if options.keep or (outcome == "FAIL" and options.keep_failed):
        print(f"    kept: {folder}", flush=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build folder that has bin/sextant and workloads/")
    parser.add_argument("--label", choices=("e2e", "full", "all"), default="e2e")
    parser.add_argument("--folder", default="/tmp", help="where the folders of the cases are made")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the cases")
    parser.add_argument("--keep-failed", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("wanted", nargs="*", metavar="THEME[/PART]")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    harness.become_reaper()
    outcomes = []
    for theme, cases in themes().items():
        for one in cases:
            chosen = not options.wanted or any(
                w == theme or w.partition("/")[0] == theme and "/" in w and w.partition("/")[2] in one.name
                for w in options.wanted)
            if chosen and (options.label == "all" or one.full == (options.label == "full")):
                outcomes.append(run_case(theme, one, options))
    counts = {k: outcomes.count(k) for k in ("PASS", "FAIL", "SKIP")}
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['SKIP']} skipped", flush=True)
    if not outcomes:
        print("no such case", file=sys.stderr)
        return 1
    return 1 if counts["FAIL"] else 77 if counts["SKIP"] == len(outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
