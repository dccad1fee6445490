# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""connect(): a report in the place of a database."""
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import warnings

from ._find import Error, find_extension, find_program
from ._load import connect_with

_SPACE = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)"
_NAME = r'(?:"(?:[^"]|"")*"|\[[^\]]*\]|`[^`]*`|\w+)'
_CREATE_INDEX = re.compile(
    rf"{_SPACE}*CREATE{_SPACE}+(?:UNIQUE{_SPACE}+)?INDEX{_SPACE}+(?:IF{_SPACE}+NOT{_SPACE}+EXISTS{_SPACE}+)?"
    rf"(?:{_NAME}{_SPACE}*\.{_SPACE}*)?{_NAME}{_SPACE}+ON{_SPACE}+(?P<table>{_NAME})", re.I | re.S)
_NOTHING = "SELECT NULL WHERE 0"


class IgnoredIndex(UserWarning):
    """CREATE INDEX was ignored: tables of a report need none."""


def warn(message, category=UserWarning):
    """Points to the first line outside of this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _plain(name):
    if name[0] in '"`':
        return name[1:-1].replace(name[0] * 2, name[0])
    return name[1:-1] if name[0] == "[" else name


class Cursor(sqlite3.Cursor):
    def execute(self, sql, *parameters):
        return super().execute(self.connection._instead_of(sql), *parameters)

    def executemany(self, sql, parameters):
        return super().executemany(self.connection._instead_of(sql), parameters)

    def executescript(self, script):
        return super().executescript(self.connection._script(script))


class Connection(sqlite3.Connection):
    """A sqlite3 connection to a report. CREATE INDEX on a table of the report is accepted and ignored, with a warning,
    since SQLite refuses it for virtual tables; everything else is SQLite's."""

    _own = frozenset()  # its tables, in small letters
    _temporary = None   # folder of an export

    def cursor(self, factory=Cursor):
        return super().cursor(factory)

    def execute(self, sql, *parameters):
        return self.cursor().execute(sql, *parameters)

    def executemany(self, sql, parameters):
        return self.cursor().executemany(sql, parameters)

    def executescript(self, script):
        return self.cursor().executescript(script)

    def close(self):
        super().close()
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)
            self._temporary = None

    def _instead_of(self, sql):
        found = _CREATE_INDEX.match(sql)
        if not found or _plain(found.group("table")).lower() not in self._own:
            return sql
        warn("CREATE INDEX was ignored: tables of a report need none", IgnoredIndex)
        return _NOTHING

    def _script(self, script):
        statements, rest = [], ""
        for part in re.split(r"(;)", script):
            rest += part
            if part == ";" and sqlite3.complete_statement(rest):
                statements.append(self._instead_of(rest).rstrip("; \n") + ";")
                rest = ""
        return "\n".join(statements + ([self._instead_of(rest)] if rest.strip() else []))


def _by_extension(path):
    extension = find_extension()
    if extension is None:
        return None
    connection = connect_with(extension, Connection)
    if connection is None:
        return None
    try:
        connection.execute("SELECT sextant_open(?)", (path,))
    except sqlite3.Error as error:
        connection.close()
        raise Error(str(error)) from None
    connection._own = frozenset(name.lower() for (name,) in connection.execute("SELECT name FROM sqlite_master"))
    return connection


def _by_export(path):
    program = find_program()
    if program is None:
        return None
    folder = tempfile.mkdtemp(prefix="sextant-")
    try:
        target = os.path.join(folder, "report.sqlite")
        run_program(program, ["export", "-q", "-t", "sqlite", "-o", target, path])
        connection = sqlite3.connect(target, factory=Connection)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    connection._temporary = folder
    return connection


def run_program(program, arguments):
    """What the program prints. Code 5 tells of a report that is damaged or lacks its end: what can be read was."""
    done = subprocess.run([program] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    message = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in (0, 5):
        raise Error(message or f"{program} ended with code {done.returncode}")
    if done.returncode == 5:
        warn(message)
    return done.stdout


def connect(path):
    """A sqlite3 connection with the tables of nsys's exports, of a report or of whatever else `sextant` reads.

    With the extension (libsextant-sqlite.so) the report is read where it lies. Without it, or in a Python that can load
    none, the report is exported to a temporary database, which goes away with close().
    """
    path = os.fspath(path)
    if not os.path.exists(path):
        raise Error(f"there is no {path}")
    connection = _by_extension(path) or _by_export(path)
    if connection is None:
        raise Error("neither libsextant-sqlite.so nor the program sextant was found: install Sextant, or set "
                    "SEXTANT_SQLITE_EXTENSION or SEXTANT to their paths")
    return connection
