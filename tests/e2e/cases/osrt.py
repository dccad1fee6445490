# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""-t osrt: programs that do what hooks of the C library get wrong. Each checks what it can see itself; here the calls are counted."""
import csv
import io
import json
import os
import re
import shutil

import harness


def calls(c, file="r.sxt"):
    """{function: number of calls}"""
    return {row["Name"]: int(row["Num Calls"]) for row in c.stats("osrt_sum", file)}


def lost(c, file="r.sxt"):
    return sum(p["lost"] for p in c.info(file)["processes"])


def sql(c, query, file="r.sxt"):
    result = c.run([c.sextant, "sql", "-q", "-f", "csv", file, query], 0)
    return list(csv.DictReader(io.StringIO(result.stdout)))


def same_counts(c, output):
    """Every call that the program says it made is in the report, or among those that it says are lost."""
    made = {name: int(n) for name, n in re.findall(r"^(\w+) (\d+)$", output, re.M)}
    got, missing = calls(c), lost(c)
    for name, n in made.items():
        c.expect(got.get(name, 0) <= n, f"{name}: {got.get(name, 0)} rows of {n} calls")
    short = sum(n - got.get(name, 0) for name, n in made.items())
    c.expect(short <= missing, f"{short} calls are missing, {missing} are said to be lost: {made}, {got}")
    return made, got


def part(c, name, code=0, options="", counted=True):
    result = c.run(f"sextant profile -q -t nvtx,osrt {options} -o r $W/osrt_corners {name}", code)
    c.equal(result.stderr, "", "stderr")
    if code == 0:
        c.expect(result.stdout.endswith("ok\n"), result.stdout)
    c.run("sextant verify -q r.sxt", 0)
    return same_counts(c, result.stdout) if counted else (None, calls(c))


@case("errors and optional arguments arrive, errno is left alone")
def _(c):
    part(c, "errno")
    rows = sql(c, "select s.value name, errno, count(*) n from OSRT_API join StringIds s on s.id = nameId "
                  "where s.value in ('open', 'read') and returnValue = -1 group by 1, 2 order by 1, 2")
    failed = {(row["name"], row["errno"]): int(row["n"]) for row in rows}
    if lost(c) == 0:
        c.equal(failed, {("open", "2"): 3000, ("open", "14"): 3000, ("read", "9"): 3000}, "failed calls")


@case("threads that are cancelled while they wait")
def _(c):
    part(c, "cancel", counted=False)


@case("cancelled threads destroy what their frames hold")
def _(c):
    result = c.run("sextant profile -q -t osrt -o r $W/osrt_unwind", 0)
    c.equal(result.stdout, "destroyed 60\n", "output")


@case("handlers that call what they interrupt, at 5 kHz")
def _(c):
    made, _ = part(c, "signals")
    c.expect(made["write"] > 10, "the timer did not run")


@case("handlers that call, on a stack of their own")
def _(c):
    made, _ = part(c, "altstack")
    c.expect(made["write"] > 10, "the timer did not run")


@case("calls that are left by siglongjmp")
def _(c):
    part(c, "jumps")


@case("threads with the least stack, and calls of their last destructors")
def _(c):
    part(c, "threads")


@case("forks of a process with busy threads")
def _(c):
    part(c, "forks")


@case("children that share memory")
def _(c):
    part(c, "vfork")


@case("a program that closes every descriptor")
def _(c):
    part(c, "close")


@case("condition variables of the old version")
def _(c):
    part(c, "versions", counted=False)


@case("free locks leave no record, waiting does")
def _(c):
    _, got = part(c, "locks", counted=False)
    c.expect(got.get("pthread_mutex_lock", 0) <= 2, f"locks: {got}")
    c.equal([name for name in got if name in ("sem_wait", "pthread_cond_signal")], [], "free semaphores, signals to nobody")
    rows = sql(c, "select count(*) n from OSRT_API join StringIds s on s.id = nameId where s.value = 'pthread_mutex_lock' "
                  "and end - start > 1000000")
    c.expect(lost(c) or rows[0]["n"] == "1", f"the lock that was held: {rows}")


@case("files: which, how much, by which descriptor")
def _(c):
    part(c, "files", options="--osrt-file-access", counted=False)
    if lost(c):
        return
    names = {row["fileAccessId"]: row["filePath"] for row in sql(c, "select fileAccessId, filePath from OSRT_FILE_ACCESS_DESCRIPTORS")}
    c.equal(sorted(names.values()), ["/dev/null", "/dev/zero", "data", "data", "data"], "files")
    rows = sql(c, "select fileAccessId, eventType, bytesProcessed from OSRT_FILE_ACCESS_EVENTS order by startedAt")
    data = [(int(row["eventType"]), int(row["bytesProcessed"])) for row in rows if names.get(row["fileAccessId"]) == "data"]
    c.equal(data, [(1, 0), (4, 100), (4, 50), (2, 0), (1, 0), (3, 100), (2, 0), (1, 0), (2, 0), (3, 30), (2, 0)], "accesses")


@case("a call before SIGKILL is not lost")
def _(c):
    part(c, "killed", code=137)


@case("a process whose calls a killed collector had written is a recorded one after recovery")
def _(c):
    program = "import subprocess, time\nsubprocess.run(['cat', '/dev/null'])\nwhile True: time.sleep(0.005)"
    tool = c.start(f'exec sextant profile -t osrt -o r $PYTHON -c "{program}"')
    c.wait_until(lambda: os.path.exists(c.path("r.sxt")) and os.path.isdir(c.path("r.sxt.run")), "the recording has begun")

    def written():
        c.run("sextant top --once r.sxt")  # whoever looks gets what there is soon
        return "clock_nanosleep" in c.run("sextant stats -q -r osrt_sum -f csv r.sxt").stdout
    c.wait_until(written, "calls are in the report")
    harness.kill_descendants()
    c.wait(tool)
    c.run("sextant recover r.sxt.run", 0)
    with_calls = {int(row["pid"]) for row in sql(c, "select distinct globalTid / 0x1000000 % 0x1000000 pid from OSRT_API")}
    recorded = {p["pid"]: p["recorded"] for p in c.info()["processes"]}
    c.expect(len(with_calls) >= 2, f"calls of the ended process, too: {with_calls}")
    c.equal({recorded[pid] for pid in with_calls}, {"yes"}, "processes that have calls")


HANGING = ["futex", "poll", "pthread_join", "pthread_mutex_lock", "read", "read", "read", "sem_wait"]


def unfinished(c, but=()):
    """Calls that never returned, with their threads and how long they last."""
    rows = sql(c, "select s.value name, globalTid % 0x1000000 tid, end - start ns, detail from OSRT_API join StringIds s on s.id = nameId "
                  "where flags & 4 order by 1, 2")
    return [row for row in rows if row["name"] not in but]


def is_hanging(c, code):
    """What hang_all() of the program has left: in one thread a read within a handler, which came in another read."""
    rows = unfinished(c, but=("kill", "pause"))
    c.equal([row["name"] for row in rows], HANGING, f"calls that never returned, after {code}")
    tids = [row["tid"] for row in rows if row["name"] == "read"]
    c.equal(len(set(tids)), 2, "threads that read")
    c.equal([row["detail"] for row in rows if row["name"] == "poll"], ["1000000000000"], "the limit of poll")
    c.expect(all(int(row["ns"]) > 0 for row in rows), f"they last until the end: {rows}")
    diagnostics = {d["code"]: d["count"] for d in c.info()["diagnostics"]}
    c.equal(diagnostics.get("unfinished_call"), len(unfinished(c)), "the diagnostic")


@case("calls that never return: killed in them")
def _(c):
    part(c, "hangs", code=137, counted=False)
    is_hanging(c, "SIGKILL")
    c.run("sextant export -q -t sqlite -o r.sqlite r.sxt", 0)
    states = {row["Name"]: row["State"] for row in c.stats("osrt_blocking_sum") if row["State"] in ("Never returned", "Idle")}
    c.expect(set(HANGING) <= set(states), f"osrt_blocking_sum: {states}")
    c.expect("never returned" in c.run("sextant stats -r osrt_blocking_sum r.sxt", 0).stdout, "the note below the table")


@case("calls that never return: the program exits beside them")
def _(c):
    part(c, "hangs_exit", counted=False)
    is_hanging(c, "exit")


@case("calls that never return: the recording ends, and the program with it")
def _(c):
    c.run("sextant profile -q -t osrt -d 5 -o r $W/osrt_corners hangs_on > out")
    with open(c.path("out"), encoding="utf-8") as out:
        hangs = "hang" in out.read()  # in time
    harness.kill_descendants()
    if hangs:
        is_hanging(c, "--duration")


@case("calls that never return: once after recovery, however often it is begun")
def _(c):
    tool = c.start("exec sextant profile -q -t osrt -o r $W/osrt_corners hangs_on > out")
    c.wait_until(lambda: os.path.exists(c.path("out")) and "hang" in open(c.path("out")).read(), "the program hangs")
    harness.kill_descendants()
    c.wait(tool)
    recovered = c.run("sextant recover r.sxt.run", 0)
    c.expect(" runtime calls" in recovered.stdout, recovered.stdout)
    is_hanging(c, "recovery")
    c.run("sextant verify -q r.sxt", 0)


@case("calls that were left by a jump are not going on")
def _(c):
    part(c, "jumped", counted=False)
    c.equal(unfinished(c), [], "calls that never returned")


@case("calls that were left by setcontext are not going on, and do not hide the one that is")
def _(c):
    part(c, "left", code=137, counted=False)
    c.equal([row["name"] for row in unfinished(c)], ["kill"], "calls that never returned")


@case("a thread that is cancelled in a call: until it ended")
def _(c):
    part(c, "cancel", counted=False)
    names = {row["name"] for row in unfinished(c)}
    c.expect({"read", "poll", "nanosleep", "pthread_cond_wait"} <= names, f"calls that threads ended in: {names}")


@case("second arguments: sizes, limits, peers, flags, signals")
def _(c):
    part(c, "details", counted=False)
    if lost(c):
        return
    rows = sql(c, "select s.value name, detailKind kind, detail, returnValue result, errno from OSRT_API join StringIds s on s.id = nameId")
    found = [(row["name"], row["kind"], row["detail"]) for row in rows]
    for wanted in (("poll", "2", "7000000"), ("nanosleep", "2", "3000000"), ("usleep", "2", "2000000"), ("bind", "4", str(2 << 16)),
                   ("connect", "4", str(2 << 16 | 1)), ("read", "1", "200"), ("write", "1", "30"), ("kill", "5", "18"), ("fcntl", "6", "1"),
                   ("mmap", "1", str(3 << 30)), ("munmap", "1", str(3 << 30)), ("mprotect", "1", "8192"), ("open", "3", str(0o2001102))):
        c.expect(wanted in found, f"{wanted} is not among {sorted(set(found))}")
    results = [(row["name"], row["result"], row["errno"]) for row in rows]
    for wanted in (("munmap", "-1", "22"), ("munmap", "0", "0"), ("nanosleep", "-1", "14"), ("clock_nanosleep", "14", "14"), ("read", "30", "0"),
                   ("connect", "-1", "9"), ("connect", "-1", "111")):
        c.expect(wanted in results, f"{wanted} is not among {sorted(set(results))}")


@case("names that threads are given, also of threads that end at once")
def _(c):
    part(c, "names", counted=False)
    names = {row["value"] for row in sql(c, "select value from ThreadNames join StringIds on id = nameId")}
    c.expect({"again", "by its parent"} <= names and "by itself" not in names, f"names of threads: {names}")
    c.run("sextant profile -q -t nvtx -o r -f $W/osrt_corners names", 0)


@case("children of clone that share memory: left out while their parent waits, else told")
def _(c):
    part(c, "clones")
    c.equal([d["code"] for d in c.info()["diagnostics"] if d["code"] == "shared_thread"], [], "diagnostics")
    part(c, "shared", options="-f", counted=False)
    c.equal([d["code"] for d in c.info()["diagnostics"] if d["code"] == "shared_thread"], ["shared_thread"], "diagnostics")


@case("agents that are missing or of another version are told before anything is run")
def _(c):
    lib = os.path.join(os.path.dirname(os.path.dirname(c.sextant)), "lib")
    os.mkdir(c.path("lib"))
    for name in ("libsextant-agent.so", "libsextant-agent-osrt.so"):
        shutil.copy(os.path.join(lib, name), c.path("lib"))
    c.env["SEXTANT_AGENT"] = c.path("lib/libsextant-agent.so")
    c.run("sextant profile -q -t osrt -o r true", 0)
    with open(c.path("lib/libsextant-agent-osrt.so"), "r+b") as file:
        bytes_of = file.read()
        file.seek(bytes_of.index(b"sextant agent of version ") + 25)
        file.write(b"9")
    for missing in (False, True):
        if missing:
            os.remove(c.path("lib/libsextant-agent-osrt.so"))
        result = c.run("sextant profile -q -t osrt -o other touch ran", 2)
        c.expect("not there" in result.stderr if missing else "is of version 9" in result.stderr, result.stderr)
        c.expect(result.stderr.count("\n") == 1 and not os.path.exists(c.path("ran")), result.stderr)
        doctor = json.loads(c.run("sextant doctor --json").stdout)
        verdicts = {v["name"]: v["state"] for v in doctor["capabilities"]}
        c.equal((verdicts["nvtx"], verdicts["osrt"]), ("allowed", "denied"), "the doctor")


@case("only what takes long, and not what is excluded")
def _(c):
    _, got = part(c, "locks", options="--osrt-threshold 5ms --osrt-exclude sleep", counted=False)
    c.expect("usleep" not in got, f"an excluded function: {got}")
    rows = sql(c, "select min(end - start) least from OSRT_API")
    c.expect(int(rows[0]["least"]) > 4_900_000, f"a call that is shorter than the threshold: {rows}")
    c.expect(lost(c) or got.get("pthread_mutex_lock") == 1, f"the long one: {got}")


@case("--osrt-exclude and --osrt-threshold say what they do not understand")
def _(c):
    for option in ("--osrt-exclude=nonsense", "--osrt-threshold=1x"):
        result = c.run(f"sextant profile -t osrt {option} -o r true", 1)
        c.expect(option.replace("=", " ") in result.stderr and result.stderr.count("\n") == 1, result.stderr)


@case("without osrt no function of the C library is ours, with --safe neither")
def _(c):
    for options in ("-t nvtx", "-t osrt --safe"):
        result = c.run(f"sextant profile -q {options} -o r -f grep -c agent-osrt /proc/self/maps")
        c.equal(result.stdout, "0\n", options)
    c.equal(c.stats("osrt_sum"), [], "calls")


@case("another preload keeps its place and its calls")
def _(c):
    c.env["LD_PRELOAD"] = c.workloads + "/osrt_other.so"
    bare = c.run("$W/osrt_corners versions", 0)
    del c.env["LD_PRELOAD"]
    traced = c.run("sextant profile -q -t osrt -e LD_PRELOAD=$W/osrt_other.so -o r $W/osrt_corners versions", 0)
    last = lambda text: [line for line in text.splitlines() if line.startswith("other: ")]
    c.equal(last(traced.stdout), last(bare.stdout), "what the other library counted")


@case("an allocator that maps memory while the hooks are not there yet")
def _(c):
    c.requires("file:/usr/lib/x86_64-linux-gnu/libjemalloc.so.2")
    result = c.run("sextant profile -q -t osrt -e LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 -o r $W/osrt_corners forks", 0)
    c.equal(result.stderr, "", "stderr")
    same_counts(c, result.stdout)


@case("programs that cannot be hooked run as they are")
def _(c):
    for program in ("act_static", "act_asan", "act_musl_dynamic"):
        c.requires("file:" + c.workloads + "/" + program) if program.startswith("act_musl") else None
        result = c.run(f"sextant profile -q -t osrt -o r -f $W/{program} exit 7")
        c.equal(result.code, 7, program)


@case("calls outside of a capture range are not recorded")
def _(c):
    c.run("sextant profile -q -t nvtx,osrt -c nvtx -p never -o r $W/osrt_corners files", 0)
    c.equal(calls(c), {}, "calls")
