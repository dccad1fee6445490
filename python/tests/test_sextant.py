# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""The package over a small export in nsys's tables. SEXTANT and SEXTANT_SQLITE_EXTENSION say where the program and the
extension are."""
import contextlib
import importlib.util
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import warnings

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, PACKAGE)
import sextant  # noqa: E402

PID = 42
GLOBAL_PID = PID << 24
KERNELS = [(100 + 10 * i, 105 + 10 * i, i % 3) for i in range(30)]  # start, end, name


def write_export(path):
    """What nsys would export of thirty kernels of three names."""
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
            contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
            demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL,
            gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
            globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
        CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT,
            globalTid INTEGER, textId INTEGER, domainId INTEGER);
        CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
    """)
    database.executemany("INSERT INTO StringIds VALUES (?, ?)", [(0, "k0"), (1, "k1"), (2, "k2"), (3, "cudaLaunchKernel")])
    database.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, ?, ?, ?, ?, 1, 1, 1, 32, 1, 1)",
                         [(s, e, i, GLOBAL_PID, n, n) for i, (s, e, n) in enumerate(KERNELS)])
    database.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 1, ?, ?, 3, 0)",
                         [(s - 20, s - 15, GLOBAL_PID + 43, i) for i, (s, _, _) in enumerate(KERNELS)])
    database.execute("INSERT INTO NVTX_EVENTS VALUES (90, 500, 59, 'epoch', ?, NULL, 0)", (GLOBAL_PID + 43,))
    database.execute("INSERT INTO PROCESSES VALUES (?, ?, 'train')", (GLOBAL_PID, PID))
    database.commit()
    database.close()


@contextlib.contextmanager
def environment(**values):
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sextant-test-")
        cls.file = os.path.join(cls.folder, "it's an export.sqlite")
        write_export(cls.file)
        cls.cache = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = os.path.join(cls.folder, "cache")

    @classmethod
    def tearDownClass(cls):
        if cls.cache is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = cls.cache
        shutil.rmtree(cls.folder, ignore_errors=True)


class Questions(Case):
    """What is asked in the same way whether there is an extension or not."""

    def questions(self):
        with sextant.open(self.file) as report:
            kernels = report.table("kernels", as_="columns")
            self.assertEqual(kernels["start"], [start for start, _, _ in KERNELS])
            self.assertEqual(kernels["name"], [f"k{name}" for _, _, name in KERNELS])
            self.assertEqual(set(kernels["pid"]), {PID})
            self.assertEqual(kernels.row_count, 30)
            some = report.table("kernels", columns=["name", "duration"], where="name = 'k1'", limit=2, as_="columns")
            self.assertEqual(list(some.rows()), [("k1", 5), ("k1", 5)])
            self.assertEqual(report.table("api", as_="columns")["name"][0], "cudaLaunchKernel")
            self.assertEqual(report.table("nvtx", as_="columns")["text"], ["epoch"])
            self.assertEqual(report.table("StringIds", where="value = 'k2'", as_="columns")["value"], ["k2"])
            self.assertIn("kernels", report.tables)
            summary = report.summary("cuda_gpu_kern_sum", as_="columns")
            self.assertEqual(sorted(zip(summary["name"], summary["instances"])), [("k0", 10), ("k1", 10), ("k2", 10)])
            self.assertEqual(report.sql("SELECT count(*) AS n FROM NVTX_EVENTS WHERE text = ?", ("epoch",), as_="columns"),
                             {"n": [1]})
            with self.assertRaisesRegex(sextant.Error, "has no table nosuch"):
                report.table("nosuch")
            with self.assertRaisesRegex(sextant.Error, "no such column"):
                report.sql("SELECT nosuch FROM StringIds")

    def test_with_the_extension(self):
        self.assertIsNone(sextant.connect(self.file)._temporary)
        self.questions()

    def test_by_the_program(self):
        with environment(SEXTANT_SQLITE_EXTENSION=""):
            connection = sextant.connect(self.file)
            folder = connection._temporary
            self.assertTrue(os.path.isdir(folder))
            connection.close()
            self.assertFalse(os.path.exists(folder))
            self.questions()

    def test_neither_is_there(self):
        with environment(SEXTANT_SQLITE_EXTENSION="", SEXTANT="/nonexistent/sextant"):
            with self.assertRaisesRegex(sextant.Error, "was found"):
                sextant.open(self.file)

    def test_wrong_files(self):
        other = os.path.join(self.folder, "other")
        with open(other, "w", encoding="utf-8") as file:
            file.write("no report")
        with self.assertRaisesRegex(sextant.Error, "is no "):
            sextant.open(other)
        with self.assertRaisesRegex(sextant.Error, "there is no"):
            sextant.open(other + "x")


class Results(Case):
    def test_kinds(self):
        with sextant.open(self.file) as report:
            statement = "SELECT id, id, value FROM StringIds ORDER BY id LIMIT 1"
            self.assertEqual(list(report.sql(statement, as_="columns")), ["id", "id_2", "value"])
            with self.assertRaisesRegex(sextant.Error, "auto, pandas, arrow and columns"):
                report.sql(statement, as_="rows")
            for kind, module in (("pandas", "pandas"), ("arrow", "pyarrow")):
                if importlib.util.find_spec(module) is None:
                    with self.assertRaisesRegex(sextant.Error, "is not installed"):
                        report.sql(statement, as_=kind)
                    continue
                made = report.table("kernels", as_=kind)
                self.assertEqual(len(made), len(KERNELS))
                self.assertEqual(list(made["start"])[0] if kind == "pandas" else made["start"][0].as_py(), 100)


class Connections(Case):
    def indexed(self, use):
        connection = sextant.connect(self.file)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            use(connection)
        self.assertEqual(connection.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone(), (30,))
        connection.close()
        self.assertTrue(all(warning.category is sextant.IgnoredIndex for warning in caught))
        self.assertTrue(all(warning.filename == __file__ for warning in caught), [w.filename for w in caught])
        return len(caught)

    def test_indexes_on_tables_of_the_report_are_ignored(self):
        for statement in ("CREATE INDEX i ON CUPTI_ACTIVITY_KIND_KERNEL (start)",
                          "-- for speed\ncreate unique index if not exists main.\"a;b\" on [stringids](id)"):
            self.assertEqual(self.indexed(lambda connection, s=statement: connection.execute(s)), 1)
            self.assertEqual(self.indexed(lambda connection, s=statement: connection.cursor().execute(s)), 1)

    def test_scripts(self):
        script = """CREATE TEMP TABLE t (a); CREATE INDEX temp.i ON t (a); CREATE INDEX k ON StringIds (value);
                    INSERT INTO t VALUES ('CREATE INDEX x ON StringIds (id);')"""
        self.assertEqual(self.indexed(lambda connection: connection.executescript(script)), 1)

    def test_others_are_made(self):
        def use(connection):
            connection.execute("CREATE TEMP TABLE t (a)")
            connection.execute("CREATE INDEX temp.i ON t (a)")
            self.assertEqual(connection.execute("SELECT name FROM sqlite_temp_master WHERE type = 'index'").fetchall(),
                             [("i",)])
        self.assertEqual(self.indexed(use), 0)


class Installation(Case):
    def test_pip_installs_from_the_tree(self):
        if importlib.util.find_spec("pip") is None:
            self.skipTest("this Python has no pip")
        target = os.path.join(self.folder, "installed")
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check",
                        "--target", target, PACKAGE], check=True, stdin=subprocess.DEVNULL)
        told = subprocess.run([sys.executable, "-B", "-c", "import sextant; print(sextant.__version__, sextant.__file__)"],
                              check=True, stdout=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=target), cwd=self.folder)
        self.assertIn(target, told.stdout.decode())


if __name__ == "__main__":
    unittest.main()
