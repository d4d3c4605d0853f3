#!/usr/bin/env python3
"""Exit statuses of every verb: 0 nothing wrong, 1 findings, 2 the command could not be carried out."""

import os

import cli_case
from cli_case import CliCase

ERROR = {"sandbox": {"network": {"allow": ["a b"]}}}
WARNING = {"sandbox": {"network": {"allow": []}}}
NOTE = {"sandbox": {"network": {"allow": ["*"]}}}
STOPS = {"sandbox": {"image": "./rootfs"}}


class Check(CliCase):
    def status(self, config, *flags):
        return self.run_tool("check", self.place.write("c.jsonc", config), *flags).status

    def test_findings(self):
        for config, plain, strict in ((ERROR, 1, 1), (STOPS, 1, 1), (WARNING, 0, 1), (NOTE, 0, 0), ({}, 0, 0), ("{", 1, 1)):
            for form in ("--format=text", "--format=json"):
                with self.subTest(config=config, form=form):
                    self.assertEqual((self.status(config, form), self.status(config, form, "--strict")), (plain, strict))

    def test_the_worst_of_several_files_counts(self):
        good, bad = self.place.write("good.jsonc", "{}"), self.place.write("bad.jsonc", ERROR)
        self.assertEqual(self.run_tool("check", good, bad).status, 1)
        self.assertEqual(self.run_tool("check", bad, good, self.place.path("missing")).status, 2)

    def test_a_file_that_cannot_be_read_is_2_and_hides_no_other(self):
        bad = self.place.write("bad.jsonc", ERROR)
        for what in (self.place.path("missing.jsonc"), self.place.folder("empty")):
            with self.subTest(what=what):
                done = self.run_tool("check", bad, what, "--format=json")
                self.assertEqual(done.status, 2, done)
                self.assertEqual([finding["code"] for finding in done.json()["diagnostics"]], ["FP2007", "FP1023"], done)

    def test_the_own_config_is_the_default(self):
        folder = self.place.folder("config", "opencode")
        env = {"XDG_CONFIG_HOME": os.path.dirname(folder)}
        self.assertEqual(self.run_tool("check", env=env).status, 2)
        with open(os.path.join(folder, "forge-config.jsonc"), "w", encoding="utf-8") as file:
            file.write("{")
        self.assertEqual(self.run_tool("check", env=env).status, 1)
        self.assertEqual(self.run_tool("check", env={"HOME": self.place.path("home")}).status, 2)

    def test_context_flags_check_the_mounts_too(self):
        config = self.place.write("c.jsonc", {"sandbox": {"mounts": [{"host": self.place.path("missing")}]}})
        self.assertEqual(self.run_tool("check", config).status, 0)
        self.assertEqual(self.run_tool("check", config, *self.place.context()).status, 1)


class Compile(CliCase):
    def test_findings(self):
        for config, plain, strict in ((ERROR, 0, 1), (STOPS, 1, 1), (WARNING, 0, 1), ({}, 0, 0), ("{", 1, 1)):
            with self.subTest(config=config):
                done, strictly = self.compile(config), self.compile(config, "--strict")
                self.assertEqual((done.status, strictly.status), (plain, strict))
                self.assertEqual((bool(done.out), bool(strictly.out)), (plain == 0, strict == 0))

    def test_findings_as_json_go_to_output_only_where_the_plan_does_not(self):
        self.assertEqual(self.compile(ERROR, "--format=json").json()["schema"], "forge-policy/plan/v1")
        self.assertEqual(self.compile(STOPS, "--format=json").json()["schema"], "forge-policy/diagnostics/v1")
        done = self.compile(ERROR, "--format=json", "-o", self.place.path("p"))
        self.assertEqual(done.json()["schema"], "forge-policy/diagnostics/v1")

    def test_what_cannot_be_carried_out(self):
        context = self.place.context()
        for words in (["compile"], ["compile", "-"], ["compile", "-", *context, "more"], ["compile", "-", "--no-such"],
                      ["compile", self.place.path("missing"), *context], ["compile", self.place.root, *context],
                      ["compile", "-", *context, "--env-file", self.place.path("missing")],
                      ["compile", "-", *context, "--env-file", self.place.write("env", "A B=1\n")]):
            with self.subTest(words=words):
                self.assertStatus(self.run_tool(*words, stdin="{}"), 2)

    def test_a_bad_override_is_an_error_and_never_the_config_s_value(self):
        for flag, values in {"--cpus": ("0", "256", "-1", "1.5", "four", "", " ", "0x4"),
                             "--memory": ("0", "8", "8t", "-1g", "", " ", "1e3m"), "--docker-disk": ("0g", ""),
                             "--cache-disk": ("x", ""), "--lan": ("yes", "", "ON"), "--sandbox": ("on", "true", ""),
                             "--session": ("both", ""), "--target": ("vm", ""), "--name": ("",)}.items():
            for value in values:
                with self.subTest(flag=flag, value=value):
                    self.assertStatus(self.compile("{}", flag, value), 2)
                    self.assertStatus(self.compile("{}", f"{flag}={value}"), 2)

    def test_a_blank_place_is_an_error_and_never_the_default(self):
        for flag in ("--worktree", "--project", "--home", "--data-dir", "--tmp", "--tool-output", "--env-file", "-o"):
            with self.subTest(flag=flag):
                context = [word for word in self.place.context() if not word.startswith(flag + "=")]
                self.assertStatus(self.run_tool("compile", "-", *context, flag, "", stdin="{}"), 2)


class Emit(CliCase):
    def test_statuses(self):
        plan = self.plan_file()
        for words, status in ((["create"], 0), ([], 0), (["remove"], 0), (["exec", "--", "true"], 0), (["exec"], 2),
                              (["exec", "--"], 2), (["create", "--", "true"], 2), (["destroy"], 2), (["remove", "--format=nul"], 2),
                              (["--format=xml"], 2), (["--no-such"], 2)):
            with self.subTest(words=words):
                self.assertStatus(self.run_tool("emit", plan, *words), status)

    def test_no_plan(self):
        for text in ("", "{}", "null", "[]", "{", '{"schema":"forge-policy/plan/v1"}', "\0", "[" * 100_000):
            with self.subTest(text=text[:40]):
                self.assertStatus(self.run_tool("emit", "-", stdin=text), 2)
        self.assertStatus(self.run_tool("emit", self.place.path("missing")), 2)
        self.assertStatus(self.run_tool("emit", self.place.root), 2)

    def test_a_sandbox_that_is_off_has_nothing_to_emit(self):
        for flags, config in (((), {"sandbox": {"enabled": False}}), (("--sandbox=off",), "{}")):
            with self.subTest(config=config):
                done = self.run_tool("emit", "-", stdin=self.plan_bytes(config, *flags))
                self.assertEqual((done.status, done.out), (1, b""), done)


class Verify(CliCase):
    def test_statuses(self):
        plan = self.plan_file()
        for words, status in (([plan], 0), ([plan, "--strict"], 0), ([plan, "--format=json"], 0), ([], 2), ([plan, plan], 2),
                              ([plan, "--", "x"], 2), ([plan, "--format=xml"], 2), ([self.place.path("missing")], 2),
                              ([self.place.root], 2), ([self.place.write("no.json", "{}")], 2)):
            with self.subTest(words=words):
                self.assertStatus(self.run_tool("verify", *words), status)

    def test_a_sandbox_that_is_off_is_said(self):
        done = self.run_tool("verify", "-", stdin=self.plan_bytes({"sandbox": {"enabled": False}}))
        self.assertEqual(done.status, 0, done)
        self.assertIn("off", done.errors + done.out.decode())


class Tool(CliCase):
    def test_help_and_version(self):
        for words in (["--help"], ["-h"], ["--version"], ["check", "--help"], ["compile", "--help"], ["emit", "-h"],
                      ["verify", "--help"]):
            with self.subTest(words=words):
                done = self.run_tool(*words)
                self.assertEqual((done.status, done.err), (0, b""), done)
                self.assertIn(b"forge-policy" if "-h" not in words[-1] or len(words) == 1 else words[0].encode(), done.out)

    def test_usage_errors(self):
        for words in ([], ["chek"], ["--no-such"], ["help"], ["check", "--format"], ["check", "--format=xml"], [""]):
            with self.subTest(words=words):
                self.assertStatus(self.run_tool(*words), 2)

    def test_suggestions(self):
        for words, meant in ((["chek"], "check"), (["compille"], "compile"), (["check", "--stric"], "--strict"),
                             (["check", "--format=jso"], "json"), (["emit", "p", "creat"], "create"),
                             (["compile", "-", "--wroktree=/x"], "--worktree"), (["--verson"], "--version")):
            with self.subTest(words=words):
                self.assertSays(self.run_tool(*words), f"did you mean `{meant}`?")


if __name__ == "__main__":
    cli_case.main()
