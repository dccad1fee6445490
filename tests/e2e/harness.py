# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What a case can do: run commands in its folder, look at their results, read reports through the command line program.

The harness makes itself the reaper of all orphans, so that every process of a case, also daemons and the collector, is a
descendant of it: none may be left when the case is over. Until then orphans that ended stay zombies, as in a container whose
first process does not wait for them.
"""
import csv
import ctypes
import io
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36


class Failed(Exception):
    """A check of a case did not hold."""


class Skipped(Exception):
    """The case cannot run here; the text says why."""


def become_reaper():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def running_parent(pid):
    """The parent of a process that still runs; None for one that ended (a zombie whose threads have all ended)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as f:
            fields = f.read().rsplit(b")", 1)[1].split()
        if fields[0] in (b"Z", b"X") and len(os.listdir(f"/proc/{pid}/task")) <= 1:
            return None
        return int(fields[1])
    except OSError:
        return None


def descendants():
    """pids of all processes below this one that still run. A process that was just forked may be missing."""
    parents = {int(entry): running_parent(entry) for entry in os.listdir("/proc") if entry.isdigit()}
    found, todo = [], [os.getpid()]
    while todo:
        above = todo.pop()
        below = [pid for pid, parent in parents.items() if parent == above]
        found += below
        todo += below
    return found


def any_left():
    """False when surely nothing runs any more: one look at /proc may miss a child whose parent ends meanwhile."""
    return any(descendants() for _ in range(3))


def kill_descendants(order=None):
    """SIGKILL to everything below this process, as close together as can be; `order` (random.Random) shuffles."""
    while any_left():
        pids = descendants()
        if order:
            order.shuffle(pids)
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def reap():
    """Takes the exit status of everything that has ended (what subprocess started has been waited for before)."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            return f.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return "?"


class Result:
    def __init__(self, code, stdout, stderr):
        self.code, self.out, self.err = code, stdout, stderr

    @property
    def stdout(self):
        return self.out.decode(errors="replace")

    @property
    def stderr(self):
        return self.err.decode(errors="replace")


class Case:
    """One case while it runs. Methods raise Failed."""

    def __init__(self, folder, build, timeout=60, verbose=False):
        self.folder, self.build, self.timeout, self.verbose = folder, build, timeout, verbose
        self.workloads = os.path.join(build, "workloads")
        self.sextant = os.path.join(build, "bin", "sextant")
        self.mounts, self.log = [], []
        self.env = {k: v for k, v in os.environ.items()
                    if k not in ("LD_PRELOAD", "NVTX_INJECTION64_PATH") and not k.startswith("SEXTANT_")}
        self.env.update(PATH=os.path.join(build, "bin") + ":" + self.env.get("PATH", "/usr/bin:/bin"), W=self.workloads,
                        PYTHON=sys.executable, LC_ALL="C.UTF-8", TMPDIR=folder,
                        XDG_CONFIG_HOME=os.path.join(folder, ".config"))

    # -- running --------------------------------------------------------------------------------------------------

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def start(self, command, **options):
        """A shell command line, or a list; not waited for."""
        self.log.append(f"$ {command}")
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("env", self.env)
        options.setdefault("cwd", self.folder)
        if isinstance(command, str):
            command = ["/bin/bash", "-c", command]
        return subprocess.Popen(command, **options)

    def wait(self, process, timeout=None):
        try:
            out, err = process.communicate(timeout=timeout or self.timeout)
        except subprocess.TimeoutExpired:
            raise Failed(f"not done after {timeout or self.timeout} s; running: "
                         + "; ".join(command_line(p) for p in descendants())) from None
        result = Result(process.returncode if process.returncode >= 0 else 128 - process.returncode, out or b"", err or b"")
        self.log.append(f"-> {result.code}\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
        return result

    def run(self, command, exit_code=None, **options):
        result = self.wait(self.start(command, **options))
        if exit_code is not None:
            self.expect(result.code == exit_code,
                        f"exit code {result.code} instead of {exit_code}: {command}\n{result.stderr}")
        return result

    def expect(self, condition, message):
        if not condition:
            raise Failed(message)

    def equal(self, got, wanted, what):
        self.expect(got == wanted, f"{what}: {got!r} instead of {wanted!r}")

    def wait_until(self, condition, what, timeout=None):
        end = time.monotonic() + (timeout or self.timeout)
        while not condition():
            if time.monotonic() > end:
                raise Failed(f"not within {timeout or self.timeout} s: {what}")
            time.sleep(0.01)

    def settled(self, timeout=20):
        """Waits until nothing of the case runs any more (a collector may need a moment after its command line tool was killed)."""
        self.wait_until(lambda: not any_left(), "all processes gone", timeout)

    # -- reports --------------------------------------------------------------------------------------------------

    def stats(self, report="nvtx_sum", file="r.sxt"):
        """Rows of a report as dictionaries."""
        result = self.run([self.sextant, "stats", "-q", "-r", report, "-f", "csv", file])
        self.expect(result.code == 0, f"stats -r {report} {file}: exit code {result.code}: {result.stderr}")
        text = result.out.decode("utf-8")
        return list(csv.DictReader(io.StringIO(text.strip("\n"), newline=""))) if text.strip() else []

    def ranges(self, file="r.sxt"):
        """{name: instances} of all ranges."""
        counts = {}
        for row in self.stats("nvtx_sum", file):
            counts[row["Range"]] = counts.get(row["Range"], 0) + int(row["Instances"])
        return counts

    def expect_ranges(self, wanted, name=None, file="r.sxt"):
        counts = self.ranges(file)
        got = sum(counts.values()) if name is None else sum(n for k, n in counts.items() if k in (name, ":" + name))
        self.equal(got, wanted, f"ranges{'' if name is None else ' ' + name} in {file}")

    def accounted(self, issued, result, file="r.sxt"):
        """Every push and every pop of `issued` ranges was recorded or is said to be lost; `result` is the recording's."""
        ranges, info = sum(self.ranges(file).values()), self.info(file)
        lost = sum(p["lost"] for p in info["processes"])
        stray = sum(d["count"] for d in info["diagnostics"] if d["code"] == "pop_without_push")
        found = re.search(r"([\d,]+) ranges? never closed", result.stderr)
        opened = int(found.group(1).replace(",", "")) if found else 0
        kept = 2 * (ranges - opened) + opened + stray
        what = f"records: {ranges} ranges, {opened} of them open, {stray} pops without push, {lost} lost; of {issued} ranges issued"
        if "osrt" not in info["meta"].get("options.trace", ""):
            self.equal(kept + lost, 2 * issued, what)
        else:  # other sources may have lost some, too
            self.expect(kept <= 2 * issued <= kept + lost, what)
        self.expect(not lost or "lost" in result.stderr.lower(), f"the verdict does not tell the loss: {result.stderr}")

    def info(self, file="r.sxt"):
        return json.loads(self.run([self.sextant, "info", "--json", file], exit_code=0).out)

    def expect_row(self, report, conditions, file="r.sxt"):
        rows = self.stats(report, file)
        for row in rows:
            for column, operator, value in conditions:
                if column not in row:
                    raise Failed(f"{report} has no column {column!r}: {list(row)}")
                if not (row[column] == value if operator == "=" else re.search(value, row[column])):
                    break
            else:
                return
        raise Failed(f"{report} of {file}: no row with {conditions}; rows:\n" + "\n".join(map(str, rows[:30])))

    def same_output(self, command, options=""):
        """Runs a command without and with Sextant; returns the recorded run's result."""
        bare = self.run(command)
        prefix = f"sextant profile -q -o r -f {options} "
        traced = self.run(prefix + command if isinstance(command, str) else prefix.split() + command)
        self.equal(traced.code, bare.code, "exit code with Sextant")
        self.equal(traced.stdout, bare.stdout, "stdout with Sextant")
        self.equal(traced.stderr, bare.stderr, "stderr with Sextant")
        return traced

    # -- surroundings ---------------------------------------------------------------------------------------------

    def tmpfs(self, name, size):
        """A small file system of its own, mounted at `name` in the case's folder."""
        target = self.path(name)
        os.makedirs(target, exist_ok=True)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", target],
                                               capture_output=True).returncode:
            raise Skipped("no right to mount a tmpfs")
        self.mounts.append(target)
        return target

    def for_everybody(self):
        """Copies the built programs to where an unprivileged user can read them; returns a `bin` folder's path."""
        copy = self.path("everybody")
        for part in ("bin", "lib", "workloads"):
            if os.path.isdir(os.path.join(self.build, part)):
                shutil.copytree(os.path.join(self.build, part), os.path.join(copy, part),
                                ignore=shutil.ignore_patterns("unit_*", "*.a", "*_test", "bench_*", "fuzz_*"))
        subprocess.run(["chmod", "-R", "a+rX", copy], check=True)
        os.chmod(self.folder, 0o755)
        self.env.update(PATH=os.path.join(copy, "bin") + ":" + self.env["PATH"], W=os.path.join(copy, "workloads"))
        return os.path.join(copy, "bin")

    def requires(self, word):
        if word == "root" and os.geteuid() != 0:
            raise Skipped("needs root")
        elif word == "user":
            self.requires("root"), self.requires("setpriv")
            try:
                pwd.getpwnam("nobody")
            except KeyError:
                raise Skipped("no user nobody") from None
        elif word == "tmpfs":
            self.requires("root")
            self.tmpfs(".probe", "64k")
        elif word.startswith("file:"):
            path = word[5:].replace("$W", self.workloads)
            if not os.path.exists(path):
                raise Skipped(f"no {path}")
        elif word not in ("root", "user", "tmpfs") and not shutil.which(word):
            raise Skipped(f"{word} is not installed")

    def close(self):
        """Ends whatever the case left behind; returns what that was."""
        end = time.monotonic() + 5
        while any_left() and time.monotonic() < end:
            reap()
            time.sleep(0.02)
        left = [f"{pid}: {command_line(pid)}" for pid in descendants()]
        kill_descendants()
        reap()
        for mount in self.mounts:
            subprocess.run(["umount", "-l", mount], capture_output=True)
        return left

