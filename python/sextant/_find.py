# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Where the program and the extension of SQLite are."""
import os
import shutil

EXTENSION = "libsextant-sqlite.so"


class Error(Exception):
    """What could not be done, and what to do about it."""


def find_program():
    """The path of the program `sextant`: $SEXTANT, or the one on PATH. None: there is none."""
    named = os.environ.get("SEXTANT")
    if named:
        return named if os.access(named, os.X_OK) else None
    return shutil.which("sextant")


def find_extension():
    """The path of the extension: $SEXTANT_SQLITE_EXTENSION, or that of the program's installation, or of this
    package's. None: there is none."""
    named = os.environ.get("SEXTANT_SQLITE_EXTENSION")
    if named is not None:
        return named if os.path.isfile(named) else None
    folders = []
    program = find_program()
    if program:
        folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(program))), "lib"))
    here = os.path.dirname(os.path.abspath(__file__))
    folders.append(here)
    folders.append(os.path.normpath(os.path.join(here, "..", "..", "..", "..", "lib")))  # PREFIX/share/sextant/python/sextant
    folders += ["/usr/local/lib", "/usr/lib"]
    for folder in folders:
        path = os.path.join(folder, EXTENSION)
        if os.path.isfile(path):
            return path
    return None
