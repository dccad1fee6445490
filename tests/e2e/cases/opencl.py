# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""OpenCL: every command has its row, the program sees nothing, clocks of devices are followed.

Most cases run on the stand-in implementation (tests/fakes/opencl_icd.cpp), which is there on any machine and whose clock can be
made to run wrongly; "anywhere" means the machine's own (PoCL, where the set-up has installed it).
"""
import os
import re
import signal
import sqlite3
import time

import harness

WORK = "file:$W/cl_work"
FORCED, UNFINISHED, NOT_PROFILED = "opencl_profiling_forced", 1, 0


def stand_in(c, **settings):
    """The stand-in as the only implementation; `settings`: of its clock."""
    os.makedirs(c.path("vendors"), exist_ok=True)
    with open(c.path("vendors", "stand_in.icd"), "w") as f:
        f.write(os.path.join(c.build, "fakes", "opencl", "libOpenCL.so.1") + "\n")
    c.env["OCL_ICD_VENDORS"] = c.env["OPENCL_VENDOR_PATH"] = c.path("vendors")
    c.env["FAKE_CL_CLOCK"] = ",".join(f"{k}:{v}" for k, v in settings.items())


class Recorded:
    """The OpenCL tables of a report."""

    def __init__(self, c, file="r.sxt"):
        c.run(["sextant", "export", "-t", "sqlite", "--force-overwrite=true", "-o", file + ".sqlite", file], exit_code=0)
        self.c, self.base = c, sqlite3.connect(c.path(file + ".sqlite"))

    def all(self, sql):
        return self.base.execute(sql).fetchall()

    def has(self, table):
        return bool(self.all(f"select 1 from sqlite_master where name = '{table}'"))

    def count(self, table, where="1"):
        return self.all(f"select count(*) from {table} where {where}")[0][0] if self.has(table) else 0

    def commands(self):
        """(start, end, queued for, submitted for, correlation, host's call start, end) of all that have times."""
        parts = [f"select w.start, w.end, queuedFor, submittedFor, w.correlationId, a.start, a.end from {t} w "
                 "left join OPENCL_API a on a.correlationId = w.correlationId and a.globalTid / 0x1000000 = w.globalPid / 0x1000000"
                 for t in ("OPENCL_KERNELS", "OPENCL_MEMORY", "OPENCL_SYNC") if self.has(t)]
        return self.all(" union all ".join(parts) + " order by 5") if parts else []

    def check(self, kernels, memory, syncs, untimed=0):
        """Each command once, with its call, in an order that can be."""
        c = self.c
        got = tuple(self.count(t) for t in ("OPENCL_KERNELS", "OPENCL_MEMORY", "OPENCL_SYNC", "OPENCL_UNTIMED"))
        c.equal(got, (kernels, memory, syncs, untimed), "kernels, memory, syncs, untimed")
        commands = self.commands()
        c.equal(len({row[4] for row in commands}), len(commands), "different correlations")
        for start, end, queued_for, submitted_for, correlation, called, returned in commands:
            c.expect(called is not None, f"command {correlation} has no call")
            # durations and instants are rounded each by itself
            c.expect(called - 3 <= start - submitted_for - queued_for <= start + 3 and start <= end and min(queued_for, submitted_for) >= 0,
                     f"command {correlation}: {called} {start - submitted_for - queued_for} {start} {end}")
        c.equal(self.count("OPENCL_API", "correlationId != 0"), len(commands) + untimed, "calls that enqueue")


def counts_of(c, text):
    found = re.search(r"enqueued \d+: kernels (\d+), memory (\d+), syncs (\d+)", text)
    c.expect(found, f"no counts: {text}")
    return tuple(int(n) for n in found.groups())


def work(c, mode, rounds, options="", program="cl_work"):
    """Runs with and without Sextant; the counts that the program told."""
    return counts_of(c, c.same_output(f"$W/{program} {mode} {rounds}", options).stdout)


@case("every command once, in all that programs do", requires=WORK)
def _(c):
    stand_in(c)
    for mode in ("add", "mix", "threads", "leave"):
        kernels, memory, syncs = work(c, mode, 30)
        recorded = Recorded(c)
        left = recorded.count("OPENCL_UNTIMED")  # a program that leaves without clFinish may leave something behind
        c.expect(left == 0 or mode == "leave", f"{mode}: {left} commands without times")
        if left == 0:
            recorded.check(kernels, memory, syncs)


@case("every command once on whatever is here", requires=WORK + " file:/etc/OpenCL/vendors/pocl.icd")
def _(c):
    for mode in ("mix", "threads"):
        kernels, memory, syncs = work(c, mode, 10)
        Recorded(c).check(kernels, memory, syncs)


@case("images, shared virtual memory, migrations, a native kernel, out of order", requires="file:$W/cl_more file:/etc/OpenCL/vendors/pocl.icd")
def _(c):
    kernels, memory, syncs = work(c, "", 5, program="cl_more")
    r = Recorded(c)
    r.check(kernels, memory, syncs)
    c.equal(r.all("select distinct s.value from OPENCL_KERNELS join StringIds s on s.id = nameId"), [("(native kernel)",)], "kernels")
    image = 16 * 16 * 16  # pixels of 16 bytes
    sizes = dict(r.all("select e.name, bytes from OPENCL_MEMORY m join ENUM_OPENCL_COMMAND e on e.id = m.command group by 1, 2"))
    c.equal({name: sizes[name] for name in sizes if sizes[name] != image}, {"SVM unmap": 0}, "sizes")
    c.equal(len(sizes), 13, f"kinds of commands: {sorted(sizes)}")
    c.equal(r.all("select distinct asked & 1 from OPENCL_QUEUES"), [(1,)], "out of order")


@case("a command that fails: the program sees its own references to the event only", requires="file:/etc/OpenCL/vendors/pocl.icd")
def _(c):
    with open(c.path("fails.py"), "w") as f:
        f.write("import ctypes as C\ncl, p = C.CDLL('libOpenCL.so.1'), C.c_void_p\n"
                "for f in ('clCreateContext', 'clCreateCommandQueue', 'clCreateBuffer', 'clCreateUserEvent'): getattr(cl, f).restype = p\n"
                "platform, device, event, room, references = p(), p(), p(), C.create_string_buffer(64), C.c_uint()\n"
                "cl.clGetPlatformIDs(1, C.byref(platform), None)\ncl.clGetDeviceIDs(platform, C.c_ulong(0xffffffff), 1, C.byref(device), None)\n"
                "context = p(cl.clCreateContext(None, 1, C.byref(device), None, None, None))\n"
                "queue = p(cl.clCreateCommandQueue(context, device, C.c_ulong(0), None))\n"
                "buffer = p(cl.clCreateBuffer(context, C.c_ulong(1), C.c_size_t(64), None, None))\ngate = p(cl.clCreateUserEvent(context, None))\n"
                "print(cl.clEnqueueReadBuffer(queue, buffer, 0, C.c_size_t(0), C.c_size_t(64), room, 1, C.byref(gate), C.byref(event)))\n"
                "def look():\n  cl.clGetEventInfo(event, 0x11d2, C.c_size_t(4), C.byref(references), None)\n  print(references.value)\n"
                "look()\ncl.clSetUserEventStatus(gate, -5)\nlook()\nprint(cl.clWaitForEvents(1, C.byref(event)))\n")
    c.same_output("$PYTHON fails.py")
    c.equal(Recorded(c).count("OPENCL_UNTIMED"), 1, "commands without times")


@case("kernels have sizes and arguments, objects their names", requires=WORK)
def _(c):
    stand_in(c)
    c.run("sextant profile -q -o r $W/cl_work mix 3", exit_code=0)
    r = Recorded(c)
    c.equal(r.all("select distinct s.value, dimensions, globalX, globalY, globalZ, localX, localY, localZ from OPENCL_KERNELS "
                  "join StringIds s on s.id = nameId"), [("twice", 2, 1024, 1, 1, 32, 1, 1)], "kernels")
    c.equal(r.all("select idx, a.kind, a.bytes from OPENCL_ARGUMENTS a order by idx"), [(0, 1, 4096), (1, 3, 128)], "arguments")
    c.equal(r.all("select distinct k.argumentSet = a.argumentSet from OPENCL_KERNELS k, OPENCL_ARGUMENTS a"), [(1,)], "sets join")
    c.equal(r.all("select name, vendor from OPENCL_PLATFORMS"), [("Stand-in platform", "The Sextant authors")], "platforms")
    c.equal(r.all("select name, type, computeUnits from OPENCL_DEVICES"), [("Stand-in device", 8, 1)], "devices")
    c.equal(r.all("select asked, properties from OPENCL_QUEUES order by queueId"), [(1, 3), (0, 2)], "queues")
    c.equal(r.all("select count(*), min(returnValue), min(status), min(step) from OPENCL_BUILDS"), [(1, 0, 0, 0)], "builds")
    c.equal(r.all("select bytes, blocking, count(*) from OPENCL_MEMORY where command = 4609 group by 1, 2"), [(256, 1, 3)],
            "rectangles")
    failed = r.all("select s.value, returnValue from OPENCL_API join StringIds s on s.id = nameId where returnValue != 0")
    c.equal(failed, [("clEnqueueReadBuffer", -30)], "calls that failed")


@case("queues that are left alone have no times, and say so", requires=WORK)
def _(c):
    stand_in(c)
    kernels, memory, syncs = work(c, "add", 10, "--opencl-force-profiling=false")
    r = Recorded(c)
    r.check(0, 0, 0, kernels + memory + syncs)
    c.equal(r.all("select distinct reason from OPENCL_UNTIMED"), [(NOT_PROFILED,)], "reasons")
    c.equal(r.all("select asked, properties from OPENCL_QUEUES"), [(0, 0)], "queues")
    codes = {d["code"] for d in c.info()["diagnostics"]}
    c.expect("opencl_untimed" in codes and FORCED not in codes, f"diagnostics: {codes}")
    told = c.run("sextant stats -r opencl_gpu_sum r.sxt", exit_code=0).stdout
    c.expect(f"{kernels + memory + syncs} (their queue does not measure)" in told, told)


@case("what was forced is told", requires=WORK)
def _(c):
    stand_in(c)
    c.run("sextant profile -q -o r $W/cl_work add 2", exit_code=0)
    c.expect(FORCED in {d["code"] for d in c.info()["diagnostics"]}, "no diagnostic")


@case("not asked for: no layer", requires=WORK)
def _(c):
    stand_in(c)
    result = c.run("sextant profile -t nvtx -q -o r bash -c 'echo layers=$OPENCL_LAYERS; $W/cl_work add 2'", exit_code=0)
    c.expect("layers=\n" in result.stdout, result.stdout)
    c.expect(not Recorded(c).has("OPENCL_API"), "calls were recorded")


@case("layers of others stay beside ours", requires=WORK)
def _(c):
    c.env["OPENCL_LAYERS"] = "/nowhere/other.so"
    result = c.run("sextant profile -q -o r bash -c 'echo $OPENCL_LAYERS'", exit_code=0)
    c.expect(re.fullmatch(r"/\S+/libsextant-agent\S*\.so:/nowhere/other.so\n", result.stdout), result.stdout)


@case("a program that opens the loader itself is recorded by layers, too", requires="file:/etc/OpenCL/vendors/pocl.icd")
def _(c):
    stand_in(c)
    code = "import ctypes; n = ctypes.c_uint(); ctypes.CDLL('libOpenCL.so.1').clGetPlatformIDs(0, None, ctypes.byref(n)); print(n.value)"
    c.same_output(["$PYTHON".replace("$PYTHON", c.env["PYTHON"]), "-c", code])
    c.equal(Recorded(c).all("select s.value, returnValue from OPENCL_API join StringIds s on s.id = nameId"),
            [("clGetPlatformIDs", 0)], "calls")


def without_layers(c, kind="opencl"):
    """The stand-in as the libOpenCL that programs are linked to: it takes no layers."""
    c.env["LD_LIBRARY_PATH"] = os.path.join(c.build, "fakes", kind)


def preloaded(c, options=""):
    """What is preloaded beside the agent."""
    result = c.run(f"sextant profile -f -q -o p {options} bash -c 'echo $LD_PRELOAD'", exit_code=0)
    return [os.path.basename(file) for file in result.stdout.strip().split(":")][1:]


@case("a loader without layers: what is linked to it is recorded, once", requires="file:$W/cl_work_no_layers")
def _(c):
    for kind in ("opencl", "opencl_plain"):  # the latter can have its own calls of itself interposed
        without_layers(c, kind)
        for mode in ("add", "mix", "threads", "leave", "builds"):
            bare = c.run(f"$W/cl_work_no_layers {mode} 20", exit_code=0)
            traced = c.run(f"sextant profile -f -t opencl -o r $W/cl_work_no_layers {mode} 20", exit_code=0)
            c.equal(traced.stdout, bare.stdout, f"{mode}: stdout with Sextant")
            c.expect("takes no layers" in traced.stderr and "dlopen" in traced.stderr, traced.stderr)
            kernels, memory, syncs = counts_of(c, bare.stdout)
            recorded = Recorded(c)
            left = recorded.count("OPENCL_UNTIMED")
            c.expect(left == 0 or mode == "leave", f"{mode}: {left} commands without times")
            if left == 0:
                recorded.check(kernels, memory, syncs)
            c.expect("opencl_no_layers" in {d["code"] for d in c.info()["diagnostics"]}, "no diagnostic")


def calls_by_name(c):
    return Recorded(c).all("select s.value, count(*), sum(returnValue) from OPENCL_API join StringIds s on s.id = nameId group by 1")


@case("interposed and as a layer: the same calls", requires=WORK + " file:$W/cl_work_no_layers")
def _(c):
    stand_in(c)
    c.run("sextant profile -q -t opencl -o r $W/cl_work mix 7", exit_code=0)
    by_layer = calls_by_name(c)
    c.equal(preloaded(c), [], "preloaded where the loader takes layers")
    # it is preloaded by hand, and leaves calls alone: the loader's layer records them
    c.env["LD_PRELOAD"] = os.path.join(c.build, "lib", "libsextant-opencl.so")
    c.run("sextant profile -f -q -t opencl -o r $W/cl_work mix 7", exit_code=0)
    c.equal(calls_by_name(c), by_layer, "calls where both are there")
    del c.env["LD_PRELOAD"]
    without_layers(c, "opencl_plain")
    c.equal(preloaded(c, "-t opencl"), ["libsextant-opencl.so"], "preloaded where it takes none")
    c.equal(preloaded(c, "-t nvtx"), [], "preloaded where OpenCL is not recorded")
    c.run("sextant profile -f -q -t opencl -o r $W/cl_work_no_layers mix 7", exit_code=0)
    c.equal(calls_by_name(c), by_layer, "calls")


@case("a program that opens a loader without layers itself is not recorded, which is said")
def _(c):
    without_layers(c)
    code = ("import ctypes; n = ctypes.c_uint(); cl = ctypes.CDLL('libOpenCL.so.1'); cl.clGetPlatformIDs(0, None, ctypes.byref(n)); "
            "print(n.value)")
    bare = c.run([c.env["PYTHON"], "-c", code], exit_code=0)
    traced = c.run(["sextant", "profile", "-t", "opencl", "-o", "r", c.env["PYTHON"], "-c", code], exit_code=0)
    c.equal(traced.stdout, bare.stdout, "stdout with Sextant")
    c.expect("not in programs that open it themselves" in traced.stderr, traced.stderr)
    c.expect(not Recorded(c).has("OPENCL_API"), "calls were recorded")


@case("nobody has OpenCL's functions: whoever looks for them anyhow is told that there is no platform")
def _(c):
    without_layers(c)
    code = ("import ctypes; me = ctypes.CDLL(None); n = ctypes.c_uint(7); "
            "print(ctypes.c_int(me.clGetPlatformIDs(1, None, ctypes.byref(n))).value, n.value, me.clCreateContext(0, 0, 0, 0, 0, 0), "
            "ctypes.CDLL('libOpenCL.so.1').clGetPlatformIDs(0, None, ctypes.byref(n)), n.value)")
    result = c.run(["sextant", "profile", "-q", "-t", "opencl", "-o", "r", c.env["PYTHON"], "-c", code], exit_code=0)
    c.equal(result.stdout, "-1001 7 0 0 1\n", "results")


@case("a program that executes another one: each has its own numbers", requires=WORK)
def _(c):
    stand_in(c)
    kernels, memory, syncs = work(c, "exec", 5)
    c.equal((kernels, memory, syncs), (6, 18, 0), "counts of the second program")
    r = Recorded(c)
    r.check(5 + kernels, 15 + memory, 0)
    c.equal(r.all("select count(distinct globalPid), count(distinct queueId) from OPENCL_KERNELS"), [(1, 2)], "a pid, two queues")
    c.equal(r.all("select queueId, count(*) from OPENCL_KERNELS k join OPENCL_QUEUES q using (globalPid, queueId) "
                  "join OPENCL_DEVICES d on d.globalPid = k.globalPid and d.deviceId = k.deviceId and d.deviceId = q.deviceId "
                  "join OPENCL_CONTEXTS x on x.globalPid = k.globalPid and x.contextId = k.contextId "
                  "join OPENCL_PROGRAMS p on p.globalPid = k.globalPid and p.programId = k.programId "
                  "join OPENCL_PLATFORMS f on f.globalPid = k.globalPid and f.platformId = d.platformId group by 1 order by 1"),
            [(1, 5), (1_000_001, 6)], "kernels with their objects")
    c.equal(r.all("select argumentSet / 1000000, count(distinct argumentSet) from OPENCL_ARGUMENTS group by 1"), [(0, 1), (1, 1)], "sets of arguments")
    name = "k"
    for pause in (0, 1.2):  # before and after the collector has written something: the second program is killed
        p = c.start(f"exec sextant profile -f -o {name} $W/cl_work exec_hang 5 > {name}.txt")
        c.wait_until(lambda: os.path.exists(c.path(name + ".txt")) and "enqueued" in open(c.path(name + ".txt")).read(), "the counts")
        time.sleep(pause)
        harness.kill_descendants()
        p.wait()
        harness.reap()
        c.run(["sextant", "recover", name + ".sxt.run"], exit_code=0)
        Recorded(c, name + ".sxt").check(5 + 6, 15 + 18, 0, 5)
        os.remove(c.path(name + ".txt"))


@case("builds: in the foreground and in the background, well or not, once each", requires=WORK)
def _(c):
    stand_in(c)
    work(c, "builds", 1)
    r = Recorded(c)
    # the first one is of the program's beginning
    c.equal(r.all("select returnValue, status, b.log, logBytes, b.options, p.bytes > 0, d.name from OPENCL_BUILDS b "
                  "join OPENCL_PROGRAMS p on p.globalPid = b.globalTid / 0x1000000 * 0x1000000 and p.programId = b.programId "
                  "join OPENCL_DEVICES d on d.globalPid = p.globalPid and d.deviceId = b.deviceId order by b.start"),
            [(0, 0, "", 0, "", 1, "Stand-in device")] * 2 + [(-11, -2, "it is broken", 12, "", 1, "Stand-in device")] +
            [(0, 0, "", 0, "", 1, "Stand-in device"), (0, -2, "it is broken", 12, "", 1, "Stand-in device")] +
            [(0, 0, "", 0, "-DLATER", 1, "Stand-in device"), (0, -2, "it is broken", 12, "-DLATER", 1, "Stand-in device")], "builds")
    c.equal(r.all("select count(distinct hash) from OPENCL_PROGRAMS"), [(2,)], "different sources")
    slow = r.all("select count(*) from OPENCL_BUILDS where options = '-DLATER' and \"end\" - start >= 20000000")
    c.equal(slow, [(2,)], "builds in the background that are timed to their end")
    rows = c.run("sextant stats -q -f csv -r opencl_build_trace r.sxt", 0).stdout.strip().split("\n")
    at = rows[0].split(",").index("Built Before")
    c.equal([row.split(",")[at] for row in rows[1:]], ["0", "1", "0", "2", "1", "0", "0"], "built before")


@case("a fork child is not followed: its calls are counted", requires=WORK)
def _(c):
    stand_in(c)
    kernels, memory, syncs = work(c, "fork", 5)
    r = Recorded(c)
    r.check(kernels, memory, syncs)
    c.expect("opencl_untraced_call" in {d["code"] for d in c.info()["diagnostics"]}, "no diagnostic")


def hung(c, name, program="cl_work"):
    """A program with 5 commands that never end; returns its process, once it has said what it did."""
    p = c.start(f"exec sextant profile -o {name} $W/{program} hang 8 > {name}.txt")
    c.wait_until(lambda: os.path.exists(c.path(name + ".txt")) and "enqueued" in open(c.path(name + ".txt")).read(), "the counts")
    return p


def check_hung(c, name):
    kernels, memory, syncs = counts_of(c, open(c.path(name + ".txt")).read())
    r = Recorded(c, name + ".sxt")
    r.check(kernels, memory, syncs, 5)
    c.equal(r.all("select distinct reason, command from OPENCL_UNTIMED"), [(UNFINISHED, 0x1207)], "what is unfinished")


@case("SIGTERM: what was complete is there, the rest is counted as unfinished", requires=WORK)
def _(c):
    stand_in(c)
    p = hung(c, "t")
    p.send_signal(signal.SIGTERM)
    result = c.wait(p)
    c.equal(result.code, 128 + signal.SIGTERM, "exit code")
    c.expect("5 of them unfinished" in result.stderr, result.stderr)
    check_hung(c, "t")


@case("SIGTERM without layers", requires="file:$W/cl_work_no_layers")
def _(c):
    without_layers(c)
    p = hung(c, "t", "cl_work_no_layers")
    p.send_signal(signal.SIGTERM)
    c.equal(c.wait(p).code, 128 + signal.SIGTERM, "exit code")
    check_hung(c, "t")


@case("SIGKILL of everything: recovered, the rest is counted as unfinished", requires=WORK)
def _(c):
    stand_in(c)
    for pause in (0, 1.2):  # before and after the collector has written something
        name = f"k{pause}"
        p = hung(c, name)
        time.sleep(pause)
        harness.kill_descendants()
        p.wait()
        harness.reap()
        result = c.run(["sextant", "recover", name + ".sxt.run"])
        c.equal(result.code, 0, f"recover: {result.stderr}")
        check_hung(c, name)


def check_clock(c, rounds, astride=0, **settings):
    """The report's times against those that the stand-in noted down, which are the host's."""
    stand_in(c, **settings)
    c.env["FAKE_CL_LOG"] = c.path("truth.txt")
    c.run(f"sextant profile -f -q -o r $W/cl_work add {rounds}", exit_code=0)
    r = Recorded(c)
    # what ran while the clock stepped, or may have, has times that cannot be told: at most `astride` commands
    commands, impossible = r.commands(), r.count("OPENCL_UNTIMED", "reason = 4")
    c.expect(impossible <= astride, f"{impossible} commands with impossible stamps")
    c.equal(len(commands) + impossible, 4 * rounds, "commands")
    epoch = r.all("select utcEpochNs from TARGET_INFO_SESSION_START_TIME")[0][0]
    truth = [tuple(map(int, line.split()[1:])) for line in open(c.path("truth.txt"))]
    bound = max(error for (error,) in r.all("select error from DEVICE_CLOCKS"))
    differences = []
    for start, end, _q, _s, correlation, called, _returned in commands:
        c.expect(called - 3 <= start <= end, f"command {correlation}: {called} {start} {end}")
        _queued, true_start, true_end = truth[correlation - 1]
        differences += [abs(start + epoch - true_start), abs(end + epoch - true_end)]
    differences.sort()
    what = f"{settings}: {len(differences)} times; median {differences[len(differences) // 2]} ns, worst {differences[-1]} ns; bound {bound}"
    c.log.append(what)
    # every command within 2 us; where the machine was so busy that its brackets leave more, within what they leave, which is told
    c.expect(differences[-1] <= max(2000, bound) and differences[len(differences) // 2] <= 2000, what)
    return r


@case("the device's clock: drift, an offset, a step, the driver's timer", requires=WORK)
def _(c):
    for settings in ({"ppm": 50, "offset": 1_000_000_000}, {"ppm": -50, "timer": 1}):
        r = check_clock(c, 3000, **settings)
        # the first lines may come before the record of the timer, which lies in another thread's ring, has been read
        methods = {m for (m,) in r.all("select distinct method from DEVICE_CLOCKS")}
        c.expect((1 in methods) == ("timer" in settings), f"{settings}: methods {methods}")


@case("the device's clock: a step is found, and which side of it a command is on", requires=WORK)
def _(c):
    for step, unknown in ((3_000_000, 40), (-3_000_000, 400)):  # after a step back the clock reads the same twice
        r = check_clock(c, 12000, astride=unknown, ppm=50, step=step, step_at=60_000_000)
        c.expect(r.count("DEVICE_CLOCKS", "use = 2") >= 1, f"{step}: no step was found")


def others_program(c, command, same=True):
    """A program that nobody here wrote: output as without us, every command that it enqueued accounted for. Returns the tables."""
    if same:
        c.same_output(command)
    else:
        c.run(f"sextant profile -q -o r -f {command}", exit_code=0)
    r = Recorded(c)
    enqueued = r.count("OPENCL_API", "correlationId != 0")
    c.expect(enqueued > 0, "no commands")
    c.equal(len(r.commands()), enqueued, "commands with times, of those enqueued")
    return r


@case("clpeak", requires="clpeak file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=300)
def _(c):
    r = others_program(c, "clpeak --kernel-latency", same=False)  # it prints how long things took
    c.expect(r.count("OPENCL_KERNELS") >= 20000, "kernels")


@case("clblast's own tests", requires="clblast_test_xaxpy file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=300)
def _(c):
    r = others_program(c, "clblast_test_xaxpy")
    c.expect(r.count("OPENCL_KERNELS") >= 100 and r.count("OPENCL_MEMORY") >= 2000, "kernels and copies")


@case("ffmpeg's OpenCL filters", requires="ffmpeg file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=300)
def _(c):
    r = others_program(c, "ffmpeg -v error -nostdin -f lavfi -i testsrc=size=320x240:rate=5:duration=2 -init_hw_device opencl=ocl "
                          "-filter_hw_device ocl -vf format=yuv420p,hwupload,avgblur_opencl,hwdownload,format=yuv420p -f md5 -")
    c.expect(r.count("OPENCL_MEMORY", "command in (4598, 4599, 4604) and bytes > 0") > 0, "images")


@case("hashcat", requires="hashcat file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=600)
def _(c):
    c.env["HOME"] = c.path("home")
    os.makedirs(c.path("home"))
    # the hash of "abcd"; what it prints beside the result tells times
    r = others_program(c, "hashcat -m 0 -a 3 --force -D 1 --self-test-disable --potfile-disable -o found.txt "
                          "e2fc714c4727ee9395f324cd2e7f331f '?l?l?l?l' > out.txt 2>&1", same=False)
    c.expect("abcd" in open(c.path("found.txt")).read(), "the result")
    c.expect(r.count("OPENCL_KERNELS") > 10, "kernels")


def python_with(c, module):
    if c.run(["/usr/bin/python3", "-c", f"import {module}"]).code != 0:
        raise harness.Skipped(f"no {module} for /usr/bin/python3")


@case("pyopencl", requires="file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=300)
def _(c):
    python_with(c, "pyopencl, numpy")
    with open(c.path("p.py"), "w") as f:
        f.write("import numpy as np, pyopencl as cl\n"
                "x = cl.create_some_context(interactive=False)\nq = cl.CommandQueue(x)\na = np.arange(4096, dtype=np.float32)\n"
                "b = cl.Buffer(x, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)\n"
                "p = cl.Program(x, 'kernel void inc(global float* a) { a[get_global_id(0)] += 1; }').build()\n"
                "o = np.empty_like(a)\n"
                "for i in range(50):\n    p.inc(q, a.shape, None, b)\n    cl.enqueue_copy(q, o, b)\nprint(o.sum())\n")
    r = others_program(c, "/usr/bin/python3 p.py")
    c.equal((r.count("OPENCL_KERNELS"), r.count("OPENCL_MEMORY")), (50, 50), "kernels and copies")


@case("OpenCV's T-API", requires="file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=300)
def _(c):
    python_with(c, "cv2")
    c.env["OPENCV_OPENCL_DEVICE"] = ":CPU:"
    with open(c.path("p.py"), "w") as f:
        f.write("import cv2, numpy as np\n"
                "m = cv2.UMat(np.arange(256 * 256, dtype=np.uint8).reshape(256, 256))\n"
                "for i in range(10):\n    m = cv2.GaussianBlur(m, (5, 5), 1)\nprint(int(m.get().sum()))\n")
    others_program(c, "/usr/bin/python3 p.py")


@case("ViennaCL", requires="g++ file:/usr/include/viennacl/vector.hpp file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=300)
def _(c):
    with open(c.path("v.cpp"), "w") as f:
        f.write("#define VIENNACL_WITH_OPENCL\n#include <viennacl/linalg/inner_prod.hpp>\n#include <viennacl/vector.hpp>\n#include <cstdio>\n"
                "int main() {\n  viennacl::vector<float> a = viennacl::scalar_vector<float>(1000, 2.0f), b = a;\n"
                "  for (int i = 0; i < 20; ++i) a += 0.5f * b;\n  float s = viennacl::linalg::inner_prod(a, b);\n"
                "  std::printf(\"%.1f\\n\", s);\n}\n")
    c.run("g++ -O1 -w -o v v.cpp -lOpenCL", exit_code=0)
    others_program(c, "./v")


def clocks_beside_each_other():
    """(raw, real): what CLOCK_MONOTONIC_RAW and CLOCK_REALTIME say at one moment, by the narrowest of some brackets."""
    best = None
    for _ in range(20):
        before, raw, after = time.clock_gettime_ns(time.CLOCK_REALTIME), time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW), time.clock_gettime_ns(
            time.CLOCK_REALTIME)
        if best is None or after - before < best[0]:
            best = (after - before, raw, (before + after) // 2)
    return best[1:]


def own_drift(c, rounds, every):
    """The device stamps CLOCK_MONOTONIC_RAW (PoCL): its clock as found against what the two clocks said all along."""
    c.env["CL_WORK_PAUSE_US"] = "20000"
    p = c.start(f"exec sextant profile -q -o r $W/cl_work add {rounds}")
    samples = [clocks_beside_each_other()]
    while p.poll() is None:
        time.sleep(every)
        samples.append(clocks_beside_each_other())
    c.equal(c.wait(p).code, 0, "exit code")
    r = Recorded(c)
    c.equal(len(r.commands()), 4 * rounds, "commands")
    epoch = r.all("select utcEpochNs from TARGET_INFO_SESSION_START_TIME")[0][0]
    lines, at, worst, bound = r.all("select timestamp, deviceTimestamp, error from DEVICE_CLOCKS order by deviceTimestamp"), 0, 0, 0
    for host, device, error in lines:
        while at + 2 < len(samples) and samples[at + 1][0] < device:
            at += 1
        (raw, real), (next_raw, next_real) = samples[at], samples[at + 1]
        true = real + (device - raw) * (next_real - real) / (next_raw - raw)
        worst, bound = max(worst, abs(host + epoch - true)), max(bound, error)
    (raw, real), (last_raw, last_real) = samples[0], samples[-1]
    what = (f"{(last_raw - raw) / 1e9:.0f} s, drift {((last_real - real) / (last_raw - raw) - 1) * 1e6:+.3f} ppm, {len(lines)} ends of lines: "
            f"off by {worst:.0f} ns at most, bound {bound} ns")
    c.log.append(what)
    print(what)
    c.expect(len(lines) >= 2, "lines")
    c.expect(worst <= max(2000, bound + 1000), what)  # the samples are a little off themselves
    return what


@case("the device's clock is one of this machine, at its own drift", requires=WORK + " file:/etc/OpenCL/vendors/pocl.icd")
def _(c):
    own_drift(c, 100, 0.1)


@case("ten minutes of the machine's own drift", requires=WORK + " file:/etc/OpenCL/vendors/pocl.icd", full=True, timeout=1200)
def _(c):
    own_drift(c, 27000, 0.5)


@case("ten minutes of twenty ppm", requires=WORK, full=True, timeout=900)
def _(c):
    stand_in(c, ppm=20)
    c.env.update(FAKE_CL_LOG=c.path("truth.txt"), CL_WORK_PAUSE_US="20000")
    check_clock(c, 27000, ppm=20)
