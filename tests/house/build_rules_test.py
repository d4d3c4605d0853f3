#!/usr/bin/env python3
"""Breaks each rule that the build enforces, one at a time, in a copy of mini/.

Every test first sees the whole project pass, so a rule that no longer fires, or
fires always, fails here.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FORGE_CMAKE = HERE.parents[1] / "cmake"
COMPILER = os.environ.get("CXX", "c++")
HEADERS_ALONE = "all_verify_interface_header_sets"


class BuildRules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        cls.source = pathlib.Path(cls.temp.name) / "source"
        cls.build = pathlib.Path(cls.temp.name) / "build"

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    def setUp(self):
        shutil.rmtree(self.source, ignore_errors=True)
        shutil.copytree(HERE / "mini", self.source)
        self.assert_passes(self.configure())
        self.assert_passes(self.make("all", HEADERS_ALONE))

    def run_cmake(self, *arguments):
        return subprocess.run(["cmake", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)

    # One build folder for all tests: asking the compiler for its features is what takes long.
    def configure(self):
        return self.run_cmake("-G", "Ninja", "-S", str(self.source), "-B", str(self.build),
                              f"-DFORGE_CMAKE={FORGE_CMAKE}", f"-DCMAKE_CXX_COMPILER={COMPILER}")

    def make(self, *targets):
        return self.run_cmake("--build", str(self.build), "--target", *targets)

    def assert_passes(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def assert_fails(self, done, because):
        output = done.stdout + done.stderr
        self.assertNotEqual(done.returncode, 0, "passed, but should have failed with: " + because)
        self.assertIn(because, " ".join(output.split()), output)

    def edit(self, name, old, new):
        path = self.source / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def test_an_include_of_a_room_that_is_not_linked_does_not_resolve(self):
        self.edit("low/src/value.cpp", "forge/low/value.hpp", "forge/high/use.hpp")
        self.assert_fails(self.make("all"), "forge/high/use.hpp: No such file or directory")

    def test_an_include_of_another_rooms_src_does_not_resolve(self):
        (self.source / "low/src/inner.hpp").write_text("#pragma once\n")
        self.edit("low/src/value.cpp", "#include", '#include "inner.hpp"\n#include')
        self.assert_passes(self.make("all"))
        self.edit("high/src/use.cpp", '"forge/low/value.hpp"', '"inner.hpp"')
        self.assert_fails(self.make("all"), "inner.hpp: No such file or directory")

    def test_a_source_that_no_target_lists_stops_the_configuration(self):
        (self.source / "low/src/forgotten.cpp").write_text("")
        self.assert_fails(self.configure(), "not listed in any target: src/forgotten.cpp")

    def test_a_row_without_its_file_stops_the_configuration(self):
        self.edit("high/src/passes.def", "(second)", "(second)\nFORGE_PASS(third)")
        self.assert_fails(self.configure(), "rows [first;second;third] and files [first;second] differ")

    def test_a_file_without_its_row_stops_the_configuration(self):
        (self.source / "high/src/passes/third.cpp").write_text("")
        self.assert_fails(self.configure(), "rows [first;second] and files [first;second;third] differ")

    def test_a_row_that_stands_twice_stops_the_configuration(self):
        self.edit("high/src/passes.def", "(second)", "(second)\nFORGE_PASS(second)")
        self.assert_fails(self.configure(), "rows [first;second;second] and files [first;second] differ")

    def test_a_new_row_is_noticed_by_the_next_build(self):
        self.edit("high/src/passes.def", "(second)", "(second)\nFORGE_PASS(third)")
        self.assert_fails(self.make("all"), "rows [first;second;third] and files [first;second] differ")

    def test_a_header_that_leans_on_its_includer_fails_the_header_check(self):
        self.edit("low/include/forge/low/value.hpp", "#include <string>\n", "")
        # Every file that uses the header has <string> before it, so only the check can notice.
        self.edit("low/src/value.cpp", "#include", "#include <string>\n#include")
        self.edit("high/src/use.cpp", '#include "forge/high', '#include <string>\n#include "forge/high')
        self.assert_passes(self.make("all"))
        self.assert_fails(self.make(HEADERS_ALONE), "value.hpp")

    def test_a_warning_is_an_error(self):
        self.edit("low/src/value.cpp", "return", "long big = 1; int small = big; static_cast<void>(small); return")
        self.assert_fails(self.make("all"), "-Werror=conversion" if "clang" not in COMPILER else "-Werror")


if __name__ == "__main__":
    sys.exit(unittest.main())
