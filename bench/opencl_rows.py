# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What an enqueue costs under -t opencl, beside a layer that takes an event and a callback and throws them away."""
import os
import random

import measure
from measure import median

ENQUEUES = 50_000


def opencl(bench, table_class):
    table = table_class("clEnqueueNDRangeKernel, processor time of the calling thread, ns",
                        ["device", "without", "null layer", "Sextant", "beyond the null layer", "waits an enqueue", "reach"])
    loop = os.path.join(os.path.dirname(bench.loop), "opencl_loop")
    null_layer = os.path.join(os.path.dirname(bench.loop), "libopencl_null_layer.so")
    if not os.path.exists(loop):
        table.add("not built: no OpenCL headers and loader", None, None, None, None, None, None)
        return table
    for mode in ("held", "busy"):
        command = [loop, str(bench.count(ENQUEUES)), mode]
        ways = {"none": command,
                "null": ["env", f"OPENCL_LAYERS={null_layer}", *command],
                "sextant": bench.wrapped("sextant", command, "opencl")}
        taken = {way: [] for way in ways}
        waits = []
        for _ in range(bench.repeat):  # in turn, so that all meet the same machine; each time in another order
            for way in random.sample(list(ways), len(ways)):
                loop_said = measure.run(ways[way]).loop
                taken[way].append(loop_said.get("cpu_ns_per_op"))
                waits.append(loop_said.get("waits_per_op"))
        medians = {way: median(values) for way, values in taken.items()}
        known = None not in (medians["null"], medians["sextant"])
        table.add(mode, medians["none"], medians["null"], medians["sextant"],
                  medians["sextant"] - medians["null"] if known else None, median(waits), "<= 200")
    return table
