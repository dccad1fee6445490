# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""sextant doctor in containers of podman, which have nothing but our programs in them: what it says is what the system call
answers to another program in the same container, and what it offers opens it.

tools/setup does not install podman, since its package enables a socket of a service; `apt-get install podman runc` does.
"""
import errno
import json
import os
import shutil
import subprocess

import harness

OPEN = ("allowed", "not-recorded")


def make_root(c):
    """A root folder with the program, its agents, and perf_try. Skips where podman cannot run anything here."""
    root = c.path("root")
    for folder in ("bin", "lib", "proc", "sys", "dev", "etc", "tmp", "run"):
        os.makedirs(os.path.join(root, folder))
    os.chmod(os.path.join(root, "tmp"), 0o1777)
    os.chmod(c.folder, 0o755)
    shutil.copy(c.sextant, os.path.join(root, "bin", "sextant"))
    shutil.copy(os.path.join(c.workloads, "perf_try"), os.path.join(root, "bin"))
    for agent in ("libsextant-agent.so", "libsextant-agent-osrt.so"):
        shutil.copy(os.path.join(c.build, "lib", agent), os.path.join(root, "lib"))
    answers = []
    # runc where the machine's cgroups are too old for crun; limits where they cannot be raised
    for command in ("podman", "podman --runtime runc"):
        for limits in ("", "--ulimit nofile=1024:1024 --ulimit nproc=1024:1024"):
            c.podman = f"{command} run --rm --network=none {limits}"
            result = c.run(f"{c.podman} --rootfs {root} /bin/sextant version")
            if result.code == 0:
                return root
            answers.append(result.stderr.strip().splitlines()[-1] if result.stderr.strip() else f"exit code {result.code}")
    raise harness.Skipped("podman runs no container here: " + "; ".join(sorted(set(answers))))


def look(c, root, options):
    """The verdicts in a container, compared with what perf_try says in one that was started alike."""
    document = json.loads(c.run(f"{c.podman} {options} --rootfs {root} /bin/sextant doctor --json", 0).out)
    found = {one["name"]: one for one in document["capabilities"]}
    tried = c.run(f"{c.podman} {options} --rootfs {root} /bin/perf_try", 0).stdout.split()
    for name, error in zip(("sampling", "kernel-stacks", "system-wide"), map(int, tried)):
        c.equal(found[name]["state"] in OPEN, error == 0, f"{options}: {name} is {found[name]['state']}, the system call "
                f"gives {errno.errorcode.get(error, error)}")
        if error == errno.EPERM:
            c.equal(found[name]["denied_by"], "seccomp", f"{options}: {name} is denied by")
        elif error == errno.EACCES:
            c.expect(found[name]["denied_by"] in ("paranoid", "patched-paranoid"), f"{options}: {found[name]}")
    place = [fact["value"] for fact in document["facts"] if fact["name"] == "place"]
    c.expect(place and place[0].startswith("a podman container"), f"{options}: the place is {place}")
    return found


@case("default profile, capabilities, unconfined, an ordinary user", requires="root podman", full=True, timeout=300)
def _(c):
    root = make_root(c)
    found = look(c, root, "")
    c.equal(found["nvtx"]["state"], "allowed", "NVTX in a container without any right")
    if found["sampling"]["state"] == "denied":
        ids = [remedy["id"] for remedy in found["sampling"]["remedies"]]
        c.equal((ids[0], ids[-1]), ("seccomp-profile", "cap-sys-admin"), "the least remedy first, the most last")
    for options in ("--cap-add=PERFMON", "--cap-add=SYS_ADMIN", "--security-opt seccomp=unconfined", "--privileged",
                    "--user 1000:1000", "--user 1000:1000 --security-opt seccomp=unconfined"):
        look(c, root, options)


@case("the printed profile opens what it says", requires="root podman file:/usr/share/containers/seccomp.json", full=True,
      timeout=300)
def _(c):
    root = make_root(c)
    if look(c, root, "")["sampling"]["state"] != "denied":
        raise harness.Skipped("the default profile of this podman admits perf_event_open")
    c.run("sextant seccomp > perf.json", 0)
    opened = f"--security-opt seccomp={c.path('perf.json')}"
    found = look(c, root, opened)
    c.expect(found["sampling"]["state"] in OPEN, f"the profile does not open samples: {found['sampling']}")
    found = look(c, root, opened + " --cap-add=PERFMON")
    c.expect(found["system-wide"]["state"] in OPEN, f"profile and CAP_PERFMON do not open the machine: {found['system-wide']}")
    c.run(f"{c.podman} {opened} --rootfs {root} /bin/sextant seccomp", 2)  # nothing to start from in there


@case("a read-only container", requires="root podman", full=True, timeout=300)
def _(c):
    root = make_root(c)
    found = look(c, root, "--read-only --read-only-tmpfs=false")
    c.expect(found["nvtx"]["state"] in ("allowed", "denied"), f"{found['nvtx']}")
    writable = subprocess.run(f"{c.podman} --read-only --read-only-tmpfs=false --rootfs {root} /bin/sextant doctor --for nvtx",
                              shell=True, capture_output=True, cwd=c.folder, env=c.env)
    c.equal(writable.returncode, 0 if found["nvtx"]["state"] == "allowed" else 3, "exit code")
