# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Exports of nsys that lie, and names that mean harm: an answer or one clear line, within bounds; nothing is executed."""
import csv
import io
import json
import os
import random
import sqlite3
import stat
import xml.etree.ElementTree

TID = 281476838981743  # a globalTid: process 111
PID = TID & ~0xFFFFFF
SIGNALS = range(129, 160)
COMMANDS = ("stats {}", "stats --by process -r cuda_gpu_kern_sum,nvtx_sum,cuda_kern_exec_trace,nvtx_gpu_proj_trace,process_tree {}",
            "stats --by gpu -f json {}", "analyze {}", "info {}", "info --json {}", "verify {}", "export -t sqlite -f -o out {}",
            "export -t chrome -f -o out {}", "export -t jsonlines -o - {}", "flame -o - {}", "export -t folded -o - {}",
            "sql {} 'SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL'")


def attempt(c, command, file):
    """Runs a command under limits; it may fail, but clearly."""
    result = c.run("ulimit -v 2000000; ulimit -c 0; sextant " + command.format(file))
    c.expect(result.code not in SIGNALS, f"{command} {file}: crashed with {result.code}: {result.stderr}")
    c.expect("terminate" not in result.stderr, f"{command}: {result.stderr}")
    c.expect(result.code == 0 or result.stderr.strip(), f"{command} {file}: exit code {result.code} without a word")
    return result


def database(c, name, statements):
    c.env["XDG_CACHE_HOME"] = c.path("cache")
    connection = sqlite3.connect(c.path(name))
    connection.executescript("""
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
            correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER,
            blockX INTEGER, blockY INTEGER, blockZ INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER, globalTid INTEGER,
            correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
        CREATE TABLE CUDA_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, stackDepth INTEGER);
        CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, textId INTEGER,
            domainId INTEGER);
        CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);""" + statements)
    connection.commit()
    connection.close()
    return name


def everything(c, name):
    for command in COMMANDS:
        attempt(c, command, name)
        c.log.clear()


@case("values of other types than the schema says")
def _(c):
    everything(c, database(c, "types.sqlite", f"""
        INSERT INTO StringIds VALUES (1, x'00ff'), (2, 3.5), (-7, 'negative'), (9223372036854775807, 'last');
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('abc', 'def', 'x', NULL, x'01', 1.5, 'pid', 'name', NULL, NULL, -1, 9e99, '', x'', 0),
            (10, 5, 0, 0, 0, 1, {PID}, 1, 2, 1, 1, 1, 1, 1, 1), (-9223372036854775808, 9223372036854775807, 0, 0, 0, 1, {PID}, 9, 9, 1, 1, 1, 1, 1, 1),
            (1e300, -1e300, 4294967296, -1, -1, -1, -1, -7, -7, -1, -1, -1, -1, -1, -1);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 0, {TID}, 1, 'x', NULL, 0), (x'ff', 'now', NULL, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO NVTX_EVENTS VALUES ('a', 'b', 59, x'ff00', {TID}, NULL, 0), (5, 1, 59, NULL, {TID}, 99, 0), (1, 9223372036854775807, 60, '', -1, NULL, -5),
            (1, NULL, 'type', 3, NULL, 'text', 'domain');
        INSERT INTO PROCESSES VALUES ('p', 'q', x'00'), (NULL, NULL, NULL);"""))


@case("tables that are views, virtual, empty, twice, without columns, with triggers")
def _(c):
    everything(c, database(c, "shapes.sqlite", """
        DROP TABLE NVTX_EVENTS; CREATE VIEW NVTX_EVENTS AS SELECT 1 AS start, load_extension('x') AS end, 59 AS eventType, 'v' AS text, 1 AS globalTid;
        CREATE TABLE OSRT_API (zero); CREATE TABLE MPI_RANKS (globalTid, rank, rank2 GENERATED ALWAYS AS (rank + 1) STORED);
        INSERT INTO MPI_RANKS (globalTid, rank) VALUES (1, 'three');
        CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN SELECT load_extension('x'); END;
        CREATE TABLE "a""b;--" ("c""d" INTEGER); INSERT INTO "a""b;--" VALUES (1);
        CREATE TABLE wide (%s); INSERT INTO wide DEFAULT VALUES;""" % ", ".join(f"c{i}" for i in range(1500))))


@case("names of many megabytes, and many names")
def _(c):
    everything(c, database(c, "names.sqlite", f"""
        INSERT INTO StringIds VALUES (1, printf('%.*c', 5000000, 'x')), (2, '');
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) INSERT INTO StringIds SELECT i, 'kernel ' || i FROM n;
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT id, id + 5, 0, 1, 7, id, {PID}, id, id, 1, 1, 1, 1, 1, 1 FROM StringIds;
        INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, printf('%.*c', 5000000, 'y'), {TID}, NULL, 0);"""))


@case("call chains that go in circles, and ranges that are all within each other")
def _(c):
    everything(c, database(c, "chains.sqlite", f"""
        INSERT INTO StringIds VALUES (1, 'f'), (2, 'm');
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO CUDA_CALLCHAINS SELECT 1, i % 2 + 1, 2, i % 3 FROM n;
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 0, {TID}, 1, 1, 0, 1), (3, 4, 0, {TID}, 1, 1, 0, -1), (3, 4, 0, {TID}, 1, 1, 0, 999);
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO NVTX_EVENTS SELECT i, 100000 - i, 59, 'nested ' || i % 3, {TID}, NULL, 0 FROM n;
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5500, 5600, 0, 1, 7, 1, {PID}, 1, 1, 1, 1, 1, 1, 1, 1);"""))


@case("cut at every page, bits flipped")
def _(c):
    database(c, "whole.sqlite", f"""
        INSERT INTO StringIds VALUES (1, 'first'), (2, 'second');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700) INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
            SELECT i * 10, i * 10 + 5, 0, 1, 7, i, {PID}, 1 + i % 2, 1, 1, 1, 1, 1, 1, 1 FROM n;
        INSERT INTO NVTX_EVENTS SELECT start, end, 59, 'r', {TID}, NULL, 0 FROM CUPTI_ACTIVITY_KIND_KERNEL;""")
    with open(c.path("whole.sqlite"), "rb") as file:
        whole = file.read()
    order = random.Random(2)
    for bytes_left in range(0, len(whole), 4096):
        with open(c.path("cut.sqlite"), "wb") as file:
            file.write(whole[:bytes_left])
        result = attempt(c, "stats -q --no-cache -r cuda_gpu_kern_sum -f csv {}", "cut.sqlite")
        c.expect(result.code != 0, f"{bytes_left} of {len(whole)} bytes: exit code 0")
    for _ in range(40):
        bad = bytearray(whole)
        for _ in range(order.choice([1, 2, 30])):
            bad[order.randrange(len(bad))] ^= 1 << order.randrange(8)
        with open(c.path("bad.sqlite"), "wb") as file:
            file.write(bad)
        attempt(c, order.choice(COMMANDS).replace("sextant ", ""), "bad.sqlite")
        c.log.clear()


@case("nothing that lies in the current folder is run")
def _(c):
    database(c, "e.sqlite", f"""INSERT INTO StringIds VALUES (1, 'k');
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 1, 7, 1, {PID}, 1, 1, 1, 1, 1, 1, 1, 1);""")
    names = [f"{n}.py" for n in ("cuda_gpu_kern_sum", "nvtx_sum", "gpu_gaps", "sqlite3", "json", "sitecustomize")] + ["nsys", "sqlite3", "sextant", "python3"]
    for name in names + ["libsqlite3.so.0", ".sqliterc", "x.so"]:
        with open(c.path(name), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ntouch was_run\n" if not name.endswith((".py", ".sqliterc")) else ".shell touch was_run\n" if name == ".sqliterc" else "open('was_run', 'w')\n")
        os.chmod(c.path(name), os.stat(c.path(name)).st_mode | stat.S_IXUSR)
    program = c.sextant
    for words in (["stats", "e.sqlite"], ["stats", "-r", "cuda_gpu_kern_sum", "e.sqlite"], ["analyze", "e.sqlite"], ["info", "e.sqlite"],
                  ["sql", "e.sqlite", "SELECT load_extension('./x.so')"], ["sql", "e.sqlite", ".read .sqliterc"], ["sql", "e.sqlite", ".tables"],
                  ["stats", "-r", "./cuda_gpu_kern_sum.py", "e.sqlite"], ["stats", "-r", "cuda_gpu_kern_sum.py", "e.sqlite"]):
        c.run([program] + words, env={**c.env, "HOME": c.path("")})
    c.expect(not os.path.exists(c.path("was_run")), "a file of the current folder was run")


FORMULA = "=HYPERLINK(\"http://x\";\"y\")"
HOSTILE = [FORMULA, "+1", "-2", "@x", "\x1b[31mred\x1b]0;title\x07", "<script>alert(1)</script>", "a|b\n# h\n`c`", "\u202eabc", "\r\n", "a,b\"c\";d e", "\x9b31m"]


@case("names that mean harm, in every output")
def _(c):
    quoted = ", ".join(f"({i + 1}, '{name.replace(chr(39), chr(39) * 2)}')" for i, name in enumerate(HOSTILE))
    name = database(c, "h.sqlite", f"""INSERT INTO StringIds VALUES {quoted};
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT id, id + 5, 0, 1, id, id, {PID}, id, id, 1, 1, 1, 1, 1, 1 FROM StringIds;
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT id, id + 1, 0, {TID}, id, id, 0, 0 FROM StringIds;
        INSERT INTO NVTX_EVENTS SELECT id, id + 1, 59, value, {TID}, NULL, 0 FROM StringIds;
        INSERT INTO PROCESSES SELECT {PID}, 111, value FROM StringIds WHERE id = 5;""")
    for command in ("stats -r cuda_gpu_kern_sum,nvtx_sum,process_tree {}", "stats -f table -r cuda_gpu_kern_sum {}", "stats -f md -r nvtx_sum {}",
                    "stats --by process -r nvtx_sum {}", "info {}", "verify {}", "analyze {}", "sql {} 'SELECT value FROM StringIds'", "flame -o - {}",
                    "export -t folded -o - {}"):
        result = attempt(c, command, name)
        for bad in (b"\x1b", b"\x07", b"\xc2\x9b", "\u202e".encode()):
            c.expect(bad not in result.out + result.err, f"{command}: {bad!r} reaches the terminal")
    table = c.run(f"sextant stats -q -r cuda_gpu_kern_sum -f csv {name}", 0).out.decode()
    c.equal(sorted(r["Name"] for r in csv.DictReader(io.StringIO(table, newline=""))), sorted(HOSTILE), "names in CSV are the names")
    c.equal(sorted(r["Name"] for r in json.loads(c.run(f"sextant stats -q -r cuda_gpu_kern_sum -f json {name}", 0).out)), sorted(HOSTILE), "names in JSON")
    svg = c.run(f"sextant flame -q -o - {name}", 0).out
    tree = xml.etree.ElementTree.fromstring(svg)
    c.expect({e.tag.split("}")[1] for e in tree.iter()} <= {"svg", "style", "rect", "text", "g", "title"}, "other elements in the SVG")
    trace = json.loads(c.run(f"sextant export -q -t chrome -o - {name}", 0).out)
    c.expect({e["name"] for e in trace["traceEvents"] if e.get("cat") == "kernel"} == set(HOSTILE), "names in the trace")
    folded = c.run(f"sextant export -q -t folded -o - {name}", 0).stdout.rstrip("\n").split("\n")
    c.expect(all(len(line.split(";")) >= 3 and line.rsplit(" ", 1)[1].isdigit() for line in folded), folded)
