# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What becomes of OS runtime calls in reports, exports and SQL: $W/os_work makes known numbers of them."""
import csv
import io
import json
import os
import sqlite3

from programs import nsys

TIMES = 60
# calls of os_work itself; what is left out (locks without a contender, signals that nobody waits for) may differ
CALLS = {"open": TIMES + 3, "pread": TIMES, "close": TIMES + 1, "write": 3 * TIMES, "read": 2 * TIMES + 1, "usleep": 20,
         "waitpid": 1, "fork": 1, "pthread_create": 3, "pipe": 2}


def record(c, options=""):
    c.run(f"sextant profile -q -o r -t nvtx,osrt {options} $W/os_work file {TIMES}", 0)


def calls(rows):
    return {row["Name"]: int(row["Num Calls"]) for row in rows}


@case("osrt_sum counts every call")
def _(c):
    record(c)
    found = calls(c.stats("osrt_sum"))
    c.equal({name: found.get(name) for name in CALLS}, CALLS, "calls")
    text = c.run("sextant info r.sxt", 0).stdout
    c.expect(f"{sum(found.values())} OS runtime calls in 2 processes" in text, text)
    c.expect("OS runtime call\n" in c.run("sextant top --once r.sxt", 0).stdout, "top does not show calls")


@case("osrt_blocking_sum: waits in their ranges, idle pool threads last")
def _(c):
    record(c, "--osrt-file-access")
    rows = c.stats("osrt_blocking_sum")
    found = {(r["Name"], r["NVTX Range"], r["State"]): int(r["Num Calls"]) for r in rows if r["PID"] == r["TID"]}
    wanted = {("usleep", "rest", "Waiting"): 20, ("read", "talk", "Waiting"): TIMES, ("write", "talk", "Waiting"): TIMES,
              ("write", "load", "I/O"): TIMES, ("pread", "load", "I/O"): TIMES, ("open", "load", "Working"): TIMES + 3,
              ("waitpid", "child", "Waiting"): 1}
    c.equal({key: found.get(key) for key in wanted}, wanted, "waits and work by range")
    files = {r["About"] for r in rows if r["NVTX Range"] == "load" and r["State"] == "I/O"}
    c.expect(len(files) == 1 and files.pop().endswith("file"), f"the file that was written: {files}")
    # the thread at the other end of the pipes may count as idle, too: on a loaded machine it mostly waits
    states = [r["State"] for r in rows]
    idle = rows[states.index("Idle"):]
    c.equal({r["State"] for r in idle}, {"Idle"}, "what comes behind the first idle thread")
    c.equal(len({r["TID"] for r in idle if r["Name"] == "pthread_cond_wait"}), 2, "idle pool threads")
    c.equal([r for r in idle if r["TID"] == r["PID"]], [], "the first thread among the idle ones")
    c.expect(states.index("Working") > max(n for n, s in enumerate(states) if s in ("Waiting", "I/O")), f"order: {states}")


@case("osrt_file_sum: calls, bytes and errors by file")
def _(c):
    record(c, "--osrt-file-access")
    rows = {r["File"]: r for r in c.stats("osrt_file_sum")}
    written = rows["file"]
    c.equal([int(written[key]) for key in ("Opens", "Closes", "Reads", "Bytes Read", "Writes", "Bytes Written", "Errors")],
            [TIMES, TIMES, TIMES, 100 * TIMES, TIMES, 100 * TIMES, 0], "the file")
    c.equal([rows["/no/such/file"][key] for key in ("Opens", "Errors")], ["3", "3"], "the file that is not there")


@case("osrt_file_sum says why it is empty without --osrt-file-access")
def _(c):
    record(c)
    result = c.run("sextant stats -r osrt_file_sum r.sxt", 0)
    c.expect("--osrt-file-access" in result.stdout + result.stderr, result.stdout + result.stderr)


@case("nvtx_osrt_sum: calls under their ranges")
def _(c):
    record(c)
    found = {(r["NVTX Range"], r["Name"]): (int(r["NVTX Inst"]), int(r["Call Inst"])) for r in c.stats("nvtx_osrt_sum")}
    wanted = {("load", "open"): (1, TIMES + 3), ("load", "write"): (1, TIMES), ("talk", "read"): (1, TIMES), ("rest", "usleep"): (1, 20),
              ("", "pthread_create"): (0, 3)}
    c.equal({key: found.get(key) for key in wanted}, wanted, "calls by range")


@case("--by process keeps each process's calls apart")
def _(c):
    record(c)
    text = c.run("sextant stats -q -f csv --by process -r osrt_blocking_sum r.sxt", 0).stdout
    rows = list(csv.DictReader(io.StringIO(text.strip())))
    c.expect(rows and all(r["PID"] in r["Process"] for r in rows), text[:400])


@case("exports and SQL have the calls, with errors")
def _(c):
    record(c, "--osrt-file-access")
    c.run("sextant export -q -t sqlite -o r.sqlite r.sxt", 0)
    db = sqlite3.connect(c.path("r.sqlite"))
    statements = ("SELECT value, count(*), sum(end - start), sum(errno) FROM OSRT_API JOIN StringIds ON id = nameId GROUP BY value "
                  "ORDER BY value",
                  "SELECT eventType, count(*), sum(bytesProcessed), sum(errno <> 0) FROM OSRT_FILE_ACCESS_EVENTS GROUP BY eventType ORDER BY 1",
                  "SELECT count(*), count(DISTINCT fileAccessId), min(filePath) FROM OSRT_FILE_ACCESS_DESCRIPTORS")
    for statement in statements:
        theirs = [[str(v) for v in row] for row in db.execute(statement)]
        text = c.run(["sextant", "sql", "-q", "-f", "csv", "r.sxt", statement], 0).stdout
        c.equal(list(csv.reader(io.StringIO(text.strip())))[1:], theirs, statement)
    c.equal(db.execute("SELECT count(*) FROM OSRT_API WHERE errno = 2 AND returnValue = -1").fetchone()[0], 3, "failed opens")
    c.equal(db.execute("SELECT name FROM ENUM_OSRT_FILE_ACCESS_EVENT_TYPE WHERE id = 3").fetchone()[0], "Read", "names of types")
    c.run("sextant export -q -t chrome -o r.json r.sxt", 0)
    with open(c.path("r.json"), encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    opened = [e for e in events if e.get("name") == "open" and e.get("cat") == "OS runtime"]
    c.equal(len(opened), TIMES + 3, "opens in the Chrome trace")
    c.equal(sum(e.get("args", {}).get("errno") == 2 for e in opened), 3, "failed opens in the Chrome trace")


@case("nsys stats prints osrt_sum of our export as sextant stats does", timeout=120)
def _(c):
    program = nsys()
    record(c)
    c.run("sextant export -q -t sqlite -o r.sqlite r.sxt", 0)
    os.mkdir(c.path("empty"))  # nsys runs scripts that lie in its folder
    read = lambda text: sorted(csv.reader(io.StringIO(text.strip("\n"), newline="")))
    theirs = read(c.run([program, "stats", "-q", "-r", "osrt_sum", "-f", "csv", "../r.sqlite"], 0, cwd=c.path("empty")).stdout)
    ours = read(c.run("sextant stats -q -r osrt_sum -f csv r.sxt", 0).stdout)
    c.expect(len(theirs) > len(CALLS), f"nsys prints {theirs}")
    c.equal(ours, theirs, "osrt_sum")
