#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the viewer's files (web/dist) as C++ source, compressed: embed_web.py FOLDER OUT.cpp

Where the folder is missing or empty the program is built without a viewer, and says so.
"""
import gzip
import hashlib
import pathlib
import sys

TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".json": "application/json",
    ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8", ".webmanifest": "application/manifest+json",
}


def array(data):
    lines = []
    for at in range(0, len(data), 64):
        lines.append(",".join(str(byte) for byte in data[at:at + 64]))
    return ",\n".join(lines)


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix in TYPES) if folder.is_dir() else []
    parts = ["// Written by tools/embed_web.py from web/dist.\n#include <array>\n#include \"serve/web_files.h\"\n\n"
             "namespace sextant::serve {\n\nnamespace {\n\n"]
    rows = []
    for number, path in enumerate(files):
        data = path.read_bytes()
        packed = gzip.compress(data, 9, mtime=0)
        name = "/" + path.relative_to(folder).as_posix()
        etag = hashlib.sha256(data).hexdigest()[:16]
        parts.append(f"const unsigned char kFile{number}[] = {{\n{array(packed)}\n}};\n")
        rows.append(f'    WebFile{{"{name}", "{TYPES[path.suffix]}",\n            {{reinterpret_cast<const char*>'
                    f'(kFile{number}), sizeof(kFile{number})}}, "\\"{etag}\\""}},\n')
    if rows:
        parts.append("const std::array kFiles = {\n" + "".join(rows) + "};\n\n")
    parts.append("}  // namespace\n\nstd::span<const WebFile> web_files() {\n  return "
                 + ("kFiles" if rows else "{}") + ";\n}\n\n}  // namespace sextant::serve\n")
    out.write_text("".join(parts))


main()
