# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What a call of the C library costs under -t osrt."""
import os

import measure
from measure import median

# mode, operations, of which each counts as how many calls, reach in ns a call
MODES = (("read", 2_000_000, 1, "<= 68"), ("write", 2_000_000, 1, "<= 68"), ("open", 500_000, 2, "<= 68"),
         ("mutex", 20_000_000, 1, "<= 2.5"), ("locks", 20_000_000, 1, "<= 2.5"), ("sem", 20_000_000, 1, None))


def cpu_ns(bench, tool, mode, count):
    loop = os.path.join(os.path.dirname(bench.loop), "osrt_loop")
    if tool != "none" and os.path.exists(bench.report(tool)):
        os.unlink(bench.report(tool))
    done = measure.run(bench.wrapped(tool, [loop, mode, str(count), str(count // 10)], "osrt"))
    return done.loop.get("cpu_ns_per_op")


def osrt(bench, table_class):
    table = table_class("Calls of the C library, added processor time in the target, ns a call",
                        ["call", "without", "Sextant", "nsys", "reach"])
    for mode, operations, calls, reach in MODES:
        taken = {}
        for _ in range(bench.repeat):  # in turn, so that all meet the same machine
            for tool in bench.tools():
                count = bench.count(operations if tool != "nsys" else operations // 10)
                taken.setdefault(tool, []).append(cpu_ns(bench, tool, mode, count))
        medians = {tool: median(v for v in values if v is not None) for tool, values in taken.items()}
        added = {tool: None if None in (value, medians["none"]) else (value - medians["none"]) / calls
                 for tool, value in medians.items()}
        table.add(mode, medians["none"], added.get("sextant"), added.get("nsys"), reach)
    return table
