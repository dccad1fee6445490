# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""NVTX through ctypes, as a program without any binding would call it."""
import ctypes
import os
import time

_shim = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "nvtx_shim.so"))


def push(name):
    _shim.shim_push(name.encode())


def pop():
    _shim.shim_pop()


def ranges(name, count):
    for _ in range(count):
        _shim.shim_push(name.encode())
        _shim.shim_pop()


def sleep(name, seconds):
    """A range that sleeps. Returns two times in ns between which its duration must be, whoever measures it."""
    before = time.monotonic_ns()
    push(name)
    opened = time.monotonic_ns()
    time.sleep(seconds)
    closing = time.monotonic_ns()
    pop()
    return closing - opened, time.monotonic_ns() - before
