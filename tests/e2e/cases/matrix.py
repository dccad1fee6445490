# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What targets do that breaks profilers. Each does it alone and recorded: exit code and output are the same, and every range it made
is recorded or counted as lost. docs/targets.md has the list, with what other themes prove."""
import os
import re
import signal
import subprocess

import harness
from harness import Skipped
from kill_counts import check_counts, read_counts
from programs import built
from untouched import for_trace_sets, needs_sources, untouched

NOT_HERE = 77  # exit code of a workload

# (name, what it needs, command, ranges that it makes or None if it prints "made N", is long)
PLACES = [
    ("closes descriptors 3 to 1023 one by one", "", "rm -f own; $W/closer 3 loop", 20020, False),
    ("closes descriptors with closefrom", "", "rm -f own; $W/closer 3 closefrom", 20020, False),
    ("closes descriptors with close_range", "", "rm -f own; $W/closer 3", 20020, True),
    ("every descriptor is taken, RLIMIT_NOFILE 16", "", "ulimit -n 16; $W/corners full 1000", None, False),
    ("RLIMIT_AS 256 MB", "", "ulimit -v 262144; $W/flood 20000 4", 80000, False),
    ("RLIMIT_FSIZE 1 MB", "", "ulimit -f 1024; $W/flood 20000 4", 80000, False),
    ("contexts with stacks of 16 KiB", "", "$W/corners contexts 500", None, False),
    ("threads with stacks of 16 KiB, which also start programs", "", "$W/corners stacks 20; $W/corners stacks 10 true; "
     "$W/corners stacks 10 $W/act_static", None, False),
    ("the first range is a signal handler's, with 4 KiB of stack", "", "$W/corners handler 10", None, False),
    ("every handler is reset and every signal blocked, but in threads", "", "$W/waiters masks 200", None, False),
    ("signals are blocked and read from a descriptor (signalfd)", "", "$W/waiters signalfd 2000", None, False),
    ("reads by io_uring", "", "$W/waiters uring 2000", None, False),
    ("pages that a thread fills when they are touched (userfaultfd)", "", "$W/waiters userfault 400", None, False),
    ("a library with NVTX inside is unloaded", "", "$W/corners unload $W/plugin_a.so 20", None, False),
    ("8 processes at a time with 64 threads each, 16 in all", "", "$W/corners storm 64 16", None, False),
    ("64 threads x 300 processes", "", "$W/corners storm 64 300", None, True),
    ("fork from 8 busy threads x 200", "", "COUNTS=/dev/null $W/forks busy 200", None, True),
    ("a root of its own in the middle (pivot_root)", "root", "mkdir -p empty; $W/sandbox pivot 100000", 100000, False),
    ("a user namespace of its own in the middle", "", "mkdir -p empty; $W/sandbox userns 100000", 100000, False),
    ("a seccomp filter in the middle that kills on unknown calls", "", "$W/sandbox seccomp 100000", 100000, True),
    ("a user and mount namespace around it", "unshare", "unshare -Urm bash -c 'mount -t tmpfs none /mnt && $W/flood 1000 2'", 2000, False),
    ("a static program starts a musl one", "file:$W/act_musl_dynamic",
     "$W/act_static print static spawn $W/act_musl_dynamic range a 5 print musl exit 4 ';' spawn $W/act range b 7 ';'", 7, False),
]


def made(stdout):
    return sum(int(n) for n in re.findall(r"^made (\d+)$", stdout, re.M))


def accounted_children(c, program, children, ranges):
    """Each child's ranges are recorded or said to be lost: busy threads beside it may have used up the memory."""
    processes = c.info()["processes"]
    parents = {p["process"] for p in processes if p["name"] == program}
    found = [(2 * p["ranges"], p["lost"]) for p in processes if p["name"] == program and p["parent"] in parents]
    c.equal(len(found), children, "children in the report")
    wrong = [one for one in found if not one[0] <= 2 * ranges <= sum(one)]
    c.equal(wrong, [], f"children whose records, kept and lost, are not {2 * ranges}")
    c.expect(any(kept for kept, _ in found), "nothing of any child was recorded")


def register_place(name, requires, command, ranges, long):
    def run(c, options):
        if "userns" in command or "unshare -U" in command:
            if subprocess.run(["unshare", "-Urm", "true"], capture_output=True).returncode:
                raise Skipped("no user namespaces here")
        if "$W/waiters" in command and c.run(command).code == NOT_HERE:
            raise Skipped("this system does not let it")
        result = untouched(c, command, options, files=False)
        if name.startswith("fork from"):  # the threads go on until all is over: how much they made is not known
            accounted_children(c, "forks", 200, 10)
        else:
            c.accounted(ranges if ranges is not None else made(result.stdout), result)

    def register(suffix, long_set, function):
        case(name + suffix, requires, full=long or long_set, timeout=240)(function)
    for_trace_sets(register, run)


for place in PLACES:
    register_place(*place)


def for_each_set(name, requires="", full=False):
    """Decorator: a case for each trace set; the function gets the options."""
    def decorate(function):
        for_trace_sets(lambda suffix, long_set, run: case(name + suffix, requires, full=full or long_set, timeout=240)(run), function)
        return function
    return decorate


@for_each_set("contexts that a timer switches at any instant")
def _(c, options):
    result = untouched(c, "$W/corners preempted 300000", options, files=False)
    recorded = sum(c.ranges().values())
    # POSIX allows no such switch; what was being written in that instant may be abandoned, like what a jump leaves
    c.expect(made(result.stdout) // 2 < recorded <= made(result.stdout) + 2, f"{recorded} ranges of {made(result.stdout)}")


# -- looked at and stopped while it runs -----------------------------------------------------------------------------------


def pid_of(c, name):
    """The process below us whose program has this name."""
    found = []

    def look():
        found[:] = [pid for pid in harness.descendants()
                    if os.path.basename(harness.command_line(pid).split(" ")[0]) == name and
                    os.path.basename(os.readlink(f"/proc/{pid}/exe")) == name]
        return bool(found)
    c.wait_until(look, f"{name} runs")
    return found[0]


@for_each_set("SIGSTOP and SIGCONT to target, tool and collector")
def _(c, options):
    needs_sources(c, options)
    p = c.start(f"exec sextant profile -q {options} -o r $W/counted count 1 2 100 400000")
    c.wait_until(lambda: sum(s[1] for s in read_counts(c.path("count"))) > 1000, "the target runs")
    target = pid_of(c, "counted")
    tool = p.pid
    collectors = [pid for pid in harness.descendants() if pid not in (target, tool)]
    for stopped in ([target], [tool], collectors, [target, tool], [tool, target], collectors + [target], [tool] + collectors):
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in stopped:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:  # the machine is slow or fast: it may have ended
                    pass
            if number == signal.SIGSTOP:
                subprocess.run(["sleep", "0.2"])
    c.equal(c.wait(p).code, 0, "exit code")
    counts = read_counts(c.path("count"))
    c.equal(sum(s[1] + s[3] for s in counts), 800000, "calls that the target made")
    check_counts(c, counts, "r.sxt", "stopped and continued")


@for_each_set("gdb attaches to the target and lets it go", "gdb")
def _(c, options):
    needs_sources(c, options)
    p = c.start(f"exec sextant profile -q {options} -o r $W/act range a 5 print ready wait range late 5 exit 3", stdin=subprocess.PIPE)
    c.equal(p.stdout.readline(), b"ready\n", "first line")
    seen = c.run(["gdb", "-q", "-nx", "-batch", "-p", str(pid_of(c, "act")), "-ex", "bt", "-ex", "detach"])
    c.expect("No symbol table" in seen.stdout or "#0" in seen.stdout, f"gdb: {seen.stdout}{seen.stderr}")
    c.expect(re.search(r" in (main|act) \(", seen.stdout), f"the call stack does not lead to the program: {seen.stdout}{seen.stderr}")
    c.equal(c.wait(p).code, 3, "exit code")
    c.expect_ranges(5, "a")
    c.expect_ranges(5, "late")


def frames(c, core):
    """Functions of the crashed thread, from main inwards, down to the program's own last one."""
    seen = c.run(["gdb", "-q", "-nx", "-batch", "-ex", "bt", os.path.join(c.workloads, "corners"), core])
    names = re.findall(r"^#\d+ .*?(\w+) \(", seen.stdout, re.M)
    c.expect("corner_inner" in names, f"gdb: {seen.stdout}{seen.stderr}")
    return names


@for_each_set("a core dump shows where it crashed, and is not larger", "gdb")
def _(c, options):
    with open("/proc/sys/kernel/core_pattern") as f:
        pattern = f.read().strip()
    if "/" in pattern or pattern.startswith("|") or "%" in pattern:
        raise Skipped(f"core dumps do not go to the current folder here (core_pattern is {pattern})")
    needs_sources(c, options)
    os.makedirs(c.path("bare")), os.makedirs(c.path("traced"))
    crash = "ulimit -c unlimited; exec {}$W/corners crash"
    c.run(crash.format(""), 134, cwd=c.path("bare"))
    c.run(crash.format(f"sextant profile -q {options} -o ../r "), 134, cwd=c.path("traced"))
    cores = {where: [c.path(where, n) for n in os.listdir(c.path(where)) if n.startswith("core")] for where in ("bare", "traced")}
    if not cores["bare"]:
        raise Skipped("this kernel writes no core dumps")
    c.equal(len(cores["traced"]), 1, "core dumps of the recorded run")
    c.equal(frames(c, cores["traced"][0]), frames(c, cores["bare"][0]), "call stack")
    bare, traced = (os.stat(cores[where][0]).st_blocks * 512 for where in ("bare", "traced"))
    c.expect(traced < bare + (4 << 20), f"the core dump has {traced} bytes instead of {bare}")
    c.expect_ranges(1, "main")


# -- what cannot be recorded -----------------------------------------------------------------------------------------------


@for_each_set("file capabilities: recorded for root, untouched and listed for others", "user setcap")
def _(c, options):
    needs_sources(c, options)
    c.for_everybody()
    c.run(f"cp {c.env['W']}/act capable && setcap cap_net_raw+ep capable && mkdir home && chown nobody home", 0)
    c.run(f"sextant profile -q {options} -o home/root ./capable range a 5 exit 3", 3)
    c.expect_ranges(5, file="home/root.sxt")
    os.chown(c.path("home"), 65534, 65534)
    as_nobody = "setpriv --reuid=nobody --regid=65534 --clear-groups env HOME=$PWD/home TMPDIR=$PWD/home "
    bare = c.run(as_nobody + "./capable print alive range a 5 exit 3")
    traced = c.run(as_nobody + f"sextant profile -q {options} -o home/r ./capable print alive range a 5 exit 3")
    c.equal((traced.code, traced.stdout, traced.stderr), (bare.code, bare.stdout, bare.stderr), "exit code and output")
    c.expect_row("process_tree", [("Name", "=", "capable"), ("Recorded", "=", "no"), ("Reason", "~", "set-?uid|capabilit")], "home/r.sxt")


@for_each_set("/tmp is full, the report goes elsewhere", "root unshare")
def _(c, options):
    needs_sources(c, options)
    inside = ("mount --bind $PWD /mnt && mount -t tmpfs -o size=64k none /tmp && cd /mnt && head -c 64k /dev/zero > /tmp/fill 2>/dev/null; "
              f"TMPDIR=/tmp exec ./everybody/bin/sextant profile {options} -o r ./everybody/workloads/flood 100000 2")
    c.for_everybody()
    result = c.run(["unshare", "-m", "bash", "-c", inside], 0)
    c.equal(result.stdout, "issued 200000\n", "output of the target")
    c.accounted(200000, result)


@for_each_set("/tmp is full, and the report goes there", "root unshare")
def _(c, options):
    needs_sources(c, options)
    inside = ("mount --bind $PWD /mnt && mount -t tmpfs -o size=64k none /tmp && cd /tmp && head -c 64k /dev/zero > /tmp/fill 2>/dev/null; "
              f"TMPDIR=/tmp exec /mnt/everybody/bin/sextant profile {options} -o r /mnt/everybody/workloads/act print alive exit 5")
    c.for_everybody()
    result = c.run(["unshare", "-m", "bash", "-c", inside])
    c.expect(result.code == 2 and result.stdout == "" or result.code == 5 and result.stdout == "alive\n",
             f"neither refused nor run: {result.code} {result.stdout} {result.stderr}")
    c.expect(result.stderr, "nothing said")


GO = """package main

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
)

func main() {
	var all sync.WaitGroup
	sums := make([]int, 8)
	for i := range sums {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			for n := 0; n < 1000000; n++ {
				sums[i] += n % (i + 1)
			}
		}(i)
	}
	all.Wait()
	out, err := exec.Command(os.Args[1], "range", "below", "7", "print", "child").Output()
	fmt.Println(sums, string(out), err)
	os.WriteFile("go.out", []byte("written"), 0644)
	os.Exit(4)
}
"""

RUST = """use std::process::Command;
fn main() {
    let threads: Vec<_> = (0..8u64).map(|i| std::thread::spawn(move || (0..100000u64).map(|n| n % (i + 1)).sum::<u64>())).collect();
    let sums: Vec<u64> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    let out = Command::new(std::env::args().nth(1).unwrap()).args(["range", "below", "7", "print", "child"]).output().unwrap();
    println!("{:?} {:?}", sums, String::from_utf8_lossy(&out.stdout));
    std::fs::write("rust.out", "written").unwrap();
    std::process::exit(4);
}
"""


def foreign(c, options, program, reason):
    """A program of another compiler runs as without; what it starts is recorded, and it is listed with the reason if it is not. Calls of
    the C library are recorded, too, also those of the shell that became the program."""
    untouched(c, f"{program} $W/act", options)
    c.expect_ranges(7, "below")
    name = os.path.basename(program)
    without_calls = options == "-t nvtx"
    recorded = "no" if reason else "no events"
    c.expect_row("process_tree", [("Name", "=", name), ("Recorded", "~", f"^{recorded}$" if without_calls else f"^(yes|{recorded})$"),
                                  ("Reason", "~", reason or ("NVTX" if without_calls else ""))])


GO_BUILD = "GOCACHE=$PWD/cache GOTOOLCHAIN=local GO111MODULE=off go build -o {program} {origin}"


@for_each_set("a Go program", "go", full=True)
def _(c, options):
    foreign(c, options, built(c, "go_static", (".go", GO), "CGO_ENABLED=0 " + GO_BUILD), "static")


@for_each_set("a Go program with cgo", "go gcc", full=True)
def _(c, options):
    foreign(c, options, built(c, "go_dynamic", (".go", GO.replace("import (", 'import "C"\n\nimport (')), "CGO_ENABLED=1 " + GO_BUILD), "")


@for_each_set("a Rust program", "rustc", full=True)
def _(c, options):
    foreign(c, options, built(c, "rust_dynamic", (".rs", RUST), "rustc -O -o {program} {origin}"), "")


@for_each_set("a Rust program, static", "rustc", full=True)
def _(c, options):
    foreign(c, options, built(c, "rust_static", (".rs", RUST), "rustc -O -C target-feature=+crt-static -o {program} {origin}"), "static")


@for_each_set("a Rust program with musl", "rustc", full=True)
def _(c, options):
    foreign(c, options, built(c, "rust_musl", (".rs", RUST), "rustc -O --target x86_64-unknown-linux-musl -o {program} {origin}",
                              "no musl target (rustup target add x86_64-unknown-linux-musl)"), "static")
