# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""How often which function of the C library was called: Sextant beside the real nsys and beside strace, on the same programs.

Not compared are functions that only one of both has (nsys: stat, sigaction, no close), and those where Sextant leaves out by
design what cost nothing: signals that nobody waits for, buffered stdio that came to no system call.
"""
import csv
import io
import os
import re

import harness
from harness import Skipped
from programs import nsys

ATTEMPTS = 3  # on a loaded machine nsys loses its own agent now and then, with exit code 0 and no report
COMPARED = ("read", "write", "pread", "pread64", "open", "open64", "openat", "usleep", "nanosleep", "clock_nanosleep", "poll", "select",
            "epoll_wait", "waitpid", "wait4", "fork", "pthread_create", "pthread_join", "pipe", "pipe2", "socket", "connect", "accept",
            "fsync", "readv", "writev", "send", "recv", "sendto", "recvfrom")
# one process that reads, writes, polls, sleeps and talks; everything it does is in order
PYTHON = """
import os, select, socket, time
for i in range(50):
    fd = os.open("file", os.O_RDWR | os.O_CREAT)
    os.write(fd, b"x" * 100), os.pread(fd, 10, 0), os.fsync(fd), os.close(fd)
a, b = socket.socketpair()
for i in range(30):
    a.send(b"x"), select.poll().poll(0), b.recv(1)
    select.select([], [], [], 0)
if os.fork() == 0:
    os._exit(0)
os.wait()
"""


def counts(text):
    return {row["Name"]: int(row["Num Calls"]) for row in csv.DictReader(io.StringIO(text.strip())) if row["Name"] in COMPARED}


def ours_of(c, command):
    c.run(f"exec sextant profile -q -f -o r -t osrt {command}", 0)
    return counts(c.run("sextant stats -q -f csv -r osrt_sum r.sxt", 0).stdout)


def nsys_of(c, command):
    program, folder = nsys(), c.path("nsys")
    os.makedirs(folder, exist_ok=True)  # nsys runs scripts that lie in its folder
    for _attempt in range(ATTEMPTS):
        try:
            c.run(f"exec {program} profile -f true -t osrt --osrt-threshold=0 --sample=none --cpuctxsw=none -o r {command}", cwd=folder)
            if os.path.exists(os.path.join(folder, "r.nsys-rep")):
                return counts(c.run(f"{program} stats -q -f csv -r osrt_sum r.nsys-rep", 0, cwd=folder).stdout)
        except harness.Failed:
            harness.kill_descendants()
    raise Skipped(f"nsys made no report in {ATTEMPTS} attempts")


def beside_nsys(c, command):
    theirs, ours = nsys_of(c, command), ours_of(c, command)
    differing = {name: (ours.get(name, 0), theirs.get(name, 0)) for name in sorted(set(ours) | set(theirs))
                 if ours.get(name, 0) != theirs.get(name, 0)}
    c.expect(len(theirs) >= 5, f"nsys saw next to nothing: {theirs}")
    c.equal(differing, {}, "calls that Sextant and nsys count differently (Sextant, nsys)")


@case("beside nsys: a program of known calls", full=True, timeout=180)
def _(c):
    beside_nsys(c, f"{c.path(c.workloads, 'os_work')} file 50")


@case("beside nsys: Python with files, sockets, polling and a child", full=True, timeout=180)
def _(c):
    with open(c.path("calls.py"), "w", encoding="utf-8") as f:
        f.write(PYTHON)
    beside_nsys(c, f"/usr/bin/python3 -I -B {c.path('calls.py')}")


@case("beside strace: as many system calls as calls of their functions", requires="strace", full=True, timeout=120)
def _(c):
    """What ld.so and the C library do by themselves goes into strace's counts: the same program with no work tells how much."""
    command = c.path(c.workloads, "os_work")

    def traced(times):
        c.run(f"exec strace -f -o strace.txt {command} file {times}", 0)
        with open(c.path("strace.txt"), encoding="utf-8", errors="replace") as f:
            names = re.findall(r"^\d+ +(\w+)\(", f.read(), re.M)
        return {name: names.count(name) for name in ("read", "write", "pread64", "close", "openat")}

    few, many = traced(5), traced(65)
    ours_few, ours_many = ours_of(c, f"{command} file 5"), ours_of(c, f"{command} file 65")
    for function, call in (("read", "read"), ("write", "write"), ("pread", "pread64"), ("open", "openat")):
        c.equal(ours_many[function] - ours_few[function], many[call] - few[call], f"{function} beside {call}")
