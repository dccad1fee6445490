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

# Options of `sextant profile` under which the matrix is run. The first is what users get; the others are run where it is not the same.
TRACE_SETS = {"default": "", "nvtx": "-t nvtx", "osrt": "-t osrt,nvtx"}


def for_trace_sets(register, run):
    """Registers a case for each trace set: register(suffix of the name, more than the default set, function)."""
    for name, options in TRACE_SETS.items():
        register("" if name == "default" else f" ({options})", name != "default", lambda c, options=options: run(c, options))


def needs_sources(c, options):
    """Skips where this build has not all of them: it would say so on stderr, and record less."""
    if options:
        words = c.run(f"sextant profile -q {options} -o sources true")
        if words.code or words.stderr.strip():
            raise Skipped(f"{options}: {words.stderr.strip()}")


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


def fresh(c, prepare):
    shutil.rmtree(c.path("w"), ignore_errors=True)
    os.mkdir(c.path("w"))
    if prepare:
        done = c.run(prepare, cwd=c.path("w"))
        c.expect(done.code == 0, f"{prepare}: exit code {done.code}\n{done.stdout}{done.stderr}")


def untouched(c, command, options="", prepare="", mask=(), files=True, report="r.sxt"):
    """Compares the two runs; returns the recorded one. Its verdict lines (they begin with "sextant: ") are no output of the program."""
    needs_sources(c, options)
    fresh(c, prepare)
    bare = c.run(command, cwd=c.path("w"))
    bare_files = tree(c.path("w"), mask) if files else {}
    fresh(c, prepare)
    target = c.path(report)
    traced = c.run(["sextant", "profile", "-f", "-o", target, *options.split(), "/bin/bash", "-c", command], cwd=c.path("w"))
    own_stderr = "".join(line for line in traced.stderr.splitlines(True) if not line.startswith("sextant: "))
    c.equal(traced.code, bare.code, f"exit code when recorded; stderr: {traced.stderr[-2000:]}")
    c.equal(masked(traced.stdout, mask), masked(bare.stdout, mask), "stdout when recorded")
    c.equal(masked(own_stderr, mask), masked(bare.stderr, mask), "stderr when recorded")
    if files:
        c.equal(tree(c.path("w"), mask), bare_files, "files when recorded")
    c.run(["sextant", "verify", target], 0)
    return traced
