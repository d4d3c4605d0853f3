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


class Planned:
    """What `compile` makes of one config with the directories of a place; `context` are the flags that differ."""

    def __init__(self, tool, place, config="{}", *flags, **context):
        self.done = tool.run("compile", "-", "--format=json", *place.context(**context), *flags, stdin=as_text(config))
        self.plan = self.done.json() if self.done.status == 0 else None
        self.findings = json.loads(self.done.err if self.done.status == 0 else self.done.out)["diagnostics"]
        self.mounts = [mount for mount in self.plan["mounts"] if mount["kind"] == "dir"] if self.plan else []
        self.emitted = tool.run("emit", "-", stdin=self.done.out) if self.plan else None
        self.argv = self.emitted.json() if self.emitted and self.emitted.status == 0 else []

    def having(self, code, severity=None):
        return [finding for finding in self.findings
                if finding["code"] == code and severity in (None, finding["severity"])]

    def refuses(self, code):
        """True when there is no plan, and the code is an error that says why."""
        return self.plan is None and self.done.status == 1 and bool(self.having(code, "error"))

    def warns(self, words):
        return any(words in warning for warning in self.plan["warnings"])

    def access(self, path):
        """What the guest may do at a path: the deepest mount decides."""
        around = [mount for mount in self.mounts if path == mount["guest"] or path.startswith(mount["guest"] + "/")]
        return max(around, key=lambda mount: len(mount["guest"]))["access"] if around else None

    def hosts(self, origin):
        return [mount["host"] for mount in self.mounts if mount["origin"] == origin]

    def makes(self, path):
        """True when the caller is told to make the directory, for its owner alone, before the sandbox starts."""
        return {"kind": "ensure-dir", "mode": "0700", "path": path} in self.plan["actions"]


def allow(*hosts, **more):
    return {"sandbox": {"network": {"allow": list(hosts), **more}}}


def secrets(*entries, **more):
    return {"sandbox": {"network": {"secrets": [{"env": env, "hosts": hosts} for env, hosts in entries], **more}}}


def help_of(findings):
    return " ".join(finding["help"] or "" for finding in findings)


def words(text):
    return re.sub(r"\s+", " ", text)
