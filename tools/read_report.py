#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Reads a Sextant report and prints its rows as CSV: a second reader, written from docs/formats/report.md alone.

usage: read_report.py FILE              every table: a line `# NAME`, a line of column names, the rows; then its summary, if any
       read_report.py FILE --meta       the key/value pairs

Standard library only; zstd through libzstd (ctypes) or the `zstd` program. Checksums are not checked: Python has no XXH3.
"""
import ctypes
import ctypes.util
import struct
import subprocess
import sys

META, SCHEMA, STRINGS, DATA, INDEX, CHECKPOINT, SUMMARY = 1, 2, 3, 4, 5, 6, 7
SUMMARY_COLUMNS = [(0, "name", "string"), (1, "duration", "duration"), (2, "count", "uint")]
MASK = (1 << 64) - 1
CHUNK = struct.Struct("<4sHHHHIQQQIIQQ")
COLUMN = struct.Struct("<HBBBBHQQII")


class ReportError(Exception):
    """The file is not what it should be; the message says what."""


def unpack_zstd(frame, size):
    """The `size` bytes that are packed in one zstd frame."""
    name = ctypes.util.find_library("zstd")
    if name is None:
        unpacked = subprocess.run(["zstd", "-dc"], input=frame, stdout=subprocess.PIPE, check=True).stdout
    else:
        library = ctypes.CDLL(name)
        library.ZSTD_decompress.restype = ctypes.c_size_t
        library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
        buffer = ctypes.create_string_buffer(size)
        got = library.ZSTD_decompress(buffer, size, frame, len(frame))
        unpacked = buffer.raw[:got] if got <= size else b""
    if len(unpacked) != size:
        raise ReportError("a zstd frame that does not unpack to %d bytes" % size)
    return unpacked


class Chunk:
    """A chunk header (§2) and its body."""

    def __init__(self, data, offset):
        (self.magic, self.kind, self.flags, self.table, self.columns, self.rows, self.body_bytes, self.time_min,
         self.time_max, self.clock, self.group, _, _) = CHUNK.unpack_from(data, offset)
        self.end = (offset + CHUNK.size + self.body_bytes + 7) // 8 * 8
        self.body = data[offset + CHUNK.size:offset + CHUNK.size + self.body_bytes]


def chunks_of(data):
    """All chunks of whole groups (§7), by walking (§2). Stops at the trailer or at an unfinished tail."""
    if data[:8] != b"SXTREPRT":
        raise ReportError("no Sextant report")
    major, _, header_bytes = struct.unpack_from("<HHI", data, 8)
    if major > 0:
        raise ReportError("a report of a later version")
    chunks, offset = [], (header_bytes + 7) // 8 * 8
    while offset + CHUNK.size <= len(data):
        chunk = Chunk(data, offset)
        if chunk.magic != b"SXCK":
            raise ReportError("damaged at offset %d" % offset)
        if chunk.end > len(data):
            break
        chunks.append(chunk)
        offset = chunk.end
    if chunks and chunks[-1].group != 0 and not chunks[-1].flags & 1:
        open_group = chunks[-1].group
        while chunks and chunks[-1].group == open_group:
            chunks.pop()
    return chunks


def stored_values(transform, codec, width, rows, raw_bytes, payload):
    """The stored values of a column: planes put together again (§6)."""
    count = max(rows - 1, 0) if transform == 1 else rows
    if transform == 3 and width > 0:
        count = raw_bytes // width
    if raw_bytes != width * count:
        raise ReportError("a column whose length does not fit its rows")
    planes = payload if codec == 0 else unpack_zstd(payload, raw_bytes)
    values = [0] * count
    for b in range(width):
        plane = planes[b * count:(b + 1) * count]
        values = [v | byte << (8 * b) for v, byte in zip(values, plane)]
    return values


def undo_transform(header, stored, partner):
    """The values of a column (§6)."""
    transform, base, step = header[1], header[6], header[7]
    if transform == 3 and header[3] > 0:
        firsts = {}
        for value in partner:
            firsts.setdefault(value, len(firsts))
        if len(firsts) != len(stored):
            raise ReportError("a column that does not fit its partner")
        return [(base + stored[firsts[value]]) & MASK for value in partner]
    if transform in (0, 3):
        return [(base + s) & MASK for s in stored]
    values = []
    if transform == 5:
        last = {}
        for s, origin in zip(stored, partner):
            last[origin] = (last.get(origin, base) + ((s >> 1) ^ -(s & 1))) & MASK
            values.append(last[origin])
        return values
    if transform == 1:
        value = base
        values.append(value)
        for s in stored:
            value = (value + step + ((s >> 1) ^ -(s & 1))) & MASK
            values.append(value)
        return values
    end = base
    if transform == 4:
        for s, duration in zip(stored, partner):
            values.append((end + ((s >> 1) ^ -(s & 1))) & MASK)
            end = values[-1] + duration
        return values
    for s, duration in zip(stored, partner):
        end = (end + (s >> 1) + (0 if s & 1 else duration)) & MASK
        values.append((end - duration) & MASK)
    return values


def columns_of(chunk):
    """{column id: values} of a data chunk."""
    headers = [COLUMN.unpack_from(chunk.body, i * COLUMN.size) for i in range(chunk.columns)]
    parts, at = {}, chunk.columns * COLUMN.size
    for header in headers:
        column, transform, codec, width, _, _, _, _, raw_bytes, stored_bytes = header
        payload = chunk.body[at:at + stored_bytes]
        at += stored_bytes
        if transform > 5 or codec > 1:
            continue  # of a later release
        parts[column] = (header, stored_values(transform, codec, width, chunk.rows, raw_bytes, payload))
    zeros = [0] * chunk.rows
    values = {c: undo_transform(h, s, None) for c, (h, s) in parts.items() if h[1] < 2}
    for transform in (5, 3, 2, 4):  # each may need one of those before
        for column, (header, stored) in parts.items():
            if header[1] == transform:
                values[column] = undo_transform(header, stored, values.get(header[5], zeros))
    return values


class Report:
    """Tables, strings and pairs of a file; rows are decoded when asked for."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.chunks = chunks_of(file.read())
        self.tables, self.strings, self.meta = {}, {0: b""}, {}
        for chunk in self.chunks:
            if chunk.kind == SCHEMA:
                self.add_schema(chunk)
            elif chunk.kind == STRINGS:
                self.add_strings(chunk)
            elif chunk.kind == META:
                self.add_meta(chunk)

    def add_schema(self, chunk):  # §4
        table = None
        for line in chunk.body.decode().split("\n"):
            fields = line.split("\t")
            if fields[0] == "table":
                table = self.tables[int(fields[1])] = (fields[2], [])
            elif fields[0] == "column":
                table[1].append((int(fields[1]), fields[2], fields[3]))

    def add_strings(self, chunk):  # §5
        first_id, raw_bytes, stored_bytes = struct.unpack_from("<QII", chunk.body)
        content = chunk.body[16:16 + stored_bytes]
        if stored_bytes < raw_bytes:
            content = unpack_zstd(content, raw_bytes)
        at = 4 * chunk.rows
        for i, length in enumerate(struct.unpack_from("<%dI" % chunk.rows, content)):
            self.strings[first_id + i] = content[at:at + length]
            at += length

    def add_meta(self, chunk):  # §3
        at = 0
        for _ in range(chunk.rows):
            key, value = struct.unpack_from("<II", chunk.body, at)
            at += 8
            self.meta[chunk.body[at:at + key]] = chunk.body[at + key:at + key + value]
            at += key + value

    def text_of(self, value, kind):
        if kind == "string":
            return self.strings.get(value, b"(unknown string)").decode("utf-8", "surrogateescape")
        return str(value - (1 << 64) if kind == "int" and value >> 63 else value)

    def summary(self, table_id):  # §6.1
        """Rows of the table's summary; none where it is not of all rows of the table."""
        rows = sum(chunk.rows for chunk in self.chunks if chunk.kind == DATA and chunk.table == table_id)
        summed_up = list(self.rows(table_id, SUMMARY, SUMMARY_COLUMNS))
        return summed_up if sum(int(row[2]) for row in summed_up) == rows else []

    def rows(self, table_id, kind_of_chunk=DATA, columns=None):
        columns = columns or self.tables[table_id][1]
        for chunk in self.chunks:
            if chunk.kind != kind_of_chunk or chunk.table != table_id:
                continue
            values = columns_of(chunk)
            zeros = [0] * chunk.rows
            texts = [[self.text_of(v, kind) for v in values.get(column, zeros)] for column, _, kind in columns]
            yield from zip(*texts)


def csv_line(texts):
    """A line of CSV (RFC 4180, but ended by LF), in bytes; text that was no UTF-8 comes out as it was."""
    quoted = ('"%s"' % t.replace('"', '""') if any(c in t for c in '",\r\n') else t for t in texts)
    return (",".join(quoted) + "\n").encode("utf-8", "surrogateescape")


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 1
    try:
        report = Report(arguments[0])
    except (OSError, ReportError) as error:
        print("read_report: %s: %s" % (arguments[0], error), file=sys.stderr)
        return 1
    out = sys.stdout.buffer
    if "--meta" in arguments:
        for pair in sorted(report.meta.items()):
            out.write(csv_line(part.decode("utf-8", "surrogateescape") for part in pair))
        return 0
    for table_id, (name, columns) in sorted(report.tables.items()):
        out.write(b"# %s\n" % name.encode())
        out.write(csv_line(column for _, column, _ in columns))
        for row in report.rows(table_id):
            out.write(csv_line(row))
        for number, row in enumerate(report.summary(table_id)):
            if number == 0:
                out.write(b"# summary of %s\n" % name.encode())
            out.write(csv_line(row))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
