# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""sextant explain: names given, read, and of reports; of the corpus's kernels all but the programs' own are known."""
import glob
import json
import os
import sqlite3

from harness import Skipped


@case("explain: names in words, and as JSON")
def _(c):
    done = c.run("sextant explain volta_sgemm_128x64_nn 'void saxpy<float>(float *, float *)'", 0)
    c.expect("cuBLAS: matrix multiplication (GEMM), float32, tile 128 x 64" in done.stdout, done.stdout)
    c.expect("of no library that is known here" in done.stdout, done.stdout)
    told = json.loads(c.run("sextant explain --json volta_sgemm_128x64_nn", 0).stdout)
    c.equal([one["recognised"] for one in told], [True], "recognised")
    c.equal({fact["what"]: fact["certain"] for fact in told[0]["facts"]}.get("layout"), True, "the layout is certain")
    c.equal({fact["what"]: fact["certain"] for fact in told[0]["facts"]}.get("units"), False, "the units are guessed")
    c.run("sextant explain", 1)
    c.run("sextant explain --rows none x", 1)


@case("explain: what a terminal must not see is escaped")
def _(c):
    done = c.run("printf 'evil\\033[2Jname\\n\\377\\376\\n' | sextant explain -", 0)
    c.expect("\x1b" not in done.stdout, repr(done.stdout))
    json.loads(c.run("printf 'evil\\033[2Jname\\n\\377\\376\\n' | sextant explain --json -", 0).stdout)


def corpus():
    folder = os.environ.get("SEXTANT_CORPUS")
    files = sorted(glob.glob(os.path.join(folder, "nsys-sqlite", "*.sqlite"))) if folder else []
    if not files:
        raise Skipped("no corpus: set SEXTANT_CORPUS to a folder with nsys-sqlite/*.sqlite")
    return files


def kernel_names(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        try:
            return {name for (name,) in database.execute(
                "SELECT DISTINCT value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName")}
        except sqlite3.OperationalError:
            return set()  # no kernels


# the programs' own
OWN = ("clover::", "saxpy(", "Fan1(", "Fan2(", "add_one(", "softmax_fused_1sc(")


@case("explain: kernels of real programs", timeout=120)
def _(c):
    names = sorted(set().union(*(kernel_names(path) for path in corpus())))
    with open(c.path("names.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(names))
    told = json.loads(c.run("sextant explain --json - < names.txt", 0).stdout)
    c.equal(len(told), len(names), "names")
    unknown = [one["name"] for one in told if not one["recognised"] and not any(own in one["name"] for own in OWN)]
    c.equal(unknown, [], "names of libraries that no rule knows")
    not_understood = [fact["text"] for one in told for fact in one["facts"] if fact["what"] == "not understood"]
    c.equal(not_understood, [], "words that are not understood")


@case("explain: the kernels of a report, with the card that ran them", timeout=120)
def _(c):
    path = next((path for path in corpus() if "power_iteration" in path), None)
    if path is None:
        raise Skipped("the corpus has no power_iteration__baseline.sqlite")
    told = json.loads(c.run(["sextant", "explain", "--no-cache", "-q", "--json", "--rows", "3", path], 0).stdout)
    c.equal(len(told), 3, "rows")
    c.expect(told[0]["time_percent"] >= told[1]["time_percent"] >= told[2]["time_percent"], str(told))
    c.expect(sum(one["instances"] for one in told) > 0, str(told))
