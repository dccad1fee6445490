# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Reading commands: where tables go, a part of a report, a look at a recording that goes on, what is left to clean."""
import json
import os
import re
import signal

import harness


def record(c, file="r", words="range a 7 range b 3"):
    c.run(f"sextant profile -q -o {file} $W/act {words}", 0)


@case("tables go where -o says, in the formats that -f says")
def _(c):
    record(c)
    result = c.run("sextant stats -r nvtx_sum,process_tree,nvtx_hist -f csv,column -o .,- r.sxt", 0)
    c.expect("wrote r_nvtx_sum.csv" in result.stderr, result.stderr)
    c.expect("Process Tree" in result.stdout and "Histogram" in result.stdout and "nvtx_sum" not in result.stdout, result.stdout)
    with open(c.path("r_nvtx_sum.csv")) as f:
        c.expect(f.readline().startswith("Time (%),Total Time (ns),Instances"), "the header")
    result = c.run("sextant stats -r nvtx_sum -f csv -o . r.sxt", 1)
    c.expect("exists already" in result.stderr, result.stderr)
    c.run("sextant stats -q -r nvtx_sum -f csv -o . --force-overwrite r.sxt", 0)
    c.run("sextant stats -q -r nvtx_sum:,nvtx_tree -f md -o sub r.sxt", 1)
    c.run("sextant stats -q -r nvtx_tree --filter-time 0/1s -f tsv -o sub r.sxt", 0)
    c.expect(os.path.exists(c.path("sub_nvtx_tree_start=0_end=1000000000.tsv")), os.listdir(c.folder))
    result = c.run("sextant stats -q -r nvtx_sum -f csv -o '@wc -l' r.sxt", 0)
    c.equal(result.stdout.strip(), "4", "lines that the command has read")
    c.run("sextant stats -q -r nvtx_sum -o '@exit 3' r.sxt", 1)


@case("every table format")
def _(c):
    record(c)
    for form, pattern in (("table", r"^\| +100\.0|^\| +\d+\.\d \|"), ("tsv", r"^\d+\.\d\t\d+\t7\t"), ("md", r"^\| ---|^\|---:\|")):
        out = c.run(f"sextant stats -q -r nvtx_sum -f {form} r.sxt", 0).stdout
        c.expect(re.search(pattern, out, re.M), f"{form}: {out}")
    out = c.run("sextant sql -f tsv r.sxt 'SELECT 1 AS a, 2 AS b'", 0).stdout
    c.equal(out.splitlines()[:2], ["a\tb", "1\t2"], "sql in tsv")


@case("several rules are one JSON document")
def _(c):
    record(c)
    rules = json.loads(c.run("sextant analyze -q -f json -r gpu_gaps,cuda_api_sync r.sxt", 0).stdout)
    c.equal(rules, {"gpu_gaps": [], "cuda_api_sync": []}, "rows of the rules")
    c.equal(json.loads(c.run("sextant analyze -q -f json -r gpu_gaps r.sxt", 0).stdout), [], "rows of one rule")


@case("a part of a report has exactly what touches its span")
def _(c):
    c.run("sextant profile -q -o r $W/act range a 5 sleep 200 range b 6 sleep 200 range c 7", 0)
    c.run("sextant sql -f csv r.sxt \"SELECT min(start), max(end) FROM NVTX_EVENTS WHERE text = 'b'\" > span", 0)
    with open(c.path("span")) as f:
        start, end = f.read().split()[1].split(",")
    c.run(f"sextant cut --from {int(start) - 1} --to {int(end) + 1} r.sxt", 0)
    c.equal(c.ranges("r-cut.sxt"), {"b": 6}, "ranges of the part")
    c.run("sextant verify r-cut.sxt", 0)
    whole = c.run(f"sextant stats -q -r nvtx_pushpop_trace -f csv --filter-time {int(start) - 1}/{int(end) + 1} r.sxt", 0).stdout
    part = c.run("sextant stats -q -r nvtx_pushpop_trace -f csv r-cut.sxt", 0).stdout
    strip = [line.split(",")[:9] for line in whole.splitlines()], [line.split(",")[:9] for line in part.splitlines()]
    c.equal(strip[1], strip[0], "the trace of the part")
    c.expect(any(l["code"] == "cut" for l in c.info("r-cut.sxt")["lacks"]), "the part says that it is one")
    c.run("sextant cut --from 1 r.sxt", 1)  # exists
    c.run("sextant cut r.sxt", 1)
    c.run("sextant cut --from soon r.sxt", 1)


def start_waiting(c, file):
    """A recording that goes on until its target is killed, with events that may still be in the run folder."""
    tool = c.start(f"exec sextant profile -o {file} $W/act range a 7 sleep 60000")
    c.wait_until(lambda: os.path.exists(c.path(file + ".sxt.run")) and os.path.exists(c.path(file + ".sxt"))
                 and os.path.getsize(c.path(file + ".sxt")) > 1000, "the recording has begun")
    c.wait_until(lambda: any(p["pid"] for p in c.info(file + ".sxt")["processes"]), "the process is in the report")
    return tool


@case("a look at a recording that goes on")
def _(c):
    tool = start_waiting(c, "r")
    result = c.run("sextant top --once r.sxt", 0)
    c.expect("growing" in result.stdout and "act" in result.stdout and "\x1b" not in result.stdout, result.stdout)
    c.expect(os.path.exists(c.path("r.sxt.run", "watched")), "the collector is told that somebody looks")
    look = json.loads(c.run("sextant top --once --json r.sxt.run", 0).stdout)
    c.equal([look["state"], look["processes"][0]["name"]], ["growing", "act"], "the look by its run folder")
    follow = c.start("sextant stats -q --follow --interval 0.2 -r nvtx_sum -f csv r.sxt")
    top = c.start("sextant top --json --interval 0.2 --span 0 r.sxt")
    os.kill(tool.pid, signal.SIGTERM)
    c.wait(tool)
    lines = c.wait(top).stdout.splitlines()
    last = json.loads(lines[-1])
    c.equal([last["state"], last["ranges"], last["busiest"][0]["count"]], ["complete", 7, 7], "the last look")
    c.expect(re.search(r"^100\.0,\d+,7,", c.wait(follow).stdout, re.M), "the last tables have everything")
    c.equal(c.run("sextant top --once r.sxt nosuch").code, 1, "two reports")
    c.equal(c.run("sextant top --once nosuch.sxt").code, 2, "no report")


@case("what was killed says what is missing and how to get it")
def _(c):
    tool = start_waiting(c, "r")
    result = c.run("sextant clean --dry-run", 0)
    c.expect("a collector works on it" in result.stdout and "would go" not in result.stdout, result.stdout)
    c.run("sextant clean", 0)
    c.expect(os.path.isdir(c.path("r.sxt.run")), "a living run folder was removed")
    harness.kill_descendants()
    c.wait(tool)
    for report in ("nvtx_sum", "nvtx_tree"):
        result = c.run(f"sextant stats -r {report} r.sxt", 5)
        c.expect("still in the run folder; `sextant recover r.sxt.run`" in result.stdout, result.stdout)
    c.expect([l for l in json.loads(c.run("sextant info --json r.sxt", 5).out)["lacks"] if l["code"] == "abandoned"], "info")
    result = c.run("sextant clean", 0)
    c.expect("--discard" in result.stdout and os.path.isdir(c.path("r.sxt.run")), result.stdout)
    c.run("sextant recover r.sxt", 0)
    c.expect("complete already" in c.run("sextant recover r.sxt", 0).stdout, "said twice")
    c.expect_ranges(7)
    start_waiting(c, "q")
    harness.kill_descendants()
    c.run("sextant clean --discard", 0)
    c.expect(not os.path.isdir(c.path("q.sxt.run")), "a discarded run folder")


@case("ranges that were never closed are told with what to do")
def _(c):
    record(c, "r", "open left open left range a 3")
    lacks = [(l["count"], l["what"]) for l in c.info()["lacks"] if l["code"] == "never_closed"]
    c.equal(lacks, [(2, "2 ranges never closed: left (2)")], "what info --json says")
    text = c.run("sextant info r.sxt", 0).stdout
    c.expect("2 ranges never closed: left (2)" in text and "to do:" in text and "none\n" not in text.split("Losses")[1], text)
    record(c, "q")
    c.expect("none" in c.run("sextant info q.sxt", 0).stdout.split("Losses")[1], "a report without losses")
