"""What the Python tests share: running the tool, places to run it in, reading JSONC, reporting.

Every test gets an environment of its own making: nothing of the machine's leaks into what is expected.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

TESTS = pathlib.Path(__file__).resolve().parents[1]
DATA = TESTS / "data"
SKIPPED = 77  # ctest's SKIP_RETURN_CODE
SECONDS = 60

_NOT_CODE = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


def read_jsonc(path):
    """A JSONC file of the tests' own; comments and last commas are taken off outside of strings."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    for pattern in (_NOT_CODE, _LAST_COMMA):
        text = pattern.sub(lambda match: match[1] or "", text)
    return json.loads(text)


class Done(NamedTuple):
    """One finished run of the tool."""

    args: tuple
    status: int
    out: bytes
    err: bytes

    def json(self):
        return json.loads(self.out)

    @property
    def text(self):
        return self.out.decode("utf-8", "backslashreplace")

    @property
    def errors(self):
        return self.err.decode("utf-8", "backslashreplace")

    def __str__(self):
        return f"{self.args} -> {self.status}\n--- stdout\n{self.text[:500]}\n--- stderr\n{self.errors[:1500]}"


def environment(extra=None):
    """A small environment; `extra` adds names, and takes those away that it gives as None."""
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "HOME": "/home/nobody-of-the-tests"}
    env.update(extra or {})
    return {name: value for name, value in env.items() if value is not None}


class Tool:
    def __init__(self, binary):
        self.binary = os.path.abspath(binary)

    def run(self, *args, stdin=b"", env=None, cwd=None, within=(), **more):
        """One run; `within` are the words of a program that is to start it."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        done = subprocess.run([*within, self.binary, *args], input=stdin, capture_output=True, env=environment(env),
                              cwd=cwd, timeout=SECONDS, **more)
        return Done(args, done.returncode, done.stdout, done.stderr)

    def diagnostics(self, text, *args, env=None):
        """The findings of `check` for a config given as text or value."""
        done = self.run("check", "-", "--format=json", *args, stdin=as_text(text), env=env)
        return done.json()["diagnostics"]

    def codes(self, text, *args, env=None):
        return [finding["code"] for finding in self.diagnostics(text, *args, env=env)]

    def verbs(self):
        """The verbs that this build knows, from its help."""
        listing = self.run("--help").text.split("Subcommands:")[-1]
        return re.findall(r"^  ([a-z][a-z-]*) ", listing, re.MULTILINE)


def as_text(config):
    return config if isinstance(config, (str, bytes)) else json.dumps(config)


class Place:
    """A folder with everything that a plan is made for, removed afterwards."""

    def __init__(self, prefix="forge-test-", session="host"):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix=prefix))
        self.session = session
        for name in ("wt", "home", "tmp"):
            os.mkdir(self.path(name))

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        shutil.rmtree(self.root, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def folder(self, *parts):
        os.makedirs(self.path(*parts), exist_ok=True)
        return self.path(*parts)

    def write(self, name, content):
        data = as_text(content)
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return path

    def context(self, **changes):
        """Context flags that name only folders in here."""
        flags = {"worktree": self.path("wt"), "home": self.path("home"), "tmp": self.path("tmp", "opencode"),
                 "tool_output": self.path("home", "tool-output"), "data_dir": self.path("home", "data")}
        flags.update(changes)
        return [f"--{name.replace('_', '-')}={value}" for name, value in flags.items() if value is not None]


def required(name):
    """True where a missing `name` must not be excused."""
    return name in re.split(r"[,\s]+", os.environ.get("FORGE_REQUIRE", ""))


def missing(name, why):
    """Ends the test: as a skip, or as a failure where FORGE_REQUIRE asks for `name`."""
    print(f"{'REQUIRED' if required(name) else 'SKIPPED'}: {name}: {why}", file=sys.stderr)
    sys.exit(1 if required(name) else SKIPPED)


def differences(expected, actual, where=""):
    """Where two JSON values differ, one line for each place."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            if key not in actual:
                yield f"{where}.{key}: missing, expected {expected[key]!r}"
            elif key not in expected:
                yield f"{where}.{key}: unexpected {actual[key]!r}"
            else:
                yield from differences(expected[key], actual[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual)):
            yield from differences(*pair, f"{where}[{index}]")
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{where}: expected {expected!r}, got {actual!r}"


def report(failures, checked):
    """Prints what failed and how much was checked; the process's exit status."""
    for failure in failures:
        print(f"FAILED: {failure}\n", file=sys.stderr)
    print(f"{checked} checked, {len(failures)} failed")
    if checked == 0:
        print("FAILED: nothing was checked", file=sys.stderr)
    return 1 if failures or checked == 0 else 0
