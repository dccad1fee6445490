# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Targets that shut themselves in: no system call of ours may kill them, what cannot be kept is counted."""
import os


def shut_in(c, how, n):
    os.makedirs(c.path("empty"), exist_ok=True)
    result = c.run(f"sextant profile -f -o r $W/sandbox {how} {n}")
    c.equal((result.code, result.stdout), (0, "alive\n"), f"exit code and output ({result.stderr})")
    c.accounted(n, result)
    c.expect(sum(c.ranges().values()) >= n // 2, "ranges from before are missing")


@case("seccomp filter")
def _(c):
    for n in (10, 1000, 300000):
        shut_in(c, "seccomp", n)


@case("no time stamp counter any more: strict seccomp, PR_SET_TSC")
def _(c):
    for how in ("strict", "tsc"):
        for n in (10, 1000, 300000):
            shut_in(c, how, n)


@case("chroot", requires="root")
def _(c):
    for n in (10, 1000, 300000):
        shut_in(c, "chroot", n)


@case("another user id from the middle on", requires="user")
def _(c):
    for n in (10, 300000):
        shut_in(c, "uid", n)


@case("no more memory from the middle on")
def _(c):
    for n in (10, 300000):
        shut_in(c, "memory", n)


@case("a mount namespace of its own", requires="root unshare")
def _(c):
    result = c.run("sextant profile -q -o r unshare -m bash -c 'mount -t tmpfs none /mnt; $W/act range a 5 print alive'")
    c.equal((result.code, result.stdout), (0, "alive\n"), f"exit code and output ({result.stderr})")
    c.expect_ranges(5)


@case("a pid namespace of its own", requires="root unshare")
def _(c):
    result = c.run("sextant profile -q -o r unshare -pf --mount-proc bash -c '$W/act range a 5 print alive; $W/act range b 6 exit 3'")
    c.equal((result.code, result.stdout), (3, "alive\n"), f"exit code and output ({result.stderr})")
    c.expect_ranges(11)


@case("a chroot that lacks the agent runs its programs as without", requires="root")
def _(c):
    os.makedirs(c.path("root"))
    c.run("cp $W/act_static root/", 0)
    result = c.run("sextant profile -q -o r chroot root /act_static range a 5 print alive exit 7")
    c.equal((result.code, result.stdout, result.stderr), (7, "alive\n", ""), "exit code and output")
