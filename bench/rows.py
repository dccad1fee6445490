# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of the tables: what is run, what is read off, what is to be reached."""
import os
import time

import hostile
import measure
import opencl_rows
import osrt_rows
import programs
import report_rows
import sql_rows
import viewer_rows
from measure import median


class Table:
    def __init__(self, title, columns):
        self.title, self.columns, self.rows = title, columns, []

    def add(self, *cells):
        self.rows.append([show(cell) for cell in cells])

    def markdown(self):
        lines = [f"### {self.title}", "", "| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in self.rows])

    def as_dict(self):
        return {"title": self.title, "columns": self.columns, "rows": self.rows}


def show(cell):
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.0f}" if abs(cell) >= 100 else f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"
    return str(cell)


def seconds(value):
    return None if value is None else f"{value:.2f} s" if value >= 0.1 else f"{value * 1000:.1f} ms"


def added(runs, tool, read):
    """Median of a figure with the tool minus without"""
    with_tool, without = median(map(read, runs.get(tool, []))), median(map(read, runs["none"]))
    return None if with_tool is None or without is None else with_tool - without


def cpu_ns(done):
    return done.loop.get("cpu_ns_per_op")


def overhead(bench, _full):
    """Processor time that an event adds in the target, after a warm-up"""
    table = Table("Added processor time in the target, ns an operation, after warm-up",
                  ["operation", "Sextant", "nsys", "reach", "recorded"])
    warm, count, peer_count = bench.count(1_000_000), bench.count(10_000_000), bench.count(200_000)
    reach = {"push": "<= 30", "names": "<= 32"}
    for mode in ("push", "names", "pushex", "mark", "startend"):
        share = 1 if mode in reach else 0.2
        command = [bench.loop, mode, str(int(count * share)), "1", str(warm)]
        ours = bench.interleaved(command, with_nsys=False)
        recorded = bench.recorded() if mode != "mark" else None
        total = int(count * share) + warm
        loss = None if recorded is None else "all" if recorded == total else f"{recorded} of {total}"
        theirs = None
        if bench.nsys:
            peer = bench.interleaved([bench.loop, mode, str(peer_count), "1", str(peer_count // 10)], repeat=min(bench.repeat, 3))
            theirs = added(peer, "nsys", cpu_ns)
        table.add(mode, added(ours, "sextant", cpu_ns), theirs, reach.get(mode), loss)
    return table


def first(bench, _full):
    table = Table("The first million push + pop pairs", ["names", "Sextant, added ns a pair", "reach"])
    for mode in ("push", "names"):
        runs = bench.interleaved([bench.loop, mode, str(bench.count(1_000_000))], with_nsys=False)
        table.add("one" if mode == "push" else "64", added(runs, "sextant", cpu_ns), "<= 45")
    return table


def start(bench, _full):
    table = Table("profile /bin/true", ["figure", "without", "Sextant", "nsys", "reach"])
    runs = bench.interleaved(["/bin/true"])
    for figure, read, reach in (("wall", lambda r: r.wall, "<= 50 ms"), ("processor time of all processes", lambda r: r.cpu, None)):
        table.add(figure, *(seconds(median(map(read, runs.get(tool, [])))) for tool in ("none", "sextant", "nsys")), reach)
    return table


def short(bench, _full):
    number = bench.count(500)
    script = f'i=0; while [ $i -lt {number} ]; do "{bench.loop}" push 10 >/dev/null; i=$((i+1)); done'
    table = Table(f"{number} short processes with 10 ranges each, one after the other",
                  ["figure", "Sextant", "nsys", "reach", "recorded"])
    runs = bench.interleaved(["/bin/sh", "-c", script], repeat=min(bench.repeat, 3))
    recorded = bench.recorded()
    for figure, read, reach in (("added wall a process, ms", lambda r: r.wall, "<= 3"),
                                ("added processor time a process, ms", lambda r: r.cpu, None)):
        per_process = [added(runs, tool, read) for tool in ("sextant", "nsys")]
        table.add(figure, *(None if v is None else v * 1000 / number for v in per_process), reach,
                  f"{recorded} of {number * 10}")
    return table


def timed_reader(bench, command, path):
    walls = []
    for _ in range(min(bench.repeat, 3)):
        measure.drop_cache(path)
        done = measure.run(command)
        if done.code == 0:
            walls.append(done.wall)
    return median(walls)


def big_one(bench, tool, mode, count):
    """Figures of one big recording: total wall, wait, report bytes a pair"""
    runs = [r for r in (bench.run(tool, [bench.loop, mode, str(count)]) for _ in range(min(bench.repeat, 3))) if r]
    size = bench.report_bytes(tool)
    return median(r.wall for r in runs), median(r.wait_after_target for r in runs), size / count if size else None


def readers(bench, tool):
    """Seconds of an SQLite export and of nvtx_sum, cold, on the last report"""
    report = bench.report(tool)
    if not os.path.exists(report):
        return None, None
    database = os.path.join(bench.folder, "r.sqlite")
    if tool == "sextant":
        export = timed_reader(bench, [bench.sextant, "export", "-q", "-t", "sqlite", "-f", "true", "-o", database, report], report)
        summary = timed_reader(bench, [bench.sextant, "stats", "-q", "-r", "nvtx_sum", report], report)
        return export, summary
    begin = time.monotonic()
    measure.run([bench.nsys, "export", "-t", "sqlite", "-f", "true", "-o", database, report])
    export = time.monotonic() - begin
    before = os.getcwd()
    empty = os.path.join(bench.folder, "empty")  # nsys stats runs what scripts it finds in the current folder
    os.makedirs(empty, exist_ok=True)
    os.chdir(empty)
    try:
        return export, measure.run([bench.nsys, "stats", "-q", "-r", "nvtx_sum", database]).wall
    finally:
        os.chdir(before)


def watched(bench, tool, mode, count):
    watch = measure.MemoryWatch(os.path.basename(bench.loop))
    watch.start()
    bench.run(tool, [bench.loop, mode, str(count)])
    watch.stopped.set()
    watch.join()
    return watch.private / 2**20, watch.shared / 2**20


def big(bench, full):
    count = bench.count(10_000_000)
    peer_count = count if full else bench.count(1_000_000)
    table = Table(f"{count:,} pairs" + ("" if not bench.nsys or full else f" (nsys: {peer_count:,}; times grow with the number)"),
                  ["figure", "Sextant", "nsys", "reach"])
    ours = big_one(bench, "sextant", "push", count)
    recorded = bench.recorded()
    ours_read = readers(bench, "sextant")
    ours_memory = watched(bench, "sextant", "push", count)
    varied = big_one(bench, "sextant", "varied", count)[2]
    theirs, theirs_read, theirs_memory, theirs_varied = (None,) * 3, (None,) * 2, (None,) * 2, None
    if bench.nsys:
        once, bench.repeat = bench.repeat, 1
        theirs = big_one(bench, "nsys", "push", peer_count)
        theirs_read = readers(bench, "nsys")
        theirs_memory = watched(bench, "nsys", "push", peer_count)
        theirs_varied = big_one(bench, "nsys", "varied", peer_count)[2]
        bench.repeat = once
    table.add("total wall", seconds(ours[0]), seconds(theirs[0]), "<= 3 s")
    table.add("wait after the target's end", seconds(ours[1]), seconds(theirs[1]), "<= 0.3 s")
    table.add("ranges recorded", f"{recorded} of {count}", None, "all")
    table.add("report bytes a pair, uniform loop", ours[2], theirs[2], "<= 1")
    table.add("report bytes a pair, varied program", varied, theirs_varied, "<= 3.5")
    table.add("profiler's anonymous + private memory, MiB", ours_memory[0], theirs_memory[0], "<= 128")
    table.add("ring pages mapped by it, MiB", ours_memory[1], None, None)
    table.add("SQLite export, wall, cold", seconds(ours_read[0]), seconds(theirs_read[0]), "<= 6 s")
    table.add("nvtx_sum, wall, cold", seconds(ours_read[1]), seconds(theirs_read[1]), "<= 0.3 s")
    return table


def growth(bench, full):
    table = Table("How it grows (Sextant only)", ["series", "value", "added ns a pair", "total wall", "wait after end", "CPU of all, s",
                                                  "bytes a pair", "recorded"])
    total = bench.count(3_200_000)
    for threads in (1, 2, 4, 16, 64):
        grow_row(bench, table, "threads", threads, total // threads, threads, 1)
    for processes in (1, 10, 100, 500):
        grow_row(bench, table, "processes at once", processes, bench.count(1000), 1, processes)
    for exponent in range(4, 9 if full else 8):
        grow_row(bench, table, "ranges", f"10^{exponent}", bench.count(10**exponent), 1, 1)
    return table


def grow_row(bench, table, series, value, count, threads, processes):
    runs = bench.interleaved([bench.loop, "names", str(count), str(threads), "0", str(processes)], repeat=min(bench.repeat, 3),
                             with_nsys=False)
    ours, pairs = runs["sextant"], count * threads * processes
    size, recorded = bench.report_bytes("sextant"), bench.recorded()
    table.add(series, value, added(runs, "sextant", cpu_ns), seconds(median(r.wall for r in ours)),
              seconds(median(r.wait_after_target for r in ours)), median(r.cpu for r in ours), size / pairs if size else None,
              "all" if recorded == pairs else f"{recorded} of {pairs}")


GROUPS = {"overhead": overhead,
          "osrt": lambda bench, _full: osrt_rows.osrt(bench, Table),
          "opencl": lambda bench, _full: opencl_rows.opencl(bench, Table),
          "first": first, "start": start, "short": short, "big": big, "growth": growth, "default-set": report_rows.default_set,
          "reports": report_rows.reports,
          "programs": programs.programs, "hostile": hostile.hostile,
          "sql": lambda bench, _full: sql_rows.sql(bench, Table),
          "viewer": lambda bench, full: viewer_rows.viewer(bench, full, Table)}
ONLY_WHEN_ASKED = {"hostile"}  # minutes of waiting for a program that hangs
