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


def work(c, mode, rounds, options=""):
    """Runs with and without Sextant; the counts that the program told."""
    return counts_of(c, c.same_output(f"$W/cl_work {mode} {rounds}", options).stdout)


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


@case("a loader without layers: not recorded, which is said", requires="file:$W/cl_work_no_layers")
def _(c):
    c.env["LD_LIBRARY_PATH"] = os.path.join(c.build, "fakes", "opencl")
    bare = c.run("$W/cl_work_no_layers add 3", exit_code=0)
    traced = c.run("sextant profile -t opencl -o r $W/cl_work_no_layers add 3", exit_code=0)
    c.equal(traced.stdout, bare.stdout, "stdout with Sextant")
    c.expect("takes no layers" in traced.stderr, traced.stderr)
    c.expect("opencl_no_layers" in {d["code"] for d in c.info()["diagnostics"]}, "no diagnostic")


@case("a fork child is not followed: its calls are counted", requires=WORK)
def _(c):
    stand_in(c)
    kernels, memory, syncs = work(c, "fork", 5)
    r = Recorded(c)
    r.check(kernels, memory, syncs)
    c.expect("opencl_untraced_call" in {d["code"] for d in c.info()["diagnostics"]}, "no diagnostic")


def hung(c, name):
    """A program with 5 commands that never end; returns its process, once it has said what it did."""
    p = c.start(f"exec sextant profile -o {name} $W/cl_work hang 8 > {name}.txt")
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
    # what began before a step and ended after it has a duration that cannot be: at most `astride` commands
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
    c.expect(differences[len(differences) // 2] <= 2000, what)
    c.expect(differences[int(len(differences) * 0.95)] <= 2000 + bound, what)
    return r


@case("the device's clock: drift, an offset, a step, the driver's timer", requires=WORK)
def _(c):
    for settings in ({"ppm": 50, "offset": 1_000_000_000}, {"ppm": -50, "timer": 1}):
        r = check_clock(c, 3000, **settings)
        # the first lines may come before the record of the timer, which lies in another thread's ring, has been read
        methods = {m for (m,) in r.all("select distinct method from DEVICE_CLOCKS")}
        c.expect((1 in methods) == ("timer" in settings), f"{settings}: methods {methods}")


@case("the device's clock: a step is found", requires=WORK)
def _(c):
    # which of the commands run at the step is not known beforehand: the median and nineteen in twenty are held to it
    r = check_clock(c, 12000, astride=40, ppm=50, step=3_000_000, step_at=60_000_000)
    c.expect(r.count("DEVICE_CLOCKS", "use = 2") >= 1, "no step was found")


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


@case("ten minutes of the machine's own drift", requires=WORK, full=True, timeout=900)
def _(c):
    stand_in(c, ppm=20)
    c.env.update(FAKE_CL_LOG=c.path("truth.txt"), CL_WORK_PAUSE_US="20000")
    check_clock(c, 27000, ppm=20)
