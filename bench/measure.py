# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""How a command is run and what is read off it. Standard library only."""
import ctypes
import glob
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time

PR_SET_CHILD_SUBREAPER = 36


def median(values):
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


class Run:
    """One command with everything that it started."""

    def __init__(self, code, wall, wall_all, cpu, output):
        self.code = code          # exit code, negative for a signal
        self.wall = wall          # seconds until the command ended
        self.wall_all = wall_all  # ... until the last process that it left had ended
        self.cpu = cpu            # user + system seconds of all of them
        self.ended = time.monotonic() - (wall_all - wall)
        self.output = output
        self.loop = next((json.loads(line) for line in output.splitlines() if line.startswith('{"mode"')), {})

    @property
    def wait_after_target(self):
        """Seconds from the end of the target's last loop to the end of the command"""
        return self.ended - self.loop["end_ns"] / 1e9 if self.loop else None


def run(command, timeout=1800):
    """This process is the subreaper, so that what a profiler leaves behind is waited for and counted."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as out:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        process.wait(timeout)
        wall = time.monotonic() - begin
        reap_orphans(patience=20)
        wall_all = time.monotonic() - begin
        out.seek(0)
        output = out.read().decode(errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(process.returncode, wall, wall_all, cpu, output)


def reap_orphans(patience):
    """Waits for what the command left behind. nsys's agent now and then stays for ever: then it is killed."""
    deadline = time.monotonic() + patience
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.002)
        except ChildProcessError:
            return
        if time.monotonic() > deadline:
            for pid in descendants(os.getpid()):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            deadline += 1


def descendants(root):
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="latin-1") as file:
                text = file.read()
        except OSError:
            continue
        parents[int(path.split("/")[2])] = int(text.rsplit(")", 1)[1].split()[1])
    found = []
    for pid in parents:
        at = pid
        while at not in (0, 1, root) and at in parents:
            at = parents[at]
        if at == root and pid != root:
            found.append(pid)
    return found


def memory(pid):
    """(anonymous + private, shared) bytes of a process: what it holds for itself, and ring and library pages"""
    private = shared = 0
    is_shared = False
    with open(f"/proc/{pid}/smaps", encoding="latin-1") as file:
        for line in file:
            word, rest = line.split(None, 1)
            if "-" in word and not word.endswith(":"):
                is_shared = rest[3] == "s"
            elif word in ("Private_Clean:", "Private_Dirty:") and not is_shared:
                private += int(rest.split()[0]) * 1024
            elif word == "Rss:" and is_shared:
                shared += int(rest.split()[0]) * 1024
    return private, shared


class MemoryWatch(threading.Thread):
    """Peak memory of the profiler's processes (all descendants of this one but the target) while a command runs."""

    def __init__(self, target_name):
        super().__init__(daemon=True)
        self.target_name = target_name
        self.private = self.shared = 0
        self.stopped = threading.Event()

    def run(self):
        while not self.stopped.wait(0.02):
            private = shared = 0
            for pid in descendants(os.getpid()):
                try:
                    if os.path.basename(os.readlink(f"/proc/{pid}/exe")) == self.target_name:
                        continue
                    own, ring = memory(pid)
                except (OSError, ValueError):
                    continue
                private, shared = private + own, max(shared, ring)
            self.private, self.shared = max(self.private, private), max(self.shared, shared)


class Bench:
    """Programs, folder and profilers. As a context manager it owns its scratch folder."""

    def __init__(self, build, nsys, repeat, scale):
        self.build = build
        self.sextant = os.path.join(build, "bin", "sextant")
        self.loop = os.path.join(build, "bench", "nvtx_loop")
        self.nsys = nsys if nsys and os.access(nsys, os.X_OK) else ""
        self.repeat, self.scale = repeat, scale
        self.folder = tempfile.mkdtemp(prefix="sextant-bench-")
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def count(self, number):
        return max(1, int(number * self.scale))

    def report(self, tool):
        return os.path.join(self.folder, "r.sxt" if tool == "sextant" else "r.nsys-rep")

    def report_bytes(self, tool):
        return os.path.getsize(self.report(tool)) if os.path.exists(self.report(tool)) else None

    def wrapped(self, tool, command, trace="nvtx", peer_options=()):
        if tool == "none":
            return command
        if tool == "sextant":
            return [self.sextant, "profile", "-q", "-t", trace, "-f", "true", "-o", self.report(tool)] + command
        return [self.nsys, "profile", "-t", trace, "--sample=none", "--cpuctxsw=none", *peer_options, "-f", "true", "-o",
                self.report(tool)] + command

    def run(self, tool, command):
        """None where the run failed: nsys does now and then, and says so with exit code 0 and no report."""
        if tool != "none" and os.path.exists(self.report(tool)):
            os.unlink(self.report(tool))
        done = run(self.wrapped(tool, command))
        if tool != "none" and not os.path.exists(self.report(tool)):
            return None
        return done

    def tools(self, with_nsys=True):
        return ["none", "sextant"] + (["nsys"] if self.nsys and with_nsys else [])

    def interleaved(self, command, repeat=None, with_nsys=True):
        """tool -> the runs that succeeded"""
        runs = {tool: [] for tool in self.tools(with_nsys)}
        for _ in range(repeat or self.repeat):
            for tool in runs:
                done = self.run(tool, command)
                if done is not None:
                    runs[tool].append(done)
        return runs

    def recorded(self):
        """Ranges in Sextant's last report, counted from its own summary"""
        text = subprocess.run([self.sextant, "stats", "-q", "-r", "nvtx_sum", "-f", "csv", self.report("sextant")],
                              capture_output=True, text=True, check=False).stdout
        lines = [line.split(",") for line in text.splitlines() if line.strip()]
        return sum(int(line[2]) for line in lines[1:]) if len(lines) > 1 else 0


def drop_cache(path):
    """So that the next reader of the file is a cold one, as far as this can be had without root"""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(fd)


def machine_line(bench):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown processor")
    peer = "beside nsys" if bench.nsys else "without nsys (NSYS is not set)"
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} cores, Linux {os.uname().release}, load {load:.1f} at the start; medians of {bench.repeat}; {peer}"
