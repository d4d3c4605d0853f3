#!/usr/bin/env python3
"""Plants a breach of every rule in a clean tree, and its allowed twin."""

import pathlib
import subprocess
import tempfile
import unittest

import check_rules

CLEAN = {
    "README.md": "# text\n",
    "policy/README.md": "# policy\n",
    "policy/CMakeLists.txt": "# policy\n",
    "policy/src/a.cpp": "#include <string>\n\n// system( and fork() in a comment, <unistd.h> too\nint a = 1'000;\n",
    "enforce/CMakeLists.txt": "# enforce\n",
    "enforce/src/syscalls.cpp": "#include <unistd.h>\n#include <sys/stat.h>\nlong n = syscall(1);\n",
    "compiler/README.md": "# compiler\n",
    "grammar/README.md": "# grammar\n",
    "tests/README.md": "# tests\n",
}

# rule: (file, text that breaks it, [(file, text that keeps it)...])
PLANTED = {
    "pegtl-only-in-grammar": ("compiler/src/a.cpp", "#include <tao/pegtl.hpp>\n", [
        ("grammar/src/a.cpp", "#include <tao/pegtl.hpp>\n"), ("compiler/src/a.cpp", "// #include <tao/pegtl.hpp>\n")]),
    "boost-only-in-facts": ("compiler/src/passes/a.cpp", "#  include <boost/filesystem.hpp>\n", [
        ("compiler/src/facts/a.cpp", "#include <boost/filesystem.hpp>\n")]),
    "openssl-only-in-seal": ("enforce/src/a.cpp", "#include <openssl/evp.h>\n", [
        ("policy/seal/src/a.cpp", "#include <openssl/evp.h>\n")]),
    "system-headers-in-one-file": ("enforce/src/a.cpp", "#include <sys/stat.h>\n", [
        ("tests/unit/a.cpp", "#include <sys/stat.h>\n"), ("enforce/src/a.cpp", "#include <sys/types.h>\n")]),
    "syscalls-in-one-file": ("enforce/src/a.cpp", "long n = ::syscall(1);\n", [
        ("fuzz/README.md", "x"), ("enforce/src/a.cpp", "std::string s = \"syscall(1)\";\n")]),
    "starts-no-program": ("compiler/cli/a.cpp", "int n = std::system(\"true\");\n", [
        ("compiler/cli/a.cpp", "auto v = plan.system(); auto w = forge::fork(); int filesystem(int);\n"),
        ("tests/a.cpp", "int n = fork();\n")]),
    "no-io-in-the-pure-rooms": ("grammar/src/a.cpp", "#include <fstream>\n", [
        ("compiler/src/a.cpp", "#include <fstream>\n")]),
    "environment-only-at-the-edge": ("compiler/src/lower/a.cpp", "auto* p = std::getenv(\"A\");\n", [
        ("compiler/src/facts/a.cpp", "auto* p = std::getenv(\"A\");\n")]),
    "no-include-of-a-parent-folder": ("grammar/src/x/a.cpp", "#include \"../b.hpp\"\n", [
        ("grammar/src/x/a.cpp", "#include \"b.hpp\"\n")]),
    "nothing-includes-tests": ("policy/src/b.cpp", "#include \"tests/support/temp_dir.hpp\"\n", [
        ("fuzz/a.cpp", "#include \"tests/support/temp_dir.hpp\"\n"), ("fuzz/README.md", "x")]),
    "nothing-includes-the-tool": ("compiler/src/a.cpp", "#include \"compiler/cli/verb.hpp\"\n", [
        ("compiler/cli/a.cpp", "#include \"compiler/cli/verb.hpp\"\n")]),
    "only-the-tool-includes-enforce": ("compiler/src/a.cpp", "#include \"forge/enforce/checked_files.hpp\"\n", [
        ("compiler/cli/a.cpp", "#include \"forge/enforce/checked_files.hpp\"\n")]),
    "nothing-left-undone": ("policy/src/b.cpp", "// TO" "DO: later\n", [
        ("policy/src/b.cpp", "int to_do = 1;  // MASTODON, todo\n")]),
    "speaks-of-itself-only": ("README.md", "see .." "/shared/x\n", [("README.md", "see ../shares, this sessions\n")]),
    "names-no-registry": ("dev", "curl https://registry.np" "mjs.org/x\n", [
        ("dev", "curl https://registry.example.org/x\n"),
        ("examples/README.md", "x"), ("examples/a.jsonc", "// registry.np" "mjs.org\n")]),
    "file-length": ("policy/src/b.cpp", "\n" * 501, [("policy/src/b.cpp", "\n" * 500), ("tests/a.json", "\n" * 900)]),
    "says-what-it-is-for": ("docs/a.md", "text\n", [("docs/README.md", "# docs\n")]),
}

# Further ways to break a rule that a narrower pattern would miss.
ALSO_PLANTED = [
    ("starts-no-program", "enforce/src/a.cpp", f"auto n = {call}\n") for call in (
        "popen(a, b);", "::fork();", "vfork();", "execve(a, b, c);", "execlp(a);", "execvp (a, b);", "posix_spawn(a);")
] + [
    ("system-headers-in-one-file", "policy/src/b.cpp", f"#include <{header}>\n") for header in (
        "fcntl.h", "unistd.h", "poll.h", "sys/mman.h", "linux/landlock.h", "sys/syscall.h", "dirent.h")
] + [
    ("nothing-left-undone", "dev", "# FIX" "ME\n"),
    ("nothing-left-undone", "docs/README.md", "XX" "X\n"),
    ("speaks-of-itself-only", "README.md", "done in this" " session\n"),
    ("names-no-registry", "dev", "deb http://deb.debian" ".org/debian\n"),
    ("nothing-includes-tests", "compiler/cli/a.cpp", "#include \"bench/a.hpp\"\n"),
    ("system-headers-in-one-file", "policy/src/b.cpp", "auto s = R\"(// \")\";\n#include <unistd.h>\n"),
    ("says-what-it-is-for", "enforce/CMakeLists.txt", "forge_library(enforce)\n"),
]


class CheckRules(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.root = pathlib.Path(temp.name)
        for name, text in CLEAN.items():
            self.plant(name, text)

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def broken_rules(self):
        return [line.split(": ")[1] for line in check_rules.check(self.root)]

    def test_a_clean_tree_passes(self):
        self.assertEqual(list(check_rules.check(self.root)), [])

    def test_every_rule_is_planted_here(self):
        self.assertEqual(set(PLANTED) - {"says-what-it-is-for"}, {rule.name for rule in check_rules.RULES})

    def test_each_breach_is_reported_with_its_file(self):
        breaches = [(rule, name, text) for rule, (name, text, _) in PLANTED.items()] + ALSO_PLANTED
        for rule, name, text in breaches:
            with self.subTest(rule=rule, text=text[:60]):
                self.setUp()
                self.plant(name, text)
                found = list(check_rules.check(self.root))
                self.assertIn(rule, self.broken_rules())
                self.assertTrue(any(line.startswith(name.split("/")[0]) for line in found), found)

    def test_what_is_allowed_is_not_reported(self):
        for rule, (_, _, allowed) in PLANTED.items():
            with self.subTest(rule=rule):
                self.setUp()
                for name, text in allowed:
                    self.plant(name, text)
                self.assertNotIn(rule, self.broken_rules())

    def test_in_a_git_checkout_ignored_files_do_not_count(self):
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        self.plant(".gitignore", "/build/\n")
        self.plant("build/a.cpp", "// TO" "DO\n")
        self.assertEqual(self.broken_rules(), [])
        self.plant("policy/src/new.cpp", "// TO" "DO\n")
        self.assertEqual(self.broken_rules(), ["nothing-left-undone"])

    def test_the_command_has_a_status(self):
        script = pathlib.Path(check_rules.__file__)
        self.assertEqual(subprocess.run([script, self.root], capture_output=True).returncode, 0)
        self.plant("policy/src/b.cpp", "// TO" "DO\n")
        done = subprocess.run([script, self.root], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout),
                         (1, "policy/src/b.cpp:1: nothing-left-undone: TO" "DO\n"))


if __name__ == "__main__":
    unittest.main()
