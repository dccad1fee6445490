# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of others under `-t osrt,nvtx`: what they get done, alone, with Sextant and with nsys, interleaved.

Each program is a function of (bench, tool) that returns a Work, or None where it or the tool failed. Clients run without a profiler.
The processor time is the program's own, with what the profiler does in it; the profiler's own processes are not in it.
"""
import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import time

import measure
from measure import median

TRACE = "osrt,nvtx"
PATIENCE = 300  # seconds until a server is up or a profiler has finished


class Work:
    def __init__(self, rate, cpu):
        self.rate, self.cpu = rate, cpu  # units a second; processor seconds a unit


def cpu_of(pid):
    """User and system seconds of a process and of its children that were waited for."""
    with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(n) for n in fields[11:15]) / os.sysconf("SC_CLK_TCK")


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


def start(bench, tool, command, folder, **options):
    if tool != "none" and os.path.exists(bench.report(tool)):
        os.unlink(bench.report(tool))
    return subprocess.Popen(bench.wrapped(tool, command, TRACE), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **options)


def redis(bench, tool, pipeline):
    folder = fresh(bench)
    path = os.path.join(folder, "s")
    server = start(bench, tool, ["redis-server", "--port", "0", "--unixsocket", path, "--save", ""], folder)
    cli = ["redis-cli", "-s", path]
    if not wait_for(lambda: subprocess.run(cli + ["ping"], capture_output=True, check=False).stdout == b"PONG\n"):
        stop(server)
        return None
    info = subprocess.run(cli + ["info", "server"], capture_output=True, text=True, check=True).stdout
    pid = int(re.search(r"process_id:(\d+)", info).group(1))
    requests = bench.count(200_000 * pipeline)
    client = ["redis-benchmark", "-s", path, "-c", "50", "-P", str(pipeline), "-t", "get", "--csv", "-n"]
    subprocess.run(client + [str(requests // 10)], capture_output=True, check=True)
    before, begin = cpu_of(pid), time.monotonic()
    subprocess.run(client + [str(requests)], capture_output=True, check=True)
    rate, cpu = requests / (time.monotonic() - begin), (cpu_of(pid) - before) / requests
    subprocess.run(cli + ["shutdown", "nosave"], capture_output=True, check=False)
    return Work(rate, cpu) if finish(bench, tool, server) else None


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


def postgres(bench, tool):
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
                   env=environment, **who)
    if not wait_for(lambda: call("psql", "-U", "me", "-c", "select 1", "postgres").returncode == 0):
        stop(server)
        return None
    call("pgbench", "-U", "me", "-i", "-q", "postgres")
    with open(os.path.join(data, "postmaster.pid"), encoding="utf-8") as file:
        pid = int(file.readline())
    transactions = bench.count(5_000)
    client = ("pgbench", "-U", "me", "-n", "-S", "-c", "4", "-j", "1", "postgres", "-t")
    call(*client, str(transactions // 10))
    before, begin = cpu_of(pid), time.monotonic()
    done = call(*client, str(transactions))
    wall = time.monotonic() - begin
    wait_for(lambda: not back_ends(pid))  # only when they are waited for do they count
    cpu = (cpu_of(pid) - before) / transactions / 4
    call("pg_ctl", "-D", data, "-m", "fast", "-w", "stop")
    return Work(transactions * 4 / wall, cpu) if finish(bench, tool, server) and done.returncode == 0 else None


def ffmpeg(bench, tool):
    folder = fresh(bench)
    frames = bench.count(300)
    process = subprocess.Popen(
        bench.wrapped(tool, ["ffmpeg", "-nostdin", "-benchmark", "-f", "lavfi", "-i", f"testsrc=size=1280x720:rate=25:duration={frames / 25}",
                             "-c:v", "libx264", "-preset", "veryfast", "-threads", "4", "-f", "null", "-"], TRACE),
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read().decode(errors="replace")
    found = re.search(r"utime=([\d.]+)s stime=([\d.]+)s rtime=([\d.]+)s", text)
    if not finish(bench, tool, process) or not found:
        return None
    user, system, wall = map(float, found.groups())
    return Work(frames / wall, (user + system) / frames)


PROGRAMS = [
    ("redis-benchmark -c 50, GET", ["redis-server", "redis-benchmark"], lambda bench, tool: redis(bench, tool, 1)),
    ("pgbench -S -c 4", ["pgbench"], postgres),
    ("ffmpeg libx264 720p, 4 threads", ["ffmpeg"], ffmpeg),
]


def lost(figures, tool):
    """(share of throughput lost, share of processor time added) in percent"""
    alone, with_tool = figures["none"], figures.get(tool, [])
    if not alone or not with_tool:
        return None, None
    rates, cpus = [[median(getattr(w, name) for w in works) for works in (alone, with_tool)] for name in ("rate", "cpu")]
    return 100 * (1 - rates[1] / rates[0]), 100 * (cpus[1] / cpus[0] - 1)


def programs(bench, _full):
    from rows import Table  # rows.py has functions of this file in its list
    table = Table(f"Programs under -t {TRACE}: throughput lost, processor time added in them",
                  ["program", "alone, a second", "Sextant: lost", "nsys: lost", "Sextant: added CPU", "nsys: added CPU", "reach"])
    for name, needed, run in PROGRAMS:
        missing = [word for word in needed if not shutil.which(word)]
        if missing:
            table.add(f"{name}: {', '.join(missing)} not installed", *[None] * 6)
            continue
        figures = {tool: [] for tool in bench.tools()}
        for _ in range(bench.repeat):
            for tool in figures:
                try:
                    work = run(bench, tool)
                except PermissionError as error:  # the server's user may not start it
                    print(f"{name} with {tool}: {error}", file=sys.stderr)
                    work = None
                if work is not None:
                    figures[tool].append(work)
        ours, theirs = lost(figures, "sextant"), lost(figures, "nsys")
        percent = [None if value is None else f"{value:.1f} %" for value in (ours[0], theirs[0], ours[1], theirs[1])]
        table.add(name, median(w.rate for w in figures["none"]), *percent, "<= 1/5 of nsys's")
    return table
