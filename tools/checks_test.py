#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Each check of tools/ must fail when it should: tiny trees with one offence each."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, TOOLS)
import check_layers  # noqa: E402
import check_sizes  # noqa: E402
import check_translations  # noqa: E402


class Tree(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def library(self, name, deps="", extra=""):
        self.write(f"src/{name}/CMakeLists.txt", f"sextant_library({name} {'DEPS ' + deps if deps else ''} {extra})\n")


class Translations(unittest.TestCase):
    def test_what_differs_is_told(self):
        text = "# A\n\n## B\n\n    run it\n\n[x](docs/x.md)\n"
        same = "# 가\n\n[English](README.md)\n\n## 나\n\n    run it\n\n[엑스](docs/x.md)\n"
        self.assertEqual(check_translations.differences(text, same), [])
        for wrong in (same.replace("## ", "### "), same.replace("run it", "run"), same.replace("docs/x", "docs/y"),
                      same + "\n## 다\n", same.replace("    run it\n", "")):
            self.assertTrue(check_translations.differences(text, wrong), wrong)


class Layers(Tree):
    def setUp(self):
        super().setUp()
        self.library("base")
        self.library("event", "base")
        self.library("spool", "event", "LIBS Threads::Threads")
        self.library("text", "base")
        self.write("src/cli/CMakeLists.txt", "")
        self.write("src/agent/CMakeLists.txt", "")

    def offences(self):
        return check_layers.check(self.root)

    def test_declared_and_transitive_includes_pass(self):
        self.write("src/spool/ring.cpp", '#include "spool/ring.h"\n#include "event/schema.h"\n#include "base/fd.h"\n#include <vector>\n')
        self.assertEqual(self.offences(), [])

    def test_undeclared_include_is_refused(self):
        self.write("src/spool/ring.cpp", '\n#include "text/json.h"\n')
        self.assertEqual(self.offences(), ["src/spool/ring.cpp:2: spool may not include text/json.h: text is not in its DEPS"])

    def test_include_upwards_is_refused(self):
        self.write("src/base/fd.h", '#  include "event/schema.h"\n')
        self.assertEqual(len(self.offences()), 1)

    def test_cycle_is_refused(self):
        self.library("base", "spool")
        self.assertIn("circle: base -> spool -> event -> base", self.offences()[0])

    def test_unknown_dependency_is_refused(self):
        self.library("text", "bases")
        self.assertIn("bases, which is no library", self.offences()[0])

    def test_relative_include_is_refused(self):
        self.write("src/spool/ring.cpp", '#include "ring.h"\n')
        self.assertIn("not rooted at src/", self.offences()[0])

    def test_cli_uses_everything_but_agent(self):
        self.write("src/cli/main.cpp", '#include "spool/ring.h"\n#include "text/json.h"\n')
        self.assertEqual(self.offences(), [])
        self.write("src/cli/main.cpp", '#include "agent/core.h"\n')
        self.assertEqual(len(self.offences()), 1)

    def test_agent_uses_only_the_writers_side(self):
        self.write("src/agent/core/a.cpp", '#include "spool/format.h"\n#include "spool/ring_writer.h"\n#include "base/clock.h"\n')
        self.assertEqual(self.offences(), [])
        self.write("src/agent/core/a.cpp", '#include "spool/reader.h"\n#include "text/json.h"\n')
        self.assertEqual(len(self.offences()), 2)

    def test_tests_may_use_what_they_link(self):
        self.write("src/spool/ring_test.cpp", '#include "text/json.h"\n')
        self.assertEqual(len(self.offences()), 1)
        self.write("src/spool/CMakeLists.txt", "sextant_library(spool DEPS event)\ntarget_link_libraries(unit_spool PRIVATE sextant_text)\n")
        self.assertEqual(self.offences(), [])

    def test_folder_without_declaration_is_refused(self):
        self.write("src/odd/a.cpp", '#include "base/fd.h"\n')
        self.assertEqual(len(self.offences()), 1)


class Sizes(Tree):
    def test_long_file(self):
        self.write("src/a.cpp", "\n" * 1000)
        self.assertEqual(check_sizes.check(self.root, {}), [])
        self.write("src/a.cpp", "\n" * 1001)
        self.assertEqual(len(check_sizes.check(self.root, {})), 1)
        self.assertEqual(check_sizes.check(self.root, {"src/a.cpp": "a table"}), [])

    def test_long_function(self):
        body = "  x();\n" * 98
        good = "namespace a {\nclass B {\n public:\n  int f(int n) const {\n" + body + "  }\n};\n}\n"
        self.write("src/a.h", good)
        self.assertEqual(check_sizes.check(self.root, {}), [])
        self.write("src/a.h", good.replace("int f(int n) const {\n", "int f(int n) const {\n  x();\n"))
        offences = check_sizes.check(self.root, {})
        self.assertEqual(len(offences), 1)
        self.assertIn("src/a.h:4: f has 101 lines", offences[0])

    def test_strings_and_comments_do_not_count_as_braces(self):
        self.write("src/a.cpp", 'void f() {\n  g("{{{");  // }}\n  h(\'{\');\n}\n' + "int table[] = {\n" + "1,\n" * 200 + "};\n")
        self.assertEqual(check_sizes.check(self.root, {}), [])

    def test_nested_blocks_belong_to_their_function(self):
        self.write("src/a.cpp", "void f() {\n  for (;;) {\n" + "    x([&] { y(); });\n" * 99 + "  }\n}\n")
        self.assertIn("f has 103 lines", check_sizes.check(self.root, {})[0])

    def test_python_function(self):
        self.write("tools/a.py", "def f():\n" + "    g()\n" * 100)
        self.assertEqual(len(check_sizes.check(self.root, {})), 1)

    def test_stale_exception(self):
        self.assertEqual(len(check_sizes.check(self.root, {"src/gone.cpp": "was long"})), 1)


class Format(Tree):
    def run_check(self):
        return subprocess.run([os.path.join(TOOLS, "check_format"), self.root], capture_output=True, text=True)

    @unittest.skipUnless(shutil.which("clang-format-16") and shutil.which("git"), "no clang-format-16")
    def test_unformatted_file_is_refused(self):
        subprocess.run(["git", "init", "-q", self.root], check=True)
        shutil.copy(os.path.join(TOOLS, "..", ".clang-format"), self.root)
        self.write("src/a.cpp", "int f(int a);\n")
        self.assertEqual(self.run_check().returncode, 0)
        self.write("src/a.cpp", "int  f( int a );\n")
        result = self.run_check()
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/a.cpp: not formatted", result.stdout)
        subprocess.run([os.path.join(TOOLS, "check_format"), "--fix", self.root], check=True)
        self.assertEqual(self.run_check().returncode, 0)


class Headers(Tree):
    def run_check(self):
        return subprocess.run([os.path.join(TOOLS, "check_headers"), self.root], capture_output=True, text=True)

    def test_header_that_needs_another_is_refused(self):
        self.write("include/sextant/c.h", "int sextant_c(void);\n")
        self.write("src/base/a.h", "#pragma once\n#include <string>\nstd::string f();\n")
        self.assertEqual(self.run_check().returncode, 0)
        self.write("src/base/b.h", "#pragma once\nstd::vector<int> g();\n")
        result = self.run_check()
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/base/b.h: does not compile on its own as c++", result.stdout)

    def test_folders_that_do_not_exist_are_no_offence(self):
        self.write("src/base/a.h", "#pragma once\n")
        self.assertEqual(self.run_check().returncode, 0)

    def test_c_interface_must_be_c(self):
        self.write("src/base/a.h", "#pragma once\n")
        self.write("include/sextant/c.h", "namespace a {}\n")
        self.assertIn("include/sextant/c.h: does not compile on its own as c", self.run_check().stdout)


if __name__ == "__main__":
    unittest.main()
