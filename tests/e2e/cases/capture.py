# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Capture ranges (-c nvtx) and domain filters. The workload `captured` says what there is to see."""
import glob
import os
import re
import shutil
import signal
import sqlite3

import harness
from harness import Skipped

WINDOW = {"cap": 1, "inner": 5, "thread": 1}


def counts(c, report):
    c.run(f"sextant export -q -f -t sqlite -o {report}.sqlite {report}", 0)
    db = sqlite3.connect(c.path(f"{report}.sqlite"))
    return dict(db.execute("""SELECT coalesce(e.text, s.value), count(*) FROM NVTX_EVENTS e LEFT JOIN StringIds s ON s.id = e.textId
                              WHERE eventType IN (59, 60) GROUP BY 1""").fetchall())


def says(c, result, pattern):
    c.expect(re.search(pattern, result.stderr), f"no /{pattern}/ in: {result.stderr}")


def reports(c):
    return sorted(os.path.basename(p) for p in glob.glob(c.path("r*.sxt")))


for kind in ("plain", "registered", "wide", "start"):
    @case(f"one window, given as {kind}")
    def _(c, kind=kind):
        result = c.run(f"sextant profile -o r -c nvtx -p cap@dom --capture-range-end stop $W/captured {kind} 3", 7)
        c.equal(counts(c, "r.sxt"), WINDOW, "what the window holds")
        says(c, result, r"the capture range cap@dom has opened")
        says(c, result, r"8 ranges and marks, (\d+ runtime calls?, )?none lost; 28 outside of the capture range cap@dom not recorded")


@case("any domain, another domain, no domain")
def _(c):
    c.run("sextant profile -q -f -o r -c nvtx -p 'cap@*' --capture-range-end stop $W/captured plain 1", 7)
    c.equal(counts(c, "r.sxt"), WINDOW, "RANGE@*")
    c.run("sextant profile -q -f -o r -c nvtx -p cap --capture-range-end stop $W/captured plain 1", 7)
    c.equal(counts(c, "r.sxt"), {}, "the default domain has no such range")
    c.run("sextant profile -q -f -o r -c nvtx -p outer --capture-range-end stop $W/captured plain 1", 7)
    c.equal(counts(c, "r.sxt"), {"outer": 1, **WINDOW}, "the default domain's range")


@case("a range that never opens ends with those that occurred")
def _(c):
    result = c.run("sextant profile -o r -c nvtx -p nothing@* $W/captured plain 3", 7)
    says(c, result, r"the capture range nothing@\* never opened; ranges that did: inner \(15\), between \(6\)")
    says(c, result, r"cap@dom \(3\)")
    c.expect("never opened" in c.run("sextant info r.sxt", 0).stdout, "info does not say so")
    c.run("sextant profile -f -o r -c nvtx -p nothing --fail-if-empty $W/captured plain 1", 4)


@case("none: from the first range to the end")
def _(c):
    c.run("sextant profile -q -o r -c nvtx -p cap@dom --capture-range-end none $W/captured plain 3", 7)
    c.equal(counts(c, "r.sxt"), {"cap": 3, "inner": 15, "thread": 3, "between": 6, "outer": 2}, "everything behind the first one")


@case("stop-shutdown ends the program, --kill says how")
def _(c):
    c.run("sextant profile -o r -c nvtx -p cap@dom $W/captured plain 3 300", 128 + 15)
    c.equal(counts(c, "r.sxt"), WINDOW, "the first window")
    c.run("sextant profile -f -o r -c nvtx -p cap@dom --kill sigkill $W/captured plain 3 300", 128 + 9)
    c.run("sextant profile -f -o r -c nvtx -p cap@dom --kill none $W/captured plain 2 100", 7)
    c.equal(counts(c, "r.sxt"), WINDOW, "the first window")


@case("repeat: a report for each window")
def _(c):
    result = c.run("sextant profile -o r -c nvtx -p cap@dom --capture-range-end repeat $W/captured plain 3 100", 7)
    c.equal(reports(c), ["r.1.sxt", "r.2.sxt", "r.3.sxt"], "reports")
    for n in (1, 2, 3):
        c.equal(counts(c, f"r.{n}.sxt"), WINDOW, f"window {n}")
        says(c, result, rf"r\.{n}\.sxt: 1 process, 8 ranges and marks, (\d+ runtime calls?, )?none lost")
        c.run(f"sextant verify r.{n}.sxt", 0)


for mode in ("repeat:2", "repeat:2:sync", "repeat:2:async", "repeat:2:defer"):
    @case(f"{mode}: no more than two")
    def _(c, mode=mode):
        c.run(f"sextant profile -q -o r -c nvtx -p cap@dom --capture-range-end {mode} $W/captured start 4 50", 7)
        c.equal(reports(c), ["r.1.sxt", "r.2.sxt"], "reports")
        for n in (1, 2):
            c.equal(counts(c, f"r.{n}.sxt"), WINDOW, f"window {n}")


@case("repeat without a pause: every window is whole")
def _(c):
    c.run("sextant profile -q -o r -c nvtx -p cap@dom --capture-range-end repeat:20 $W/captured plain 20", 7)
    c.equal(len(reports(c)), 20, "reports")
    for n in range(1, 21):
        c.equal(counts(c, f"r.{n}.sxt"), WINDOW, f"window {n}")


@case("repeat-shutdown:2 ends the program behind the second")
def _(c):
    c.run("sextant profile -q -o r -c nvtx -p cap@dom --capture-range-end repeat-shutdown:2 $W/captured plain 9 300", 128 + 15)
    c.equal(reports(c), ["r.1.sxt", "r.2.sxt"], "reports")


@case("--delay and --duration")
def _(c):
    c.run("sextant profile -q -o r -c nvtx -p cap@dom -y 0.4 --capture-range-end stop $W/captured plain 5 200", 7)
    c.equal(counts(c, "r.sxt"), WINDOW, "a later window")
    c.run("sextant profile -q -f -o r -c nvtx -p cap@dom -y 60 --capture-range-end stop $W/captured plain 2", 7)
    c.equal(counts(c, "r.sxt"), {}, "before --delay nothing opens")
    c.run("sextant profile -q -f -o r -c nvtx -p cap@dom --capture-range-end none -d 0.3 $W/captured plain 50 200", 128 + 15)
    c.expect(0 < counts(c, "r.sxt")["cap"] < 50, "from the first window on, --duration long")


@case("domains that are wanted")
def _(c):
    everything = {"before": 3, "outer": 2, "cap": 2, "inner": 10, "thread": 2, "between": 4}
    only = {"cap": 2}
    rest = {k: v for k, v in everything.items() if k != "cap"}
    for option, expected in (("include dom", only), ("exclude dom", rest), ("include default", rest), ("exclude default", only),
                             ("include default,dom", everything), ("exclude nothing", everything)):
        c.run(f"sextant profile -f -o r --nvtx-domain-{option} $W/captured plain 2", 7)
        c.equal(counts(c, "r.sxt"), expected, option)
    result = c.run("sextant profile -f -o r --nvtx-domain-include dom $W/captured plain 2", 7)
    says(c, result, r"23 of domains that were not wanted not recorded")
    c.run("sextant profile -f -o r --nvtx-domain-include a --nvtx-domain-exclude b true", 1)


@case("filters change nothing that the program sees")
def _(c):
    c.run("$W/core_calls > plain", 0)
    c.run("sextant profile -q -o r --nvtx-domain-exclude lib.a $W/core_calls > filtered; cmp plain filtered", 0)
    c.run("sextant profile -q -f -o r -c nvtx -p coloured $W/core_calls > captured; cmp plain captured", 0)


@case("wrong options are refused in a line")
def _(c):
    for options in ("-c nvtx", "-p cap", "--capture-range-end stop", "-c nvtx -p cap --capture-range-end never", "-c nvtx -p @dom",
                    "-c nvtx -p cap --capture-range-end repeat-shutdown"):
        result = c.run(f"sextant profile -o r {options} true", 1)
        c.expect(len(result.stderr.strip().splitlines()) <= 2, result.stderr)
        c.expect(not glob.glob(c.path("r*")), "something was left behind")
    result = c.run("sextant profile -o r -c cudaProfilerApi $W/captured plain 1", 7)
    says(c, result, r"cudaProfilerApi is ignored")


def recorder_pids():
    """Tool and collector: everything below us that runs sextant."""
    found = []
    for pid in harness.descendants():
        try:
            if os.path.basename(os.readlink(f"/proc/{pid}/exe")).startswith("sextant"):
                found.append(pid)
        except OSError:
            pass
    return found


@case("killed in the second window, recovered")
def _(c):
    process = c.start("sextant profile -q -o r -c nvtx -p cap@dom --capture-range-end repeat $W/captured plain 3 1000")
    c.wait_until(lambda: os.path.exists(c.path("r.2.sxt")), "the second report")
    for pid in recorder_pids():
        os.kill(pid, signal.SIGKILL)
    harness.kill_descendants()
    c.wait(process)
    (folder,) = glob.glob(c.path("r*.sxt.run"))
    c.run(f"sextant recover {folder}", 0)
    c.equal(counts(c, "r.1.sxt"), WINDOW, "the first window")
    c.expect(counts(c, "r.2.sxt").get("inner", 0) <= 10, "the second one")
    c.equal(os.path.exists(folder), False, "the run folder")


@case("the same as nsys, given that it may look at plain strings", timeout=240)
def _(c):
    nsys = os.environ.get("NSYS") or shutil.which("nsys")
    if not nsys:
        raise Skipped("no nsys: set NSYS to one")
    c.env["NSYS_NVTX_PROFILER_REGISTER_ONLY"] = "0"
    os.mkdir(c.path("theirs"))  # nsys wants an empty folder
    c.run([nsys, "profile", "-t", "nvtx", "-s", "none", "--cpuctxsw=none", "-c", "nvtx", "-p", "cap@dom", "--capture-range-end=repeat:2",
           "-o", "r", c.workloads + "/captured", "plain", "3", "300"], cwd=c.path("theirs"))
    c.run("sextant profile -q -o r -c nvtx -p cap@dom --capture-range-end repeat:2 $W/captured plain 3 300", 7)
    for n in (1, 2):
        if not os.path.exists(c.path("theirs", f"r.{n}.nsys-rep")):
            raise Skipped("nsys made no report on this machine")
        c.run([nsys, "export", "-t", "sqlite", "-o", f"{n}.sqlite", f"r.{n}.nsys-rep"], 0, cwd=c.path("theirs"))
        db = sqlite3.connect(c.path("theirs", f"{n}.sqlite"))
        theirs = dict(db.execute("SELECT text, count(*) FROM NVTX_EVENTS WHERE eventType IN (59, 60) GROUP BY 1").fetchall())
        c.equal(counts(c, f"r.{n}.sxt"), theirs, f"window {n}")
