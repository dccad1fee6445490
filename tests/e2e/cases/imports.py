# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Files of other tools: exports of nsys are read by every command, and nothing else happens to them."""
import json
import os
import sqlite3

TID = 281476838981743  # a globalTid: process 111


def export(path, rows=100, extra=""):
    """A small export of nsys, as one of its versions writes it."""
    database = sqlite3.connect(path)
    database.executescript(f"""
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        INSERT INTO StringIds VALUES (1, 'first'), (2, 'second<int>(float)'), (3, 'second'), (4, 'cudaLaunchKernel'), (5, 'registered');
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
            correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER,
            blockX INTEGER, blockY INTEGER, blockZ INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
            SELECT i * 1000, i * 1000 + 100 + i % 2 * 300, 0, 1, 7, i, {TID & ~0xffffff}, 1 + i % 2, 1 + i % 2 * 2, 4, 1, 1, 64, 1, 1 FROM n;
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER, globalTid INTEGER,
            correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start - 500, start - 490, 0, {TID}, correlationId, 4, 0 FROM CUPTI_ACTIVITY_KIND_KERNEL;
        CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, textId INTEGER,
            domainId INTEGER);
        INSERT INTO NVTX_EVENTS VALUES (100, 200, 59, 'plain', {TID}, NULL, 0), (300, 450, 59, NULL, {TID}, 5, 0);
        CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
        INSERT INTO PROCESSES VALUES ({TID & ~0xffffff}, 111, 'train'), ({TID & ~0xffffff} + (1 << 24), 112, 'idle');
        {extra}""")
    database.close()


def content(path):
    with open(path, "rb") as file:
        return file.read()


@case("an export of nsys is read by every command")
def _(c):
    path = c.path("named.dat")  # by content, not by name
    export(path)
    before = content(path)
    c.run("export XDG_CACHE_HOME=$PWD/cache; sextant info --json named.dat", 0)
    info = json.loads(c.run("XDG_CACHE_HOME=$PWD/cache sextant info --json named.dat", 0).stdout)
    rows = {table["name"]: table["rows"] for table in info["tables"]}
    c.equal(rows["cuda_kernel"], 100, "kernels")
    c.equal(rows["cuda_api"], 100, "calls")
    c.equal([p["pid"] for p in info["processes"]], [111], "processes with events")
    ranges = c.run("XDG_CACHE_HOME=$PWD/cache sextant stats -q -r nvtx_pushpop_sum -f csv named.dat", 0).stdout
    c.expect("registered" in ranges and "plain" in ranges, ranges)
    c.run("XDG_CACHE_HOME=$PWD/cache sextant verify named.dat", 0)
    c.equal(content(path), before, "the export itself")
    c.equal(len(os.listdir(c.path("cache/sextant/imports"))), 1, "imports kept")
    c.run("HOME=$PWD/home XDG_CACHE_HOME= sextant info named.dat", 0)
    c.equal(len(os.listdir(c.path("home/.cache/sextant/imports"))), 1, "imports kept below HOME")


@case("without a cache nothing stays")
def _(c):
    export(c.path("e.sqlite"))
    os.mkdir(c.path("tmp"))
    c.run("TMPDIR=$PWD/tmp XDG_CACHE_HOME=$PWD/cache sextant info --no-cache e.sqlite", 0)
    c.equal(sorted(os.listdir(c.path(""))), ["e.sqlite", "tmp"], "files")
    c.equal(os.listdir(c.path("tmp")), [], "temporary files")


@case("a cache that cannot be written is no obstacle")
def _(c):
    export(c.path("e.sqlite"))
    c.run("touch file; XDG_CACHE_HOME=$PWD/file sextant info e.sqlite", 0)


@case("what is cut or being written is refused")
def _(c):
    export(c.path("e.sqlite"), rows=5000)
    whole = content(c.path("e.sqlite"))
    for part in (10, 1000, 4096, len(whole) // 2, len(whole) - 4096):
        with open(c.path("cut.sqlite"), "wb") as file:
            file.write(whole[:part])
        result = c.run("XDG_CACHE_HOME=$PWD/cache sextant stats -r cuda_gpu_kern_sum cut.sqlite")
        c.expect(result.code == 2 and result.stderr.count("\n") == 1 and "cut.sqlite" in result.stderr, f"{part}: {result.code} {result.stderr}")
    with open(c.path("e.sqlite-journal"), "wb") as file:
        file.write(b"x")
    c.expect("being written" in c.run("XDG_CACHE_HOME=$PWD/cache sextant info e.sqlite", 2).stderr, "no reason")
    c.equal(os.listdir(c.path("cache/sextant/imports")), [], "imports kept")


@case("databases in the mode of a write-ahead log")
def _(c):
    export(c.path("e.sqlite"), extra="PRAGMA journal_mode = WAL;")
    c.run("XDG_CACHE_HOME=$PWD/cache sextant info e.sqlite", 0)
    c.expect(not os.path.exists(c.path("e.sqlite-wal")) and not os.path.exists(c.path("e.sqlite-shm")), "files were made beside the export")


@case("hostile names of an export")
def _(c):
    export(c.path("e.sqlite"), extra="""CREATE TABLE "a	b" (x); INSERT INTO "a	b" VALUES (1); CREATE TABLE "esc[31m" (y);
        INSERT INTO "esc[31m" VALUES (1); INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, '=cmd|''x''!A1' || char(27) || '[31m', 281476838981743, NULL, 0);""")
    out = c.run("XDG_CACHE_HOME=$PWD/cache sextant info e.sqlite", 0).out
    c.expect(b"\x1b" not in out, "control characters reach the terminal")
    out = c.run("XDG_CACHE_HOME=$PWD/cache sextant stats -q -r nvtx_pushpop_sum e.sqlite", 0).out
    c.expect(b"\x1b" not in out, "control characters reach the terminal")
