# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The rows about reading: what an export of nsys (made up by nsys_data, see gpu_program.h) costs to import, to keep and to ask."""
import os
import shutil
import sqlite3
import struct
import subprocess
import time

import measure
from measure import median

KERNEL, CALL = 32, 36  # tables, as src/event/schema.h numbers them
DATA, SUMMARY = 4, 7   # kinds of chunks, docs/formats/report.md
BY_NAME = """SELECT s.value, count(*), sum(end - start), min(end - start), max(end - start)
             FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds s ON s.id = demangledName GROUP BY demangledName ORDER BY 3 DESC"""


class Timed:
    """One command: seconds, processor seconds, peak of resident memory in MB."""

    def __init__(self, command, environment=None, folder=None):
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                                   env=dict(os.environ, **(environment or {})))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - begin
        self.cpu = used.ru_utime + used.ru_stime
        self.megabytes = used.ru_maxrss / 1024
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")


def bytes_of_table(path, table):
    """(bytes, rows) of a table in a report: its chunks, their headers, their index entries, its summary."""
    total = rows = 0
    offset, end = 64, os.path.getsize(path)
    with open(path, "rb") as file:
        while offset + 64 <= end:
            file.seek(offset)
            magic, kind, _, of, _, count, body = struct.unpack("<4sHHHHIQ", file.read(24))
            if magic != b"SXCK":
                break
            if of == table and kind in (DATA, SUMMARY):
                total += 64 + body + 72
                rows += count if kind == DATA else 0
            offset += (64 + body + 7) // 8 * 8
    return total, rows


def rows_of(database):
    """Rows of all tables that hold events."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    return sum(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in
               ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_MEMCPY", "NVTX_EVENTS"))


def sqlite_seconds(database, query):
    """Processor seconds of a query in SQLite itself, in this process."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    begin = time.process_time()
    connection.execute(query).fetchall()
    return time.process_time() - begin


def sum_of_kernels(database):
    """A query for which SQLite decodes every column of every kernel."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    names = [row[1] for row in connection.execute("PRAGMA table_info(CUPTI_ACTIVITY_KIND_KERNEL)")]
    return "SELECT " + ", ".join(f"total({name})" for name in names) + " FROM CUPTI_ACTIVITY_KIND_KERNEL"


class Files:
    """A made-up database, and the import of it."""

    def __init__(self, bench, name, kernels, *order):
        self.bench, self.cache = bench, os.path.join(bench.folder, f"cache-{name}")
        self.database = os.path.join(bench.folder, f"{name}.sqlite")
        subprocess.run([os.path.join(os.path.dirname(bench.loop), "nsys_data"), self.database, str(kernels), *order], check=True)

    def forget(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def report(self):
        folder = os.path.join(self.cache, "sextant", "imports")
        return os.path.join(folder, os.listdir(folder)[0])

    def sextant(self, *words):
        return Timed([self.bench.sextant, *words], {"XDG_CACHE_HOME": self.cache})

    def repeat(self, *words, cold=None):
        """The medians of several runs: (wall, processor seconds, megabytes)"""
        runs = []
        for _ in range(min(self.bench.repeat, 3)):
            if cold:
                measure.drop_cache(cold)
            runs.append(self.sextant(*words))
        return tuple(median(values) for values in zip(*((r.wall, r.cpu, r.megabytes) for r in runs)))

    def remove(self):
        self.forget()
        os.unlink(self.database)


def new_table(title):
    from rows import Table  # rows.py has functions of this file in its list
    return Table(title, ["work", "peer", "Sextant", "reach"])


def seconds(value):
    return None if value is None else f"{value:.3f} s" if value < 1 else f"{value:.2f} s"


def pair(wall, cpu):
    return f"{seconds(wall)} ({seconds(cpu)} CPU)"


def big_report(bench, table, kernels):
    """Import, size, and the reports that read most, on one large database."""
    files = Files(bench, "big", kernels)
    total = rows_of(files.database)
    done = files.sextant("info", files.database)
    scan = sqlite_seconds(files.database, sum_of_kernels(files.database))
    table.add(f"import of {total:,} rows, M rows a CPU second", f"{kernels / scan / 1e6:.2f} (SQLite's own scan of the kernels)",
              total / done.cpu / 1e6, ">= 0.9")
    table.add("... memory, MB", None, done.megabytes, "<= 200")
    by_name = sqlite_seconds(files.database, BY_NAME) if kernels <= 10_000_000 else None
    report = os.path.join(bench.folder, "big.sxt")
    os.rename(files.report(), report)
    files.remove()
    for number, name, reach in ((KERNEL, "kernel", "<= 4.5"), (CALL, "CUDA call", "<= 4")):
        size, rows = bytes_of_table(report, number)
        table.add(f"bytes a {name} in the report", None, size / rows, reach)
    wall, cpu, _ = files.repeat("stats", "-q", "-r", "cuda_gpu_kern_sum", report, cold=report)
    table.add(f"cuda_gpu_kern_sum, {kernels:,} kernels, cold", by_name and f"{seconds(by_name)} CPU (SQLite's GROUP BY)", pair(wall, cpu),
              "<= 0.5 s (50 M)")
    wall, cpu, megabytes = files.repeat("stats", "-q", "-r", "cuda_gpu_kern_gb_sum", report, cold=report)
    table.add("cuda_gpu_kern_gb_sum (reads every row), cold", None, pair(wall, cpu), None)
    if kernels <= 10_000_000:
        wall, cpu, megabytes = files.repeat("stats", "-q", "-r", "cuda_kern_exec_sum", report, cold=report)
        table.add(f"cuda_kern_exec_sum, {kernels:,} kernels and their calls", None, f"{pair(wall, cpu)}, {megabytes:.0f} MB", "<= 1.5 s")
    os.unlink(report)


def default_set(bench, _full):
    """What `stats` prints without being asked for anything, beside nsys."""
    table = new_table("The default reports of an export of nsys")
    files = Files(bench, "set", bench.count(2_300_000), "time")
    total = rows_of(files.database)
    first, again, theirs = [], [], []
    empty = os.path.join(bench.folder, "empty")  # nsys stats runs what scripts it finds in the current folder
    os.makedirs(empty, exist_ok=True)
    for _ in range(min(bench.repeat, 3)):
        files.forget()
        first.append(files.sextant("stats", "-q", files.database))
        again.append(files.sextant("stats", "-q", files.database))
        if bench.nsys:
            theirs.append(Timed([bench.nsys, "stats", "-q", files.database], folder=empty))
    nsys = (median(r.wall for r in theirs), median(r.cpu for r in theirs)) if theirs else None
    for text, runs, reach in (("the first time, import included", first, ">= 3 times faster"), ("from the cache", again, ">= 50 times faster")):
        wall, cpu = median(r.wall for r in runs), median(r.cpu for r in runs)
        faster = f": {nsys[0] / wall:.0f} times faster ({nsys[1] / cpu:.0f} by CPU)" if nsys else ""
        table.add(f"default reports of a database with {total:,} rows, {text}", nsys and pair(*nsys), pair(wall, cpu) + faster, reach)
    files.remove()
    return table


def reports(bench, full):
    table = new_table("Reading an export of nsys")
    big_report(bench, table, bench.count(10_000_000))
    if full:
        big_report(bench, table, bench.count(50_000_000))
    return table
