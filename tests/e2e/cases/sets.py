# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Several reports at once: one after the other, or as one set by rank, host and process; outputs never meet."""
import csv
import io
import json
import os
import shutil
import signal

import harness


def record(c, file, rank, ranges, launcher="RANK"):
    c.run(f"{launcher}={rank} SECRET_TOKEN=hush sextant profile -q -f -o {file} $W/act range step {ranges}", 0)


def rows(text):
    """The tables of a CSV output, each a list of dictionaries."""
    return [list(csv.DictReader(io.StringIO(part))) for part in text.strip("\n").split("\n\n") if part]


@case("ranks of a job in one recording, and nothing else of the environment")
def _(c):
    c.run("""SECRET_TOKEN=hush sextant profile -q -o r bash -c 'for r in 0 1 2; do RANK=$r LOCAL_RANK=1 $W/act range step $((r + 1)) & done; wait'""", 0)
    with open(c.path("r.sxt"), "rb") as file:
        c.expect(b"hush" not in file.read(), "a variable that nobody asked for is in the report")
    by_rank, imbalance = rows(c.run("sextant stats -q --by rank -r nvtx_pushpop_sum -f csv r.sxt", 0).stdout)
    c.equal([(r["Rank"], r["Instances"], r["Range"]) for r in by_rank], [("0", "1", "step"), ("1", "2", "step"), ("2", "3", "step")], "ranks")
    c.equal([(r["Groups"], r["Range"]) for r in imbalance], [("3", "step")], "imbalance")
    c.expect(imbalance[0]["Slowest Rank"] != imbalance[0]["Fastest Rank"], imbalance)
    c.equal(sorted(r["Rank"] for r in c.stats("process_tree") if r["Ranges"] != "0"), ["0", "1", "2"], "ranks in process_tree")
    info = c.info()
    c.equal(sorted(p["launcher"] for p in info["processes"] if "rank" in p), [f"RANK={r} LOCAL_RANK=1" for r in range(3)], "launcher variables")
    processes = rows(c.run("sextant stats -q --by process -r nvtx_pushpop_sum -f csv r.sxt", 0).stdout)[0]
    c.expect(all(r["Process"].startswith("rank ") for r in processes), processes)


@case("ranks of other launchers; a value that is no rank is not kept")
def _(c):
    for number, name in enumerate(("SLURM_PROCID", "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK")):
        record(c, name, number, 1, name)
        c.equal([p.get("rank") for p in c.info(name + ".sxt")["processes"]], [number], name)
    c.run("RANK='; rm -rf /' PMI_RANK=12345678901234567890123 sextant profile -q -o odd $W/act range step 1", 0)
    c.equal([(p.get("rank"), p["launcher"]) for p in c.info("odd.sxt")["processes"]], [(None, "PMI_RANK=12345678901234567890123")], "odd values")


@case("several reports and folders are one set")
def _(c):
    os.mkdir(c.path("ranks"))
    for rank in (0, 1):
        record(c, f"ranks/r{rank}", rank, rank + 1)
    for named in ("ranks", "ranks/", "ranks/r0.sxt ranks/r1.sxt"):
        result = c.run(f"sextant stats --by rank -r nvtx_pushpop_sum -f csv {named}", 0)
        c.equal([(r["Rank"], r["Instances"]) for r in rows(result.stdout)[0]], [("0", "1"), ("1", "2")], named)
        c.expect("share one monotonic clock" in result.stderr, result.stderr)
    host = rows(c.run("sextant stats -q --by host -r nvtx_pushpop_sum -f csv ranks", 0).stdout)
    c.equal([(r["Instances"], r["Med (ns)"]) for r in host[0]], [("3", "")], "one host")
    trace = rows(c.run("sextant stats -q --by rank -r nvtx_pushpop_trace -f csv ranks", 0).stdout)[0]
    starts = [int(r["Start (ns)"]) for r in trace]
    c.expect(len(starts) == 3 and max(starts[:1]) < min(starts[1:]), f"the second recording came later: {starts}")
    result = c.run("sextant stats --by rank ranks/nothing")
    c.expect(result.code == 2 and result.stderr.count("\n") == 1, result.stderr)


@case("without --by each report is printed, under its name")
def _(c):
    for rank in (0, 1):
        record(c, f"r{rank}", rank, rank + 1)
    out = c.run("sextant stats -r nvtx_pushpop_sum r0.sxt r1.sxt", 0).stdout
    c.expect(out.index("=== r0.sxt ===") < out.index("=== r1.sxt ==="), out)
    c.equal(out.count("NVTX Push/Pop Range Summary"), 2, "tables")
    tables = rows(c.run("sextant stats -q -r nvtx_pushpop_sum -f csv r0.sxt r1.sxt", 0).stdout)
    c.equal([t[0]["Instances"] for t in tables], ["1", "2"], "tables in CSV, no heading between them")
    c.run("sextant analyze r0.sxt r1.sxt && sextant info r0.sxt r1.sxt && sextant verify r0.sxt r1.sxt", 0)
    objects = c.run("sextant info --json r0.sxt r1.sxt", 0).stdout
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(objects.rstrip()):
        one, at = decoder.raw_decode(objects, at)
        found.append(one["report"])
        at += len(objects[at:]) - len(objects[at:].lstrip())
    c.equal(found, ["r0.sxt", "r1.sxt"], "objects of info --json")
    out = c.run("sextant sql -f csv r0.sxt r1.sxt 'SELECT count(*) AS n FROM NVTX_EVENTS WHERE eventType = 59'", 0).stdout
    c.equal(out.split(), ["n", "1", "n", "2"], "sql")


@case("one that cannot be read does not hide the others")
def _(c):
    record(c, "r0", 0, 1)
    result = c.run("sextant stats -r nvtx_pushpop_sum missing.sxt r0.sxt")
    c.expect(result.code == 2 and "missing.sxt" in result.stderr and "step" in result.stdout, f"{result.code} {result.stderr}")


@case("outputs of several reports never meet")
def _(c):
    c.env["XDG_CACHE_HOME"] = c.path("cache")
    for folder in ("a", "b"):
        os.mkdir(c.path(folder))
        record(c, folder + "/report1", 0, 1)
    shutil.copy(c.path("a/report1.sxt"), c.path("a/report1.dat"))
    c.run("sextant export -t sqlite a/report1.sxt", 0)
    c.run("sextant export -q -t jsonlines -o all.jsonl a/report1.sxt b/report1.sxt", 0)
    c.expect(os.path.exists(c.path("all_report1.jsonl")) and os.path.exists(c.path("all_report1_2.jsonl")), os.listdir(c.path("")))
    os.mkdir(c.path("out"))
    c.run("sextant export -q -t folded -o out a b", 0)
    c.equal(len(os.listdir(c.path("out"))), 4, os.listdir(c.path("out")))
    c.run("sextant stats -q -r nvtx_pushpop_sum -f csv -o sum a/report1.sxt b/report1.sxt", 0)
    c.equal(sorted(f for f in os.listdir(c.path("")) if f.startswith("sum")),
            ["sum_report1_2_nvtx_pushpop_sum.csv", "sum_report1_nvtx_pushpop_sum.csv"], "tables")
    result = c.run("sextant export -t folded -o - a/report1.sxt b/report1.sxt")
    c.expect(result.code == 1 and "one report" in result.stderr, result.stderr)
    before = sorted(os.listdir(c.path("a")))
    result = c.run("sextant export -t sqlite a/report1.sxt")
    c.expect(result.code == 1 and sorted(os.listdir(c.path("a"))) == before, "an existing output")


@case("a run folder stands for its report, also while it grows")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/counted count 1 1 200")
    c.wait_until(lambda: c.run("sextant stats -q -r nvtx_sum -f csv r.sxt.run").stdout.count("\n") > 2, "ranges in the report")
    c.expect("still being recorded" in c.run("sextant info r.sxt.run", 0).stdout, "state")
    p.send_signal(signal.SIGTERM)
    c.wait(p)
    c.settled()


@case("reports of ranks that were killed, in one folder")
def _(c):
    os.mkdir(c.path("ranks"))
    record(c, "ranks/r0", 0, 1)
    p = c.start("RANK=1 exec sextant profile -q -o ranks/r1 $W/counted count 1 1 200")
    c.wait_until(lambda: "count" in c.run("sextant stats -q -r process_tree ranks/r1.sxt").stdout, "the target is in the report")
    harness.kill_descendants()
    p.wait()
    result = c.run("sextant stats --by rank -r process_tree ranks")
    c.expect(result.code == 5 and "sextant recover" in result.stderr, f"{result.code} {result.stderr}")
    c.run("sextant recover -q ranks/r1.sxt.run", 0)
    c.run("sextant stats --by rank -r process_tree ranks", 0)
