# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What else is in the process that wants the same functions: sanitizers, allocators, other preloads; and other C libraries.

A folder with another Debian in it (debootstrap --variant=minbase --include=libc6-dev SUITE FOLDER) is named by $SEXTANT_TEST_ROOTS,
several divided by colons. tools/setup makes none: it is a download of 100 MB."""
import os

from harness import Skipped
from programs import built
from untouched import for_trace_sets, needs_sources, untouched

HERE = os.path.dirname(os.path.abspath(__file__))
WORKLOADS = os.path.normpath(os.path.join(HERE, "..", "..", "workloads"))
EXAMPLES = os.path.normpath(os.path.join(HERE, "..", "..", "..", "examples"))
LIBRARIES = "/usr/lib/x86_64-linux-gnu"
MADE = {"load": 1, "talk": 1, "rest": 1, "child": 1}  # ranges of os_work


def compiled(c, name, source, compiler, flags):
    """A workload, with that compiler; skips where it cannot do it."""
    with open(os.path.join(WORKLOADS, source), encoding="utf-8") as f:
        text = f.read()
    command = f"{compiler} -std=gnu11 -O1 -g -w {flags} -I{EXAMPLES} -o {{program}} {{origin}} -pthread -ldl"
    return built(c, name, (".c", text), command, f"{compiler} {flags} does not work here")


def for_sets(name, run, requires="", full=True):
    for_trace_sets(lambda suffix, long_set, run_it: case(name + suffix, requires, full=full or long_set, timeout=240)(run_it), run)


# -- sanitizers: name, compiler, flags, the reason for which it is not recorded ("": it is)
SANITIZERS = [
    ("the thread sanitizer (gcc, shared)", "gcc", "-fsanitize=thread", ""),
    ("the thread sanitizer (clang, inside)", "clang-14", "-fsanitize=thread", ""),
    ("the undefined behaviour sanitizer", "gcc", "-fsanitize=undefined", ""),
    ("the leak sanitizer", "gcc", "-fsanitize=leak", ""),
    ("the memory sanitizer", "clang-14", "-fsanitize=memory", ""),
    ("the address sanitizer (clang, inside)", "clang-14", "-fsanitize=address", ""),
    ("the address sanitizer (gcc, shared)", "gcc", "-fsanitize=address", "sanitizer"),
]


def sanitized(name, compiler, flags, reason):
    def run(c, options):
        program = compiled(c, f"os_work_{compiler}_{flags.split('=')[1]}", "os_work.c", compiler, flags)
        for _ in range(3):  # these libraries lay out memory at random, and some start themselves again
            untouched(c, f"{program} file 20", options)
            c.equal({k.rsplit(":")[-1]: v for k, v in c.ranges().items()}, {} if reason else MADE, "ranges")
        # calls of the shell that became the program are recorded, too
        recorded = "yes" if not reason else "no" if options == "-t nvtx" else "no|yes"
        c.expect_row("process_tree", [("Name", "=", os.path.basename(program)), ("Recorded", "~", recorded), ("Reason", "~", reason or "^$")])
    for_sets(f"built with {name}", run, compiler)


for one in SANITIZERS:
    sanitized(*one)


# -- libraries that the user preloads, and those that a program is linked with
PRELOADS = [
    ("jemalloc", f"{LIBRARIES}/libjemalloc.so.2", False),
    ("tcmalloc", f"{LIBRARIES}/libtcmalloc.so.4", False),
    ("tcmalloc that checks", f"{LIBRARIES}/libtcmalloc_debug.so.4", True),
    ("eatmydata, which replaces open, fsync and more", f"{LIBRARIES}/libeatmydata.so", False),
    ("one whose constructor calls what is hooked", "$W/osrt_other.so", False),
]


def preloaded(name, library, long):
    def run(c, options):
        c.requires("file:" + library)
        c.env["LD_PRELOAD"] = library.replace("$W", c.workloads)
        needs_sources(c, options)
        for program in ("os_work file 50", "osrt_corners forks", "osrt_corners threads", "osrt_corners cancel"):
            result = untouched(c, f"$W/{program} | grep -v '^[a-z_:]* [0-9]'; exit ${{PIPESTATUS[0]}}", options)
            c.equal(result.code, 0, program)
            if program.startswith("os_work"):
                c.equal({k.rsplit(":")[-1]: v for k, v in c.ranges().items()}, MADE, "ranges")
    for_sets(f"with another preload: {name}", run, full=long)


for one in PRELOADS:
    preloaded(*one)


def linked(c, options):
    """Its functions come before those of the C library, as a preload's do; its hooks run before all constructors of the program."""
    library = f"{LIBRARIES}/libtcmalloc.so.4"
    c.requires("file:" + library)
    program = compiled(c, "os_work_tcmalloc", "os_work.c", "gcc", f"-Wl,--no-as-needed {library} -Wl,--as-needed")
    c.env["HEAPPROFILE"] = "heap"  # it writes a file of its own at the end; that memory for the environment and for libraries is in it
    mask = [(r"\d+ (bytes|kB|MB)", "SIZE")]  # differs by nature
    untouched(c, f"{program} file 50; code=$?; ls heap.* >/dev/null; rm heap.*; exit $code", options, mask=mask)
    c.equal({k.rsplit(":")[-1]: v for k, v in c.ranges().items()}, MADE, "ranges")


for_sets("linked with tcmalloc, whose heap profiler writes", linked, "gcc")


# -- another C library


def in_itself(root):
    """Its dynamic linker's link leads out of the root where it is an absolute one: the linker of programs would miss it."""
    link = f"{root}/lib64/ld-linux-x86-64.so.2"
    target = os.readlink(link)
    if target.startswith("/"):
        os.unlink(link)
        os.symlink(os.path.relpath(root + target, os.path.realpath(os.path.dirname(link))), link)


def other_root(c, options):
    roots = [root for root in os.environ.get("SEXTANT_TEST_ROOTS", "").split(":") if root]
    if not roots:
        raise Skipped("SEXTANT_TEST_ROOTS names no folder with another Debian in it")
    needs_sources(c, options)
    for root in roots:
        in_itself(root)
        parts = f"{root}/usr/lib/x86_64-linux-gnu"
        program = compiled(c, "os_work_in_" + os.path.basename(root), "os_work.c", "gcc", f"--sysroot={root} -B{parts} -L{parts} "
                           f"-Wl,--no-as-needed {parts}/libpthread.so.0 {parts}/libdl.so.2")  # libdl.so may be an absolute link, too
        mounts = f"mount -t proc none {root}/proc"
        for folder in (c.folder, c.build):  # the agent and the run folder are seen in there where they are out here
            os.makedirs(root + folder, exist_ok=True)
            mounts += f" && mount --bind {folder} {root}{folder}"
        command = (f"unshare -m sh -c '{mounts} && exec chroot {root} /bin/sh -c "
                   f'"cd {c.path("w")} && {program} file 50 && ldd --version | head -1"\'')
        traced = untouched(c, command, options, files=False)
        c.expect("GLIBC 2." in traced.stdout or "GNU libc" in traced.stdout, f"another root did not work: {traced.stdout}{traced.stderr}")
        c.equal({k.rsplit(":")[-1]: v for k, v in c.ranges().items()}, MADE, f"ranges in {root}")
        if "osrt" in options:
            calls = {row["Name"]: int(row["Num Calls"]) for row in c.stats("osrt_sum")}
            c.expect(calls.get("pread", calls.get("pread64", 0)) >= 50, f"calls in {root}: {calls}")
        os.rmdir(root + c.folder)


for_sets("in a root with another C library", other_root, "root gcc unshare")
