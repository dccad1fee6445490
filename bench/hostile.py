# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that profilers break: the same victim alone, with Sextant and with nsys, and what became of it.

Nobody is waited for longer than PATIENCE seconds, then all that was started is killed: that is called a hang. Each runs with both trace
sets, --repeat times; outcomes are counted. Alone, a victim of the list takes a second or two, also on a loaded machine.
"""
import csv
import io
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import measure

PATIENCE = 60
COUNT = "select count(*) from NVTX_EVENTS where eventType in (59, 60)"

# name, command with $W for the folder of the workloads; its output without process ids is the same in every run
VICTIMS = [
    ("closes descriptors 3 to 1023 one by one", "rm -f own; $W/closer 3 loop"),
    ("closes them with closefrom", "rm -f own; $W/closer 3 closefrom"),
    ("closes them with close_range", "rm -f own; $W/closer 3"),
    ("forks from 8 busy threads x 200", "COUNTS=/dev/null $W/forks busy 200"),
    ("has taken every descriptor, RLIMIT_NOFILE 16", "ulimit -n 16; $W/corners full 1000"),
    ("RLIMIT_AS 256 MB", "ulimit -v 262144; $W/flood 20000 4"),
    ("RLIMIT_FSIZE 1 MB", "ulimit -f 1024; $W/flood 20000 4"),
    ("threads with stacks of 16 KiB", "$W/corners stacks 20"),
    ("contexts with stacks of 16 KiB", "$W/corners contexts 500"),
    ("the first range is a signal handler's, with 4 KiB of stack", "$W/corners handler 10"),
    ("a library with NVTX inside is unloaded", "$W/corners unload $W/plugin_a.so 20"),
    ("64 threads in each of 16 processes", "$W/corners storm 64 16"),
    ("a seccomp filter that kills on unknown calls", "$W/sandbox seccomp 10000"),
    ("a static program", "$W/act_static range a 100 print alive exit 3"),
    ("a program with the shared address sanitizer", "$W/act_asan print alive range a 5 exit 3"),
]


def kill_all():
    """Everything that this process has started, and what orphans were left to it."""
    while measure.descendants(os.getpid()):
        for pid in measure.descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.01)


class Outcome:
    """Exit code, output, and seconds; None for the code: it was killed when patience had an end."""

    def __init__(self, command, folder, environment):
        with tempfile.TemporaryFile() as out:
            begin = time.monotonic()
            process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
            try:
                self.code = process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.code = None
                process.kill()
            self.wall = time.monotonic() - begin
            self.left = len(measure.descendants(os.getpid())) if self.code is None else 0
            out.seek(0)
            # nsys writes lines of its own to the program's output
            self.output = [line for line in out.read().decode(errors="replace").splitlines() if not is_of_nsys(line)]


def is_of_nsys(line):
    return bool(re.match(r"Generating '|\[\d+/\d+\] |Generated:|Failed to |Importer error|WARNING:|Collecting data|Processing |\t/|$", line.strip("\r")))


def ranges(bench, tool):
    """What the report holds; None: there is none."""
    if not os.path.exists(bench.report(tool)):
        return None
    if tool == "sextant":
        answer = subprocess.run([bench.sextant, "sql", "-q", "-f", "csv", bench.report(tool), COUNT], capture_output=True, text=True, check=False)
        rows = list(csv.reader(io.StringIO(answer.stdout)))[1:]
        return int(rows[0][0]) if rows else None
    database = os.path.join(bench.folder, "hostile.sqlite")
    if os.path.exists(database):
        os.unlink(database)
    try:
        subprocess.run([bench.nsys, "export", "-t", "sqlite", "-f", "true", "-o", database, bench.report(tool)], capture_output=True,
                       check=False, timeout=PATIENCE)
        return sqlite3.connect(database).execute(COUNT).fetchone()[0]
    except sqlite3.Error:
        return 0  # nsys makes no table of what it has not seen
    except subprocess.TimeoutExpired:
        return None


def what_happened(bench, tool, command, alone, folder, environment, trace):
    if os.path.exists(bench.report(tool)):
        os.unlink(bench.report(tool))
    got = Outcome(bench.wrapped(tool, ["/bin/bash", "-c", command], trace), folder, environment)
    if got.code is None:
        kill_all()
        return f"hangs ({PATIENCE} s)"
    measure.reap_orphans(patience=20)
    seen = ranges(bench, tool)
    report = "no report" if seen is None else f"{seen:,} ranges"
    if got.code != alone.code:
        return f"exit code {got.code} instead of {alone.code}, {report}"
    if got.output != alone.output:
        return f"other output, {report}"
    return f"as alone, {report}"


def counted(outcomes):
    """Alike ones once, with their number."""
    texts = list(dict.fromkeys(outcomes))
    return "; ".join(text if len(texts) == 1 else f"{outcomes.count(text)} x {text}" for text in texts)


def hostile(bench, _full):
    from rows import Table  # rows.py has functions of this file in its list
    table = Table(f"Programs that profilers break, {bench.repeat} runs each", ["the program", "trace set"] + bench.tools()[1:])
    environment = dict(os.environ, W=os.path.join(bench.build, "workloads"))
    folder = os.path.join(bench.folder, "hostile")
    for name, command in VICTIMS:
        for trace in ("nvtx", "osrt,nvtx"):
            outcomes = {tool: [] for tool in bench.tools()[1:]}
            for _ in range(bench.repeat):
                for tool, found in outcomes.items():
                    shutil.rmtree(folder, ignore_errors=True)
                    os.mkdir(folder)
                    alone = Outcome(["/bin/bash", "-c", command], folder, environment)
                    found.append(what_happened(bench, tool, command, alone, folder, environment, trace))
            table.add(name, trace, *(counted(found) for found in outcomes.values()))
    return table
