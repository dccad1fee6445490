# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of others that cases of several themes use. Where one is missing the case is skipped, aloud."""
import http.client
import os
import shutil
import socket
import subprocess
import sys

from harness import Skipped


def nsys():
    program = os.environ.get("NSYS") or shutil.which("nsys")
    if not program:
        raise Skipped("no nsys: set NSYS to one")
    return program


def python_with(statement, package):
    """An interpreter that can execute the statement; $SEXTANT_TEST_PYTHON may name one."""
    for python in (os.environ.get("SEXTANT_TEST_PYTHON"), sys.executable, "python3", "/usr/bin/python3"):
        if python and shutil.which(python) and subprocess.run([python, "-c", statement], capture_output=True).returncode == 0:
            return python
    raise Skipped(f"no Python here has {package} (SEXTANT_TEST_PYTHON names one that does)")


def python_with_torch():
    return python_with("import torch.distributed as d; assert d.is_gloo_available()", "torch with gloo (python3-torch)")


def built(c, name, source, command, missing=""):
    """The program, made once for all cases: compilers of other languages take their time. `source`: the end of the file's name, and
    its text; in `command` {program} and {origin} stand for both files."""
    folder = os.path.join(c.workloads, "foreign")
    program, origin = os.path.join(folder, name), os.path.join(folder, name + source[0])
    os.makedirs(folder, exist_ok=True)
    try:
        with open(origin) as f:
            same = f.read() == source[1]
    except OSError:
        same = False
    if not same or not os.path.exists(program):
        with open(origin, "w") as f:
            f.write(source[1])
        done = c.run(command.format(program=program, origin=origin), cwd=folder)
        if done.code and missing:
            raise Skipped(f"{missing}: {done.stderr.strip().splitlines()[0]}")
        c.equal(done.code, 0, f"{command}: {done.stderr}")
    return program


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(30)
        self.sock.connect(self.path)


def get(socket_path, path="/"):
    """What the web application tests/workloads/python/web_app.py answers."""
    connection = UnixConnection(socket_path)
    connection.request("GET", path)
    body = connection.getresponse().read().decode()
    connection.close()
    return body
