# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Summaries and rules on the command line: which tables, which part of the time, which unit, which format."""
import csv
import io
import json
import sqlite3

TID = 281474976710656 + (10 << 24) + 10  # a globalTid: process 10, thread 10
MS = 1_000_000


def export(path):
    """Kernels with a gap of 900 ms, a wait, a copy of pageable memory, a range."""
    database = sqlite3.connect(path)
    database.executescript(f"""
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        INSERT INTO StringIds VALUES (1, 'void add<float>(float*)'), (2, 'add'), (3, 'cudaLaunchKernel_v7000'), (4, 'cudaDeviceSynchronize_v3020'),
            (5, 'cudaMemcpyAsync_v3020');
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
            correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({10 * MS}, {20 * MS}, 0, 1, 7, 1, {TID - 10}, 1, 2), ({920 * MS}, {1000 * MS}, 0, 1, 7, 2, {TID - 10}, 1, 2);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
            correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES ({1000 * MS}, {1010 * MS}, 0, 1, 7, 3, {TID - 10}, 4096, 1, 0, 2);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER,
            nameId INTEGER, returnValue INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({5 * MS}, {6 * MS}, 0, {TID}, 1, 3, 0), ({7 * MS}, {21 * MS}, 0, {TID}, 9, 4, 0),
            ({900 * MS}, {901 * MS}, 0, {TID}, 2, 3, 0), ({950 * MS}, {951 * MS}, 0, {TID}, 3, 5, 0);
        CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, domainId INTEGER);
        INSERT INTO NVTX_EVENTS VALUES ({890 * MS}, {960 * MS}, 59, 'second step', {TID}, 0);
        """)
    database.close()


def rows(c, command):
    out = c.run(command.replace("FILE", "--no-cache e.sqlite"), 0).stdout
    return [line for line in csv.reader(io.StringIO(out)) if line]


@case("reports take arguments, filters and units")
def _(c):
    export(c.path("e.sqlite"))
    stats = "sextant stats -q -f csv FILE "
    c.equal(rows(c, stats + "-r cuda_gpu_kern_sum")[1][:3] + rows(c, stats + "-r cuda_gpu_kern_sum")[1][8:], ["100.0", "90000000", "2", "void add<float>(float*)"], "kernels")
    c.equal([line[8] for line in rows(c, stats + "-r cuda_gpu_kern_sum:nvtx-name:base")[1:]], ["second step/add", "add"], "names")
    c.equal(len(rows(c, stats + "--filter-time 100ms/1s -r cuda_gpu_kern_sum:base")), 2, "kernels of a part")
    c.equal(rows(c, stats + "--filter-time 100ms/1s -r cuda_gpu_kern_sum:base")[1][1], "80000000", "time of a part")
    c.equal(rows(c, stats + "--filter-nvtx 'second step' -r cuda_api_sum")[1][8:], ["cudaLaunchKernel"], "calls in a range")
    c.equal(rows(c, stats + "--timeunit ms -r cuda_gpu_kern_sum")[0][1:2] + rows(c, stats + "--timeunit ms -r cuda_gpu_kern_sum")[1][1:2], ["Total Time (ms)", "90.0000"], "unit")
    for wrong, word in (("-r cuda_api_sum:base", "base"), ("-r cuda_gpu_kern_sun", "cuda_gpu_kern_sum"), ("--filter-time 5", "span of time"), ("--filter-nvtx nowhere", "nowhere"), ("--timeunit days", "days")):
        result = c.run("sextant stats --no-cache e.sqlite " + wrong, 1)
        c.expect(word in result.stderr and len(result.stderr.splitlines()) <= 2, result.stderr)


@case("shares of kernel time say of what")
def _(c):
    export(c.path("e.sqlite"))
    text = c.run("sextant stats -q -r cuda_gpu_kern_sum --no-cache e.sqlite", 0).stdout
    c.expect("Of Range (%)" in text and "The GPU was busy 10.0 % of the 1.005 s" in text, text)
    line = json.loads(c.run("sextant stats -q -r cuda_gpu_kern_sum -f json --no-cache e.sqlite", 0).stdout)[0]
    c.equal([line["Time (%)"], line["Of Range (%)"], line["GPU Busy (%)"]], [100.0, 9.0, 10.0], "shares")


@case("reports without data say why in one line")
def _(c):
    export(c.path("e.sqlite"))
    result = c.run("sextant stats --no-cache e.sqlite", 0)
    c.expect("osrt_sum" in result.stderr and "osrt_sum" not in result.stdout and "cuda_gpu_kern_sum" in result.stdout, result.stderr)
    result = c.run("sextant stats -r osrt_sum -f csv --no-cache e.sqlite", 0)
    c.expect("osrt_sum: No calls of the C library" in result.stderr, result.stderr)


@case("rules tell what, where, evidence, gain and what to do")
def _(c):
    export(c.path("e.sqlite"))
    c.equal(rows(c, "sextant analyze -q -r gpu_gaps -f csv FILE")[1:], [["1", "900000000", "20000000", "10", "0", "1"]], "gaps")
    c.equal(rows(c, "sextant analyze -q -r cuda_memcpy_async -f csv FILE")[1][2:4], ["Pageable", "Device"], "copies")
    findings = json.loads(c.run("sextant analyze -q --json --no-cache e.sqlite", 0).stdout)["findings"]
    c.equal(sorted({f["rule"] for f in findings}), ["cuda_api_sync", "cuda_memcpy_async", "gpu_gaps", "gpu_time_util"], "rules with findings")
    gap = next(f for f in findings if f["rule"] == "gpu_gaps")
    c.equal([gap["what"], gap["gain_at_most_ns"]], ["The GPU did nothing for 900 ms.", 900 * MS], "finding")
    c.expect(all(f["where"] and f["evidence"] and f["to_do"] for f in findings), findings)
    text = c.run("sextant analyze -r cuda_api_sync,cuda_memset_sync --no-cache e.sqlite", 0).stdout
    c.expect("to gain:  at most 14 ms" in text and "No GPU fills" in text, text)
    c.equal(rows(c, "sextant analyze -q -r gpu_gaps:start=500000000 -f csv FILE")[1:], [], "gaps of a part")
    for wrong, word in (("-r gpu_gap", "gpu_gaps"), ("-r gpu_gaps:gap=wide", "gap=wide"), ("-r gpu_gaps:nvtx=nowhere", "nowhere")):
        result = c.run("sextant analyze --no-cache e.sqlite " + wrong, 1)
        c.expect(word in result.stderr, result.stderr)


@case("a recording of ours has nothing for the rules yet, and says so")
def _(c):
    c.run("sextant profile -q -o r $W/act range a 3", 0)
    result = c.run("sextant analyze r.sxt", 0)
    c.expect("No GPU work" in result.stdout and "No CUDA calls" in result.stdout, result.stdout)
