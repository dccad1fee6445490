# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at any instant: of the target, of the tool, of everything at once. Nothing is lost, nothing comes twice."""
import glob
import os
import random
import re
import signal
import time

import harness
from kill_counts import check_counts, read_counts

def recorder_pids():
    """Tool and collector: everything below us that runs sextant."""
    found = []
    for pid in harness.descendants():
        try:
            if os.path.basename(os.readlink(f"/proc/{pid}/exe")).startswith("sextant"):
                found.append(pid)
        except OSError:
            pass
    return found


def check_open(c, counts, verdict, what):
    """The verdict tells how many ranges were open at the kill."""
    least = sum(max(0, push_done - pop_begun) for _b, push_done, pop_begun, _d in counts)
    most = sum(push_begun - pop_done for push_begun, _b, _p, pop_done in counts)
    found = re.search(r"([\d,]+) (?:ranges? )?never closed", verdict)
    got = int(found.group(1).replace(",", "")) if found else 0
    lost = re.search(r"([\d,]+) (?:records? )?lost", verdict, re.IGNORECASE)
    if lost:  # which of the open ranges a lost record closed is not known
        most += int(lost.group(1).replace(",", ""))
        least = 0
    c.expect(least <= got <= most, f"{what}: {got} ranges never closed, {least}..{most} were open: {verdict}")


def kill_at(c, order, round_number):
    """One round; True if the recording had begun to exist."""
    name = f"k{round_number}"
    processes, threads, pause = order.choice([(1, 1, 0), (1, 4, 200), (2, 2, 200), (3, 1, 50), (1, 1, 20)])
    p = c.start(f"exec sextant profile -q -o {name} $W/counted {name}.count {processes} {threads} {pause}")
    time.sleep(order.choice([order.uniform(0, 0.06), order.uniform(0, 0.3), order.uniform(0, 1.2)]))
    harness.kill_descendants(order)
    p.wait()
    harness.reap()
    what = f"round {round_number} ({processes} processes, {threads} threads, pause {pause})"
    counts = read_counts(c.path(name + ".count"))
    folder = c.path(name + ".sxt.run")
    if os.path.isdir(folder):
        result = c.run(["sextant", "recover", name + ".sxt.run"])
        c.expect(not os.path.exists(folder), f"{what}: the run folder stays behind: {result.stderr}")
        c.expect(result.code in (0, 2), f"{what}: recover: {result.stderr}")  # 2: nothing to recover
        if result.code == 0:
            check_open(c, counts, result.stdout, what)
    if not counts:
        return False  # killed before the target began to record
    # Without a run folder the collector had seen the targets' end, and finished before its own turn came.
    check_counts(c, counts, name + ".sxt", what)
    c.run(["sextant", "verify", name + ".sxt"], 0)
    for path in glob.glob(c.path(name + ".*")):
        os.unlink(path)
    del c.log[1:]  # the seed stays
    return True


def rounds(c, count, seed):
    order = random.Random(seed)
    c.log.append(f"seed {seed}")
    recorded = sum(kill_at(c, order, i) for i in range(count))
    c.expect(recorded > count // 3, f"only {recorded} of {count} rounds recorded anything: this test tests nothing")
    print(f"    {recorded} of {count} rounds had a recording; seed {seed}")


@case("tool, collector and targets killed together, 60 instants", timeout=60)
def _(c):
    rounds(c, 60, 41)


@case("tool, collector and targets killed together, 1000 instants", full=True, timeout=60)
def _(c):
    rounds(c, 1000, random.randrange(1 << 30))


@case("another report has the killed recording's name: both are kept")
def _(c):
    c.run("sextant profile -q -o r $W/end_after exit 10")
    with open(c.path("r.sxt"), "rb") as f:
        other = f.read()
    c.start("exec sextant profile -q -f -o r $W/counted count 1 1 200")
    c.wait_until(lambda: sum(s[1] for s in read_counts(c.path("count"))) > 100, "the target records")
    harness.kill_descendants(random.Random(1))
    harness.reap()
    with open(c.path("new"), "wb") as f:
        f.write(other)
    os.rename(c.path("new"), c.path("r.sxt"))
    result = c.run("sextant recover r.sxt.run", 0)
    c.expect("r-recovered.sxt" in result.stdout, f"the new name is not told: {result.stdout}")
    check_counts(c, read_counts(c.path("count")), "r-recovered.sxt", "beside another report")
    with open(c.path("r.sxt"), "rb") as f:
        c.expect(f.read() == other, "the other report was changed")
    c.expect(not os.path.exists(c.path("r.sxt.run")), "the run folder stays behind")


@case("the tool is killed: the collector finishes")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/counted count 2 2 100 200000")
    c.wait_until(lambda: sum(s[1] for s in read_counts(c.path("count"))) > 1000, "the target records")
    p.kill()
    p.wait()
    c.settled(60)
    check_counts(c, read_counts(c.path("count")), "r.sxt", "after the tool was killed")
    c.run("sextant verify r.sxt", 0)
    c.expect(not os.path.exists(c.path("r.sxt.run")), "the run folder stays behind")


@case("the collector is killed: the target is unharmed, recover brings all")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/counted count 1 2 500 60000")
    c.wait_until(lambda: sum(s[1] for s in read_counts(c.path("count"))) > 1000, "the target records")
    for pid in recorder_pids():
        if pid != p.pid:
            os.kill(pid, signal.SIGKILL)
    result = c.wait(p)
    c.equal(result.code, 0, "exit code of the target")
    counts = read_counts(c.path("count"))
    c.equal(sum(s[1] + s[3] for s in counts), 2 * 60000, "calls that the target made")
    if os.path.exists(c.path("r.sxt.run")):
        c.run("sextant recover r.sxt.run", 0)
    check_counts(c, counts, "r.sxt", "after the collector was killed")


@case("recover is killed and run again")
def _(c):
    order = random.Random(7)
    p = c.start("exec sextant profile -q -o r $W/counted count 1 4 0")
    time.sleep(0.7)
    harness.kill_descendants(order)
    p.wait()
    for delay in (0.002, 0.005, 0.01, 0.02, 0.04, 0.08):
        again = c.start(["sextant", "recover", "r.sxt.run"])
        time.sleep(delay)
        again.kill()
        again.communicate()
        if not os.path.exists(c.path("r.sxt.run")):
            break
    if os.path.exists(c.path("r.sxt.run")):
        c.run("sextant recover r.sxt.run", 0)
    check_counts(c, read_counts(c.path("count")), "r.sxt", "after recover was killed")


@case("every command offers to recover what was left")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/counted count 1 1 50")
    c.wait_until(lambda: sum(s[1] for s in read_counts(c.path("count"))) > 1000, "the target records")
    harness.kill_descendants()
    p.wait()
    for command in ("info", "stats", "verify"):
        result = c.run(["sextant", command, "r.sxt"])
        c.expect("recover" in result.stderr + result.stdout, f"{command} does not speak of recover: {result.stderr}")
    c.run("sextant recover r.sxt.run", 0)
    check_counts(c, read_counts(c.path("count")), "r.sxt", "after recover")


@case("the target is killed from outside")
def _(c):
    p = c.start("exec sextant profile -o r $W/counted count 1 4 50")
    c.wait_until(lambda: sum(s[1] for s in read_counts(c.path("count"))) > 1000, "the target records")
    for pid in harness.descendants():
        if harness.command_line(pid).split()[0].endswith("/counted"):
            os.kill(pid, signal.SIGKILL)
    result = c.wait(p)
    c.equal(result.code, 137, "exit code")
    check_counts(c, read_counts(c.path("count")), "r.sxt", "after the target was killed")
    check_open(c, read_counts(c.path("count")), result.stderr, "after the target was killed")


@case("a report that is still growing can be read")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/counted count 1 2 20 400000")
    c.wait_until(lambda: os.path.exists(c.path("r.sxt")) and os.path.getsize(c.path("r.sxt")) > 2000, "a report")
    for command in (["info", "r.sxt"], ["info", "--json", "r.sxt"], ["stats", "-r", "nvtx_sum", "-f", "csv", "r.sxt"]):
        result = c.run(["sextant"] + command)
        c.expect(result.code == 0, f"{command}: exit code {result.code}: {result.stderr}")
        c.expect("still being recorded" in result.stdout + result.stderr or "growing" in result.stdout, f"{command} does not say that more comes")
    c.equal(c.wait(p).code, 0, "exit code")
    check_counts(c, read_counts(c.path("count")), "r.sxt", "at the end")
