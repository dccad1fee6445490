# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""children.py HOW: python3 starting python3 in each of the ways its library offers; every child records 10 ranges."""
import multiprocessing
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nvtx  # noqa: E402

CHILD = [sys.executable, os.path.abspath(__file__), "leaf"]


def work(name):
    nvtx.ranges(name, 10)
    return len(name)


def main(how):
    if how == "leaf":
        nvtx.ranges("leaf", 10)
        return 0
    nvtx.ranges("parent", 10)
    if how in ("fork", "spawn", "forkserver"):
        context = multiprocessing.get_context(how)
        with context.Pool(3) as pool:
            print(sorted(pool.map(work, ["worker"] * 6, chunksize=1)))
    elif how == "subprocess":
        for _ in range(3):
            subprocess.run(CHILD, check=True)
        subprocess.run(CHILD, check=True, close_fds=False)
        subprocess.run(CHILD, check=True, start_new_session=True)
        subprocess.run("exec " + " ".join(CHILD), shell=True, check=True)
    elif how == "posix_spawn":
        for _ in range(3):
            pid = os.posix_spawn(CHILD[0], CHILD, os.environ)
            if os.waitpid(pid, 0)[1]:
                return 1
    elif how == "noenv":
        subprocess.run(CHILD, check=True, env={})
    else:
        return 2
    nvtx.ranges("parent", 10)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
