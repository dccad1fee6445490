# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""NVTX beyond ranges and marks, in the report and in nsys's tables. The workload `modules` says what there is to see."""
import csv
import os
import re
import sqlite3

from harness import Skipped
from programs import python_with


def write(c, name, text):
    with open(c.path(name), "w", encoding="utf-8") as f:
        f.write(text)


FLAT = {"bytes": 1048576, "rank": 3, "share": 0.5, "mode": 7, "tag": "tag", "path": "/some/where", "label": "a label"}


def table(c, name):
    path = c.path("r_csv", name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, newline="", errors="replace") as f:
        return list(csv.DictReader(f))


def record(c, program="$W/modules"):
    result = c.run(f"sextant profile -o r {program}", 0)
    c.run("sextant export -q -t csv -o r_csv r.sxt", 0)
    return result


def payload_tables(db):
    names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'DYNAMIC_NVTXPAYLOAD%'")]
    by_schema = {}
    for (schema, name) in db.execute("SELECT schemaId, name FROM NVTX_PAYLOAD_SCHEMAS"):
        for table_name in names:
            found = re.search(rf"_{schema}(_\w+)?$", table_name)
            if found:
                by_schema[name + (found.group(1) or "")] = table_name
    return by_schema


def check_modules(c, with_cuda):
    resources = {(int(r["type"]), int(r["identifier"])): r["name"] for r in table(c, "nvtx_resource") if r["action"] == "0"}
    c.equal(resources.get((65537, 0x1234)), "a lock", "a resource")
    if with_cuda:
        for kind, number, name in ((262145, 3, "third device"), (262147, 0x77, "driver stream"), (262147, 0x78, "wide stream ä"),
                                   (327680, 1, "runtime device"), (327681, 0x79, "runtime stream"), (393219, 0x7A, "a queue")):
            c.equal(resources.get((kind, number)), name, f"resource {kind}")
        unknown = [d for d in table(c, "diagnostic") if d["code"] == "unknown_nvtx_call"]
        c.equal([d["count"] for d in unknown], ["2"], "calls of functions that are not known")
    c.equal({t["name"] for t in table(c, "thread")}, {"named as a resource"}, "the thread's name")
    c.equal([r["action"] for r in table(c, "nvtx_sync_event")], list("1343562"), "life of a synchronisation object")
    c.equal([r["action"] for r in table(c, "nvtx_memory_event")], list("0336551"), "memory")
    c.equal([(r["name"], r["bytes"]) for r in table(c, "nvtx_memory_event")][:4],
            [("pool", "4096"), ("", "256"), ("", "512"), ("weights", "0")], "heap and regions")
    c.equal({n["name"] for n in table(c, "nvtx_counter")}, {"power", "queue", "traffic"}, "counters")
    samples = table(c, "nvtx_counter_sample")
    c.equal(len(samples), 100 + 1 + 10 + 2 + 6, "samples")
    power = [float(s["value"]) for s in samples if s["kind"] == "2"]
    c.equal(power, [0.25 * i for i in range(100)], "the curve")
    c.equal([float(s["value"]) for s in samples if s["field"] == "out"], [-6.0, 2.0, 4.0, 6.0], "a group's second counter")
    c.equal([int(s["given_time"]) for s in samples if s["field"] == "out"], [0, 100, 200, 300], "times of a batch")
    times = [int(s["time"]) for s in samples]
    c.equal(times, sorted(times), "samples in order")


@case("every module is recorded")
def _(c):
    result = record(c)
    for line in ("enabled 1", "resource 1", "level 0 0", "handles 1"):
        c.expect(line in result.stdout, f"the program saw: {result.stdout}")
    check_modules(c, True)
    c.run("sextant verify r.sxt", 0)


@case("the same through NVIDIA's headers")
def _(c):
    program = os.path.join(c.workloads, "modules_real")
    if not os.path.exists(program):
        raise Skipped("built without NVIDIA's NVTX headers (SEXTANT_NVTX_INCLUDE)")
    record(c, program)
    check_modules(c, False)


@case("payloads in nsys's dynamic tables")
def _(c):
    c.run("sextant profile -q -o r $W/modules", 0)
    c.run("sextant export -q -t sqlite -o r.sqlite r.sxt", 0)
    db = sqlite3.connect(c.path("r.sqlite"))
    db.row_factory = sqlite3.Row
    tables = payload_tables(db)
    c.expect({"all kinds", "inner", "all kinds_list", "all kinds_pair", "named", "dynamic", "dynamic_numbers"} <= set(tables),
             f"tables: {tables}")
    for kind, name in ((59, "with payload"), (34, "with payload")):
        row = db.execute(f"""SELECT d.* FROM {tables['all kinds']} d JOIN NVTX_EVENTS e USING (eventId)
                             WHERE e.text = ? AND e.eventType = ?""", (name, kind)).fetchall()
        c.equal(len(row), 1, f"payloads of {kind}")
        c.equal({k: row[0][k] for k in FLAT}, FLAT, "fields")
    event = row[0]["eventId"]
    c.equal([tuple(r) for r in db.execute(f"SELECT x, y FROM {tables['inner']} WHERE eventId = ?", (event,))], [(-1, 2)], "a structure")
    c.equal([tuple(r) for r in db.execute(f"SELECT idx, value FROM {tables['all kinds_list']} WHERE eventId = ? ORDER BY 1", (event,))],
            [(0, 1.0), (1, 2.5), (2, -4.0)], "an array")
    c.equal([tuple(r) for r in db.execute(f"SELECT idx, x, y FROM {tables['all kinds_pair']} WHERE eventId = ? ORDER BY 1", (event,))],
            [(0, 10, 11), (1, 20, 21)], "an array of structures")
    c.equal(db.execute(f"SELECT count(*), sum(value) FROM {tables['dynamic_numbers']}").fetchone()[:],
            (1000, sum(i * i for i in range(1, 1001))), "a long array")
    named = db.execute(f"""SELECT e.eventType, coalesce(e.text, s.value), d.step FROM {tables['named']} d JOIN NVTX_EVENTS e USING (eventId)
                           LEFT JOIN StringIds s ON s.id = e.textId ORDER BY 1""").fetchall()
    c.equal([tuple(r) for r in named], [(34, "named by payload", 42), (59, "named by payload", 42), (60, "named by payload", 42)],
            "events whose name is in the payload")
    links = db.execute("SELECT count(*) FROM NVTX_EVENTS_PAYLOAD_SCHEMAS").fetchone()[0]
    c.equal(links, 8, "links of events and schemas")
    c.equal(db.execute("SELECT name, value FROM NVTX_PAYLOAD_ENUM_ENTRIES ORDER BY idx").fetchall()[1][:], ("busy", 7), "enumeration")
    c.equal(db.execute("SELECT path FROM NVTX_SCOPES").fetchone()[0], "machine/gpu[0]", "scope")
    c.equal(db.execute("SELECT name FROM TARGET_INFO_NVTX_CUDA_DEVICE ORDER BY deviceId").fetchall()[1][0], "third device", "device")
    c.equal(db.execute("SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 76 AND text = 'modules'").fetchone()[0], 1, "domain destroyed")
    c.equal(db.execute("""SELECT count(*), max(value) FROM NVTX_COUNTER_SAMPLES s JOIN NVTX_COUNTERS USING (counterId)
                          WHERE name = 'power' AND missing IS NULL""").fetchone()[:], (100, 24.75), "counter samples")
    c.equal(db.execute("PRAGMA integrity_check").fetchone()[0], "ok", "the database")


@case("a filter keeps its domain out of every module")
def _(c):
    result = c.run("sextant profile -o r --nvtx-domain-exclude modules $W/modules", 0)
    c.expect("enabled 0" in result.stdout, "nvtxDomainIsEnabled does not say so")
    c.run("sextant export -q -t csv -o r_csv r.sxt", 0)
    for name in ("nvtx_range", "nvtx_mark", "nvtx_payload", "nvtx_counter_sample", "nvtx_sync_event", "nvtx_memory_event"):
        c.equal(table(c, name), [], name)


@case("registrations before --delay are there when events come")
def _(c):
    c.run("sextant profile -q -o r -y 0.5 $W/late_payload 1000", 0)
    c.run("sextant export -q -t csv -o r_csv r.sxt", 0)
    values = table(c, "nvtx_payload_value")
    c.equal([(v["field"], v["number"]) for v in values], [("step", "41")], "the payload")
    c.equal([float(s["value"]) for s in table(c, "nvtx_counter_sample")], [1.5], "the sample")


@case("fork children know what their parent registered")
def _(c):
    c.run("sextant profile -q -o r $W/late_payload 0 fork", 0)
    c.run("sextant export -q -t csv -o r_csv r.sxt", 0)
    values = table(c, "nvtx_payload_value")
    c.equal(len({v["process"] for v in values}), 2, "processes")
    c.equal({(v["field"], v["number"]) for v in values}, {("step", "41")}, "the payloads")


@case("Python's nvtx package")
def _(c):
    python = python_with("import nvtx", "the package nvtx")
    write(c, "p.py", '''
import nvtx
domain = nvtx.Domain("py")
with nvtx.annotate("outer", color="red"):
    for i in range(100):
        with nvtx.annotate("step", domain="py", category="c", payload=i):
            pass
nvtx.mark("a mark", domain="py")
r = nvtx.start_range("ranged", domain="py"); nvtx.end_range(r)
''')
    c.run(f"sextant profile -q -o r {python} p.py", 0)
    got = c.ranges()
    c.equal(got.get("py:step"), 100, f"ranges: {got}")
    c.equal(got.get("py:ranged"), 1, "a start/end range")
    c.run("sextant profile -q -f -o r -c nvtx -p step@py --capture-range-end stop " + f"{python} p.py", 0)
    c.equal(c.ranges().get("py:step"), 1, "captured by the registered string that the package uses")


@case("NCCL's ranges and payloads, without a GPU")
def _(c):
    python = python_with("import nvidia.nccl", "the wheel nvidia-nccl")
    write(c, "n.py", '''
import ctypes, glob, os, nvidia.nccl
lib = ctypes.CDLL(glob.glob(os.path.join(list(nvidia.nccl.__path__)[0], "lib", "libnccl.so*"))[0])
version = ctypes.c_int()
lib.ncclGetVersion(ctypes.byref(version))
unique = ctypes.create_string_buffer(128)
lib.ncclGetUniqueId(unique)
comm = ctypes.c_void_p()
lib.ncclCommInitAll(ctypes.byref(comm), 1, None)
lib.ncclGroupStart(); lib.ncclGroupEnd()
''')
    c.run(f"sextant profile -q -o r {python} n.py", None)
    got = c.ranges()
    c.expect(any(name.startswith("NCCL:") for name in got), f"no range of NCCL's: {got}")
    c.run("sextant export -q -t csv -o r_csv r.sxt", 0)
    c.expect(any(r["domain"] == "NCCL" for r in table(c, "nvtx_schema_field") + table(c, "nvtx_enum_value")), "no schema of NCCL's")


PYTHON_DOMAINS = '''
import sys, nvtx
count = int(sys.argv[1])
domains = [nvtx.get_domain(f"domain {i}") for i in range(8)]
attributes = [d.get_event_attributes(message="step") for d in domains]
pairs = [(d.push_range, d.pop_range, a) for d, a in zip(domains, attributes)]
for _ in range(count // 8):
    for push, pop, a in pairs:
        push(a)
        pop()
print("ranges", count // 8 * 8)
'''


def check_domains(c, program, count):
    result = c.run(f"sextant profile -o r --buffer-size 1G --block {program}", 0)
    issued = int(result.stdout.split()[-1])
    c.expect(issued > count - 100, f"issued {issued}")
    got = {}
    for name, n in c.ranges().items():
        got[name.split(":")[0]] = got.get(name.split(":")[0], 0) + n
    c.equal(got, {f"domain {i}": issued // 8 for i in range(8)}, "ranges of each domain")


@case("8 domains, C++")
def _(c):
    check_domains(c, "$W/domains 240000 2", 240000)


@case("8 domains, Python")
def _(c):
    python = python_with("import nvtx", "the package nvtx")
    write(c, "d.py", PYTHON_DOMAINS)
    check_domains(c, f"{python} d.py 80000", 80000)


@case("8 domains, C++, ten million ranges", full=True, timeout=300)
def _(c):
    check_domains(c, "$W/domains 10000000 2", 10000000)


@case("8 domains, Python, ten million ranges", full=True, timeout=600)
def _(c):
    python = python_with("import nvtx", "the package nvtx")
    write(c, "d.py", PYTHON_DOMAINS)
    check_domains(c, f"{python} d.py 10000000", 10000000)
