# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""`sextant serve`: a browser's first steps, what others may not do, and the end."""
import http.client
import json
import os
import shutil
import signal
import sqlite3
import ssl
import struct
import urllib.parse

from harness import Skipped


class Served:
    """A server that runs while a case does."""

    def __init__(self, c, arguments, context=None):
        self.c, self.context = c, context
        self.process = c.start(f"exec sextant serve {arguments}")
        line = self.process.stdout.readline().decode()
        c.expect(line.startswith("http"), f"no address was printed: {line!r}")
        self.url = urllib.parse.urlsplit(line.strip())
        self.token = urllib.parse.parse_qs(self.url.query)["token"][0]
        self.cookie = ""

    def ask(self, target, method="GET", body=None, **headers):
        kind = http.client.HTTPSConnection if self.context else http.client.HTTPConnection
        options = {"context": self.context} if self.context else {}
        connection = kind("127.0.0.1", self.url.port, timeout=60, **options)
        if self.cookie:
            headers.setdefault("Cookie", self.cookie)
        connection.request(method, target, body=body, headers=headers)
        answer = connection.getresponse()
        answer.content = answer.read()
        connection.close()
        return answer

    def log_in(self):
        answer = self.ask(f"{self.url.path}?{self.url.query}")
        self.c.equal(answer.status, 302, "status of the first load")
        self.c.equal(answer.headers["Location"], "/", "place without the token")
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def json(self, target, **options):
        answer = self.ask("/api/v1/reports" + target, **options)
        self.c.equal(answer.status, 200, f"status of {target}: {answer.content[:300]}")
        return json.loads(answer.content)

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return self.c.wait(self.process)


@case("serve: from the printed address to a tile")
def _(c):
    c.run("sextant profile -q -o r $W/act range a 7", 0)
    server = Served(c, "r.sxt")
    server.log_in()
    report = server.json("")["reports"][0]
    c.equal((report["name"], report["state"], report["lost"]), ("r.sxt", "complete", 0), "the report")
    tracks = server.json(f"/{report['id']}/tracks")
    c.expect(tracks["settled"], "a small report is summed up at once")
    nvtx = next(t for t in tracks["tracks"] if t["kind"] == "nvtx")
    names = server.json(f"/{report['id']}/names")["names"]
    c.equal(names[nvtx["top"][0]["name"]], "a", "the name with most time")
    level = max(0, int(report["length_ns"]).bit_length() - 10)
    tile = server.ask(f"/api/v1/reports/{report['id']}/tiles/{nvtx['id']}/{level}/0").content
    magic, version, kind, rows, count = struct.unpack_from("<4sBBHI", tile)
    c.equal((magic, version, kind, rows, count), (b"SXT1", 1, 1, nvtx["rows"], nvtx["events"]), "the tile")
    table = server.json(f"/{report['id']}/stats?report=nvtx_sum")
    instances = [column["name"] for column in table["columns"]].index("Instances")
    c.equal(table["rows"][0][instances], int(c.stats()[0]["Instances"]), "the same number as `sextant stats`")
    result = server.end()
    c.equal(result.code, 0, "exit code after SIGINT")
    c.expect("ssh -L" in result.stderr, "the way through a tunnel is not told")


@case("serve: nobody else")
def _(c):
    c.run("sextant profile -q -o r $W/act range a 1", 0)
    server = Served(c, "r.sxt")
    for target in ("/", "/api/v1/reports", "/?token=00000000000000000000000000000000"):
        c.equal(server.ask(target).status, 401, f"status of {target} without the token")
    server.log_in()
    c.equal(server.ask("/api/v1/reports", Host="evil.example").status, 403, "another name (DNS rebinding)")
    c.equal(server.ask("/api/v1/reports", Origin="http://evil.example").status, 403, "a page of somebody else")
    c.equal(server.ask("/api/v1/reports/x/sql", "POST", "x").status, 404, "a report that is not there")
    for target in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd"):
        c.expect(server.ask(target).status in (400, 404), f"{target} is answered")
    c.equal(server.ask("/api/v1/reports", "POST", "x" * (2 << 20)).status, 413, "a body of 2 MiB")
    policy = server.ask("/").headers["Content-Security-Policy"]
    c.expect("default-src 'none'" in policy, f"no content security policy: {policy}")
    listening = c.run("ss -Hltnp 2>/dev/null || true").stdout
    c.expect(f"0.0.0.0:{server.url.port}" not in listening, "it listens on more than the loopback")
    c.equal(server.end(signal.SIGTERM).code, 0, "exit code after SIGTERM")


@case("serve: a folder that changes")
def _(c):
    os.makedirs(c.path("runs", "deep"))
    c.run("sextant profile -q -o runs/a $W/act range a 3", 0)
    open(c.path("runs", "notes.txt"), "w").write("no report")
    server = Served(c, "runs")
    server.log_in()
    c.equal([r["path"] for r in server.json("")["reports"]], ["runs/a.sxt"], "reports")
    shutil.copy(c.path("runs", "a.sxt"), c.path("runs", "deep", "cut.sxt"))
    os.truncate(c.path("runs", "deep", "cut.sxt"), os.path.getsize(c.path("runs", "a.sxt")) - 40)
    open(c.path("outside.sxt"), "wb").write(open(c.path("runs", "a.sxt"), "rb").read())
    os.symlink(c.path("outside.sxt"), c.path("runs", "link.sxt"))
    c.wait_until(lambda: len(server.json("")["reports"]) > 1, "the new report is listed")
    reports = {r["path"]: r for r in server.json("")["reports"]}
    c.equal(sorted(reports), ["runs/a.sxt", "runs/deep/cut.sxt"], "what a link leads out to is not served")
    c.equal(reports["runs/deep/cut.sxt"]["state"], "cut", "state")
    c.expect(server.json(f"/{reports['runs/deep/cut.sxt']['id']}/tracks")["tracks"], "what there is of it is shown")
    server.end()


@case("serve: an import that is not kept answers everything")
def _(c):
    c.run("sextant profile -q -o r $W/act range a 7", 0)
    c.run("sextant export -q -t sqlite -o r.sqlite r.sxt", 0)
    server = Served(c, "--no-cache r.sqlite")
    server.log_in()
    report = server.json("")["reports"][0]["id"]
    c.expect(server.json(f"/{report}/tracks")["tracks"], "tracks")
    c.expect(server.json(f"/{report}/stats?report=nvtx_sum")["rows"], "statistics")
    c.expect("reasons" in server.json(f"/{report}/findings"), "findings")
    server.end()


@case("serve: damage that only reading an event meets is told")
def _(c):
    c.run("sextant profile -q -t nvtx -o r $W/act range a 50000", 0)
    size = os.path.getsize(c.path("r.sxt"))
    with open(c.path("r.sxt"), "r+b") as file:  # in the middle are events, whose overview is elsewhere
        file.seek(size // 2)
        file.write(b"damage" * 8)
    found = c.run("sextant stats -q -r nvtx_pushpop_trace -f csv r.sxt", None).stderr
    c.expect("damaged at byte" in found, f"the events are damaged: {found}")
    server = Served(c, "r.sxt")
    server.log_in()
    report = server.json("")["reports"][0]["id"]
    for track in server.json(f"/{report}/tracks")["tracks"]:
        server.ask(f"/api/v1/reports/{report}/events?track={track['id']}")
    details = server.json(f"/{report}")
    told = [lack["text"] for lack in details["diagnostics"] if lack["code"] == "damage"]
    c.expect(told and told[0].startswith("damaged at byte "), f"what was met: {details['diagnostics']}")
    c.expect("nothing lost" not in details["verdict"] and "damaged in 1 place" in details["verdict"], details["verdict"])
    c.equal(server.end().code, 0, "exit code")


@case("serve: names with HTML and bad UTF-8 stay text")
def _(c):
    c.run("sextant profile -q -o r $W/names odd", 0)
    server = Served(c, "r.sxt")
    server.log_in()
    report = server.json("")["reports"][0]["id"]
    answer = server.ask(f"/api/v1/reports/{report}/names")
    c.equal(answer.headers["Content-Type"], "application/json", "type")
    answer.content.decode("utf-8")
    c.expect("日本 😀" in json.loads(answer.content)["names"], "a name is missing")
    c.expect(server.json(f"/{report}/search?text=SAY")["names"][0]["text"] == 'say "hi"', "search")
    server.end()


@case("serve: passwords and TLS", requires="openssl")
def _(c):
    c.run("sextant profile -q -o r $W/act range a 1", 0)
    c.run("openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=localhost 2>/dev/null", 0)
    open(c.path("pw"), "w").write("correct horse\n")
    os.chmod(c.path("pw"), 0o644)
    refused = c.run("sextant serve --password-file pw r.sxt", 1)
    c.expect("chmod 600" in refused.stderr, f"what to do is not told: {refused.stderr}")
    os.chmod(c.path("pw"), 0o600)
    result = c.run("sextant serve --tls-cert c.pem --tls-key k.pem --port 0 --host 999.1 r.sxt", 1)
    if "this build has no TLS" in result.stderr:
        raise Skipped("the build has no TLS: OpenSSL's static libraries were missing")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    server = Served(c, "--tls-cert c.pem --tls-key k.pem --password-file pw r.sxt", context)
    c.expect(b"<form" in server.ask("/").content, "there is no form")
    c.equal(server.ask("/login", "POST", "password=wrong").status, 401, "a wrong password")
    answer = server.ask("/login", "POST", "password=correct+horse")
    c.equal(answer.status, 302, "the right password")
    c.expect("Secure" in answer.headers["Set-Cookie"], "the cookie may leave unencrypted")
    server.cookie = answer.headers["Set-Cookie"].split(";")[0]
    c.equal(len(server.json("")["reports"]), 1, "reports")
    c.equal(server.end().code, 0, "exit code")


@case("serve: what cannot be served is told")
def _(c):
    c.expect("no report" in c.run("echo x > x.txt; sextant serve x.txt", 1).stderr, "a file that is no report")
    c.run("sextant serve missing.sxt", 2)
    c.expect("65535" in c.run("sextant serve --port 99999 .", 1).stderr, "a port that does not exist")
    c.expect("belong together" in c.run("sextant serve --tls-cert x .", 1).stderr, "a certificate without its key")


SOURCE = """int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += i;
  return sum;
}
int main(void) {
  return work(3) - 3;
}
"""


def sampled_report(c, name, program, frames):
    """An export as nsys writes it: one sample, its frames from the innermost on as (function, address)."""
    database = sqlite3.connect(c.path(name))
    tid = (4242 << 24) | 4242
    database.executescript("""
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER, globalTid INTEGER,
            cpuCycles INTEGER NOT NULL);
        CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, kernelMode INTEGER, thumbCode INTEGER,
            unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER, stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
        CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);""")
    database.execute("INSERT INTO StringIds VALUES (1, ?)", (program,))
    database.execute("INSERT INTO COMPOSITE_EVENTS VALUES (1, 1000, 0, 0, ?, 1)", (tid,))
    for depth, (function, address) in enumerate(frames):
        database.execute("INSERT INTO StringIds VALUES (?, ?)", (2 + depth, function))
        database.execute("INSERT INTO SAMPLING_CALLCHAINS VALUES (1, ?, 1, NULL, NULL, NULL, NULL, ?, 0, ?)", (2 + depth, address, depth))
    database.commit()
    database.close()


@case("serve: source beside a call stack, with consent only")
def _(c):
    if not shutil.which("gcc"):
        raise Skipped("no gcc")
    os.makedirs(c.path("project"))
    open(c.path("project", "work.c"), "w").write(SOURCE)
    c.run("cd project && gcc -g -O0 -no-pie -o work work.c", 0)
    listed = c.run("objdump -d --no-show-raw-insn project/work", 0).stdout
    begin = next(int(line.split()[0], 16) for line in listed.splitlines() if line.endswith("<work>:"))
    lines = listed.splitlines()
    call = next(i for i, line in enumerate(lines) if "call" in line and "<work>" in line)
    behind = int(lines[call + 1].split(":")[0], 16)
    program = c.path("project", "work")
    sampled_report(c, "r.sqlite", program, [("work", begin), ("main", behind)])

    def ask(options, frame):
        server = Served(c, f"{options} --no-cache r.sqlite")
        server.log_in()
        report = server.json("")["reports"][0]["id"]
        track = next(t["id"] for t in server.json(f"/{report}/tracks")["tracks"] if t["kind"] == "samples")
        event = server.json(f"/{report}/events?track={track}")["rows"][0][0]
        answer = server.json(f"/{report}/source/{track}/{event}?frame={frame}")
        c.equal(server.end().code, 0, "exit code")
        return answer

    none = ask("", 0)
    c.equal((none["allowed"], "lines" in none), (False, False), "nothing is shown without consent")
    inner, outer = ask("--source-path project", 0), ask("--source-path project", 1)
    c.equal((inner["line"], inner["lines"][0], inner["reason"]), (1, "int work(int n) {", None), f"where the sample was: {inner}")
    c.equal((outer["line"], outer["lines"][6]), (7, "  return work(3) - 3;"), f"its caller's call: {outer}")
    os.rename(c.path("project", "work.c"), c.path("work.c"))
    os.symlink(c.path("work.c"), c.path("project", "work.c"))
    moved = ask("--source-path project", 0)
    c.expect("lines" not in moved and "--source-path" in moved["reason"], f"a link leads out of the folder: {moved}")
    c.run("strip --strip-all project/work", 0)
    c.expect("no debug information" in ask("--source-path project", 0)["reason"], "a stripped program")
    c.expect("--source-path nothing" in c.run("sextant serve --source-path nothing r.sqlite", None).stderr, "a folder that is not there")
