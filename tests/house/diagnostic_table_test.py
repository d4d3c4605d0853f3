#!/usr/bin/env python3
"""Breaks the table of diagnostics in a copy and expects the real diagnostic.cpp not to compile.

The compiler is taken from CXX.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

POLICY = pathlib.Path(__file__).resolve().parents[2] / "policy"
TABLE = POLICY / "include/forge/policy/diagnostics.def"
ROW = re.compile(r"^FORGE_DIAGNOSTIC\((?:[^\"()]|\"(?:[^\"\\]|\\.)*\")*\)\n", re.MULTILINE)


def compile_with(table):
    """What the compiler says about diagnostic.cpp with `table` in place of the real one."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "forge/policy/diagnostics.def"
        copy.parent.mkdir(parents=True)
        copy.write_text(table)
        return subprocess.run(
            [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-DFMT_HEADER_ONLY", f"-I{folder}",
             f"-I{POLICY / 'include'}", str(POLICY / "src/diagnostic.cpp")],
            capture_output=True, text=True, stdin=subprocess.DEVNULL)


class DiagnosticTable(unittest.TestCase):
    def setUp(self):
        self.table = TABLE.read_text()
        self.rows = ROW.findall(self.table)
        self.assertEqual(len(self.rows), self.table.count("\nFORGE_DIAGNOSTIC("), "some row was not understood")

    def assert_refused(self, table, because):
        done = compile_with(table)
        self.assertNotEqual(done.returncode, 0, "compiled, but should have failed with: " + because)
        self.assertIn(because, done.stderr)

    def test_the_table_as_it_is_compiles(self):
        done = compile_with(self.table)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_code_that_stands_twice_does_not(self):
        first, second = self.rows[:2]
        code = re.search(r"\d+", first)[0]
        twice = self.table.replace(second, re.sub(r"\d+", code, second, count=1))
        self.assert_refused(twice, "must be sorted by code, each code once")

    def test_a_name_that_stands_twice_does_not(self):
        first, second = self.rows[:2]
        name = first.split(",")[1].strip()
        self.assert_refused(self.table.replace(second.split(",")[1].strip() + ",", name + ",", 1), name)

    def test_rows_out_of_order_do_not(self):
        first, second = self.rows[:2]
        swapped = self.table.replace(second, "").replace(first, second + first)
        self.assert_refused(swapped, "must be sorted by code, each code once")

    def test_an_error_without_effect_does_not(self):
        row = next(row for row in self.rows if ", Error, " in row)
        harmless = re.sub(r"StopsPlan|DropsEntry", "Informs", row, count=1)
        self.assert_refused(self.table.replace(row, harmless), "an error must stop the plan or drop an entry")

    def test_a_warning_that_drops_something_does_not(self):
        row = next(row for row in self.rows if ", Warning, Informs" in row)
        self.assert_refused(self.table.replace(row, row.replace("Informs", "DropsEntry", 1)),
                            "an error must stop the plan or drop an entry")


if __name__ == "__main__":
    unittest.main()
