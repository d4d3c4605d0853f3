#!/usr/bin/env python3
"""Input at, and past, every bound: an answer in bounded time and memory, never a crash, never raw control characters."""

import json
import os
import resource
import time

import cli_case
from cli_case import CliCase

MIB = 1 << 20
MEMORY = 1 << 30
SECONDS = 20  # a busy machine; each takes far less than one by itself
CONFIG_BYTES = 8 * MIB
ENV_FILE_BYTES = 1 * MIB
LISTED = 100_000


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, 256 << 10))


def allow(count, name="h{}.example.com"):
    return {"sandbox": {"network": {"allow": [name.format(at) for at in range(count)]}}}


class Hostile(CliCase):
    def run_bounded(self, *words, **more):
        began = time.monotonic()
        done = self.run_tool(*words, preexec_fn=bounded, **more)
        self.assertLess(time.monotonic() - began, SECONDS)
        self.assertIn(done.status, (0, 1, 2), done)
        return done

    def codes(self, text, *flags):
        done = self.run_bounded("check", "-", "--format=json", *flags, stdin=cli_case.as_text(text))
        return [finding["code"] for finding in done.json()["diagnostics"]]

    def test_the_size_of_a_config(self):
        for size, codes in ((CONFIG_BYTES, []), (CONFIG_BYTES + 1, ["FP1003"]), (4 * CONFIG_BYTES, ["FP1003"])):
            with self.subTest(size=size):
                path = self.place.write("big.jsonc", "{}" + " " * (size - 2))
                done = self.run_bounded("check", path, "--format=json")
                self.assertEqual([finding["code"] for finding in done.json()["diagnostics"]], codes)
                self.assertEqual(done.status, 1 if codes else 0)
                compiled = self.run_bounded("compile", path, *self.place.context())
                self.assertEqual((compiled.status, bool(compiled.out)), (1, False) if codes else (0, True), compiled)
        self.assertEqual(self.codes("{}" + " " * CONFIG_BYTES), ["FP1003"])

    def test_an_endless_config(self):
        self.assertEqual(self.run_bounded("check", "/dev/zero").status, 1)
        self.assertEqual(self.run_bounded("compile", "/dev/zero", *self.place.context()).out, b"")
        self.assertEqual(self.run_bounded("emit", "/dev/zero").status, 2)

    def test_depth(self):
        for depth, code in ((64, False), (65, True), (100_000, True)):
            for opening, closing in (("[", "]"), ('{"a":', "}")):
                with self.subTest(depth=depth, opening=opening):
                    self.assertEqual("FP1002" in self.codes(opening * depth + "1" + closing * depth), code)
        self.assertIn("FP1002", self.codes("[" * 100_000))

    def test_lists(self):
        for count, code in ((LISTED, False), (LISTED + 1, True)):
            with self.subTest(count=count):
                config = '{"sandbox":{"network":{"env":[' + ",".join(f'"V{at}"' for at in range(count)) + "]}}}"
                self.assertEqual("FP1021" in self.codes(config), code)

    def test_ten_thousand_hosts(self):
        done = self.run_bounded("compile", "-", *self.place.context(), stdin=cli_case.as_text(allow(10_000)))
        self.assertEqual((done.status, len(done.json()["egress"]["rules"])), (0, 10_000))
        argv = self.run_bounded("emit", "-", stdin=done.out).json()
        rules = [word for word in argv if word.startswith("--net-rule=")]
        self.assertEqual(rules, [f"--net-rule=allow@h{at}.example.com" for at in range(10_000)])

    def test_more_than_a_command_line_holds(self):
        done = self.run_bounded("compile", "-", *self.place.context(), stdin=cli_case.as_text(allow(90_000)))
        self.assertEqual((done.status, done.out), (1, b""))
        self.assertSays(done, "FP6001")

    def test_ten_thousand_wrong_hosts_are_counted_and_not_all_listed(self):
        done = self.run_bounded("check", "-", "--format=json", stdin=cli_case.as_text(allow(10_000, "a b{}")))
        document = done.json()
        file = document["files"][0]
        self.assertEqual(file["errors"], 10_000)
        self.assertEqual(len(document["diagnostics"]) + file["omitted"], 10_000)
        self.assertLess(len(done.out), MIB)

    def test_ten_thousand_equal_hosts(self):
        self.assertEqual(set(self.codes(allow(10_000, "a.example.com"))), {"FP2022"})

    def test_ten_thousand_mounts(self):
        config = {"sandbox": {"mounts": [{"host": f"/missing/{at}"} for at in range(10_000)]}}
        done = self.run_bounded("compile", "-", *self.place.context(), stdin=cli_case.as_text(config))
        self.assertEqual((done.status, len(done.json()["dropped"])), (0, 10_001))

    def test_ten_thousand_keys_and_secrets(self):
        self.assertIn("FP1014", self.codes({"sandbox": {f"k{at}": at for at in range(10_000)}}))
        secrets = [{"env": f"S{at:05}", "hosts": ["a.example"]} for at in range(10_000)]
        self.assertEqual(set(self.codes({"sandbox": {"network": {"secrets": secrets}}})), {"FP2045"})
        self.assertIn("FP1013", self.codes("{" + ",".join(['"a":1'] * 10_000) + "}"))

    def test_long_texts(self):
        for config in ({"sandbox": {"image": "a" * MIB}}, {"sandbox": {"network": {"allow": ["a" * MIB]}}}, {"a" * MIB: 1},
                       {"sandbox": {"mounts": [{"host": "/" + "a/" * 500_000}]}}, {"sandbox": {"resources": {"memory": "9" * MIB + "g"}}},
                       {"sandbox": {"resources": {"cpus": "1" * MIB}}}, {"sandbox": {"network": {"env": ["A" * MIB]}}},
                       {"loop": {"permissions": {"deny": ["x" * MIB]}}}, {"sandbox": {"network": {"allow": [".".join("a" * MIB)]}}},
                       {"sandbox": {"network": {"allow": ["xn--" + "z" * 59 + ".example"]}}},
                       {"sandbox": {"network": {"allow": ["ü" * 200_000 + ".example"]}}}):
            with self.subTest(config=str(config)[:60]):
                done = self.run_bounded("check", "-", stdin=cli_case.as_text(config))
                self.assertLess(len(done.out + done.err), 64 << 10)
                self.run_bounded("compile", "-", *self.place.context(), stdin=cli_case.as_text(config))

    def test_long_lines_without_an_end(self):
        for text in ('"' + "x" * MIB, "/*" + "x" * MIB, "//" + "x" * MIB, "-" * MIB, "1" * MIB, "e" * MIB, "\\" * MIB, "{" + "," * MIB,
                     '{"a":' + "1," * 100_000, "\n" * MIB, "\r" * MIB, "\0" * MIB, "\ufeff" * 100_000, '{"a":"' + "\\u0061" * 100_000 + '"}'):
            with self.subTest(text=text[:10]):
                done = self.run_bounded("check", "-", stdin=text)
                self.assertLess(len(done.out + done.err), MIB)

    def test_names_in_an_env_file(self):
        config = self.place.write("c.jsonc", {"sandbox": {"network": {"env": ["LAST"]}}})
        for size, status in ((ENV_FILE_BYTES, 0), (ENV_FILE_BYTES + 1, 2)):
            text = "LAST\n"
            names = self.place.write("names", "#" * (size - len(text) - 1) + "\n" + text)
            done = self.run_bounded("compile", config, *self.place.context(), "--env-file", names)
            self.assertEqual(done.status, status, done)
        for text, status in (("", 0), ("\n\n", 0), ("# x\n", 0), ("A\r\nB=1\r\n", 0), ("A=\0\n", 0), ("1A\n", 2), ("A-B=1\n", 2), ("=x\n", 2), ("\xff", 2)):
            with self.subTest(text=text):
                names = self.place.write("names", text.encode("latin-1"))
                self.assertEqual(self.run_bounded("compile", config, *self.place.context(), "--env-file", names).status, status)

    def test_no_raw_control_characters_anywhere(self):
        odd = "\x1b[31m\x07\x7f\x9b\u202e\u200b\u2066\ufeff"
        configs = [{odd: 1}, allow(1, odd + ".example.com"), {"sandbox": {"image": odd}}, {"sandbox": {"mounts": [{"host": "/" + odd}]}},
                   {"sandbox": {"network": {"env": [odd]}}}, {"sandbox": {"resources": {"memory": odd, "cpus": odd}}},
                   {"sandbox": {"mode": odd}}, {"sandbox": {"network": {"secrets": [{"env": odd, "hosts": [odd]}]}}},
                   {"loop": {"permissions": {"deny": [odd]}, "allowExternalDirectories": [odd]}}, {"dataDir": "/" + odd},
                   {"agents": {odd: {"temperature": "x"}}}]
        forbidden = [character.encode() for character in odd if character not in "[31m"]
        for config in configs:
            for text in (cli_case.as_text(config), json.dumps(config, ensure_ascii=False)):
                with self.subTest(text=text):
                    for done in (self.run_bounded("check", "-", stdin=text), self.run_bounded("check", "-", "--format=json", stdin=text),
                                 self.run_bounded("compile", "-", *self.place.context(), stdin=text)):
                        said = done.err if done.args[0] == "compile" else done.out + done.err
                        self.assertFalse([code for code in forbidden if code in said], done)

    def test_names_that_are_no_text(self):
        raw = os.fsencode(self.place.root) + b"/\xff\x1b[31m"
        os.mkdir(raw)
        with open(raw + b"/forge-config.jsonc", "w", encoding="utf-8") as file:
            file.write('{"x":1}')
        for words in (["check", raw], ["check", raw + b"/forge-config.jsonc"], ["check", raw + b"/missing"], ["check", "--format=json", raw],
                      ["compile", raw + b"/forge-config.jsonc", *self.place.context()], ["emit", raw], ["emit", raw + b"/forge-config.jsonc"],
                      ["check", b"--\xff"], [b"\xff\x1b"], ["compile", "-", b"--worktree=" + raw], ["compile", "-", *self.place.context(), b"--tmp=" + raw],
                      ["compile", "-", *self.place.context(), b"--name=\xff"], ["compile", "-", *self.place.context(), b"--env-file=" + raw],
                      ["compile", "-", *self.place.context(), b"--memory=\xff"], ["emit", "-", b"\xff"], ["check", "-", b"--format=\xff"]):
            with self.subTest(words=words):
                done = self.run_bounded(*words, stdin="{}")
                self.assertNotEqual(done.status, 0, done)
                self.assertNotIn(b"\x1b", done.out + done.err)
                (done.out + done.err).decode("utf-8")

    def test_a_worktree_whose_name_is_no_text_has_no_plan(self):
        raw = os.fsencode(self.place.root) + b"/w\xff"
        os.mkdir(raw)
        os.symlink(raw, self.place.path("link"))
        for worktree in (raw, self.place.path("link")):
            done = self.run_bounded("compile", "-", *self.place.context(worktree=None), b"--worktree=" + os.fsencode(worktree), stdin="{}")
            self.assertNotEqual(done.status, 0, done)
            self.assertEqual(done.out, b"")

    def test_the_terminal_s_environment_is_no_text(self):
        env = {"TERM": os.fsdecode(b"\xff"), "NO_COLOR": os.fsdecode(b"\xff"), "HOME": os.fsdecode(b"/home/\xff\x1b")}
        done = self.run_bounded("check", stdin="{}", env=env)
        self.assertEqual(done.status, 2)
        self.assertNotIn(b"\x1b", done.out + done.err)
        (done.out + done.err).decode("utf-8")


class PlansAreText(CliCase):
    """Whatever names lie around a plan: it is refused, or it is a plan that emit takes."""

    def assertPlanOrNone(self, done):
        if done.status == 0:
            done.out.decode("utf-8")
            self.assertEqual(self.run_tool("emit", "-", stdin=done.out).status, 0, done)
        else:
            self.assertEqual(done.out, b"", done)

    def test_variables_that_are_no_text(self):
        for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "TMPDIR", "MSB_HOME"):
            for value in (b"/x\xff", b"/x\x1b", b"/x\ny", "/x\u202e".encode(), b"x", b"", b"/", b"//x/./", b"/x/../y"):
                with self.subTest(name=name, value=value):
                    env = {name: os.fsdecode(value)}
                    self.assertPlanOrNone(self.run_tool("compile", "-", f"--worktree={self.place.path('wt')}", stdin="{}", env=env))

    def test_a_config_in_a_folder_whose_name_is_no_text(self):
        folder = os.fsencode(self.place.root) + b"/c\xff"
        os.mkdir(folder)
        with open(folder + b"/c.jsonc", "wb") as file:
            file.write(b"{}")
        self.assertPlanOrNone(self.run_tool("compile", folder + b"/c.jsonc", *self.place.context()))
        self.assertPlanOrNone(self.run_tool("compile", "c.jsonc", *self.place.context(), cwd=folder))

    def test_links_to_folders_whose_names_are_no_text(self):
        os.mkdir(os.fsencode(self.place.root) + b"/real\xff")
        os.symlink(os.fsencode(self.place.root) + b"/real\xff", self.place.path("link"))
        config = {"sandbox": {"mounts": [{"host": self.place.path("link")}]}, "loop": {"allowExternalDirectories": [self.place.path("link")]}}
        self.assertPlanOrNone(self.compile(config))
        for name in ("tool_output", "tmp", "data_dir", "home", "project"):
            with self.subTest(name=name):
                flags = self.place.context(**{name: self.place.path("link")})
                self.assertPlanOrNone(self.run_tool("compile", "-", *flags, "--name=n", stdin="{}"))


if __name__ == "__main__":
    cli_case.main()
