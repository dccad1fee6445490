# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Full disks and limits: the target is unharmed, what was lost is counted: recorded + lost = issued."""
import os

N = 2000000


def flood(c, profile, n=N, threads=1, code=0):
    result = c.run(f"sextant profile {profile} $W/flood {n} {threads}")
    c.equal(result.code, code, f"exit code ({result.stderr})")
    c.equal(result.stdout, f"issued {n * threads}\n", "output of the target")
    return result


@case("the spool's disk is full", requires="tmpfs")
def _(c):
    c.tmpfs("small", "1500k")
    c.accounted(N, flood(c, "--spool-dir=small -o r"))


@case("the spool's disk becomes full while recording", requires="tmpfs")
def _(c):
    c.tmpfs("small", "24m")
    with open(c.path("fill.sh"), "w") as f:
        f.write("$W/flood 1000 > /dev/null; head -c 24m /dev/zero > small/fill 2>/dev/null; exec $W/flood 2000000 4\n")
    result = c.run("sextant profile --spool-dir=small -o r bash fill.sh", 0)
    c.equal(result.stdout, "issued 8000000\n", "output of the target")
    c.accounted(8001000, result)


@case("the report's disk is full", requires="tmpfs")
def _(c):
    c.tmpfs("small", "256k")
    result = flood(c, "--spool-dir=. -o small/r", 3000000, 2)
    c.expect("small/r" in result.stderr or "space" in result.stderr.lower(), f"nothing said of the full disk: {result.stderr}")


@case("no room for a report at all", requires="tmpfs")
def _(c):
    c.tmpfs("small", "64k")
    c.run("head -c 64k /dev/zero > small/fill")
    result = c.run("sextant profile --spool-dir=. -o small/r $W/act range a 5 print alive")
    c.expect(result.code == 2 or "alive" in result.stdout, f"neither refused nor run: {result.code} {result.stdout} {result.stderr}")
    c.expect(result.stderr, "nothing said")


@case("ulimit -f in the target")
def _(c):
    result = c.run("sextant profile -o r bash -c 'ulimit -f 64; $W/flood 500000 4'", 0)
    c.equal(result.stdout, "issued 2000000\n", "output of the target")
    c.accounted(2000000, result)


@case("ulimit -f 0 in the target")
def _(c):
    result = c.run("sextant profile -o r bash -c 'ulimit -f 0; $W/flood 1000 2'", 0)
    c.equal(result.stdout, "issued 2000\n", "output of the target")
    c.accounted(2000, result)


@case("ulimit -f around everything: too little is refused, more is used")
def _(c):
    result = c.run("ulimit -f 64; sextant profile -o r $W/flood 200000", 2)
    c.expect("ulimit" in result.stderr and result.stdout == "", f"refused without the reason: {result.stderr}")
    result = c.run("ulimit -f 4096; sextant profile -o s $W/flood 200000; mv s.sxt r.sxt", 0)
    c.equal(result.stdout, "issued 200000\n", "output of the target")
    c.accounted(200000, result)


@case("a small address space")
def _(c):
    for kib in (12000, 20000, 40000, 100000, 400000):
        bare = c.run(f"ulimit -v {kib}; $W/flood 20000 1")
        traced = c.run(f"sextant profile -f -o r bash -c 'ulimit -v {kib}; exec $W/flood 20000 1'")
        c.equal((traced.code, traced.stdout), (bare.code, bare.stdout), f"with {kib} KiB of address space")
        c.accounted(20000 if traced.code == 0 else 0, traced)


@case("few descriptors")
def _(c):
    for n in (3, 4, 5, 8):
        bare = c.run(f"bash -c 'ulimit -n {n}; exec $W/flood 1000'")
        traced = c.run(f"sextant profile -f -o r bash -c 'ulimit -n {n}; exec $W/flood 1000'")
        c.equal((traced.code, traced.stdout, ), (bare.code, bare.stdout), f"with {n} descriptors")


@case("no more processes may be made", requires="user")
def _(c):
    result = c.run("sextant profile -o r bash -c 'ulimit -u 1; exec $W/flood 1000'")
    c.equal(result.stdout, "issued 1000\n", "output of the target")
    c.expect_ranges(1000)


@case("a small budget: drops are counted")
def _(c):
    c.accounted(4000000, flood(c, "--buffer-size=1M -o r", 1000000, 4))


@case("a run folder on a file system that cannot allocate is passed over", requires="tmpfs")
def _(c):
    c.tmpfs("tiny", "8k")
    result = c.run("sextant profile --spool-dir=tiny -o r $W/act range a 5 print alive", 0)
    c.expect("alive" in result.stdout, "the target did not run")
    c.expect_ranges(5)


@case("400 MB of address space is enough to read 1 M ranges")
def _(c):
    c.run("sextant profile -q -o r $W/flood 1000000 1 1000", 0)
    for command in ("stats -q -r nvtx_sum -f csv r.sxt", "info r.sxt", "verify r.sxt"):
        c.run(f"ulimit -v 400000; sextant {command} > /dev/null", 0)
    c.expect(os.path.getsize(c.path("r.sxt")) < 8000000, "the report is larger than 8 bytes a range")
