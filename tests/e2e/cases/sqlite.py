# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The SQLite export holds every attribute, in nsys's tables."""
import os
import shutil
import sqlite3

from harness import Skipped

PUSH_POP, START_END, MARK, CATEGORY, THREAD, DOMAIN = 59, 60, 34, 33, 39, 75


def export(c, program):
    c.run(f"sextant profile -q -o r {program}", 0)
    c.run("sextant export -t sqlite -o r.sqlite r.sxt", 0)
    return sqlite3.connect(c.path("r.sqlite"))


def one(c, db, name, kind):
    rows = db.execute("""SELECT e.*, coalesce(e.text, s.value) AS name FROM NVTX_EVENTS e LEFT JOIN StringIds s ON s.id = e.textId
                         WHERE coalesce(e.text, s.value) = ? AND eventType = ?""", (name, kind)).fetchall()
    c.equal(len(rows), 1, f"rows for {name}")
    return rows[0]


@case("attributes of every kind")
def _(c):
    db = export(c, "$W/core_calls")
    db.row_factory = sqlite3.Row
    for name, column, value in (("payload u64", "uint64Value", (18446744073709551615, -1)), ("payload i64", "int64Value", (-9000000000,)),
                                ("payload double", "doubleValue", (-2.5,)), ("payload u32", "uint32Value", (4294967295,)),
                                ("payload i32", "int32Value", (-7,)), ("payload float", "floatValue", (0.25,))):
        row = one(c, db, name, PUSH_POP)
        c.expect(row[column] in value, f"{name}: {column} is {row[column]!r}")
        for other in ("uint64Value", "int64Value", "doubleValue", "uint32Value", "int32Value", "floatValue"):
            c.expect(other == column or row[other] is None, f"{name}: {other} is {row[other]!r} too")
    row = one(c, db, "coloured", PUSH_POP)
    c.equal((row["color"] & 0xFFFFFFFF, row["category"]), (0xFF112233, 7), "colour and category")
    c.equal(one(c, db, "mark with payload", MARK)["int32Value"], 41, "payload of a mark")
    one(c, db, "wide mark", MARK)
    one(c, db, "seventh", CATEGORY)
    one(c, db, "third of a", CATEGORY)
    domains = dict(db.execute("SELECT text, domainId FROM NVTX_EVENTS WHERE eventType = ?", (DOMAIN,)).fetchall())
    c.expect("lib.a" in domains and "lib.w" in domains, f"domains: {domains}")
    row = one(c, db, "registered", PUSH_POP)
    c.equal((row["domainId"], row["category"]), (domains["lib.a"], 3), "domain and category of a registered name")
    c.expect(row["textId"] is not None, "a registered string belongs into textId")
    c.equal(one(c, db, "ascii push", PUSH_POP)["domainId"], 0, "default domain")
    row = one(c, db, "start with colour", START_END)
    c.expect(row["endGlobalTid"] not in (None, row["globalTid"]), "ended by another thread")
    c.expect(one(c, db, "ascii start", START_END)["endGlobalTid"] in (None, row["globalTid"]), "ended by the same thread")
    names = {n for (n,) in db.execute("SELECT s.value FROM ThreadNames t JOIN StringIds s ON s.id = t.nameId")}
    c.expect("the main thread" in names, f"thread names: {names}")
    row = one(c, db, "never closed", PUSH_POP)
    c.expect(row["end"] is not None and row["end"] >= row["start"], "the end of a range never closed")
    c.expect(db.execute("SELECT count(*) FROM DIAGNOSTIC_EVENT").fetchone()[0] > 0, "no DIAGNOSTIC_EVENT row for it")
    bad = db.execute("SELECT count(*) FROM NVTX_EVENTS WHERE eventType IN (59, 60) AND end < start").fetchone()[0]
    c.equal(bad, 0, "ranges that end before they start")


@case("processes, threads and their ids")
def _(c):
    db = export(c, "bash -c '$W/act range a 2; $W/race 5'")
    processes = dict(db.execute("SELECT pid, name FROM PROCESSES").fetchall())
    for name in ("act", "race"):
        c.expect(any(name in n for n in processes.values()), f"{name} is not in {processes}")
    threads = db.execute("SELECT count(DISTINCT globalTid) FROM NVTX_EVENTS WHERE text = 'first'").fetchone()[0]
    c.equal(threads, 5, "threads")
    for (tid,) in db.execute("SELECT DISTINCT globalTid FROM NVTX_EVENTS"):
        c.expect(tid >> 24 & 0xFFFFFF in processes, f"globalTid {tid:x} has no process")


@case("the export of a recording with nothing in it")
def _(c):
    db = export(c, "bash -c true")
    c.expect(db.execute("SELECT count(*) FROM PROCESSES").fetchone()[0] >= 1, "no processes")


@case("an export that exists is refused unless forced")
def _(c):
    c.run("sextant profile -q -o r $W/act range a 3; echo precious > r.sqlite", 0)
    result = c.run("sextant export -t sqlite -o r.sqlite r.sxt")
    c.expect(result.code != 0 and "r.sqlite" in result.stderr, f"not refused: {result.code} {result.stderr}")
    with open(c.path("r.sqlite")) as f:
        c.equal(f.read(), "precious\n", "the file that existed")
    c.run("sextant export -t sqlite -f -o r.sqlite r.sxt", 0)
    sqlite3.connect(c.path("r.sqlite")).execute("SELECT * FROM NVTX_EVENTS")


@case("an export to a full disk leaves nothing", requires="tmpfs")
def _(c):
    c.tmpfs("small", "200k")
    c.run("sextant profile -q -o r $W/flood 100000 1 1000", 0)
    result = c.run("sextant export -t sqlite -o small/r.sqlite r.sxt")
    c.expect(result.code != 0 and result.stderr, "no error")
    c.equal(os.listdir(c.path("small")), [], "left behind")


@case("the real nsys stats prints the same rows", timeout=120)
def _(c):
    nsys = os.environ.get("NSYS") or shutil.which("nsys")
    if not nsys:
        raise Skipped("no nsys: set NSYS to one")
    import csv
    import io
    c.run("sextant profile -q -o r bash -c '$W/core_calls; $W/act range a 20; $W/race 4'", 0)
    c.run("sextant export -t sqlite -o r.sqlite r.sxt", 0)
    for report in ("nvtx_sum", "nvtx_pushpop_sum", "nvtx_startend_sum", "nvtx_pushpop_trace"):
        os.mkdir(c.path("n-" + report))  # nsys wants an empty folder
        theirs = c.run([nsys, "stats", "-q", "-r", report, "-f", "csv", "../r.sqlite"], 0, cwd=c.path("n-" + report))
        want = list(csv.reader(io.StringIO(theirs.stdout.strip("\n"), newline="")))
        ours = c.run(["sextant", "stats", "-q", "-r", report, "-f", "csv", "r.sxt"], 0)
        got = list(csv.reader(io.StringIO(ours.stdout.strip("\n"), newline="")))
        c.equal(got[0], want[0], f"columns of {report}")
        c.equal(sorted(got[1:]), sorted(want[1:]), f"rows of {report}")
