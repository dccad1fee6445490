# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""A program runs alone and recorded, each time in a fresh folder `w`: exit code, output and files must be the same after a mask.

A mask is a list of (regular expression, replacement): what differs between any two runs of that program (its own process id, a
time, a speed). What it says about the environment, time or system calls differs by nature and is masked, too.
"""
import hashlib
import os
import re
import shutil

from harness import Skipped

# Options of `sextant profile` under which the matrix is run: what users get, the least, the most hooks. The least is for `make test-full`.
TRACE_SETS = {"default": "", "nvtx": "-t nvtx", "osrt": "-t osrt,nvtx"}


def for_trace_sets(register, run):
    """Registers a case for each trace set: register(suffix of the name, only in the long run, function)."""
    for name, options in TRACE_SETS.items():
        register("" if name == "default" else f" ({options})", name == "nvtx", lambda c, options=options: run(c, options))


def needs_sources(c, options):
    """Skips where this build has not all of them: it would say so on stderr, and record less."""
    if options:
        words = c.run(f"sextant profile -f {options} -o sources true", 0).stderr
        if "is ignored" in words:
            raise Skipped(words.strip().splitlines()[0])


def masked(text, mask):
    for pattern, replacement in mask:
        text = re.sub(pattern, replacement, text, flags=re.M)
    return text


def tree(folder, mask):
    """{path: what is there} of a folder: type and mode, link, content."""
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            mode = os.lstat(path).st_mode
            if os.path.islink(path):
                content = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as f:
                    data = f.read()
                text = masked(data.decode("latin-1"), mask) if mask else None
                content = hashlib.sha256(data if text is None else text.encode("latin-1")).hexdigest()
            else:
                content = ""
            found[os.path.relpath(path, folder)] = (oct(mode), content)
    return found


def fresh(c, prepare, who):
    shutil.rmtree(c.path("w"), ignore_errors=True)
    os.mkdir(c.path("w"))
    if who:
        os.chown(c.path("w"), who["user"], who["group"])
    if prepare:
        done = c.run(prepare, cwd=c.path("w"), **who)
        c.expect(done.code == 0, f"{prepare}: exit code {done.code}\n{done.stdout}{done.stderr}")


def untouched(c, command, options="", prepare="", mask=(), files=True, report="r.sxt", user=None):
    """Compares the two runs; returns the recorded one. Its verdict lines (they begin with "sextant: ") are no output of the program.
    `user` (an entry of /etc/passwd) runs and records it; `report` is then where they can write."""
    needs_sources(c, options)
    who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    fresh(c, prepare, who)
    bare = c.run(command, cwd=c.path("w"), **who)
    bare_files = tree(c.path("w"), mask) if files else {}
    fresh(c, prepare, who)
    target = c.path(report)
    traced = c.run(["sextant", "profile", "-f", "-o", target, *options.split(), "/bin/bash", "-c", command], cwd=c.path("w"), **who)
    own_stderr = "".join(line for line in traced.stderr.splitlines(True) if not line.startswith("sextant: "))
    c.equal(traced.code, bare.code, f"exit code when recorded; stderr: {traced.stderr[-2000:]}")
    c.equal(masked(traced.stdout, mask), masked(bare.stdout, mask), "stdout when recorded")
    c.equal(masked(own_stderr, mask), masked(bare.stderr, mask), "stderr when recorded")
    if files:
        traced_files = tree(c.path("w"), mask)
        other = {path for path in traced_files.keys() | bare_files.keys() if traced_files.get(path) != bare_files.get(path)}
        c.equal({path: traced_files.get(path) for path in other}, {path: bare_files.get(path) for path in other}, "files when recorded")
    c.run(["sextant", "verify", target], 0)
    return traced
