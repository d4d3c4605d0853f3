#!/usr/bin/env python3
"""What emit writes, in each of its formats, is the vector: no shell, no reader and no argument changes it."""

import json
import random
import resource
import shutil
import subprocess

import cli_case
import tool
from cli_case import CliCase
from tool import Place

SHELLS = [shell for shell in ("dash", "bash", "sh", "busybox") if shutil.which(shell)]
NASTY = [
    "", " ", "a b", "'", '"', "''", "\\", "\\\\", "\\n", "a\nb", "\n", "a\n", "\t", "$HOME", "${HOME}", "$(id)", "`id`", "$", "$$",
    "!", "!!", "~", "~/x", "~root", "=", "=x", "A=1", "A=1 B=2", "-", "--", "-x", "--flag", "--flag=v", "*", "?", "[a-z]", "[", "]",
    "[a,b]", "[]", "[[x]]", '["a"]', "{a,b}", "{1..3}", "#", "#x", "a#b", ";", "a;b", "&", "a&b", "|", ">", "<", "<(x)", "(", ")",
    "a,b", ",", ":", "%", "%s", "%%", "++", "+", "@", "@file", "ünï", "日本語", "é", "e\u0301", "\U0001f600", "\u202e", "\x01", "\x7f",
    "\x1b[31m", "a'b\"c`d$e\\f", "x" * 100_000, "\u00a0", "/help", "true", "\r", "a\r\nb", "\ufeff",
]


def harmless():
    """What is read back could mean anything to a shell: it finds no program, and can write to no file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def program_output(shell, text):
    """What `msb` gets when a shell runs `text`, in order: a list of lists."""
    script = 'msb() { printf "%s\\0" "$#" "$@"; }\n' + text
    with Place("shell-") as place:
        done = subprocess.run([shutil.which(shell), *(["sh"] if shell == "busybox" else [])], input=script.encode(), capture_output=True,
                              env={"PATH": "/nonexistent", "HOME": "/root"}, cwd=place.root, preexec_fn=harmless, timeout=tool.SECONDS)
    assert done.returncode == 0, done
    words, calls = done.stdout.decode().split("\0")[:-1], []
    while words:
        count = int(words.pop(0))
        calls.append(words[:count])
        words = words[count:]
    return calls


class Formats(CliCase):
    def setUp(self):
        super().setUp()
        self.plan = self.plan_file({"sandbox": {"network": {"allow": ["a.example.com"]}}}, "--name=n")

    def emit(self, command, form):
        done = self.run_tool("emit", self.plan, "exec", f"--format={form}", "--", *command)
        self.assertEqual((done.status, done.err), (0, b""), done)
        return done

    def command_of(self, argv):
        self.assertEqual(argv[:argv.index("--") + 1],
                         ["exec", "forge-n", "--no-tty", "--quiet", "--workdir=" + self.place.path("wt"), "--"])
        return argv[argv.index("--") + 1:]

    def test_every_argument_comes_back_from_json_and_nul(self):
        for word in NASTY:
            with self.subTest(word=word[:40]):
                self.assertEqual(self.command_of(self.emit([word], "json").json()), [word])
                nul = self.emit(["a", word, "b"], "nul").out.decode().split("\0")
                self.assertEqual(nul.pop(), "")
                self.assertEqual(self.command_of(nul), ["a", word, "b"])

    def test_every_argument_comes_back_from_a_shell(self):
        self.assertTrue(SHELLS)
        for shell in SHELLS:
            for word in NASTY:
                with self.subTest(shell=shell, word=word[:40]):
                    calls = program_output(shell, self.emit(["a", word, "b"], "shell").text)
                    self.assertEqual([self.command_of(call) for call in calls], [["a", word, "b"]])

    def test_random_commands(self):
        seed = random.SystemRandom().randrange(1 << 32)
        chance = random.Random(seed)
        alphabet = [chr(code) for code in range(1, 128)] + list("äß日…\u0301\U0001f600") + NASTY[:60]
        for _ in range(60):
            command = ["".join(chance.choice(alphabet) for _ in range(chance.randint(0, 12))) for _ in range(chance.randint(1, 5))]
            with self.subTest(seed=seed, command=command):
                self.assertEqual(self.command_of(self.emit(command, "json").json()), command)
                self.assertEqual([self.command_of(call) for call in program_output(SHELLS[0], self.emit(command, "shell").text)],
                                 [command])

    def test_create_is_one_vector_in_all_formats(self):
        argv = self.run_tool("emit", self.plan, "create", "--format=json").json()
        nul = self.run_tool("emit", self.plan, "--format=nul").out.decode().split("\0")
        self.assertEqual(nul, [*argv, ""])
        self.assertEqual(program_output(SHELLS[0], self.run_tool("emit", self.plan, "--format=shell").text), [argv])
        self.assertEqual(self.run_tool("emit", self.plan).json(), argv)  # no terminal: JSON

    def test_mounts_with_odd_names_survive_the_shell(self):
        for name in ("with space", "quote'", 'dq"', "a$", "`x`", "~x", "日本", "a\\b", "[ab]", "#x", "-x", "*"):
            with self.subTest(name=name):
                plan = self.plan_file({"sandbox": {"mounts": [{"host": self.place.folder("m", name)}]}})
                argv = self.run_tool("emit", plan, "--format=json").json()
                self.assertIn(f"--volume={self.place.path('m', name)}:{self.place.path('m', name)}:ro", argv)
                self.assertEqual(program_output(SHELLS[0], self.run_tool("emit", plan, "--format=shell").text), [argv])

    def test_remove_is_steps(self):
        done = self.run_tool("emit", self.plan, "remove", "--format=json").json()
        self.assertEqual(sorted(done), ["schema", "steps"])
        self.assertEqual(done["schema"], "forge-policy/steps/v1")
        argvs = [step["argv"] for step in done["steps"]]
        self.assertEqual(argvs, [["rm", "--force", "forge-n", "--quiet"], ["volume", "rm", "forge-n-docker-data"],
                                 ["volume", "rm", "forge-n-cache-data"]])
        self.assertTrue(all(sorted(step) == ["argv", "may_fail", "timeout_s"] and step["timeout_s"] > 0 for step in done["steps"]))
        text = self.run_tool("emit", self.plan, "remove", "--format=shell").text
        self.assertEqual(program_output(SHELLS[0], text), argvs)
        failing = program_output(SHELLS[0], 'msb() { printf "%s\\0" "$#" "$@"; return 1; }\n' + text)
        self.assertEqual(failing, argvs)  # all of them may fail, and none keeps the next from being run

    def test_a_plan_may_come_from_standard_input(self):
        with open(self.plan, "rb") as file:
            data = file.read()
        self.assertEqual(self.run_tool("emit", "-", stdin=data).out, self.run_tool("emit", self.plan).out)

    def test_limits_of_a_command(self):
        most = (1 << 17) - 1  # MAX_ARG_STRLEN with the NUL
        self.assertEqual(self.command_of(self.emit(["x" * (most - 1)], "json").json()), ["x" * (most - 1)])
        with self.assertRaises(OSError):
            self.run_tool("emit", self.plan, "exec", "--", "x" * (most + 1))
        done = self.run_tool("emit", self.plan, "exec", "--", *["x" * 100_000] * 16)
        self.assertStatus(done, 2)
        self.assertSays(done, "1572864")

    def test_what_is_no_text_is_refused(self):
        for argument in (b"a\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf5\x80\x80\x80"):
            with self.subTest(argument=argument):
                self.assertStatus(self.run_tool("emit", self.plan, "exec", "--", argument), 2)


class OptionLikeFiles(CliCase):
    """A file name is the file's name, whatever it looks like."""

    def test_names(self):
        for name in ("[a.jsonc]", "[a,b]", "a,b.jsonc", "{x}.jsonc", "a=b.jsonc", "@a.jsonc", "++", "%%", "a b.jsonc", "ü.jsonc", "'q'", '"q"'):
            with self.subTest(name=name):
                self.place.write(name, {"sandbox": {"network": {"allow": ["a b"]}}})
                done = self.run_tool("check", "--format=json", name, cwd=self.place.root)
                self.assertEqual([(finding["code"], finding["file"]) for finding in done.json()["diagnostics"]], [("FP2007", name)])
                compiled = self.run_tool("compile", name, *self.place.context(), "-o", "p-" + name, cwd=self.place.root)
                self.assertEqual(compiled.status, 0, compiled)
                emitted = self.run_tool("emit", "p-" + name, cwd=self.place.root)
                self.assertEqual(emitted.status, 0, emitted)
                self.assertEqual(json.loads(emitted.out)[0], "create")

    def test_names_that_begin_with_a_dash_stand_behind_the_separator(self):
        self.place.write("-x.jsonc", "{}")
        self.assertEqual(self.run_tool("check", "--", "-x.jsonc", cwd=self.place.root).status, 0)
        self.assertEqual(self.run_tool("check", "./-x.jsonc", cwd=self.place.root).status, 0)


if __name__ == "__main__":
    cli_case.main()
