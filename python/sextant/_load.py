# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The extension into a connection. Pythons that are built without enable_load_extension get it by way of the SQLite
library that they have loaded, which offers it to new connections."""
import ctypes
import sqlite3
import threading

_lock = threading.Lock()
_loaded = {}  # path of the extension: library, kept for as long as the process lives


def connect_with(extension, factory):
    """A connection in memory that has the extension. None: this Python can't."""
    connection = sqlite3.connect(":memory:", factory=factory)
    if hasattr(connection, "enable_load_extension"):
        connection.enable_load_extension(True)
        try:
            connection.load_extension(extension)
        finally:
            connection.enable_load_extension(False)
        return connection
    connection.close()
    for library in _sqlite_libraries():
        connection = _connect_by(library, extension, factory)
        if connection is not None:
            return connection
    return None


def _sqlite_libraries():
    """Libraries of this process that may be its SQLite; the process itself last."""
    paths = []
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            for line in maps:
                path = line.split(maxsplit=5)[-1].strip()
                if "sqlite3" in path and path.startswith("/") and path not in paths:
                    paths.append(path)
    except OSError:
        pass
    for path in paths + [None]:
        try:
            library = ctypes.CDLL(path)
            if hasattr(library, "sqlite3_auto_extension") and hasattr(library, "sqlite3_cancel_auto_extension"):
                yield library
        except OSError:
            continue


def _connect_by(library, extension, factory):
    with _lock:
        if extension not in _loaded:
            _loaded[extension] = ctypes.CDLL(extension)
        begin = ctypes.cast(_loaded[extension].sqlite3_extension_init, ctypes.c_void_p)
        library.sqlite3_auto_extension.argtypes = [ctypes.c_void_p]
        library.sqlite3_cancel_auto_extension.argtypes = [ctypes.c_void_p]
        library.sqlite3_auto_extension(begin)
        try:
            connection = sqlite3.connect(":memory:", factory=factory)
        finally:
            library.sqlite3_cancel_auto_extension(begin)
    try:
        connection.execute("SELECT sextant_open()")
    except sqlite3.OperationalError as error:
        if "no such function" not in str(error):
            return connection  # it is there, and wants an argument
    connection.close()
    return None
