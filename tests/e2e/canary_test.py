#!/usr/bin/env python3
"""No value ever leaves: planted secrets are looked for in everything that every verb writes, plain and encoded."""

import base64
import glob
import json
import os
import urllib.parse

import cli_case
from cli_case import CliCase

CANARY = "hunter2-cAnArY+value/4711"
PARTS = 9  # so many characters of it in a row count as found


def encodings(secret):
    """The ways a value could hide: its parts, hex, base64 at each of its three phases, percent signs, reversed."""
    data = secret.encode()
    found = {secret[at:at + PARTS] for at in range(len(secret) - PARTS + 1)}
    found |= {data.hex(), data.hex().upper(), secret[::-1], urllib.parse.quote(secret, safe=""), data.hex(" "),
              "".join(f"\\u{ord(character):04x}" for character in secret), json.dumps(secret)[1:-1].replace("/", "\\/")}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for phase in range(3):
            text = encode(b"\0" * phase + data).decode()
            found.add(text[(phase * 8 + 5) // 6 + 1:].rstrip("=")[:-1])
    found |= {base64.b32encode(data).decode().rstrip("=")[:-1]}
    return [text.encode() for text in found]


ENCODED = encodings(CANARY)


def network(**section):
    return {"sandbox": {"network": section}}


def remotes(text):
    return '{"remotes":[{"name":"x",' + text.replace("CANARY", CANARY) + "}]}"


# Where people write a value although only a name belongs there, and a password's own place.
WRITTEN = {
    "env": network(env=["TOKEN=" + CANARY]),
    "env, exported": network(env=["export TOKEN=" + CANARY]),
    "env, padded": network(env=["  TOKEN = " + CANARY]),
    "env beside another error": network(env=[5, "TOKEN=" + CANARY]),
    "env beside another error on the line": network(allow=["a b"], env=["TOKEN=" + CANARY]),
    "env twice": network(env=["A", "A", "A=" + CANARY, "A=" + CANARY]),
    "secret": network(secrets=[{"env": "TOKEN=" + CANARY, "hosts": ["a.example"]}]),
    "secret, with host": network(secrets=[{"env": "TOKEN=" + CANARY + "@a.example", "hosts": ["a.example"]}]),
    "host": network(allow=["user:" + CANARY + "@a.example"]),
    "host, in a URL": network(allow=["https://user:" + CANARY + "@a.example/x"]),
    "host, in a domain form": network(allow=["domain=user:" + CANARY + "@a.example"]),
    "secret's host": network(secrets=[{"env": "TOKEN", "hosts": ["user:" + CANARY + "@a.example"]}]),
    "secret's host, in a URL": network(secrets=[{"env": "TOKEN", "hosts": ["https://user:" + CANARY + "@a.example"]}]),
    "password": remotes('"password":"CANARY"'),
    "password beside an unknown key": remotes('"password":"CANARY","foo":1'),
    "password of a wrong type": remotes('"password":["CANARY"]'),
    "password beside an error elsewhere": '{"remotes":[{"password":"' + CANARY + '"}],"sandbox":{"x":1}}',
    "password beside a syntax error": remotes('"password":"CANARY" "x":1'),
    "password with a bad escape": remotes('"password":"\\qCANARY"'),
    "password with a control character": remotes('"password":"CANARY\t"'),
    "password under an escaped key": remotes('"pass\\u0077ord":"CANARY","foo":1'),
}

# The same in places and shapes where nothing of the kind belongs at all.
MISPLACED = {
    "env, with a colon": network(env=["TOKEN: " + CANARY]),
    "env as an object": network(env={"TOKEN": CANARY}),
    "env as a list of objects": network(env=[{"name": "TOKEN", "value": CANARY}]),
    "env as a text": network(env="TOKEN=" + CANARY),
    "secret with a value": network(secrets=[{"env": "TOKEN", "value": CANARY, "hosts": ["a.example"]}]),
    "secrets as an object": network(secrets={"TOKEN": CANARY}),
    "secrets as texts": network(secrets=["TOKEN=" + CANARY]),
    "secrets in the runtime's form": network(secrets=["TOKEN=" + CANARY + "@a.example"]),
    "host, in a URL without a user": network(allow=["https://" + CANARY.replace("/", "") + "@a.example"]),
    "password twice": remotes('"password":"CANARY","password":"CANARY"'),
    "password in a second section": '{"remotes":[],"remotes":[{"password":"' + CANARY + '"}]}',
    "password in a section of the wrong type": json.dumps({"remotes": {"password": CANARY}}),
    "password in the wrong section": json.dumps({"sandbox": {"remotes": [{"password": CANARY}]}}),
    "password at the top": json.dumps({"password": CANARY}),
    "password without quotes": remotes('"password": CANARY'),
    "password in single quotes": remotes('"password": \'CANARY\''),
    "password without an end": '{"remotes":[{"password":"' + CANARY,
    "URL with a password": json.dumps({"remotes": [{"url": "https://u:" + CANARY + "@a.example", "foo": 1}]}),
    "password under a misspelt key": remotes('"passwrod":"CANARY"'),
}


class Searching(CliCase):
    """Looks through everything that anything says about a config."""

    def outputs(self, config, **more):
        path, plan = self.place.write("c.jsonc", config), self.place.path("plan")
        context = self.place.context()
        if os.path.exists(plan):  # of a config before this one
            os.unlink(plan)
        runs = [self.run_tool("check", path, *flags, **more) for flags in (
            [], ["--format=json"], ["--strict"], ["--color=always"], context, [*context, "--format=json"])]
        runs += [self.run_tool("compile", path, *context, *flags, **more) for flags in (
            [], ["--format=json"], ["--strict"], ["--color=always"], ["-o", plan], ["--memory=wrong"])]
        if os.path.exists(plan):
            runs += [self.run_tool("emit", plan, *words, **more) for words in (
                [], ["--format=shell"], ["--format=nul"], ["remove"], ["exec", "--", "true"], ["exec"], ["--no-such"])]
            with open(plan, "rb") as file:
                yield "the plan", file.read()
        for run in runs:
            yield f"{run.args[0]} {run.args[2:]}", run.out + run.err

    def assertHidden(self, config, **more):
        for what, data in self.outputs(config, **more):
            for code in ENCODED:
                at = data.find(code)
                self.assertEqual(at, -1, f"{what}: ...{data[max(at - 60, 0):at + 40]}...")


class Canary(Searching):
    def test_the_search_finds_what_it_looks_for(self):
        data = CANARY.encode()
        for hidden in (data, data[3:15], data.hex().encode(), base64.b64encode(b"x" + data), base64.b64encode(b"xy" + data + b"z"),
                       base64.urlsafe_b64encode(data), data[::-1], urllib.parse.quote(CANARY, safe="").encode()):
            with self.subTest(hidden=hidden):
                self.assertTrue(any(code in b"before" + hidden + b"after" for code in ENCODED))

    def test_values_in_the_environment(self):
        config = {"sandbox": {"network": {"env": ["PLAIN", "LOOKS_LIKE_TOKEN"], "secrets": [{"env": "TOKEN", "hosts": ["a.example"]}]}}}
        env = {name: CANARY for name in ("PLAIN", "LOOKS_LIKE_TOKEN", "TOKEN", "NOT_NAMED", "MSB_API_KEY")}
        self.assertHidden(config, env=env)

    def test_values_in_an_env_file(self):
        config = {"sandbox": {"network": {"env": ["PLAIN"], "secrets": [{"env": "TOKEN", "hosts": ["a.example"]}]}}}
        path = self.place.write("c.jsonc", config)
        for lines, good in ((f"PLAIN={CANARY}\nexport TOKEN={CANARY}\n", True), (f"PLAIN={CANARY}\nA B={CANARY}\n", False),
                            (f"TOKEN: {CANARY}\n", False), (f"{CANARY}\n", False), (f"PLAIN={CANARY}\0{CANARY}\nTOKEN\n", True)):
            with self.subTest(lines=lines):
                flag = "--env-file=" + self.place.write("names", lines)
                done = self.run_tool("compile", path, *self.place.context(), flag)
                self.assertEqual(done.status, 0 if good else 2, done)
                if good:
                    self.assertEqual(done.json()["required_env"], ["PLAIN", "TOKEN"])
                for run in (done, self.run_tool("check", path, flag), self.run_tool("check", path, flag, "--format=json")):
                    self.assertFalse([code for code in ENCODED if code in run.out + run.err], run)

    def test_no_file_is_left_beside(self):
        before = set(glob.glob(self.place.path("**"), recursive=True))
        self.compile(WRITTEN["password"])
        self.assertEqual(set(glob.glob(self.place.path("**"), recursive=True)), before)


class Written(Searching):
    def test_values_in_the_config(self):
        for where, config in WRITTEN.items():
            with self.subTest(where=where):
                self.assertHidden(config)


class Misplaced(Searching):
    def test_values_where_nothing_of_the_kind_belongs(self):
        for where, config in MISPLACED.items():
            with self.subTest(where=where):
                self.assertHidden(config)


if __name__ == "__main__":
    cli_case.main()
