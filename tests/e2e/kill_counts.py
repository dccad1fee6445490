# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What workloads/counted says it did (counts.h), and whether a report agrees."""
import struct

SLOT = struct.Struct("<6Q2Q")  # struct CountSlot of workloads/counts.h


def read_counts(path):
    """[(push_begun, push_done, pop_begun, pop_done)] by slot."""
    try:
        with open(path, "rb") as f:
            data = f.read()
    except FileNotFoundError:
        return []
    if len(data) < 64:
        return []
    used = struct.unpack_from("<Q", data)[0]
    return [SLOT.unpack_from(data, 64 + i * SLOT.size)[:4] for i in range(used)]


def lost_records(c, file):
    """Records that the report itself says were dropped: threads outran the collector on a loaded machine."""
    return sum(int(d["count"]) for d in c.info(file).get("diagnostics", []) if "lost" in d["code"])


def check_counts(c, counts, file, what):
    """Every completed push is in the report once, or among the records it says were dropped; a call in flight at the kill
    may be there or not."""
    got, missing = {}, 0
    for name, n in c.ranges(file).items():
        name = name.lstrip(":")
        c.expect(name not in got, f"{what}: {name} is listed twice")
        got[name] = n
    for i, (push_begun, push_done, _pop_begun, _pop_done) in enumerate(counts):
        n = got.pop(f"slot{i}", 0)
        c.expect(n <= push_begun, f"{what}: slot{i} has {n} ranges in the report, pushed {push_done}..{push_begun}")
        missing += max(0, push_done - n)
    c.equal(got, {}, f"{what}: ranges that nobody pushed")
    if missing:
        lost = lost_records(c, file)
        c.expect(missing <= lost, f"{what}: {missing} completed pushes are not in the report, {lost} records are said to be lost")
