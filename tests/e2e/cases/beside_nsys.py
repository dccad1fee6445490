# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The programs that Sextant is proven on, each recorded by Sextant and by the real nsys: the same ranges, names, domains and
counts in both. Every program but NCCL's also has ranges that sleep, and says itself between which two times each of them
lasted: what Sextant says must lie between them but for the clock error that its report states, what nsys says but for
NSYS_CLOCK_ERROR, for it states none.
"""
import csv
import glob
import http.client
import io
import os
import re
import shutil
import signal

import harness
from harness import Skipped
from programs import get, nsys, python_with, python_with_torch

ATTEMPTS = 3  # on a loaded machine nsys loses its own agent now and then, with exit code 0 and no report
NSYS_CLOCK_ERROR = 0.001  # its clock is not steered as the system's is
NSYS_OPTIONS = "-t nvtx --sample=none --cpuctxsw=none"


def write(c, name, text):
    with open(c.path(name), "w", encoding="utf-8") as f:
        f.write(text)
    return c.path(name)


# -- what the programs say, and what the tools say --------------------------------------------------------------------


class Slept:
    """What the program says of its ranges named `sleep`, together."""

    def __init__(self, text):
        pairs = [(int(a), int(b)) for a, b in re.findall(r"slept (\d+) (\d+)", text)]
        self.count, self.least, self.most = len(pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)


def sums(rows):
    """{name: (count, nanoseconds)}; a name in the default domain may have a colon before it or not."""
    found = {}
    for row in rows:
        name = row["Range"].removeprefix(":")
        count, total = found.get(name, (0, 0))
        found[name] = (count + int(row["Instances"]), total + int(row["Total Time (ns)"]))
    return found


def counts(found):
    return {name: count for name, (count, _) in found.items()}


def stated_error(c):
    """Nanoseconds by which a duration may be wrong, as r.sxt states it: each end's, and the rounding to whole ones."""
    c.run("sextant export -q -f -t csv -o clock_csv r.sxt", 0)
    with open(c.path("clock_csv", "clock_sync.csv"), newline="") as f:
        return 2 * max(int(row["error"]) for row in csv.DictReader(f)) + 2


def check_sleep(c, tool, found, slept, error):
    """`error`: nanoseconds by which the duration of one range may be wrong."""
    mine = [value for name, value in found.items() if name.split(":")[-1] == "sleep"]
    count, total = sum(n for n, _ in mine), sum(t for _, t in mine)
    c.expect(slept.count > 0, "the program says nothing of its ranges that sleep")
    c.equal(count, slept.count, f"ranges that sleep, by {tool}")
    print(f"    {tool}: {count} x sleep, {total} ns, by the program {slept.least} .. {slept.most}; may be wrong by {error:.0f} ns each",
          flush=True)
    c.expect(slept.least - count * error <= total <= slept.most + count * error,
             f"{tool}: {count} ranges slept {total} ns, by the program {slept.least} to {slept.most}, allowed {error} ns each")


def sextant_slept(c, found, said):
    check_sleep(c, "Sextant", found, Slept(said), stated_error(c))


def nsys_slept(c, found, said):
    slept = Slept(said)
    check_sleep(c, "nsys", found, slept, NSYS_CLOCK_ERROR * slept.most / max(slept.count, 1))


def compare(c, ours, theirs, what):
    print(f"    {what}: Sextant {sum(counts(ours).values())} ranges of {len(ours)} names, nsys {sum(counts(theirs).values())} of {len(theirs)}",
          flush=True)
    mine, yours = counts(ours), counts(theirs)
    differ = {name: (mine.get(name, 0), yours.get(name, 0)) for name in mine.keys() | yours.keys()
              if mine.get(name, 0) != yours.get(name, 0)}
    c.equal(differ, {}, "ranges by name (Sextant's, nsys's)")


# -- the two recordings -----------------------------------------------------------------------------------------------


def sextant_records(c, command):
    """Returns the sums and the program's standard output."""
    result = c.run(f"sextant profile -f -o r {command}", 0)
    c.expect("none lost" in result.stderr, result.stderr)
    return sums(c.stats()), result.stdout


def nsys_folder(c):
    shutil.rmtree(c.path("theirs"), ignore_errors=True)
    os.mkdir(c.path("theirs"))  # nsys runs the Python files that it finds in the current folder
    return c.path("theirs")


def nsys_sums(c, program, folder):
    result = c.run([program, "stats", "-q", "-r", "nvtx_sum", "-f", "csv", "r.nsys-rep"], 0, cwd=folder)
    text = result.stdout[result.stdout.find("Time (%)"):] if "Time (%)" in result.stdout else ""
    return sums(csv.DictReader(io.StringIO(text.strip("\n"), newline="")))


def nsys_records(c, command, options="", run=None):
    """As `sextant_records`. `run(command, folder)` runs the command and returns what the program printed."""
    program = nsys()
    run = run or (lambda line, folder: c.run(line, cwd=folder).stdout)
    for _attempt in range(ATTEMPTS):
        folder = nsys_folder(c)
        try:
            printed = run(f"exec {program} profile {NSYS_OPTIONS} {options} -o r {command}", folder)
        except (harness.Failed, OSError, http.client.HTTPException) as failure:  # it hangs, or nobody answers
            printed = str(failure)
        if os.path.exists(os.path.join(folder, "r.nsys-rep")):
            return nsys_sums(c, program, folder), printed
        harness.kill_descendants()  # the agent that it lost
    raise Skipped(f"nsys made no report in {ATTEMPTS} attempts: {printed[-300:]}")


def beside(c, command, options=""):
    """Runs the command under both; returns what Sextant recorded."""
    nsys()
    ours, said = sextant_records(c, command)
    sextant_slept(c, ours, said)
    theirs, said_again = nsys_records(c, command, options)
    nsys_slept(c, theirs, said_again)
    compare(c, ours, theirs, "beside nsys")
    return ours


# -- 8 domains --------------------------------------------------------------------------------------------------------

IN_PYTHON = '''
import sys, time, nvtx
count, sleep = int(sys.argv[1]), float(sys.argv[2])
domains = [f"domain {i}" for i in range(8)]
push, pop = nvtx.push_range, nvtx.pop_range
for _ in range(count // 8):
    for d in domains:
        push("step", domain=d)
        pop(domain=d)
for d in domains:
    before = time.monotonic_ns()
    push("sleep", domain=d)
    opened = time.monotonic_ns()
    time.sleep(sleep)
    closing = time.monotonic_ns()
    pop(domain=d)
    print("slept", closing - opened, time.monotonic_ns() - before)
print("ranges", count // 8 * 8)
'''


def expected(names, issued):
    """Counts of ranges that are spread evenly over 8 domains and these names, and of one that sleeps in each domain."""
    wanted = {f"domain {d}:{name}": issued // 8 // len(names) for d in range(8) for name in names}
    return {**wanted, **{f"domain {d}:sleep": 1 for d in range(8)}}


def many(c, command, names):
    """Ten million ranges: as many as were issued, by name, or the missing ones are said to be lost."""
    result = c.run(f"sextant profile -f -o r {command}", 0)
    issued = int(result.stdout.split()[-1])
    c.expect(issued >= 9_999_900, f"issued {issued}")
    found = sums(c.stats())
    lost = sum(p["lost"] for p in c.info()["processes"])
    print(f"    {issued} + 8 ranges issued: {sum(counts(found).values())} recorded, {lost} records lost", flush=True)
    if lost:
        c.accounted(issued + 8, result)
    else:
        c.equal(counts(found), expected(names, issued), "ranges by name")
        sextant_slept(c, found, result.stdout)


LEVELS = ("level 0", "level 1", "level 2")


@case("C++, a million ranges in 8 domains", full=True, timeout=300)
def _(c):
    ours = beside(c, "$W/domains 1000000 2 50")
    c.equal(counts(ours), expected(LEVELS, 999984), "ranges by name")


@case("C++, ten million ranges in 8 domains, which nsys needs minutes and gigabytes for", full=True, timeout=600)
def _(c):
    many(c, "$W/domains 10000000 2 50", LEVELS)


@case("Python, a million ranges in 8 domains", full=True, timeout=300)
def _(c):
    nsys()
    python = python_with("import nvtx", "the package nvtx")
    program = f"{python} {write(c, 'd.py', IN_PYTHON)}"
    # The package asks nvtxDomainIsEnabled since 0.2.12 and calls nothing more when that is false. nsys 2023.4 does not know it.
    follows = sum(counts(nsys_records(c, f"{program} 8 0")[0]).values())
    if not follows:
        ours, said = sextant_records(c, f"{program} 1000000 0.05")
        sextant_slept(c, ours, said)
        c.equal(counts(ours), expected(["step"], 1000000), "ranges by name")
        raise Skipped("Sextant recorded all; this nsys records nothing of this version of the package nvtx (0.2.11 can be compared)")
    ours = beside(c, f"{program} 1000000 0.05")
    c.equal(counts(ours), expected(["step"], 1000000), "ranges by name")


@case("Python, ten million ranges in 8 domains, which nsys needs minutes and gigabytes for", full=True, timeout=600)
def _(c):
    python = python_with("import nvtx", "the package nvtx")
    many(c, f"{python} {write(c, 'd.py', IN_PYTHON)} 10000000 0.05", ["step"])


# -- NCCL -------------------------------------------------------------------------------------------------------------

NCCL = '''
import ctypes, glob, os, time, nvidia.nccl
lib = ctypes.CDLL(glob.glob(os.path.join(list(nvidia.nccl.__path__)[0], "lib", "libnccl.so*"))[0])
unique = ctypes.create_string_buffer(128)
comm = ctypes.c_void_p()
for _ in range(100):
    lib.ncclGetUniqueId(unique)
    lib.ncclCommInitAll(ctypes.byref(comm), 1, None)  # fails for want of a GPU, in its range
    lib.ncclGroupStart()
    lib.ncclGroupEnd()
'''


@case("NCCL, without a GPU", full=True, timeout=240)
def _(c):
    nsys()
    command = f"{python_with('import nvidia.nccl', 'the wheel nvidia-nccl')} {write(c, 'n.py', NCCL)}"
    ours, _said = sextant_records(c, command)
    c.expect(any(name.startswith("NCCL:") for name in ours), f"no range of NCCL's: {ours}")
    theirs, _said = nsys_records(c, command)
    compare(c, ours, theirs, f"beside nsys {counts(ours)}")


# -- gunicorn ---------------------------------------------------------------------------------------------------------


REQUESTS, SLEEPS = 200, 4


def gunicorn_master():
    """gunicorn's first process: the one whose parent is not another gunicorn."""
    mine = [p for p in harness.descendants() if "web_app:application" in harness.command_line(p) and "profile" not in harness.command_line(p)]
    return next((p for p in mine if harness.running_parent(p) not in mine), None)


def serve(c, command, folder):
    """Starts the server, sends requests, ends it by SIGTERM to gunicorn; returns what it answered about its sleep."""
    server = c.start(command, cwd=folder)
    path = os.path.join(folder, "sock")
    c.wait_until(lambda: os.path.exists(path) or server.poll() is not None, "gunicorn listens")
    c.expect(server.poll() is None, "the server did not start")
    for _ in range(REQUESTS):
        get(path)
    said = "".join(get(path, "/sleep") for _ in range(SLEEPS))
    master = gunicorn_master()
    c.expect(master is not None, "gunicorn has ended")
    os.kill(master, signal.SIGTERM)
    c.wait(server)
    return said


GUNICORN = "gunicorn -w 3 -b unix:sock --pythonpath $W/python web_app:application"


@case("gunicorn with NVTX in its workers", requires="gunicorn", full=True, timeout=120)
def _(c):
    nsys()
    os.mkdir(c.path("ours"))
    said = serve(c, f"exec sextant profile -o ../r {GUNICORN}", c.path("ours"))
    ours = sums(c.stats())
    sextant_slept(c, ours, said)
    c.equal(counts(ours), {"request": 3 * REQUESTS, "sleep": SLEEPS}, "ranges")
    plain, _said = nsys_records(c, GUNICORN, run=lambda line, folder: serve(c, line, folder))
    print(f"    nsys with its defaults: {counts(plain)}", flush=True)
    theirs, said = nsys_records(c, GUNICORN, "--trace-fork-before-exec=true", lambda line, folder: serve(c, line, folder))
    print(f"    nsys with --trace-fork-before-exec=true: {counts(theirs)}", flush=True)
    nsys_slept(c, theirs, said)
    compare(c, ours, theirs, "beside nsys")


# -- torchrun ---------------------------------------------------------------------------------------------------------


def torchrun(c, command, folder):
    c.run(command, cwd=folder)
    said = ""
    for file in glob.glob(os.path.join(folder, "logs", "**", "stdout.log"), recursive=True):
        with open(file, encoding="utf-8") as f:
            said += f.read()
    return said


@case("a torchrun job on CPUs", full=True, timeout=300)
def _(c):
    nsys()
    python = python_with_torch()
    c.env.update(OMP_NUM_THREADS="1")
    # torch 1.13, which Debian 12 has, cannot leave the output alone under Python 3.11
    job = (f"{python} -m torch.distributed.run --standalone --nproc_per_node 2 --redirects 1 --tee 2 --log_dir logs "
           "$W/python/train_gloo.py 0.05")
    os.mkdir(c.path("ours"))
    said = torchrun(c, f"exec sextant profile -o ../r {job}", c.path("ours"))
    ours = sums(c.stats())
    c.equal(counts(ours), {"step": 10, "forward": 10, "backward": 10, "all-reduce": 10, "sleep": 2}, "ranges")
    sextant_slept(c, ours, said)
    theirs, said = nsys_records(c, job, run=lambda line, folder: torchrun(c, line, folder))
    nsys_slept(c, theirs, said)
    compare(c, ours, theirs, "beside nsys")


# -- MPI --------------------------------------------------------------------------------------------------------------


@case("an MPI job with 4 ranks", requires="mpirun file:$W/ring_mpi", full=True, timeout=240)
def _(c):
    c.env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    ours = beside(c, "mpirun --oversubscribe --bind-to none -n 4 $W/ring_mpi 50")
    c.equal(counts(ours), {"turn": 40, "lap": 10, "sleep": 4}, "ranges")
