# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Launchers and servers as people use them: gunicorn, torchrun, mpirun. Skipped, aloud, where they are not installed."""
import collections
import os
import signal

from programs import get, python_with_torch


@case("gunicorn with NVTX in its workers", requires="gunicorn")
def _(c):
    server = c.start("exec sextant profile -o r gunicorn -w 3 -b unix:sock --pythonpath $W/python web_app:application")

    def answers():
        try:
            return get(c.path("sock")) != ""
        except OSError:
            return False

    c.wait_until(answers, "gunicorn answers")
    requests = collections.Counter(int(get(c.path("sock"))) for _ in range(30))
    os.kill(server.pid, signal.SIGTERM)  # goes on to gunicorn, which lets its workers finish
    result = c.wait(server)
    c.equal(result.code, 0, "exit code of gunicorn")
    c.expect("none lost" in result.stderr, result.stderr)
    recorded = {p["pid"]: p["ranges"] for p in c.info()["processes"]}
    for pid, count in requests.items():
        c.expect(recorded[pid] in (3 * count, 3 * count + 3), f"worker {pid}: {recorded[pid]} ranges of {count} requests")
    c.expect_ranges(3 * 31, "request")


@case("a torchrun job on CPUs", timeout=240)
def _(c):
    python = python_with_torch()
    c.env.update(OMP_NUM_THREADS="1")
    # torch 1.13, which Debian 12 has, cannot leave the output alone under Python 3.11
    result = c.run(f"sextant profile -o r {python} -m torch.distributed.run --standalone --nproc_per_node 2 "
                   "--redirects 1 --tee 2 --log_dir logs $W/python/train_gloo.py", 0)
    c.expect("none lost" in result.stderr, result.stderr)
    c.equal({name: n for name, n in c.ranges().items() if name in ("step", "forward", "backward", "all-reduce")},
            {"step": 10, "forward": 10, "backward": 10, "all-reduce": 10}, "ranges")
    tree = {row["Path"]: row for row in c.stats("nvtx_tree")}
    c.equal(tree["step/all-reduce"]["Instances"], "10", "all-reduces within steps")
    c.expect(int(tree["step"]["Self Time (ns)"]) <= int(tree["step"]["Total Time (ns)"]), tree["step"])


@case("an MPI job with 4 ranks", requires="mpirun file:$W/ring_mpi", timeout=120)
def _(c):
    c.env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    result = c.run("sextant profile -o r mpirun --oversubscribe --bind-to none -n 4 $W/ring_mpi", 0)
    c.equal(result.stdout, "40\n", "what rank 0 prints")
    c.expect_ranges(40, "turn")
    c.expect_ranges(10, "lap")
    ranks = [p for p in c.info()["processes"] if p["name"] == "ring_mpi"]
    c.equal(sorted(p["ranges"] for p in ranks), [10, 10, 10, 20], "ranges of the ranks")
    result = c.run("sextant stats -q --by rank -r nvtx_sum r.sxt", 0)
    c.expect("turn" in result.stdout, result.stdout)
