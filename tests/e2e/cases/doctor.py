# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""sextant doctor where it can be tried for real: as root and as an ordinary user, in namespaces, at the kernel's levels, in
containers. What it says is compared with what the same system call answers to somebody else."""
import errno
import json
import os
import re
import shutil

import harness

OPEN = ("allowed", "not-recorded")
NOBODY = "setpriv --reuid=nobody --regid=nogroup --clear-groups "
LEVEL = "/proc/sys/kernel/perf_event_paranoid"


def verdicts(c, prefix="", options=""):
    result = c.run(f"{prefix}sextant doctor --json {options}", exit_code=0)
    document = json.loads(result.out)
    return {one["name"]: one for one in document["capabilities"]}, document


def tried(c, prefix=""):
    """The errno of the system call for each use, by another program than the one under test."""
    words = c.run(f"{prefix}$W/perf_try", exit_code=0).stdout.split()
    return dict(zip(("sampling", "kernel-stacks", "system-wide"), map(int, words)))


def same_as_tried(c, prefix=""):
    found, _ = verdicts(c, prefix)
    for name, error in tried(c, prefix).items():
        state = found[name]["state"]
        c.equal(state in OPEN, error == 0, f"{name} is {state}, and the system call gives {errno.errorcode.get(error, error)}")
        if error:
            c.expect(errno.errorcode[error] in found[name]["evidence"], f"{name}: another error: {found[name]['evidence']}")
    return found


@case("root and an ordinary user: what it says is what the system call answers", requires="user")
def _(c):
    c.for_everybody()
    same_as_tried(c)
    found = same_as_tried(c, NOBODY)
    for one in found.values():
        if one["state"] == "denied":
            c.expect(one["denied_by"] and (one["remedies"] or one["notes"]), f"denied, and nothing to do: {one}")


@case("goals decide the exit code")
def _(c):
    c.run("sextant doctor --for nvtx", 0)
    _, document = verdicts(c)
    codes = {"met": 0, "not-met": 3, "not-recorded": 6}
    c.expect(len(document["goals"]) >= 16, "goals are missing")
    for goal in document["goals"]:
        result = c.run(f"sextant doctor --for {goal['name']}", codes[goal["outcome"]])
        c.expect(result.stdout.startswith(goal["name"]), f"the goal is not named first: {result.stdout[:80]}")
    result = c.run("sextant doctor --for nsys-trac", 1)
    c.expect("did you mean nsys-trace?" in result.stderr, result.stderr)
    c.expect("nsys-trace" in c.run("sextant doctor --for=help", 0).stdout, "no list of goals")
    c.run("sextant doctor ncu", 1)


@case("every form is whole: text, script, pod, nsys's lines")
def _(c):
    text = c.run("sextant doctor", 0).stdout
    for title in ("What can be recorded here", "What records right now", "Where this is"):
        c.expect(title in text, f"no section {title!r}")
    c.expect("sextant profile -t nvtx PROGRAM" in text, "what records right now is missing")
    with open(c.path("fix.sh"), "w") as f:
        f.write(c.run("sextant doctor --fix", 0).stdout)
    c.run("sh -n fix.sh", 0)
    pod = c.run("sextant doctor --k8s --for sampling", 0).stdout
    c.expect("localhostProfile: perf.json" in pod and "terminationGracePeriodSeconds" in pod, pod)
    try:
        import yaml
    except ImportError:
        yaml = None
    if yaml:
        document = yaml.safe_load(c.run("sextant doctor --k8s", 0).stdout)
        container = document["spec"]["containers"][0]
        c.expect("SYS_PTRACE" in container["securityContext"]["capabilities"]["add"], f"{document}")
    status = c.run("sextant status --environment", 0).stdout
    c.expect(status.startswith("Timestamp counter supported: "), status[:80])
    for line in (r"^Linux Kernel Paranoid Level = ", r"^CPU Profiling Environment \(process-tree\): (OK|Fail)$",
                 r"^CPU Profiling Environment \(system-wide\): (OK|Fail)$", r"^What can be recorded here$"):
        c.expect(re.search(line, status, re.M), f"no line {line}")
    c.run("sextant status", 1)


@case("nsys prints the same lines", timeout=120)
def _(c):
    nsys = c.env.get("NSYS", "")
    if not os.path.exists(nsys):
        raise harness.Skipped("NSYS does not name an nsys")
    lines = [line for line in c.run(f"{nsys} status --environment", 0).stdout.splitlines()
             if line and not line.startswith(("See the", "including"))]
    ours = c.run("sextant status --environment", 0).stdout.splitlines()
    missing = [line for line in lines if line not in ours]
    c.equal(missing, [], "lines of nsys that are not ours")


@case("names of this machine are blanked unless asked for", requires="root unshare")
def _(c):
    name = "unusual-name-17"
    in_namespace = f"unshare -u bash -c 'echo {name} > /proc/sys/kernel/hostname; mkdir -p {name}; cd {name}; "
    hidden = c.run(in_namespace + f"HOME=$PWD sextant doctor; LD_LIBRARY_PATH=/x/{name} sextant doctor --json'", 0).stdout
    c.expect(name not in hidden, f"the host's name is printed: {hidden}")


@case("it opens nothing for writing and no connection", requires="strace")
def _(c):
    c.run("strace -f -o trace sextant doctor", 0)
    with open(c.path("trace")) as f:
        trace = f.read()
    if "PTRACE" in trace and "EPERM" in trace.split("execve", 1)[0]:
        raise harness.Skipped("strace cannot be used here")
    writes = [line for line in trace.splitlines()
              if re.search(r"\b(open|openat|creat)\(.*O_(WRONLY|RDWR|CREAT|TRUNC)", line) and '"/dev/null"' not in line]
    c.equal(writes, [], "files opened for writing")
    calls = [line for line in trace.splitlines()
             if re.search(r"\b(connect|bind|unlink|rename|mkdir|chmod|chown|mount|sysctl|truncate|symlink|link)\(", line)]
    c.equal(calls, [], "calls that change or connect")
    c.equal(sorted(os.listdir(c.folder)), ["trace"], "files left behind")


@case("profile says of an ignored option what the machine says of it", requires="user")
def _(c):
    c.for_everybody()
    found, _ = verdicts(c, NOBODY)
    os.mkdir(c.path("home"))
    os.chown(c.path("home"), 65534, 65534)
    c.env.update(HOME=c.path("home"), TMPDIR="/tmp")
    for option, name in (("--sample=system-wide", "system-wide"), ("--cpuctxsw=process-tree", "context-switches"),
                         ("-t nvtx,cuda", "cuda")):
        stderr = c.run(f"{NOBODY}sextant profile -f -o r {option} true", 0, cwd=c.path("home")).stderr
        said = {"denied": "denied by", "not-here": "not here"}.get(found[name]["state"], "allowed")
        if f"{option.split('=')[0].split()[0]}" in stderr:  # an option that is ignored
            c.expect(f"{name} {said}" in stderr, f"{option}: {said!r} is missing: {stderr}")


@case("a user namespace: capabilities in it do not count", requires="user unshare")
def _(c):
    c.for_everybody()
    inside = NOBODY + "unshare -Ur "
    if c.run(inside + "true").code:
        raise harness.Skipped("user namespaces are not permitted to ordinary users here")
    found = same_as_tried(c, inside)
    if tried(c, NOBODY)["system-wide"]:
        c.equal(found["system-wide"]["denied_by"], "user-namespace", "who denies")


@case("root in namespaces of its own, as in a sandbox", requires="root unshare")
def _(c):
    for options in ("-m", "-u", "-mpf --mount-proc", "-n"):
        same_as_tried(c, f"unshare {options} ")


@case("a chroot with nothing but the program", requires="root")
def _(c):
    os.makedirs(c.path("empty", "bin"))
    shutil.copy(c.sextant, c.path("empty", "bin", "sextant"))
    if b"statically linked" not in c.run(["file", "-L", c.sextant]).out and c.run("chroot empty /bin/sextant version").code:
        raise harness.Skipped("the program of this build is not static")
    result = c.run("chroot empty /bin/sextant doctor --json", 0)
    found = {one["name"]: one for one in json.loads(result.out)["capabilities"]}
    c.equal(found["cuda"]["state"], "not-here", "cuda")
    c.expect(found["nvtx"]["denied_by"] == "files", "the agent is not there, and that is not said")


@case("seccomp: the base is named, or there is none")
def _(c):
    profile = {"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
        {"names": ["read"], "action": "SCMP_ACT_ALLOW"},
        {"names": ["perf_event_open", "bpf"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]}
    with open(c.path("base.json"), "w") as f:
        json.dump(profile, f)
    made = json.loads(c.run("sextant seccomp --from base.json", 0).out)
    rules = {(name, rule["action"]) for rule in made["syscalls"] for name in rule["names"]}
    c.equal(rules, {("read", "SCMP_ACT_ALLOW"), ("bpf", "SCMP_ACT_ERRNO"), ("perf_event_open", "SCMP_ACT_ALLOW")}, "rules")
    c.expect("no JSON" in c.run("echo no > x; sextant seccomp --from x", 2).stderr, "damage is not told")
    c.run("sextant seccomp --from missing.json", 2)
    if not any(map(os.path.exists, ("/etc/containers/seccomp.json", "/usr/share/containers/seccomp.json"))):
        c.expect("--from" in c.run("sextant seccomp", 2).stderr, "what to do is not told")


@case("explain-error: known and unknown texts")
def _(c):
    result = c.run("echo 'blah CUPTI_ERROR_HARDWARE_BUSY blah' | sextant explain-error -", 0)
    c.expect("DCGM" in result.stdout and "sextant doctor --for gpu-metrics" in result.stdout, result.stdout)
    c.run("sextant explain-error all is well", 1)
    c.run("sextant explain-error", 1)


@case("the kernel's levels", requires="user", full=True)
def _(c):
    c.for_everybody()
    with open(LEVEL) as f:
        before = f.read()
    try:
        for level in ("-1", "1", "2", "3"):
            try:
                with open(LEVEL, "w") as f:
                    f.write(level)
            except OSError as error:
                raise harness.Skipped(f"{LEVEL} cannot be written: {error}") from None
            same_as_tried(c)
            found = same_as_tried(c, NOBODY)
            if found["system-wide"]["state"] == "denied":
                c.expect(found["system-wide"]["denied_by"] in ("paranoid", "patched-paranoid"), f"{found['system-wide']}")
    finally:
        with open(LEVEL, "w") as f:
            f.write(before)


@case("yama", requires="user", full=True)
def _(c):
    scope = "/proc/sys/kernel/yama/ptrace_scope"
    if not os.path.exists(scope):
        raise harness.Skipped("this kernel has no yama")
    c.for_everybody()
    with open(scope) as f:
        before = f.read()
    try:
        for value, state in (("0", OPEN), ("1", ("denied",))):
            with open(scope, "w") as f:
                f.write(value)
            found, _ = verdicts(c, NOBODY)
            c.expect(found["attach"]["state"] in state, f"ptrace_scope {value}: {found['attach']}")
    finally:
        with open(scope, "w") as f:
            f.write(before)
