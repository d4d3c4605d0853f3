#!/usr/bin/env python3
"""emit hands out vectors of whole, sealed plans only; what is altered is refused, whatever was altered."""

import hashlib
import json
import random

import cli_case
from cli_case import CliCase, canonical

CONFIG = {"sandbox": {"mounts": [{"host": "/usr/share"}], "network": {
    "allow": ["a.example", "*.b.example", "8.8.8.8"], "env": ["SET"], "secrets": [{"env": "TOKEN", "hosts": ["a.example"]}]}}}


# Edits after which one part of the plan contradicts another.
CONTRADICTORY = {
    "no worktree": lambda plan: plan["mounts"].pop(0),
    "two worktrees": lambda plan: plan["mounts"][-3].update(origin="worktree"),
    "a worktree that cannot be written": lambda plan: plan["mounts"][0].update(access="ro"),
    "a secret that is also a variable": lambda plan: (plan["env"].append("TOKEN"), plan["required_env"].append("TOKEN")),
    "a secret whose host no rule opens": lambda plan: plan["secrets"][0].update(hosts=["evil.example"]),
}


def sealed(plan):
    """The plan with a right digest: what somebody who edits it can always do."""
    bare = {key: value for key, value in plan.items() if key != "digest"}
    return canonical({**bare, "digest": "sha256:" + hashlib.sha256(canonical(bare)).hexdigest()})


class Tampering(CliCase):
    def setUp(self):
        super().setUp()
        self.bytes = self.plan_bytes(CONFIG, env={"SET": "1", "TOKEN": "1"})

    def plan(self):
        return json.loads(self.bytes)

    def emit(self, data, *words):
        return self.run_tool("emit", "-", *words, stdin=data)

    def assertRefused(self, data, *words):
        done = self.emit(data)
        self.assertStatus(done, 2)
        self.assertSays(done, *words)

    def test_the_control(self):
        self.assertEqual(self.emit(self.bytes).status, 0)
        self.assertEqual(sealed(self.plan()), self.bytes)

    def test_a_flipped_byte(self):
        seed = random.SystemRandom().randrange(1 << 32)
        chance = random.Random(seed)
        places = {0, len(self.bytes) - 1, *chance.sample(range(len(self.bytes)), 200)}
        for at in places:
            bit = 1 << chance.randrange(8)
            data = bytearray(self.bytes)
            data[at] ^= bit
            with self.subTest(seed=seed, at=at, bit=bit, around=self.bytes[max(at - 20, 0):at + 20]):
                self.assertRefused(bytes(data))

    def test_other_spellings_of_the_same_value(self):
        plan = self.plan()
        for what, data in {
                "with spaces": json.dumps(plan, ensure_ascii=False, sort_keys=True).encode(),
                "in another order": json.dumps(dict(reversed(list(plan.items()))), ensure_ascii=False, separators=(",", ":")).encode(),
                "with a line break": self.bytes + b"\n", "with a space before": b" " + self.bytes,
                "with an escape": self.bytes.replace(b'"msb"', b'"m\\u0073b"', 1), "with a byte order mark": b"\xef\xbb\xbf" + self.bytes,
                "with another number": self.bytes.replace(b'"cpus":4', b'"cpus":4.0', 1), "twice": self.bytes + self.bytes,
                "with a comment": self.bytes + b"// x"}.items():
            with self.subTest(what=what):
                self.assertNotEqual(data, self.bytes)
                self.assertRefused(data)

    def test_a_key_twice(self):
        for old, new in ((b'"egress":{"mode":"allow-list"', b'"egress":{"mode":"allow-list","mode":"public"'),
                         (b'{"actions"', b'{"actions":[],"actions"')):
            with self.subTest(new=new):
                self.assertIn(old, self.bytes)
                self.assertRefused(self.bytes.replace(old, new, 1))

    def test_an_old_digest_on_a_wider_plan(self):
        wider = self.plan()
        wider["egress"]["rules"].append({"action": "allow", "kind": "domain", "origin": "allow[9]", "value": "evil.example"})
        self.assertRefused(canonical(wider), "digest")
        wider = self.plan()
        wider["mounts"][0]["access"] = "rw"
        wider["digest"] = "sha256:" + "0" * 64
        self.assertRefused(canonical(wider), "digest")

    def test_no_digest(self):
        for change in (lambda plan: plan.pop("digest"), lambda plan: plan.update(digest=""), lambda plan: plan.update(digest=None),
                       lambda plan: plan.update(digest=plan["digest"].upper()), lambda plan: plan.update(digest=plan["digest"][7:])):
            plan = self.plan()
            change(plan)
            self.assertRefused(canonical(plan))

    def members(self, value, path=()):
        """Every object inside a plan, as the keys on the way to it."""
        if isinstance(value, dict):
            yield path
            for key, child in value.items():
                yield from self.members(child, (*path, key))
        elif isinstance(value, list):
            for at, child in enumerate(value[:1]):
                yield from self.members(child, (*path, at))

    def test_an_unknown_member_anywhere_even_under_a_right_digest(self):
        for path in self.members(self.plan()):
            with self.subTest(path=path):
                plan = self.plan()
                target = plan
                for key in path:
                    target = target[key]
                target["zz_unknown"] = 1
                self.assertRefused(sealed(plan))

    def test_a_missing_member_anywhere_even_under_a_right_digest(self):
        for path in self.members(self.plan()):
            target = self.plan()
            for key in path:
                target = target[key]
            for name in target:
                if path == () and name == "digest":
                    continue
                with self.subTest(path=path, name=name):
                    plan = self.plan()
                    inside = plan
                    for key in path:
                        inside = inside[key]
                    del inside[name]
                    self.assertRefused(sealed(plan))

    def test_another_schema(self):
        for schema in ("forge-policy/plan/v2", "forge-policy/plan/v10", "forge-policy/plan/v0", "forge-policy/plan/v", "forge-policy/plan",
                       "forge-policy/steps/v1", "", "FORGE-POLICY/PLAN/V1", "forge-policy/plan/v1 "):
            with self.subTest(schema=schema):
                plan = self.plan()
                plan["schema"] = schema
                self.assertRefused(sealed(plan))
        plan = self.plan()
        plan["schema"] = "forge-policy/plan/v2"
        self.assertSays(self.emit(sealed(plan)), "forge-policy/plan/v1")

    def test_values_that_no_plan_has_even_under_a_right_digest(self):
        """Each could be read by the runtime as something else, or says two things at once."""
        changes = {
            "a rule of two": lambda plan: plan["egress"]["rules"][0].update(value="a.example,allow@any"),
            "a rule with a port": lambda plan: plan["egress"]["rules"][0].update(value="a.example:tcp:443"),
            "a rule with an asterisk": lambda plan: plan["egress"]["rules"][0].update(value="*"),
            "a rule in upper case": lambda plan: plan["egress"]["rules"][0].update(value="A.example"),
            "a kind of another": lambda plan: plan["egress"]["rules"][0].update(kind="cidr"),
            "an unknown kind": lambda plan: plan["egress"]["rules"][0].update(kind="any"),
            "a deny": lambda plan: plan["egress"]["rules"][0].update(action="deny"),
            "the host group": lambda plan: plan["egress"]["rules"].append(
                {"action": "allow", "kind": "group", "origin": "allowLan", "value": "host"}),
            "rules of an open mode": lambda plan: plan["egress"].update(mode="public"),
            "no group for the LAN": lambda plan: plan["egress"].update(mode="allow-list+private"),
            "a group without the LAN": lambda plan: plan["egress"]["rules"].append(
                {"action": "allow", "kind": "group", "origin": "allowLan", "value": "private"}),
            "the same mount twice": lambda plan: plan["mounts"].append(plan["mounts"][0]),
            "the same variable twice": lambda plan: plan["env"].append(plan["env"][0]),
            "the same secret twice": lambda plan: plan["secrets"].append(plan["secrets"][0]),
            "an unknown mode": lambda plan: plan["egress"].update(mode="open"),
            "a mount of the root": lambda plan: plan["mounts"][0].update(host="/"),
            "a mount with options": lambda plan: plan["mounts"][0].update(guest="/x:rw"),
            "a relative mount": lambda plan: plan["mounts"][0].update(host="x"),
            "a mount with ..": lambda plan: plan["mounts"][0].update(host="/usr/../etc"),
            "an unknown access": lambda plan: plan["mounts"][0].update(access="rwx"),
            "a volume with a separator": lambda plan: plan["mounts"][-1].update(volume="x:/etc"),
            "a disk of no size": lambda plan: plan["mounts"][-1].update(size_mib=0),
            "a name that is an option": lambda plan: plan["sandbox"].update(name="--x"),
            "a name with a space": lambda plan: plan["sandbox"].update(name="forge-a b"),
            "an image that is a path": lambda plan: plan["sandbox"].update(image="/rootfs"),
            "an image that is an option": lambda plan: plan["sandbox"].update(image="--config=/x"),
            "no processors": lambda plan: plan["resources"].update(cpus=0),
            "too many processors": lambda plan: plan["resources"].update(cpus=256),
            "no memory": lambda plan: plan["resources"].update(memory_mib=0),
            "a variable with a value": lambda plan: plan["env"].append("A=1"),
            "a variable that is an option": lambda plan: plan["env"].append("-x"),
            "a secret with a separator": lambda plan: plan["secrets"][0].update(env="T@evil.example"),
            "a secret for everything": lambda plan: plan["secrets"][0].update(hosts=["*"]),
            "a secret for two hosts in one": lambda plan: plan["secrets"][0].update(hosts=["a.example,evil.example"]),
            "a secret for nothing": lambda plan: plan["secrets"][0].update(hosts=[]),
            "another placeholder": lambda plan: plan["secrets"][0].update(placeholder="x"),
            "names required that are not": lambda plan: plan["required_env"].append("OTHER"),
            "a shell of another sandbox": lambda plan: plan["shell"].update(sandbox="forge-other"),
            "another target": lambda plan: plan["target"].update(name="sbx"),
            "a wrong type": lambda plan: plan.update(env={}),
            "null": lambda plan: plan.update(egress=None),
        }
        for what, change in changes.items():
            with self.subTest(what=what):
                plan = self.plan()
                change(plan)
                done = self.emit(sealed(plan))
                self.assertIn(done.status, (1, 2), done)
                self.assertEqual(done.out, b"", done)

    def test_verify_proves_a_stored_plan_again(self):
        keys = self.place.folder("home", ".ssh")
        plan = json.loads(self.plan_bytes({"sandbox": {"mounts": [{"host": keys}]}}))
        held = self.run_tool("verify", "-", stdin=sealed(plan))
        self.assertEqual((held.status, held.err), (0, b""), held)
        next(mount for mount in plan["mounts"] if mount.get("host") == keys)["access"] = "rw"
        done = self.run_tool("verify", "-", "--format=json", stdin=sealed(plan))
        self.assertEqual(done.status, 1, done)
        self.assertEqual([finding["code"] for finding in done.json()["diagnostics"]], ["FP6006"], done)
        self.assertEqual((self.emit(sealed(plan)).status, self.emit(sealed(plan)).out), (1, b""))

    def test_a_plan_that_contradicts_itself(self):
        for what, change in CONTRADICTORY.items():
            with self.subTest(what=what):
                plan = self.plan()
                change(plan)
                self.assertRefused(sealed(plan))

    def test_a_plan_of_another_host_is_still_a_plan(self):
        """A right digest over a meaning that is consistent cannot be told from a compiled plan: that takes a signature."""
        plan = self.plan()
        plan["egress"]["rules"].insert(0, {"action": "allow", "kind": "domain", "origin": "allow[9]", "value": "wider.example"})
        self.assertIn("--net-rule=allow@wider.example", self.emit(sealed(plan)).json())


if __name__ == "__main__":
    cli_case.main()
