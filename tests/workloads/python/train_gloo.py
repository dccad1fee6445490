# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""A training loop for torchrun on CPUs (gloo): 5 steps, each with forward, backward and all-reduce as ranges. An argument:
seconds of a range that sleeps at the end, and says how long it did."""
import os
import sys

import torch
import torch.distributed

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nvtx  # noqa: E402

STEPS = 5


def main():
    torch.distributed.init_process_group("gloo")
    torch.set_num_threads(1)
    model = torch.nn.Linear(8, 1)
    for _ in range(STEPS):
        nvtx.push("step")
        nvtx.push("forward")
        loss = model(torch.ones(4, 8)).sum()
        nvtx.pop()
        nvtx.push("backward")
        loss.backward()
        nvtx.pop()
        nvtx.push("all-reduce")
        for parameter in model.parameters():
            torch.distributed.all_reduce(parameter.grad)
        nvtx.pop()
        nvtx.pop()
    if len(sys.argv) > 1:
        print("slept %d %d" % nvtx.sleep("sleep", float(sys.argv[1])))
    torch.distributed.destroy_process_group()


main()
