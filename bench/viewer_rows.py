# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The rows about the viewer: `sextant serve` and its page in a Chromium without a screen, on made-up recordings; speedscope beside
them where $SPEEDSCOPE names the folder of its npm package."""
import json
import os
import subprocess
import sys

import viewer_server

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = ((1_000_000, "1 M"), (5_000_000, "5 M"), (100_000_000, "100 M"))
PEER_SIZES = ((100_000, "100 k"), (1_000_000, "1 M"))


def page(*words):
    """What viewer_page.mjs found out; an empty dictionary, with its complaint, where it could not."""
    done = subprocess.run(["node", os.path.join(HERE, "viewer_page.mjs"), *words], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    print(f"bench: viewer_page.mjs {' '.join(words)}: {done.stderr.strip()[-500:]}", file=sys.stderr)
    return {}


def report(bench, events, threads=40):
    path = os.path.join(bench.folder, f"viewer-{events}-{threads}.sxt")
    if not os.path.exists(path):
        subprocess.run([os.path.join(os.path.dirname(bench.loop), "report_data"), path, str(events), str(threads)], check=True)
    return path


def at(found, *keys):
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def ms(value):
    return None if value is None else f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


def mb(value):
    return None if value is None else f"{value:.0f} MB"


def both(found, *keys):
    pair = at(found, *keys)
    return f"{ms(pair['p50'])}, {ms(pair['p95'])}" if pair else None


def sum_of(*values):
    return None if None in values else sum(values)


# figure, what is read off, reach
OPENED = (
    ("start of `serve` to the first complete picture, wall", lambda f: ms(at(f, "open", "drawn_ms")), "<= 1 s"),
    ("... processor time of the server until then", lambda f: at(f, "open", "drawn_server_cpu_s") and f"{at(f, 'open', 'drawn_server_cpu_s'):.2f} s", None),
    ("... memory of server + page (of which an empty page has)",
     lambda f: at(f, "open") and f"{mb(sum_of(at(f, 'open', 'memory_mb', 'server', 'now'), at(f, 'open', 'memory_mb', 'page')))} ({mb(at(f, 'open', 'empty_page_mb'))})",
     "<= 300 MB"),
    ("... of the server alone", lambda f: mb(at(f, "open", "memory_mb", "server", "now")), "<= 300 MB"),
    ("... objects of script", lambda f: mb(at(f, "open", "script", "megabytes")), None),
    ("one zoom step until settled, p50, p95", lambda f: both(f, "zoom", "ms"), "<= 50 ms"),
    ("... processor time a step, server + browser, the sums of its time included",
     lambda f: at(f, "zoom") and f"{ms(at(f, 'zoom', 'server_cpu_ms'))} + {ms(at(f, 'zoom', 'browser_cpu_ms'))}", None),
    ("a letter of a search until its answer is shown, p50, p95", lambda f: both(f, "search", "ms"), "<= 100 ms"),
    ("boxes in sight", lambda f: at(f, "frames", "boxes"), "20 000"),
    ("... pan: script a frame, processor time, p50, p95", lambda f: both(f, "frames", "pan", "script_ms"), "p95 <= 8 ms"),
    ("... pan: drawing of the browser on the page's thread, p50, p95", lambda f: both(f, "frames", "pan", "raster_ms"), "stated"),
    ("... pan: between frames, p50, p95", lambda f: both(f, "frames", "pan", "interval_ms"), "p95 <= 17 ms"),
    ("... pan and zoom: script, p50, p95", lambda f: both(f, "frames", "pan_zoom", "script_ms"), "p95 <= 8 ms"),
    ("... pan and zoom: between frames, p50, p95", lambda f: both(f, "frames", "pan_zoom", "interval_ms"), "p95 <= 17 ms"),
)
TABLES = (("events of one row, first page", "by_start", "<= 300 ms"), ("... sorted by duration", "by_duration", "<= 300 ms"),
          ("... sorted by name", "by_name", "<= 300 ms"))


def add_wander(table, found):
    samples = at(found, "wander", "samples")
    if not samples:
        return
    def total(sample):
        return sample["memory_mb"]["server"]["now"] + sample["memory_mb"]["page"]
    most = max(samples, key=total)
    table.add(f"server + page, {found['wander']['minutes']} minutes of panning, zooming, scrolling: at first, most, last", None, None,
              ", ".join(mb(total(sample)) for sample in (samples[0], most, samples[-1])), "bounded")
    table.add("... objects of script; elements; listeners: at first, last", None, None, " / ".join(
        f"{sample['script']['megabytes']:.1f} MB; {sample['script']['elements']}; {sample['script']['listeners']}" for sample in (samples[0], samples[-1])), None)


def viewer(bench, full, table_class):
    labels = [label for _, label in SIZES]
    table = table_class("The viewer: `sextant serve` and its page in Chromium, 2000 x 1000 pixels of rows, by number of ranges",
                        ["figure", *labels, "reach"])
    found = [page(bench.sextant, report(bench, bench.count(events)), "open,zoom,frames,search") for events, _ in SIZES]
    for name, read, reach in OPENED:
        table.add(name, *(read(each) for each in found), reach)
    rows = [page(bench.sextant, report(bench, bench.count(events), 1), "table") for events, _ in SIZES[:2]]
    for name, key, reach in TABLES:
        table.add(f"{name}, wall / server's processor time",
                  *(at(each, "table") and f"{ms(at(each, 'table', key + '_ms'))} / {at(each, 'table', key + '_server_cpu_s'):.2f} s" for each in rows), None, reach)
    served = [viewer_server.measure(bench.sextant, report(bench, bench.count(events))) for events, _ in SIZES]
    table.add("a tile, asked for one after the other, p50, p99", *(f"{ms(each['tile_p50_ms'])}, {ms(each['tile_p99_ms'])}" for each in served), "p99 <= 10 ms")
    add_wander(table, page(bench.sextant, report(bench, bench.count(SIZES[2][0])), "wander", "10" if full else "0.5"))
    size = at(found[0], "open", "viewer_bytes")
    table.add("the viewer, as it travels (gzip)", size and f"{size / 1000:.0f} kB", None, None, "<= 150 kB")
    add_speedscope(bench, table)
    return table


def add_speedscope(bench, table):
    folder = os.environ.get("SPEEDSCOPE", "")
    if not folder:
        return
    cells = []
    for events, label in PEER_SIZES:
        source, trace = report(bench, bench.count(events)), os.path.join(bench.folder, f"viewer-{events}.json")
        subprocess.run([bench.sextant, "export", "-q", "-t", "chrome", "-f", "true", "-o", trace, source], check=True)
        found = page("speedscope", folder, trace, "120")
        drawn = at(found, "drawn_ms")
        cells.append(f"{label}: {ms(drawn) if drawn else 'not within 120 s'}, page {mb(at(found, 'memory_mb', 'page'))}")
    table.add("speedscope on the same ranges, to its first picture", *cells, None, None)
