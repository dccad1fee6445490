# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Exports for other programs: Chrome traces, folded stacks, flame graphs; public tools on the SQLite export."""
import importlib.util
import json
import os
import shutil
import xml.etree.ElementTree

import harness

CORPUS = os.environ.get("SEXTANT_CORPUS", "")


def nests(slices):
    """Whether slices of one row lie within or behind each other, as viewers need it."""
    open_ends = []
    for start, end in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if open_ends and open_ends[-1] < end:
            return False
        open_ends.append(end)
    return True


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def load(c, file):
    """The events of a trace by phase, after looking at what viewers rely on."""
    with open(c.path(file), encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    by_phase, rows = {}, {}
    for event in events:
        by_phase.setdefault(event["ph"], []).append(event)
        if event["ph"] == "X":
            start = nanoseconds(event["ts"])
            rows.setdefault((event["pid"], event["tid"]), []).append((start, start + nanoseconds(event["dur"])))
    named = {(e["pid"], e["tid"]) for e in by_phase.get("M", []) if e["name"] == "thread_name"}
    for row, slices in rows.items():
        c.expect(nests(slices), f"slices of row {row} of {file} overlap")
        c.expect(row in named, f"row {row} of {file} has no name")
    for arrow in by_phase.get("s", []):
        at = nanoseconds(arrow["ts"])
        c.expect(any(s <= at <= e for s, e in rows[arrow["pid"], arrow["tid"]]), f"an arrow out of nothing: {arrow}")
    starts = {(e["pid"], e["tid"], nanoseconds(e["ts"])) for e in by_phase.get("X", [])}
    for arrow in by_phase.get("f", []):
        c.expect((arrow["pid"], arrow["tid"], nanoseconds(arrow["ts"])) in starts, f"an arrow to nothing: {arrow}")
    c.equal(len(by_phase.get("s", [])), len(by_phase.get("f", [])), "arrows")
    c.equal(len(by_phase.get("b", [])), len(by_phase.get("e", [])), "spans")
    return by_phase


def perfetto_counts(path):
    """(slices, flows) as Perfetto's trace processor reads them."""
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
    with TraceProcessor(trace=path, config=TraceProcessorConfig(bin_path=shutil.which("trace_processor_shell"))) as tp:
        return tuple(next(iter(tp.query(f"select count(*) as n from {table}"))).n for table in ("slice", "flow"))


@case("a recording as a Chrome trace")
def _(c):
    c.run("sextant profile -q -o r bash -c '$W/core_calls >/dev/null; RANK=4 $W/names odd; $W/act range plain 9'", 0)
    c.run("sextant export -q -t chrome r.sxt", 0)
    phases = load(c, "r.json")
    ranges = {}
    for row in c.stats("nvtx_sum"):
        ranges[row["Style"]] = ranges.get(row["Style"], 0) + int(row["Instances"])
    c.equal(sum(e["cat"] == "nvtx" for e in phases["X"]), ranges["PushPop"], "push/pop ranges")
    c.equal(len(phases["b"]), ranges["StartEnd"], "start/end ranges")
    marks = c.run("sextant sql -q -f csv r.sxt 'SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 34'", 0).stdout.split()
    c.equal(len(phases["i"]), int(marks[-1]), "marks")
    processes = [e["args"]["name"] for e in phases["M"] if e["name"] == "process_name"]
    c.expect("rank 4: names" in processes, processes)
    c.expect(b"\x1b" not in c.run("sextant export -q -t chrome -o - r.sxt", 0).out, "a control character")


@case("Perfetto's own reader counts the same slices and arrows")
def _(c):
    if importlib.util.find_spec("perfetto") is None or not shutil.which("trace_processor_shell"):
        raise harness.Skipped("needs Perfetto: pip install perfetto, and its trace_processor_shell on PATH")
    c.run("sextant profile -q -o r bash -c '$W/core_calls >/dev/null; $W/act range plain 9'", 0)
    c.run("sextant export -q -t chrome r.sxt", 0)
    phases = load(c, "r.json")
    c.equal(perfetto_counts(c.path("r.json")), (sum(len(phases.get(p, [])) for p in "Xib"), len(phases.get("s", []))), "slices and flows")


@case("imported recordings as Chrome traces: every kernel, copy and call, and the arrows between them", timeout=120)
def _(c):
    folder = os.path.join(CORPUS, "nsys-sqlite")
    if not CORPUS or not os.path.isdir(folder):
        raise harness.Skipped("no $SEXTANT_CORPUS")
    c.env["XDG_CACHE_HOME"] = c.path("cache")
    for file in sorted(f for f in os.listdir(folder) if f.endswith(".sqlite")):
        source = os.path.join(folder, file)
        c.run(["sextant", "export", "-q", "-t", "chrome", "-f", "true", "-o", c.path("t.json"), source], 0)
        got = {}
        for event in load(c, "t.json").get("X", []):
            got[event["cat"]] = got.get(event["cat"], 0) + 1
        tables = {t["name"]: t["rows"] for t in json.loads(c.run(["sextant", "info", "--json", source]).out)["tables"]}
        for category, names in (("kernel", ("cuda_kernel",)), ("gpu_memory", ("cuda_memcpy", "cuda_memset")), ("cuda_api", ("cuda_api",))):
            c.equal(got.get(category, 0), sum(tables.get(name, 0) for name in names), f"{category} of {file}")


@case("folded stacks and flame graphs of one recording say the same")
def _(c):
    c.run("sextant profile -q -o r bash -c '$W/core_calls >/dev/null; $W/names odd; $W/act range plain 9'", 0)
    c.run("sextant export -q -t folded r.sxt && sextant flame -q r.sxt && sextant flame -q --by-thread -o threads.svg r.sxt", 0)
    with open(c.path("r.folded"), encoding="utf-8") as f:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in f]
    c.expect(lines and all(path.count(";") >= 2 and int(ns) > 0 for path, ns in lines), lines[:5])
    c.expect(any(path.endswith(";plain") for path, _ in lines), lines[:5])
    for file in ("r.svg", "threads.svg"):
        tree = xml.etree.ElementTree.parse(c.path(file))  # well-formed, whatever the names are
        titles = [e.text for e in tree.iter("{http://www.w3.org/2000/svg}title")]
        c.expect(titles[0].startswith("all: ") and any(t.startswith("plain: ") for t in titles), titles[:3])
    again = c.run("sextant flame -q -o - r.sxt", 0).out
    with open(c.path("r.svg"), "rb") as f:
        c.equal(f.read(), again, "the same picture again")
    result = c.run("sextant profile -q -o e true; sextant flame e.sxt")
    c.expect(result.code == 1 and "no NVTX" in result.stderr and not os.path.exists(c.path("e.svg")), result.stderr)


def tool(name):
    """A public tool, if somebody installed it: on PATH, or in the folder $SEXTANT_PUBLIC_TOOLS."""
    found = shutil.which(name, path=os.environ.get("SEXTANT_PUBLIC_TOOLS", "") + os.pathsep + os.environ.get("PATH", ""))
    if not found:
        raise harness.Skipped(f"{name} is not installed (pip install {name})")
    return found


def corpus(file):
    path = os.path.join(CORPUS, "nsys-sqlite", file)
    if not CORPUS or not os.path.exists(path):
        raise harness.Skipped("no $SEXTANT_CORPUS")
    return path


def beside(c, source):
    """The original and our export of it, under the same name in two folders."""
    for folder in ("original", "export"):
        os.mkdir(c.path(folder))
    shutil.copyfile(source, c.path("original/x.sqlite"))
    c.run(["sextant", "export", "-q", "--no-cache", "-t", "sqlite", "-o", c.path("export/x.sqlite"), source], 0)


@case("nsys-ai reads our export as the original", full=True, timeout=300)
def _(c):
    program = tool("nsys-ai")
    beside(c, corpus("GindaChen__nsys-ai__h100_2gpu_1s.sqlite"))
    for words in (["info", "x.sqlite"], ["summary", "x.sqlite", "--gpu", "0"],
                  ["tree", "x.sqlite", "--gpu", "0", "--trim", "155.4", "156.2"],
                  ["export-csv", "x.sqlite", "--gpu", "0", "--trim", "155.4", "156.2"]):
        out = [c.run([program] + words, 0, cwd=c.path(folder)).stdout for folder in ("original", "export")]
        c.expect(out[0].strip(), f"{words}: nothing printed")
        c.equal(out[1], out[0], " ".join(words))


@case("nsys2prv makes the same Paraver trace of our export, and with sextant in place of nsys", full=True, timeout=300)
def _(c):
    program = tool("nsys2prv")
    beside(c, corpus("brycelelbach__nsightful__power_iteration__baseline.sqlite"))
    os.makedirs(c.path("home/bin"))
    with open(c.path("home/bin/nsys"), "w", encoding="utf-8") as f:
        f.write(f'#!/bin/sh\nexec {c.sextant} "$@"\n')
    os.chmod(c.path("home/bin/nsys"), 0o755)
    traces = []
    for folder in ("original", "export"):
        c.run([program, "-t", "nvtx_pushpop_trace,cuda_api_trace", "x.sqlite", "out"], 0, cwd=c.path(folder),
              env={**c.env, "NSYS_HOME": c.path("home"), "XDG_CACHE_HOME": c.path("cache")})
        with open(c.path(folder, "out.prv"), encoding="utf-8") as f:
            traces.append(f.read().split("\n", 1)[1])  # the first line has the time of the translation
    c.expect(len(traces[0]) > 1000, "hardly anything in the trace")
    c.equal(traces[1] == traces[0], True, "the trace of the export is that of the original")
