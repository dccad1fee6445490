# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Other users than root, folders that cannot be written."""
import os

NOBODY = "setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs "


@case("an unprivileged user in a folder of its own", requires="user")
def _(c):
    c.for_everybody()
    os.mkdir(c.path("home"))
    os.chown(c.path("home"), 65534, 65534)
    c.env.update(TMPDIR="/tmp", HOME=c.path("home"))
    c.run(NOBODY + "sextant profile -o r $W/act range a 9 fork range b 3 ';' exit 3", 3, cwd=c.path("home"))
    c.expect_ranges(12, file="home/r.sxt")
    c.equal(os.stat(c.path("home", "r.sxt")).st_uid, 65534, "owner of the report")


@case("a current directory that cannot be written, output elsewhere", requires="user")
def _(c):
    c.for_everybody()
    os.mkdir(c.path("home"))
    os.chown(c.path("home"), 65534, 65534)
    os.mkdir(c.path("here"), 0o755)
    c.env.update(TMPDIR="/tmp", HOME=c.path("home"))
    c.run(NOBODY + "sextant profile -o ../home/r $W/act range a 9", 0, cwd=c.path("here"))
    c.expect_ranges(9, file="home/r.sxt")


@case("an output folder that cannot be written is refused", requires="user")
def _(c):
    c.for_everybody()
    os.mkdir(c.path("here"), 0o755)
    result = c.run(NOBODY + "sextant profile -o r echo started", 2, cwd=c.path("here"))
    c.expect("started" not in result.stdout, "the target was started")
    c.expect("r.sxt" in result.stderr or "here" in result.stderr, f"which folder? {result.stderr}")
    c.equal(os.listdir(c.path("here")), [], "nothing left behind")


@case("a read-only file system is refused", requires="tmpfs")
def _(c):
    target = c.tmpfs("m", "1m")
    c.run(f"mount -o remount,ro {target}", 0)
    result = c.run("sextant profile -o m/r echo started", 2)
    c.expect("started" not in result.stdout, "the target was started")
    c.expect("m/r" in result.stderr, f"which file? {result.stderr}")


@case("a report of another user is not replaced even with -f", requires="user")
def _(c):
    c.for_everybody()
    os.mkdir(c.path("sticky"))
    os.chmod(c.path("sticky"), 0o1777)
    with open(c.path("sticky", "r.sxt"), "w") as f:
        f.write("precious")
    c.env.update(TMPDIR="/tmp")
    c.run(NOBODY + "sextant profile -f -o r $W/act range a 9", 2, cwd=c.path("sticky"))
    with open(c.path("sticky", "r.sxt")) as f:
        c.equal(f.read(), "precious", "the other's report")


@case("the target becomes another user", requires="user")
def _(c):
    c.for_everybody()
    result = c.run(f"sextant profile -o r bash -c '$W/act range a 4; {NOBODY} $W/act range b 5 print alive'", 0)
    c.expect("alive" in result.stdout, "the other user's program did not run")
    counts = c.ranges()
    c.expect(sum(n for k, n in counts.items() if k.endswith("a")) == 4, f"ranges of the first: {counts}")
    c.expect_row("process_tree", [("Command", "~", "range b 5")])


@case("a symbolic link in place of the output is not followed", requires="")
def _(c):
    with open(c.path("victim"), "w") as f:
        f.write("precious")
    os.symlink("victim", c.path("r.sxt"))
    os.symlink("elsewhere", c.path("s.sxt.run"))
    os.mkdir(c.path("elsewhere"))
    c.run("sextant profile -o r echo started", 2)
    c.run("sextant profile -f -o r $W/act range a 1", 0)
    with open(c.path("victim")) as f:
        c.equal(f.read(), "precious", "what the link named")
    c.run("sextant profile -o s $W/act range a 1")
    c.equal(os.listdir(c.path("elsewhere")), [], "what the run folder's link named")


@case("--run-as: the program is another user's, the report ours", requires="user")
def _(c):
    c.for_everybody()
    c.env.update(TMPDIR="/tmp")
    os.mkdir(c.path("out"), 0o755)
    result = c.run("sextant profile --run-as nobody -o out/r bash -c 'id -un; echo $HOME; $W/act range a 7 fork range b 2'", 0)
    c.equal(result.stdout.splitlines()[0], "nobody", "who ran it")
    c.expect("/root" not in result.stdout, result.stdout)
    c.expect_ranges(9, file="out/r.sxt")
    c.equal(os.stat(c.path("out", "r.sxt")).st_uid, 0, "owner of the report")
    c.equal(os.listdir(c.path("out")), ["r.sxt"], "nothing left behind")


@case("--run-as where that user cannot reach the run folder", requires="user")
def _(c):
    c.for_everybody()
    c.env.update(TMPDIR="/tmp")
    os.mkdir(c.path("closed"), 0o700)
    result = c.run("sextant profile --run-as nobody -o closed/r $W/act range a 7", 0)
    c.expect("cannot be reached by the user of --run-as; events go through /" in result.stderr, result.stderr)
    c.expect_ranges(7, file="closed/r.sxt")


@case("--run-as is root's, and of users that are there", requires="user")
def _(c):
    c.for_everybody()
    c.env.update(TMPDIR="/tmp")
    for words, code, why in ((NOBODY + "sextant profile --run-as root -o r true", 2, "only root"),
                             ("sextant profile --run-as nosuchuser -o r true", 1, "nosuchuser"),
                             ("sextant profile --run-as 1x:2 -o r true", 1, "1x:2")):
        result = c.run(words, code)
        c.expect(why in result.stderr, result.stderr)
    c.expect(not os.path.exists(c.path("r.sxt")), "a report was made")
