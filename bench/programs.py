# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of others under `-t osrt,nvtx`: what they get done, alone, with Sextant and with nsys, interleaved.

Each program is a function of (bench, tool, options of nsys) that returns a Work, or None where it or the tool failed. Clients run
without a profiler. A unit is a request, a transaction, a frame. What a report holds is read from it after the last run: nsys leaves
children out that a program forks and that execute nothing (back ends of postgres), unless it is asked for them.
"""
import csv
import glob
import io
import os
import pwd
import re
import shutil
import resource
import signal
import sqlite3
import subprocess
import sys
import time

import measure
from measure import median

TRACE = "osrt,nvtx"
FORKED = ("--trace-fork-before-exec=true",)  # without it nsys leaves children out that execute nothing
COUNT = "select count(*), count(distinct (globalTid >> 24) & 16777215) from OSRT_API"
PATIENCE = 300  # seconds until a server is up or a profiler has finished


class Work:
    def __init__(self, rate, cpu, profiler):
        self.rate = rate          # units a second
        self.cpu = cpu            # processor seconds a unit, of the program with what the profiler does in it
        self.profiler = profiler  # likewise, of the profiler's own processes meanwhile


def cpu_of(pid):
    """User and system seconds of a process and of its children that were waited for."""
    with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(n) for n in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def of_profiler(server):
    """Processor seconds of all that this process has started, but for the server and what that has started."""
    below = set(measure.descendants(os.getpid())) - {server} - set(measure.descendants(server))
    total = 0
    for pid in below:
        try:
            total += cpu_of(pid)
        except OSError:
            pass
    return total


def fresh(bench):
    folder = os.path.join(bench.folder, "program")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    return folder


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def stop(process):
    """Nothing of it, and of its profiler, runs on beside what is measured next."""
    for pid in measure.descendants(os.getpid()):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def finish(bench, tool, process):
    """Waits for the profiler, which may stay behind its program for a while. False: it left no report."""
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        stop(process)
    measure.reap_orphans(patience=20)
    return tool == "none" or os.path.exists(bench.report(tool))


def start(bench, tool, command, folder, peer_options, **options):
    if tool != "none" and os.path.exists(bench.report(tool)):
        os.unlink(bench.report(tool))
    return subprocess.Popen(bench.wrapped(tool, command, TRACE, peer_options), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **options)


def redis(bench, tool, peer_options):
    folder = fresh(bench)
    path = os.path.join(folder, "s")
    server = start(bench, tool, ["redis-server", "--port", "0", "--unixsocket", path, "--save", ""], folder, peer_options)
    cli = ["redis-cli", "-s", path]
    if not wait_for(lambda: subprocess.run(cli + ["ping"], capture_output=True, check=False).stdout == b"PONG\n"):
        stop(server)
        return None
    info = subprocess.run(cli + ["info", "server"], capture_output=True, text=True, check=True).stdout
    pid = int(re.search(r"process_id:(\d+)", info).group(1))
    requests = bench.count(200_000)
    client = ["redis-benchmark", "-s", path, "-c", "50", "-t", "get", "--csv", "-n"]
    subprocess.run(client + [str(requests // 10)], capture_output=True, check=True)
    before, profiler, begin = cpu_of(pid), of_profiler(pid), time.monotonic()
    subprocess.run(client + [str(requests)], capture_output=True, check=True)
    wall, cpu, profiler = time.monotonic() - begin, cpu_of(pid) - before, of_profiler(pid) - profiler
    subprocess.run(cli + ["shutdown", "nosave"], capture_output=True, check=False)
    return Work(requests / wall, cpu / requests, profiler / requests) if finish(bench, tool, server) else None


def back_ends(server):
    """Processes of the server's clients that have not been waited for."""
    found = []
    for pid in measure.descendants(server):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="latin-1") as file:
                if file.read().startswith("postgres: me "):
                    found.append(pid)
        except OSError:
            pass
    return found


def postgres(bench, tool, peer_options):
    """It refuses to run as root: then it and its profiler run as nobody."""
    folder = fresh(bench)
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
    who = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        for path in (bench.folder, folder):
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
    environment = dict(os.environ, HOME=folder, TMPDIR=folder, PGHOST=folder)

    def call(name, *words):
        return subprocess.run([os.path.join(programs, name), *words], cwd=folder, env=environment, capture_output=True, text=True,
                              check=False, **who)

    data = os.path.join(folder, "data")
    call("initdb", "-A", "trust", "-U", "me", "--no-sync", "-D", data)
    server = start(bench, tool, [os.path.join(programs, "postgres"), "-D", data, "-k", folder, "-h", "", "-c", "fsync=off"], folder,
                   peer_options, env=environment, **who)
    if not wait_for(lambda: call("psql", "-U", "me", "-c", "select 1", "postgres").returncode == 0):
        stop(server)
        return None
    call("pgbench", "-U", "me", "-i", "-q", "postgres")
    with open(os.path.join(data, "postmaster.pid"), encoding="utf-8") as file:
        pid = int(file.readline())
    transactions = bench.count(20_000)
    client = ("pgbench", "-U", "me", "-n", "-S", "-c", "4", "-j", "1", "postgres", "-t")
    call(*client, str(transactions // 10))
    before, profiler, begin = cpu_of(pid), of_profiler(pid), time.monotonic()
    done = call(*client, str(transactions))
    wall, profiler = time.monotonic() - begin, of_profiler(pid) - profiler
    wait_for(lambda: not back_ends(pid))  # only when they are waited for do they count
    cpu, units = cpu_of(pid) - before, transactions * 4
    call("pg_ctl", "-D", data, "-m", "fast", "-w", "stop")
    whole = finish(bench, tool, server) and done.returncode == 0
    return Work(units / wall, cpu / units, profiler / units) if whole else None


def ffmpeg(bench, tool, peer_options):
    """It tells its own times. Of the profiler all counts here, also what it does after the last frame."""
    folder = fresh(bench)
    frames = bench.count(300)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        bench.wrapped(tool, ["ffmpeg", "-nostdin", "-benchmark", "-f", "lavfi", "-i", f"testsrc=size=1280x720:rate=25:duration={frames / 25}",
                             "-c:v", "libx264", "-preset", "veryfast", "-threads", "4", "-f", "null", "-"], TRACE, peer_options),
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read().decode(errors="replace")
    found = re.search(r"utime=([\d.]+)s stime=([\d.]+)s rtime=([\d.]+)s", text)
    if not finish(bench, tool, process) or not found:
        return None
    user, system, wall = map(float, found.groups())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    everything = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Work(frames / wall, (user + system) / frames, max(0, everything - user - system) / frames)


# name, what it needs, how it is run, options of nsys
PROGRAMS = [
    ("redis-benchmark -c 50, GET", ["redis-server", "redis-benchmark"], redis, ()),
    ("pgbench -S -c 4; nsys: without the back ends", ["pgbench"], postgres, ()),
    ("pgbench -S -c 4; nsys: with " + FORKED[0], ["pgbench"], postgres, FORKED),
    ("ffmpeg libx264 720p, 4 threads", ["ffmpeg"], ffmpeg, ()),
]


def held(bench, tool):
    """What its last report holds, in words."""
    if tool == "sextant":
        answer = subprocess.run([bench.sextant, "sql", "-q", "-f", "csv", bench.report(tool), COUNT], capture_output=True, text=True, check=False)
        rows = list(csv.reader(io.StringIO(answer.stdout)))[1:]
    else:
        database = os.path.join(bench.folder, "held.sqlite")
        subprocess.run([bench.nsys, "export", "-t", "sqlite", "-f", "true", "-o", database, bench.report(tool)], capture_output=True,
                       check=False)
        try:
            rows = sqlite3.connect(database).execute(COUNT).fetchall()
        except sqlite3.Error:
            rows = []
    return f"{int(rows[0][0]):,} calls; processes: {rows[0][1]}" if rows else None


def against(figures, tool):
    """(share of throughput lost, share of processor time added in the program, that of the profiler's processes) in percent"""
    alone, with_tool = figures["none"], figures.get(tool, [])
    if not alone or not with_tool:
        return None, None, None
    before, after = [{name: median(getattr(w, name) for w in works) for name in ("rate", "cpu", "profiler")} for works in (alone, with_tool)]
    shares = 1 - after["rate"] / before["rate"], after["cpu"] / before["cpu"] - 1, after["profiler"] / before["cpu"]
    return tuple(f"{100 * share:.1f} %" for share in shares)


def tried(bench, tool, name, run, peer_options):
    try:
        return run(bench, tool, peer_options)
    except PermissionError as error:  # the server's user may not start it
        print(f"{name} with {tool}: {error}", file=sys.stderr)
        return None


def programs(bench, _full):
    from rows import Table  # rows.py has functions of this file in its list
    table = Table(f"Programs under -t {TRACE}: throughput lost; processor time added in the program, and taken by the profiler's own "
                  "processes meanwhile, both as a share of what the program takes alone; what the report of the last run holds",
                  ["program", "alone, a second", "tool", "lost", "added in it", "profiler's own", "holds"])
    for name, needed, run, peer_options in PROGRAMS:
        missing = [word for word in needed if not shutil.which(word)]
        if missing:
            table.add(f"{name}: {', '.join(missing)} not installed", *[None] * 6)
            continue
        figures = {tool: [] for tool in bench.tools()}
        for _ in range(bench.repeat):
            for tool in figures:
                work = tried(bench, tool, name, run, peer_options)
                if work is not None:
                    figures[tool].append(work)
        alone = median(w.rate for w in figures["none"])
        for tool in bench.tools()[1:]:
            table.add(name, alone, tool, *against(figures, tool), held(bench, tool) if figures[tool] else None)
    return table
