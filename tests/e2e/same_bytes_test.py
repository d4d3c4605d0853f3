#!/usr/bin/env python3
"""Equal input, equal bytes: a plan and its vectors depend on the config, the facts and the flags alone."""

import hashlib
import json
import os
import subprocess

import cli_case
from cli_case import CliCase, canonical

CONFIG = {"sandbox": {"resources": {"memory": "1.5g", "cpus": "3"},
                      "network": {"allow": ["z.example", "BÜCHER.example", "*.a.example", "8.8.8.0/24", "bad host"],
                                  "env": ["LANG_OF_TEST"], "secrets": [{"env": "TOKEN", "hosts": ["a.example"]}]}}}


class SameBytes(CliCase):
    def setUp(self):
        super().setUp()
        self.config = self.place.write("c.jsonc", CONFIG)
        self.words = ["compile", self.config, *self.place.context(), "--name=n"]
        self.base = self.plan(env={"TOKEN": "1"})

    def plan(self, **more):
        done = self.tool.run(*self.words, **more)
        self.assertEqual(done.status, 0, done)
        return done.out

    def locales(self):
        listed = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
        return ["C", "POSIX", "xx_XX.nonsense", *[name for name in listed if name not in ("C", "POSIX")][:6]]

    def test_locale_time_zone_and_other_variables(self):
        variants = [{"LC_ALL": name, "LANG": name, "LANGUAGE": "de"} for name in self.locales()]
        variants += [{"TZ": zone} for zone in ("UTC", "Asia/Kathmandu", ":nonsense")]
        variants += [{"TOKEN": value} for value in ("", "2", "x" * 10_000)]
        variants += [{"COLUMNS": "20", "TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1", "PWD": "/nowhere", "USER": "x",
                      "TMPDIR": "/nowhere", "XDG_DATA_HOME": "/nowhere", "HOSTNAME": "h", "SOURCE_DATE_EPOCH": "1"}]
        for more in variants:
            with self.subTest(more=more):
                self.assertEqual(self.plan(env={"TOKEN": "1", **more}), self.base)

    def test_umask_and_working_directory(self):
        for umask in (0, 0o077, 0o777):
            self.assertEqual(self.plan(env={"TOKEN": "1"}, preexec_fn=lambda mask=umask: os.umask(mask)), self.base)
        for folder in ("/", "/usr", self.place.path("wt"), self.place.path("home")):
            self.assertEqual(self.plan(env={"TOKEN": "1"}, cwd=folder), self.base)

    def test_a_relative_path_in_the_config_does_not_depend_on_where_one_stands(self):
        context = [flag for flag in self.place.context() if not flag.startswith("--data-dir")]
        for path in ("data", "./data", "~/data"):
            with self.subTest(path=path):
                config = self.place.write("relative.jsonc", {"dataDir": path})
                outputs = {self.tool.run("compile", config, *context, "--name=n", cwd=cwd).out for cwd in ("/", "/usr", self.place.root)}
                self.assertEqual(len(outputs), 1, "the plan depends on the working directory")

    def test_repeated_and_written_to_a_file(self):
        self.assertEqual({self.plan(env={"TOKEN": "1"}) for _ in range(20)}, {self.base})
        target = self.place.path("plan")
        self.tool.run(*self.words, "-o", target, env={"TOKEN": "1"})
        with open(target, "rb") as file:
            self.assertEqual(file.read(), self.base)

    def test_flags_in_another_order_and_spelling(self):
        flags = self.place.context()
        words = ["compile", *reversed(flags), "--name", "n", self.config]
        self.assertEqual(self.tool.run(*words, env={"TOKEN": "1"}).out, self.base)
        spelled = ["compile", "--name=n", *[part for flag in flags for part in flag.split("=", 1)], "--", self.config]
        self.assertEqual(self.tool.run(*spelled, env={"TOKEN": "1"}).out, self.base)

    def test_relative_places_mean_the_same(self):
        flags = ["--worktree=wt", "--home=home", "--tmp=tmp/opencode", "--tool-output=home/./tool-output", "--data-dir=wt/../home/data"]
        done = self.tool.run("compile", self.config, *flags, "--name=n", env={"TOKEN": "1"}, cwd=self.place.root)
        self.assertEqual(done.out, self.base)

    def test_an_env_file_means_the_same_as_the_environment(self):
        names = self.place.write("names", "# names\nexport TOKEN=x\n")
        self.assertNotEqual(self.plan(env={}), self.base)
        self.assertEqual(self.tool.run(*self.words, "--env-file", names, env={"LANG_OF_TEST": "x"}).out, self.base)

    def test_what_decides_changes_the_bytes(self):
        plans = {self.base, self.plan(env={"TOKEN": None}), self.plan(env={"TOKEN": "1", "LANG_OF_TEST": "x"})}
        for flag in ("--cpus=9", "--memory=9g", "--docker-disk=9g", "--cache-disk=9g", "--lan=on", "--sandbox=off", "--session=loop"):
            plans.add(self.tool.run(*self.words, flag, env={"TOKEN": "1"}).out)
        self.assertEqual(len(plans), 10)

    def test_the_plan_is_canonical_and_sealed(self):
        plan = json.loads(self.base)
        self.assertEqual(canonical(plan), self.base)
        digest = plan.pop("digest")
        self.assertEqual(digest, "sha256:" + hashlib.sha256(canonical(plan)).hexdigest())
        with open(self.config, "rb") as file:
            self.assertEqual(plan["source"]["config_sha256"], hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(plan["source"]["facts_sha256"], hashlib.sha256(canonical(plan["facts"])).hexdigest())

    def test_facts_name_only_what_the_config_mentions(self):
        plan = json.loads(self.plan(env={"TOKEN": "1", "LANG_OF_TEST": "x", "OTHER": "x"}))
        self.assertEqual(plan["facts"]["env_set"], ["LANG_OF_TEST", "TOKEN"])

    def test_vectors(self):
        plan = self.place.write("plan", self.base)
        for words in ([], ["remove"], ["exec", "--", "true"], ["--format=shell"]):
            outputs = {self.tool.run("emit", plan, *words, env=env, cwd=cwd).out
                       for env in ({}, {"LC_ALL": "xx", "TOKEN": "1"}, {"TERM": "dumb"}) for cwd in ("/", self.place.root)}
            self.assertEqual(len(outputs), 1)


if __name__ == "__main__":
    cli_case.main()
