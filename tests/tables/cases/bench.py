"""What the cases share."""

import json
import re

from tool import Place, as_text

CANARY = "canary-7f3a9c51e0"


class Outcome:
    """What `check` and `compile` make of one config."""

    def __init__(self, tool, config, *flags, env=None, place=None):
        text = as_text(config)
        self.checked = tool.run("check", "-", "--format=json", *flags, stdin=text, env=env)
        self.findings = self.checked.json()["diagnostics"]
        self.readable = tool.run("check", "-", *flags, stdin=text, env=env)
        with Place() as own:
            context = (place or own).context()
            self.compiled = tool.run("compile", "-", *context, *flags, stdin=text, env=env)
            self.strict = tool.run("compile", "-", "--strict", *context, *flags, stdin=text, env=env)
        self.plan = self.compiled.json() if self.compiled.status == 0 else None
        self.argv, self.shell = [], ""
        if self.plan and self.plan["sandbox"]["enabled"]:
            self.argv = tool.run("emit", "-", stdin=self.compiled.out).json()
            self.shell = tool.run("emit", "-", "--format=shell", stdin=self.compiled.out).text

    def having(self, *codes, pointer=None, severity=None):
        return [finding for finding in self.findings
                if finding["code"] in codes and (pointer is None or finding["pointer"] == pointer)
                and (severity is None or finding["severity"] == severity)]

    def has(self, *codes, **more):
        return bool(self.having(*codes, **more))

    @property
    def errors(self):
        return [finding["code"] for finding in self.findings if finding["severity"] == "error"]

    @property
    def rules(self):
        return [(rule["kind"], rule["value"]) for rule in self.plan["egress"]["rules"]]

    @property
    def network_flags(self):
        return [word for word in self.argv if word.startswith("--net")]

    @property
    def all_output(self):
        runs = (self.checked, self.readable, self.compiled, self.strict)
        return b"".join(run.out + run.err for run in runs) + json.dumps(self.argv).encode() + self.shell.encode()

    def refuses(self, key, index, *codes):
        """True when the entry is an error with one of the codes, and the plan does without it."""
        pointer = f"/sandbox/network/{key}/{index}"
        found = [finding["code"] for finding in self.findings
                 if (finding["pointer"] or "").startswith(pointer) and finding["severity"] == "error"]
        return bool(found) and set(found) <= set(codes)


def allow(*hosts, **more):
    return {"sandbox": {"network": {"allow": list(hosts), **more}}}


def secrets(*entries, **more):
    return {"sandbox": {"network": {"secrets": [{"env": env, "hosts": hosts} for env, hosts in entries], **more}}}


def help_of(findings):
    return " ".join(finding["help"] or "" for finding in findings)


def words(text):
    return re.sub(r"\s+", " ", text)
