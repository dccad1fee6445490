# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""How fast `sextant serve` answers: what a viewer asks for its first picture, tiles of random places, tables, searches.
Standard library only."""
import http.client
import json
import os
import random
import re
import statistics
import subprocess
import threading
import time

WIDTH, TRACKS = 2000, 40  # of the picture


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * q))]


class Server:
    """`sextant serve` of one report, until the object is closed."""

    def __init__(self, sextant, report):
        self.begin = time.monotonic()
        self.process = subprocess.Popen([sextant, "serve", "--port", "0", report], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        self.url = ""
        for line in self.process.stdout:
            found = re.search(r"http://([^:/]+):(\d+)/\?token=(\S+)", line)
            if found:
                self.host, self.port, self.token = found.group(1), int(found.group(2)), found.group(3)
                self.url = found.group(0)
                break
        self.local = threading.local()
        self.base = ""
        self.base = "/reports/" + self.get("/reports")["reports"][0]["id"]

    def fetch(self, path):
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        self.local.connection.request("GET", "/api/v1" + self.base + path,
                                      headers={"Authorization": "Bearer " + self.token})
        answer = self.local.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body[:200]!r}")
        return body

    def get(self, path):
        return json.loads(self.fetch(path))

    def memory(self):
        """MiB: anonymous and private now, and the most there was."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["RssAnon"].split()[0]) / 1024, int(lines["VmHWM"].split()[0]) / 1024

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.process.terminate()
        self.process.wait()


def tiles_of(view_from, view_to):
    """Level and indices of the tiles that a view of WIDTH pixels takes: a bucket is at most a pixel wide"""
    level = max(0, int((view_to - view_from) / WIDTH).bit_length() - 1)
    return level, range(int(view_from) >> (level + 10), (int(view_to) >> (level + 10)) + 1)


def first_picture(server, length, tracks):
    level, indices = tiles_of(0, length)
    for track in tracks[:TRACKS]:
        for index in indices:
            server.fetch(f"/tiles/{track['id']}/{level}/{index}")


def random_tiles(server, length, tracks, views, seed=1):
    """Milliseconds of each tile of random views, from the whole run to a microsecond"""
    chance, times = random.Random(seed), []
    for _ in range(views):
        width = max(1000.0, length * 10 ** (-chance.random() * 6))
        begin = chance.random() * max(1.0, length - width)
        level, indices = tiles_of(begin, begin + width)
        for track in tracks[:TRACKS]:
            for index in indices:
                start = time.perf_counter()
                server.fetch(f"/tiles/{track['id']}/{level}/{index}")
                times.append((time.perf_counter() - start) * 1000)
    return times


def timed(server, path):
    begin, cpu = time.perf_counter(), server.cpu()
    server.fetch(path)
    return time.perf_counter() - begin, server.cpu() - cpu


def measure(sextant, report, views=60):
    server = Server(sextant, report)
    try:
        started = time.monotonic() - server.begin
        info = server.get("")
        tracks = [t for t in server.get("/tracks")["tracks"] if t["events"] > 0 and t["unit"] is None]
        listed = time.monotonic() - server.begin
        first_picture(server, info["length_ns"], tracks)
        out = {"started_s": started, "tracks_s": listed, "first_picture_s": time.monotonic() - server.begin,
               "first_cpu_s": server.cpu(), "first_memory_mib": server.memory()[0],
               "events": sum(t["events"] for t in tracks), "tracks": len(tracks)}
        times = random_tiles(server, info["length_ns"], tracks, views)
        out.update({"tiles": len(times), "tile_p50_ms": statistics.median(times), "tile_p99_ms": quantile(times, .99),
                    "tile_max_ms": max(times)})
        most = max(tracks, key=lambda t: t["events"])
        out["row_events"] = most["events"]
        for name, query in (("by_start", ""), ("by_duration", "&sort=duration&order=desc"), ("by_name", "&sort=name")):
            out[f"table_{name}_s"], out[f"table_{name}_cpu_s"] = timed(server, f"/events?track={most['id']}{query}&limit=200")
        out["search_s"] = timed(server, "/search?text=opera")[0]
        out["search_again_s"] = timed(server, "/search?text=on+3")[0]
        out["memory_mib"], out["most_memory_mib"] = server.memory()
        return out
    finally:
        server.close()


if __name__ == "__main__":
    import sys
    for name in sys.argv[2:]:
        print(name, json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in measure(sys.argv[1], name).items()}))
