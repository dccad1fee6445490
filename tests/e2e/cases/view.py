# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""`sextant view --html`, `sextant demo`, `sextant serve --tags-file`."""
import base64
import gzip
import json
import os
import re
import signal
import struct
import urllib.error
import urllib.request

from harness import Skipped


def demo_report(c, name):
    listed = c.run("sextant demo", 0).stdout
    paths = [line for line in listed.splitlines() if line.endswith(f"/{name}.sxt")]
    c.equal(len(paths), 1, f"reports named {name} in:\n{listed}")
    return paths[0]


def parts_of(c, page):
    """The header and the tiles that a page holds (docs/http-api.md)."""
    with open(os.path.join(c.folder, page), encoding="utf-8") as file:
        text = file.read()
    found = re.search(r'<script type="application/octet-stream" id="sextant-data">([^<]*)</script>', text)
    c.expect(found, "the page holds no data")
    c.expect(text.count("</script>") == 2 and 'src="' not in text, "the page loads something, or ends a script early")
    container = gzip.decompress(base64.b64decode(found.group(1)))
    length, = struct.unpack_from("<I", container)
    return json.loads(container[4:4 + length]), container[4 + length:]


@case("view: one page that needs no server, thinned where it must be small")
def _(c):
    report = demo_report(c, "ranks")
    made = c.run(f"sextant view {report} --html page.html")
    if "no viewer" in made.stderr:
        raise Skipped("this build has no viewer (web/dist)")
    c.equal(made.code, 0, f"exit code; {made.stderr}")
    header, tiles = parts_of(c, "page.html")
    c.equal(header["version"], 1, "version")
    root = next(path for path in header["answers"] if re.fullmatch(r"/reports/\w+", path))
    tracks = header["answers"][root + "/tracks"]["tracks"]
    names = [track["name"] for track in tracks if track["kind"] == "group"]
    c.equal(names, ["Rank 0", "Rank 1", "Rank 2", "Rank 3"], "ranks")
    with_events = {track["id"] for track in tracks if track["events"] > 0}
    c.equal({tile[0] for tile in header["tiles"]}, with_events, "tracks with tiles")
    for _, _, _, at, size in header["tiles"]:
        c.equal(tiles[at:at + 4], b"SXT1", "begin of a tile")
        c.expect(at + size <= len(tiles), "a tile lies beyond the end")
    rows = header["answers"][root + "/stats?report=nvtx_sum"]["rows"]
    c.expect(rows, "no summary in the page")
    c.run(f"sextant view {report} --html page.html", 1)
    small = c.run(f"sextant view {demo_report(c, 'opencl')} --html page.html -f --max-size 260K", 0)
    c.expect("Not in this page" in small.stderr, f"nothing is said of what is missing: {small.stderr}")
    c.expect("Not in this page" in parts_of(c, "page.html")[0]["thinned"], "the page does not say it")


@case("view: what is no report is an error and leaves no page")
def _(c):
    c.run("echo text > x.txt; sextant view x.txt --html page.html", 1)
    c.run("sextant view none.sxt --html page.html", 2)
    c.expect(not os.path.exists(os.path.join(c.folder, "page.html")), "a page was left")


@case("demo: reports of our own come with the program and can be read")
def _(c):
    for name in ("pipeline", "ranks", "opencl"):
        c.run(f"sextant stats -q -r nvtx_sum {demo_report(c, name)}", 0)
    c.run("sextant demo x.sxt", 1)


@case("serve: tags are kept in the file that was given for it, and nowhere else")
def _(c):
    report = demo_report(c, "ranks")

    def start(options):
        process = c.start(f"exec sextant serve {options} {report}")
        base, token = process.stdout.readline().decode().strip().split("/?token=")

        def ask(path, body=None):
            request = urllib.request.Request(base + "/api/v1/reports" + path, data=body)
            request.add_header("Authorization", "Bearer " + token)
            request.add_header("Content-Type", "application/json")
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                return error.code, json.load(error)

        return process, ask

    for first in (True, False):
        process, ask = start("--tags-file tags")
        reports = ask("")[1]
        c.equal(reports["can_tag"], True, "can_tag")
        c.equal(reports["reports"][0]["tags"], [] if first else ["good", "<b>"], "tags")
        if first:
            path = f"/{reports['reports'][0]['id']}/tags"
            c.equal(ask(path, b'{"tags":["good","<b>"]}')[0], 200, "status of POST tags")
            c.equal(ask(path, b'{"tags":[""]}')[0], 400, "status of an empty tag")
        process.send_signal(signal.SIGINT)
        c.wait(process)
    process, ask = start("")
    reports = ask("")[1]
    c.equal(reports["can_tag"], False, "can_tag without a file")
    c.equal(ask(f"/{reports['reports'][0]['id']}/tags", b'{"tags":["good"]}')[0], 422, "status without a file")
    process.send_signal(signal.SIGINT)
    c.wait(process)
