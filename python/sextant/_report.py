# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""open(): a report, its tables and summaries."""
import json
import sqlite3

from ._connection import connect, run_program
from ._find import Error, find_program
from ._result import result, rows_as

# Tables by what they are, with names in the place of numbers. Of each: nsys's table, and columns as (name, expression);
# {column} stands for a column of the table, {column!} for the string that it is the number of. What a report does not
# have is left out.
_PID = "({globalTid} >> 24) & 16777215"
_KNOWN = {
    "kernels": ("CUPTI_ACTIVITY_KIND_KERNEL", [
        ("start", "{start}"), ("end", "{end}"), ("duration", "{end} - {start}"), ("name", "{demangledName!}"),
        ("short_name", "{shortName!}"), ("device", "{deviceId}"), ("context", "{contextId}"), ("stream", "{streamId}"),
        ("pid", "({globalPid} >> 24) & 16777215"), ("correlation", "{correlationId}"), ("grid_x", "{gridX}"),
        ("grid_y", "{gridY}"), ("grid_z", "{gridZ}"), ("block_x", "{blockX}"), ("block_y", "{blockY}"),
        ("block_z", "{blockZ}"), ("registers", "{registersPerThread}"), ("static_shared", "{staticSharedMemory}"),
        ("dynamic_shared", "{dynamicSharedMemory}"), ("graph", "{graphId}"), ("graph_node", "{graphNodeId}")]),
    "api": ("CUPTI_ACTIVITY_KIND_RUNTIME", [
        ("start", "{start}"), ("end", "{end}"), ("duration", "{end} - {start}"), ("name", "{nameId!}"), ("pid", _PID),
        ("tid", "{globalTid} & 16777215"), ("correlation", "{correlationId}"), ("result", "{returnValue}")]),
    "memcpy": ("CUPTI_ACTIVITY_KIND_MEMCPY", [
        ("start", "{start}"), ("end", "{end}"), ("duration", "{end} - {start}"), ("bytes", "{bytes}"), ("kind", "{copyKind}"),
        ("device", "{deviceId}"), ("stream", "{streamId}"), ("pid", "({globalPid} >> 24) & 16777215"),
        ("correlation", "{correlationId}"), ("from_memory", "{srcKind}"), ("to_memory", "{dstKind}")]),
    "memset": ("CUPTI_ACTIVITY_KIND_MEMSET", [
        ("start", "{start}"), ("end", "{end}"), ("duration", "{end} - {start}"), ("bytes", "{bytes}"), ("value", "{value}"),
        ("device", "{deviceId}"), ("stream", "{streamId}"), ("pid", "({globalPid} >> 24) & 16777215"),
        ("correlation", "{correlationId}")]),
    "nvtx": ("NVTX_EVENTS", [
        ("start", "{start}"), ("end", "{end}"), ("duration", "{end} - {start}"), ("text", "coalesce({text}, {textId!})"),
        ("type", "{eventType}"), ("domain", "{domainId}"), ("category", "{category}"), ("pid", _PID),
        ("tid", "{globalTid} & 16777215")]),
    "osrt": ("OSRT_API", [
        ("start", "{start}"), ("end", "{end}"), ("duration", "{end} - {start}"), ("name", "{nameId!}"), ("pid", _PID),
        ("tid", "{globalTid} & 16777215")]),
    "processes": ("PROCESSES", [("pid", "{pid}"), ("name", "{name}")]),
    "strings": ("StringIds", [("id", "{id}"), ("value", "{value}")]),
}


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


class _Query:
    """A SELECT over a known table: expressions over the columns that are there."""

    def __init__(self, table, there):
        self.table, self.there, self.joins = table, there, []

    def expression(self, pattern):
        """None: it needs a column that is not there. Of coalesce(a, b) one is enough."""
        if pattern.startswith("coalesce("):
            parts = [self.expression(part) for part in pattern[len("coalesce("):-1].split(", ")]
            parts = [part for part in parts if part]
            return f"coalesce({', '.join(parts)})" if len(parts) > 1 else parts[0] if parts else None
        out, rest = "", pattern
        while "{" in rest:
            before, _, rest = rest.partition("{")
            column, _, rest = rest.partition("}")
            name = column.rstrip("!")
            if name.lower() not in self.there:
                return None
            out += before + (self.string(name) if column.endswith("!") else f"t.{_quoted(name)}")
        return out + rest

    def string(self, column):
        if column not in self.joins:
            self.joins.append(column)
        return f"s{self.joins.index(column)}.value"

    def text(self, columns):
        chosen = [(name, self.expression(pattern)) for name, pattern in columns]
        listed = ", ".join(f"{expression} AS {_quoted(name)}" for name, expression in chosen if expression)
        joins = "".join(f" LEFT JOIN StringIds s{at} ON s{at}.id = t.{_quoted(column)}" for at, column in enumerate(self.joins))
        return f"SELECT {listed} FROM {_quoted(self.table)} t{joins}"


class Report:
    """A report that is open. Times are nanoseconds since the start of the session."""

    def __init__(self, path):
        self.path = path
        self._connection = connect(path)

    def connect(self):
        """Another connection to the report, for scripts that speak SQL."""
        return connect(self.path)

    @property
    def tables(self):
        """Names that table() understands: those of this package that the report has, then nsys's."""
        own = [name for (name,) in self._connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")]
        return [name for name, (table, _) in _KNOWN.items() if table in own] + own

    def table(self, name, columns=None, where=None, limit=None, as_="auto"):
        """A whole table: "kernels", "api", "memcpy", "memset", "nvtx", "osrt", "processes", with names in the place of
        numbers, or one of nsys's as it is. `columns`: only these. `where`: an SQL condition on the result's columns."""
        inner = self._select(name)
        listed = "*" if columns is None else ", ".join(_quoted(column) for column in columns)
        statement = f"SELECT {listed} FROM ({inner})"
        if where:
            statement += f" WHERE {where}"
        if limit is not None:
            statement += f" LIMIT {int(limit)}"
        return self.sql(statement, as_=as_)

    def _select(self, name):
        table, columns = _KNOWN.get(name, (name, None))
        there = {column.lower() for (column,) in self._connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
        if not there:
            known = ", ".join(self.tables)
            raise Error(f"{self.path} has no table {name}; it has {known}")
        return _Query(table, there).text(columns) if columns else f"SELECT * FROM {_quoted(table)}"

    def summary(self, name, as_="auto"):
        """A report of `sextant stats`, such as "cuda_gpu_kern_sum"."""
        if not name.isidentifier():
            raise Error(f"{name!r} is no name of a summary; `sextant stats --help-reports` lists them")
        statement = f"SELECT * FROM {name}()"
        if self._connection._temporary is None:
            return self.sql(statement, as_=as_)
        # an export has no functions; the program knows them
        rows = json.loads(run_program(find_program(), ["sql", "-q", "-f", "json", self.path, statement]) or b"[]")
        return rows_as(list(rows[0]) if rows else [], [tuple(row.values()) for row in rows], as_)

    def sql(self, statement, parameters=(), as_="auto"):
        """The rows of a statement in nsys's tables."""
        try:
            return result(self._connection.execute(statement, parameters), as_)
        except sqlite3.Error as error:
            raise Error(str(error)) from None

    def close(self):
        self._connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<report {self.path}>"


def open(path):  # pylint: disable=redefined-builtin
    """A report, or a file of another tool that `sextant` reads."""
    return Report(path)
