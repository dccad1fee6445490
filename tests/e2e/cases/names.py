# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Names that break careless writers: CSV after RFC 4180 and JSON must hold what the program passed."""
import json

ODD = ["lone surrogate \ufffd\ufffd\ufffd and overlong \ufffd\ufffd", 'say "hi"', "a,b;c", "line one\nline two\r\nline three",
       "tab\tbell\x07 escape\x1b[31m", "back\\slash 'single' `tick`", "日本 😀", "=1+1", " leading and trailing ",
       "colon:inside", "x" * 10240, "x" * 10239 + "y"]


def plain(name):
    return name.replace("\ufffd", "")


@case("odd names in CSV")
def _(c):
    c.run("sextant profile -q -o r $W/names odd", 0)
    names = [row["Range"] for row in c.stats()]
    for wanted in ODD:
        c.expect(any(plain(n) in (plain(wanted), ":" + plain(wanted)) for n in names), f"{wanted[:60]!r} is not in {[n[:60] for n in names]}")
    c.expect(any("bad" in n and "utf" in n and n.isprintable() for n in names), "the name with invalid UTF-8 is missing")
    c.equal(sum(int(r["Instances"]) for r in c.stats()), 16, "ranges")


@case("odd names in JSON")
def _(c):
    c.run("sextant profile -q -o r $W/names odd", 0)
    result = c.run("sextant stats -q -r nvtx_sum,nvtx_pushpop_trace -f json r.sxt", 0)
    result.out.decode("utf-8")
    rows = json.JSONDecoder().raw_decode(result.stdout.lstrip())[0]
    names = [row["Range"] for row in rows]
    for wanted in ODD:
        c.expect(any(plain(n) in (plain(wanted), ":" + plain(wanted)) for n in names), f"{wanted[:60]!r} is not in {[n[:60] for n in names]}")


@case("odd names in columns keep the table's lines")
def _(c):
    c.run("sextant profile -q -o r $W/names odd", 0)
    out = c.run("sextant stats -q -r nvtx_sum -f column r.sxt", 0).out
    c.expect(b"\x1b" not in out and b"\x07" not in out, "control characters reach the terminal")
    out.decode("utf-8")


@case("100 000 distinct names")
def _(c):
    c.run("sextant profile -q -o r $W/names many 100000", 0)
    rows = c.stats()
    c.equal(len(rows), 100000, "rows")
    c.equal(len({r["Range"] for r in rows}), 100000, "names")


@case("odd program names and arguments")
def _(c):
    c.run("cp $W/act $'od d\\n\"name\\xff'", 0)
    c.run("sextant profile -q -o r ./$'od d\\n\"name\\xff' print $'a\\xffb\"c\\n,d' range a 2", 0)
    c.expect_row("process_tree", [("Name", "~", 'od d\\n"name|od d\n"name')])
    json.loads(c.run("sextant info --json r.sxt", 0).out.decode("utf-8"))
    json.loads(c.run("sextant stats -q -r process_tree -f json r.sxt", 0).out.decode("utf-8"))
