#!/usr/bin/env python3
"""Plans from stored facts: the same bytes, with nothing of the host left to ask."""

import json
import os
import pathlib
import shutil
import sys

import cli_case
from cli_case import CliCase

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import on_disk  # noqa: E402

CONFIG = '{"sandbox":{"mounts":[{"host":"%s","readonly":false},{"host":"%s"}],"network":{"env":["SET","UNSET"]}}}'


class Facts(CliCase):
    def setUp(self):
        super().setUp()
        project = self.place.path("src")
        on_disk.repository(project)
        worktree = self.place.path("home/data/worktrees/w")
        on_disk.worktree(worktree, project, "task")
        config = CONFIG % (self.place.folder("cache"), self.place.folder("reference"))
        self.config = self.place.write("c.jsonc", config)
        self.context = {"worktree": worktree, "project": project}
        self.plan = self.make(env={"SET": "x"})
        self.assertEqual(self.plan.status, 0, self.plan)

    def make(self, *more, changed=None, **how):
        return self.tool.run("compile", self.config, *self.flags(**(changed or {})), *more, **how)

    def flags(self, **changed):
        return self.place.context(**{**self.context, **changed})

    def leave_only_the_config(self):
        for name in os.listdir(self.place.root):
            path = self.place.path(name)
            if os.path.isdir(path):
                shutil.rmtree(path)

    def stored(self, content):
        return "--facts=" + self.place.write("stored.json", content)

    def test_a_plan_is_made_again_where_nothing_of_it_exists(self):
        stored = self.stored(self.plan.out)
        self.leave_only_the_config()
        again = self.make(stored)
        self.assertEqual(again.out, self.plan.out)

    def test_the_facts_alone_do(self):
        facts = json.dumps(self.plan.json()["facts"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        self.leave_only_the_config()
        for text in (facts, facts + "\n"):
            self.assertEqual(self.make(self.stored(text)).out, self.plan.out)
        self.assertEqual(self.make("--facts=-", stdin=facts).out, self.plan.out)

    def test_what_the_facts_do_not_say_is_not_mounted(self):
        done = self.make(self.stored(self.plan.out), changed={"tool_output": "/elsewhere/output"})
        self.assertEqual(done.status, 0, done)
        self.assertNotIn("/elsewhere", str([mount.get("host") for mount in done.json()["mounts"]]))
        self.assertIn("the host did not say", done.text + done.err.decode())

    def test_another_worktree_gets_no_plan(self):
        done = self.make(self.stored(self.plan.out), changed={"worktree": "/elsewhere"})
        self.assertEqual((done.status, done.out), (1, b""))

    def test_check_takes_them_too(self):
        stored = self.stored(self.plan.out)
        self.leave_only_the_config()
        done = self.tool.run("check", self.config, *self.flags(), stored)
        self.assertEqual(done.status, 0, done)

    def test_what_is_no_facts_is_refused(self):
        edited = self.plan.out.replace(b'"platform":"linux"', b'"platform":"other"')
        for content in (b"", b"{}", b"[]", b"{\"env_set\":", edited, b"\xff", self.plan.out + b"\n\n"):
            done = self.make(self.stored(content))
            self.assertEqual((done.status, done.out), (2, b""), content[:40])
        self.assertEqual(self.make("--facts=/no/such/file").status, 2)

    def test_nothing_is_asked_beside_them(self):
        stored = self.stored(self.plan.out)
        names = self.place.write("names", "SET\n")
        self.assertStatus(self.make(stored, "--env-file=" + names), 2)
        for changed in ({"tmp": "/tmp/../x"}, {"home": "../x"}):
            done = self.make(stored, changed=changed)
            self.assertStatus(done, 2)
            self.assertSays(done, "absolute path")
        self.assertEqual(self.tool.run("compile", "-", *self.flags(), "--facts=-").status, 2)


if __name__ == "__main__":
    cli_case.main()
