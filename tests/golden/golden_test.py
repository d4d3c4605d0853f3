#!/usr/bin/env python3
"""Golden cases: a command line, its files, and every byte it writes.

usage: golden_test.py --binary TOOL (CASE_FILE... | --planted)     or: golden_test.py --list

A case file begins with a sentence on what it shows; then come sections, each under
a line `=== WORD`:

  folders    folders to make, one a line
  file NAME  a file to make before anything runs
  env        NAME=value lines for the runs
  run        a command line of the tool (words quoted as in a shell); begins a run
  stdin      its standard input
  stdout     what it must write (`stdout json`: laid out, so that it can be read)
  stderr     the same; no section means nothing
  status     its exit status; no section means 0

@DIR@ is the case's own folder, whose name has the same length everywhere. Bytes
that are no printable text stand as «1B»; a text that does not end in a line break
ends in «no line break». What differs from machine to machine (inodes, digests,
versions of data) is replaced. FORGE_UPDATE_GOLDEN=1 rewrites what must come out.
--planted alters every section of every case and wants each alteration to be noticed.
"""

import argparse
import difflib
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import tool as shared  # noqa: E402
from tool import Tool  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DIR_LENGTH = 48
DEFAULT = {"stdout": "", "stdout json": "", "stderr": "", "status": "0\n"}
EXPECTED = tuple(DEFAULT)
SECTION = re.compile(r"^=== (.+)$")
NO_BREAK = "«no line break»\n"
VARYING = [
    (r'("(?:dev|ino)": ?")(?!0")\d+(")', r"\1@N@\2"),
    (r"\b[0-9a-f]{64}\b", "@SHA256@"),
    (r"\bhost-session-[0-9a-f]{12}\b", "host-session-@DIGEST@"),
    (r'("(?:idna|public_suffix_list)": ?")[^"]*(")', r"\1@DATA@\2"),
    (r'("version": ?")\d+\.\d+\.\d+(")', r"\1@VERSION@\2"),
    (r"^(forge-policy )\d+\.\d+\.\d+$", r"\1@VERSION@"),
]


def shown(data):
    """Bytes as a case file has them."""
    text = data.decode("utf-8", "surrogateescape")
    out = []
    for character in text:
        printable = character.isprintable() and character not in "«»"
        out.append(character if printable or character == "\n" else
                   "".join(f"«{byte:02X}»" for byte in character.encode("utf-8", "surrogateescape")))
    text = "".join(out)
    return text if text.endswith("\n") or not text else text + NO_BREAK


def meant(text):
    """The bytes that a section of a case file stands for."""
    if text.endswith(NO_BREAK):
        text = text[:-len(NO_BREAK)]
    parts = re.split("«([0-9A-F]{2})»", text)
    return b"".join(bytes([int(part, 16)]) if at % 2 else part.encode() for at, part in enumerate(parts))


def parse(text):
    """The introduction and the sections of a case file, in order."""
    intro, sections = [], []
    for line in text.splitlines(keepends=True):
        if heading := SECTION.match(line.rstrip("\n")):
            sections.append([heading[1], ""])
        elif sections:
            sections[-1][1] += line
        else:
            intro.append(line)
    return "".join(intro), sections


def is_dull(fact):
    """A protected path in the home directory that is not there."""
    return fact["kind"] == "missing" and fact["path"].startswith("@DIR@/home/.")


def normal(data, folder, as_json):
    text = shown(data).replace(folder, "@DIR@")
    if as_json and text:
        document = json.loads(text.removesuffix(NO_BREAK))
        if "facts" in document:  # what is asked about folders around the case's own depends on where that lies
            paths = document["facts"]["paths"]
            document["facts"]["paths"] = [fact for fact in paths if fact["path"].startswith(("@DIR@", "/usr"))
                                          and not is_dull(fact)]
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    for pattern, replacement in VARYING:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def folder_of_a_length():
    base = os.path.realpath(tempfile.mkdtemp(prefix="g"))
    if len(base) + 1 >= DIR_LENGTH:
        raise SystemExit(f"{base} is too long for a case folder")
    folder = os.path.join(base, "x" * (DIR_LENGTH - len(base) - 1))
    os.mkdir(folder)
    return base, folder


class Case:
    def __init__(self, path):
        self.path = path
        self.intro, sections = parse(path.read_text(encoding="utf-8"))
        starts = [at for at, (word, _) in enumerate(sections) if word == "run"]
        if not self.intro.strip() or not starts:
            raise SystemExit(f"{path}: it must say what it shows, and run something")
        self.given = sections[:starts[0]]
        self.runs = [dict(sections[at:end]) for at, end in zip(starts, [*starts[1:], len(sections)])]
        unknown = {word for run in self.runs for word in run} - {"run", "stdin", *EXPECTED}
        if unknown:
            raise SystemExit(f"{path}: unknown or misplaced sections {unknown}")

    def prepare(self, folder):
        """Makes what is given; the environment of the runs."""
        env = {"HOME": os.path.join(folder, "home")}
        for word, text in self.given:
            text = text.replace("@DIR@", folder)
            if word == "folders":
                for name in text.split():
                    os.makedirs(os.path.join(folder, name))
            elif word == "env":
                env.update(line.split("=", 1) for line in text.splitlines())
            else:
                target = os.path.join(os.fsencode(folder), meant(word.removeprefix("file ")))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(meant(text))
        return env

    def execute(self, tool):
        """What each run really writes, as the sections that stand for it."""
        base, folder = folder_of_a_length()
        try:
            env = self.prepare(folder)
            for run in self.runs:
                words = [meant(word) for word in shlex.split(run["run"].replace("@DIR@", folder))]
                done = tool.run(*words, stdin=meant(run.get("stdin", "").replace("@DIR@", folder)), env=env, cwd=folder)
                out = "stdout json" if "stdout json" in run else "stdout"
                yield {out: normal(done.out, folder, out == "stdout json"), "stderr": normal(done.err, folder, False),
                       "status": f"{done.status}\n"}
        finally:
            shutil.rmtree(base, ignore_errors=True)

    def failures(self, actual):
        return [f"{self.path.name}: {word} of `{run['run'].strip()}`\n" + diff(run.get(word, DEFAULT[word]), text)
                for run, sections in zip(self.runs, actual) for word, text in sections.items()
                if run.get(word, DEFAULT[word]) != text]

    def unnoticed(self, tool):
        """Alterations of what is expected that make no difference; there must be none."""
        actual = list(self.execute(tool))
        for run, sections in zip(self.runs, actual):
            for word in sections:
                kept = run.get(word)
                for altered in ((kept or DEFAULT[word]) + "x\n", (kept or DEFAULT[word])[1:] or "x"):
                    run[word] = altered
                    if len(self.failures(actual)) != 1:
                        yield f"{self.path.name}: an altered {word} of `{run['run'].strip()}` is not noticed"
                run.pop(word) if kept is None else run.update({word: kept})

    def update(self, actual):
        parts = [self.intro.rstrip("\n") + "\n"] + [f"=== {word}\n{text}" for word, text in self.given]
        for run, sections in zip(self.runs, actual):
            parts += [f"=== {word}\n{run[word]}" for word in ("run", "stdin") if word in run]
            parts += [f"=== {word}\n{text}" for word, text in sections.items() if text != DEFAULT[word]]
        self.path.write_text("".join(parts), encoding="utf-8")


def diff(expected, actual):
    return "".join(line if line.endswith("\n") else line + "\n" for line in difflib.unified_diff(
        expected.splitlines(keepends=True), actual.splitlines(keepends=True), "expected", "actual", n=2))


def check_planted(tool):
    paths = sorted(HERE.glob("*/*.case"))
    return [failure for path in paths for failure in Case(path).unnoticed(tool)], len(paths)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("cases", nargs="*", type=pathlib.Path, metavar="CASE_FILE")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(str(path.relative_to(HERE)) for path in sorted(HERE.glob("*/*.case"))))
        return 0
    tool = Tool(arguments.binary)
    if arguments.planted:
        return shared.report(*check_planted(tool))
    failures = []
    for path in arguments.cases:
        case = Case(path.resolve())
        actual = list(case.execute(tool))
        found = case.failures(actual)
        if found and os.environ.get("FORGE_UPDATE_GOLDEN") == "1":
            case.update(actual)
            print(f"updated {path}")
        else:
            failures += found
    return shared.report(failures, len(arguments.cases))


if __name__ == "__main__":
    sys.exit(main())
