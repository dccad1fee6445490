# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are not what they claim to be: a clear error or the partial result with its loss stated; no crash, bounded memory."""
import os
import random
import shutil
import struct
import time

import harness

COMMANDS = ("stats -q -r nvtx_sum -f csv {}", "stats {}", "stats -r process_tree,nvtx_pushpop_trace -f json {}", "info {}",
            "info --json {}", "verify {}", "export -t sqlite -f -o out.sqlite {}")
SIGNALS = range(129, 160)


def attempt(c, command, file):
    """Runs one reading command under limits; it may fail, but clearly."""
    result = c.run("ulimit -v 1500000; ulimit -c 0; sextant " + command.format(file))
    c.expect(result.code not in SIGNALS, f"{command} {file}: crashed with {result.code}: {result.stderr}")
    c.expect("terminate" not in result.stderr and "internal" not in result.stderr.lower(), f"{command}: {result.stderr}")
    if result.code:
        c.expect((result.stderr + result.stdout * ("verify" in command)).strip(),
                 f"{command} {file}: exit code {result.code} without a word")
    return result


def broken(c, file, commands=COMMANDS):
    """Not a report at all: every command must fail."""
    for command in commands:
        result = attempt(c, command, file)
        c.expect(result.code != 0, f"{command} {file}: exit code 0 on a file that is no report")
        c.expect(file in result.stderr, f"{command}: does not name the file: {result.stderr}")
        c.expect(len(result.stderr.strip().split("\n")) <= 4, f"{command}: too many words: {result.stderr}")
    c.expect(not os.path.exists(c.path("out.sqlite")), "an export of nothing was left behind")


def sample(c):
    c.run("sextant profile -q -o r bash -c '$W/core_calls; $W/names odd; $W/flood 60000 2 100 >/dev/null'", 0)
    with open(c.path("r.sxt"), "rb") as f:
        return f.read()


def write(c, name, data):
    with open(c.path(name), "wb") as f:
        f.write(data)


@case("empty, random, text, folders, devices, missing")
def _(c):
    order = random.Random(3)
    write(c, "empty.sxt", b"")
    write(c, "one.sxt", b"S")
    write(c, "text.sxt", b"hello\n" * 1000)
    write(c, "random.sxt", order.randbytes(300000))
    write(c, "magic.sxt", b"SXTREPRT" + order.randbytes(100000))
    os.mkdir(c.path("folder.sxt"))
    os.symlink("loop.sxt", c.path("loop.sxt"))
    for name in ("empty.sxt", "one.sxt", "text.sxt", "random.sxt", "magic.sxt", "folder.sxt", "loop.sxt", "missing.sxt",
                 "/dev/null"):
        broken(c, name)


@case("a fifo is not waited for")
def _(c):
    os.mkfifo(c.path("fifo.sxt"))
    c.timeout = 10
    broken(c, "fifo.sxt", ("info {}", "stats {}"))


@case("truncated at many points")
def _(c):
    data = sample(c)
    order = random.Random(4)
    points = [1, 8, 63, 64, 65, 128, len(data) - 1, len(data) - 31, len(data) - 33] + [order.randrange(64, len(data)) for _ in range(25)]
    for n in points:
        write(c, "cut.sxt", data[:n])
        for command in order.sample(COMMANDS, 2) + ["verify {}"]:
            result = attempt(c, command, "cut.sxt")
            c.expect(result.code != 0, f"{command}: {n} of {len(data)} bytes: exit code 0 although the end is missing")


@case("truncated: what is there is shown")
def _(c):
    data = sample(c)
    write(c, "cut.sxt", data[: len(data) * 9 // 10])
    result = attempt(c, "stats -r nvtx_sum -f csv {}", "cut.sxt")
    c.expect("name" in result.stdout or "push" in result.stdout, f"nothing shown: {result.stdout} {result.stderr}")
    c.expect(result.code != 0 and result.stderr, "the loss is not told")


@case("bits flipped")
def _(c):
    data = sample(c)
    order = random.Random(5)
    for round_number in range(40):
        bad = bytearray(data)
        for _ in range(order.choice([1, 1, 3, 50])):
            bad[order.randrange(len(bad))] ^= 1 << order.randrange(8)
        write(c, "bad.sxt", bad)
        result = attempt(c, "verify {}", "bad.sxt")
        c.expect(result.code != 0, f"verify finds nothing in round {round_number}")
        for command in order.sample(COMMANDS, 2):
            attempt(c, command, "bad.sxt")


@case("garbage behind the end, zeros in the middle, two reports in one")
def _(c):
    data = sample(c)
    middle = len(data) // 2
    for name, bad in (("tail.sxt", data + b"garbage" * 100), ("zeros.sxt", data[:middle] + bytes(5000) + data[middle + 5000:]),
                      ("twice.sxt", data + data), ("hole.sxt", data[:middle] + data[middle + 1:])):
        write(c, name, bad)
        for command in COMMANDS:
            attempt(c, command, name)
        c.expect(attempt(c, "verify {}", name).code != 0, f"verify finds nothing in {name}")


@case("from the future")
def _(c):
    data = bytearray(sample(c))
    struct.pack_into("<H", data, 8, 99)
    write(c, "major.sxt", data)
    for command in COMMANDS:
        result = attempt(c, command, "major.sxt")
        c.expect(result.code != 0, f"{command}: exit code 0")
        c.expect("99" in result.stderr or "newer" in result.stderr or "damaged" in result.stderr, f"says: {result.stderr}")


@case("sizes that lie do not take memory")
def _(c):
    data = sample(c)
    order = random.Random(6)
    at = [i for i in range(0, len(data) - 64, 8) if data[i:i + 4] == b"SXCK"]
    for offset in order.sample(at, min(6, len(at))):
        for field, size in ((12, 4), (16, 8), (10, 2)):
            bad = bytearray(data)
            bad[offset + field:offset + field + size] = b"\xff" * size
            write(c, "lie.sxt", bad)
            attempt(c, "stats -q -r nvtx_sum -f csv {}", "lie.sxt")
            c.expect(attempt(c, "verify {}", "lie.sxt").code != 0, "verify finds nothing")


@case("run folders that are damaged")
def _(c):
    p = c.start("exec sextant profile -q -o r $W/counted count 1 2 20")
    c.wait_until(lambda: os.path.exists(c.path("count")) and os.path.getsize(c.path("count")) > 64, "the target runs")
    time.sleep(0.5)
    harness.kill_descendants()
    p.wait()
    c.expect(os.path.isdir(c.path("r.sxt.run")), "no run folder")
    order = random.Random(8)
    for round_number in range(25):
        for name in ("t.sxt", "t.sxt.run"):
            if os.path.isdir(c.path(name)):
                shutil.rmtree(c.path(name))
            elif os.path.exists(c.path(name)):
                os.unlink(c.path(name))
        shutil.copytree(c.path("r.sxt.run"), c.path("t.sxt.run"))
        if os.path.exists(c.path("r.sxt")):
            shutil.copy(c.path("r.sxt"), c.path("t.sxt"))
        files = [f for f in os.listdir(c.path("t.sxt.run"))]
        victim = c.path("t.sxt.run", order.choice(files))
        how = order.choice(["cut", "flip", "empty", "remove", "header"])
        size = os.path.getsize(victim)
        if how == "remove":
            os.unlink(victim)
        elif how in ("cut", "empty"):
            os.truncate(victim, 0 if how == "empty" else order.randrange(size + 1))
        else:
            with open(victim, "r+b") as f:
                for _ in range(200):
                    f.seek(order.randrange(max(1, min(size, 8192 if how == "header" else size))))
                    f.write(order.randbytes(1))
        result = attempt(c, "recover {}", "t.sxt.run")
        c.expect(result.code in (0, 1, 2, 3), f"round {round_number} {how} {victim}: exit code {result.code}")
        c.log.clear()
