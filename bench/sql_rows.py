# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The rows about SQL: questions to a made-up export of nsys, imported once, beside SQLite on the export itself."""
from report_rows import Files, seconds, sqlite_seconds

KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
QUESTIONS = (
    ("GROUP BY shortName", f"SELECT shortName, count(*), sum(end - start) FROM {KERNELS} GROUP BY shortName", "<= 2.5 s"),
    ("... joined with StringIds by name, ordered by total",
     f"SELECT value, count(*), sum(end - start) AS total FROM {KERNELS} JOIN StringIds ON id = shortName GROUP BY value ORDER BY total DESC",
     "<= 12 s"),
    ("the 20 longest", f"SELECT start, end - start AS duration FROM {KERNELS} ORDER BY duration DESC LIMIT 20", "<= 1 s"),
)
BY_FUNCTION = "SELECT name, instances, total_time_ns FROM kern_sum() ORDER BY total_time_ns DESC"


def sql(bench, table_class):
    kernels = bench.count(10_000_000)
    table = table_class(f"SQL over {kernels:,} kernels: processor time, the import not included",
                        ["question", "SQLite on the export", "Sextant", "wall", "memory, MB", "reach"])
    files = Files(bench, "sql", kernels)
    files.sextant("info", files.database)  # imports it
    report = files.report()
    for name, question, reach in QUESTIONS + (("by table-valued function", BY_FUNCTION, "<= 0.2 s"),):
        wall, cpu, megabytes = files.repeat("sql", "-q", "-f", "csv", report, question)
        peer = None if question == BY_FUNCTION else sqlite_seconds(files.database, question)
        table.add(name, seconds(peer), seconds(cpu), seconds(wall), megabytes, reach if question == BY_FUNCTION else reach + ", <= 1000 MB")
    files.remove()
    return table
