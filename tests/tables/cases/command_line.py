"""Family cli."""

import os
import time

from tool import Place, as_text

from .bench import allow

SECONDS = 5  # generous: the walk takes some milliseconds, a machine may be busy
BAD = allow("a b")


def X01(tool):
    with Place() as place:
        yield "check of a bad config is not 0", tool.run("check", place.write("bad.jsonc", BAD)).status == 1


def X03(tool):
    with Place() as place:
        path = place.write("bad.jsonc", BAD)
        done = tool.run("check", "--format=json", path)
    document = done.json()
    finding = document["diagnostics"][0]
    yield "one document, also on failure", done.status == 1 and done.out.count(b"\n") == 1
    yield "with a version", document["schema"] == "forge-policy/diagnostics/v1"
    yield "with code, path, line and column", (finding["code"], finding["file"]) == ("FP2007", path) and \
        finding["range"]["start"]["line"] == 1 and finding["range"]["start"]["column"] == 38
    yield "no prose on standard output", done.err == b""


def X05(tool):
    for what, text in (("unreadable input", "{bad"), ("no input", "")):
        done = tool.run("check", "-", stdin=text)
        yield f"{what} does not pass", done.status != 0
        yield f"{what} exits 2", done.status == 2
        with Place() as place:
            compiled = tool.run("compile", "-", *place.context(), stdin=text)
        yield f"nothing is compiled of {what}", compiled.status == 1 and compiled.out == b""


def X06(tool):
    with Place() as place:
        for number in range(6000):
            os.makedirs(place.path("wt", str(number % 60), str(number)), exist_ok=True)
        os.symlink(".", place.path("wt", "self"))
        inside = place.path("wt", "7", "forge-config.jsonc")
        with open(inside, "w", encoding="utf-8") as file:
            file.write("{}")
        began = time.monotonic()
        compiled = tool.run("compile", "-", *place.context(), stdin="{}")
        yield "compile walks nothing", compiled.status == 0 and len(compiled.json()["facts"]["paths"]) < 200
        checked = tool.run("check", "--format=json", place.path("wt"))
        yield "check is bounded", time.monotonic() - began < SECONDS
        yield "check follows no link", [file["path"] for file in checked.json()["files"]] == [inside]


def X08(tool):
    with Place() as place:
        documents = [tool.run("check", "--format=json", "-", *place.context(), stdin=as_text(config)).json() for config in (
            {}, BAD, allow("example.com."), allow("*"), {"sandbox": {"mounts": [{"host": "/missing"}]}}, [], allow("a.org", "A.org"))]
    yield "the same keys with and without a finding", len({tuple(sorted(document)) for document in documents}) == 1
    keys = {tuple(sorted(finding)) for document in documents for finding in document["diagnostics"]}
    yield "every finding has the same keys", keys == {("code", "file", "help", "message", "pointer", "range", "related", "severity")}
    files = {tuple(sorted(file)) for document in documents for file in document["files"]}
    yield "every file has the same keys", len(files) == 1


def X10(tool):
    yield "see the verb", True


def X11(tool):
    name = "esc\x1b[31m\u202e\u200bgnp.jsonc"
    with Place() as place:
        path = place.write(name, BAD)
        runs = [tool.run("check", path), tool.run("compile", path, *place.context()), tool.run("check", "--format=json", path)]
    outputs = {"check": runs[0].out + runs[0].err, "compile": runs[1].err, "check in JSON": runs[2].out + runs[2].err}
    for what, output in outputs.items():  # a plan is data: canonical JSON, which escapes control characters only
        yield f"{what}: no raw control or bidi characters", b"\x1b" not in output and not any(
            character.encode() in output for character in "\u202e\u200b")
    yield "the plan: no raw control characters", b"\x1b" not in runs[1].out
    yield "the name is shown escaped", "esc\\u{1B}[31m" in runs[0].errors
    yield "in JSON it is escaped by JSON's own means", runs[2].json()["files"][0]["path"] == path


def X12(tool):
    yield "see the verb", True
