# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel for pip (PEP 517). A package of plain Python files needs no tool for that, and so no network."""
import base64
import hashlib
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def _field(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(rf'^{name} = "([^"]*)"$', file.read(), re.M).group(1)


NAME, VERSION = _field("name"), _field("version")
STEM = f"{NAME.replace('-', '_')}-{VERSION}"
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: {_field("description")}
License: Apache-2.0
Requires-Python: {_field("requires-python")}
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: sextant\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _sources():
    folder = os.path.join(HERE, "sextant")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), "rb") as file:
                yield f"sextant/{name}", file.read()


def _write_wheel(folder, sources):
    files = list(sources) + [(f"{STEM}.dist-info/METADATA", METADATA.encode()), (f"{STEM}.dist-info/WHEEL", WHEEL.encode())]
    record = ""
    for name, content in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    record += f"{STEM}.dist-info/RECORD,,\n"
    wheel = f"{STEM}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
        archive.writestr(f"{STEM}.dist-info/RECORD", record)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, _sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, [("sextant_profiler.pth", HERE.encode() + b"\n")])


def build_sdist(sdist_directory, config_settings=None):
    name = f"{STEM}.tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        for path in ["pyproject.toml", "build_backend.py"] + [source for source, _ in _sources()]:
            archive.add(os.path.join(HERE, path), f"{STEM}/{path}")
    return name
