# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Reports of the Sextant profiler, and exports of nsys, as tables.

    import sextant
    with sextant.open("report1.sxt") as report:
        kernels = report.table("kernels")          # a pandas DataFrame, where pandas is installed
        report.sql("SELECT count(*) FROM NVTX_EVENTS")

    connection = sextant.connect("report1.sxt")    # in the place of sqlite3.connect("report1.sqlite")
"""
from ._connection import Connection, IgnoredIndex, connect
from ._find import Error, find_extension, find_program
from ._report import Report, open
from ._result import Columns

__version__ = "0.1.0"
__all__ = ["Columns", "Connection", "Error", "IgnoredIndex", "Report", "connect", "find_extension", "find_program", "open"]
