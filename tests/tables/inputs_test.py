#!/usr/bin/env python3
"""The configs of data/inputs against the table beside them: code, severity, place and text of every finding.

usage: inputs_test.py --binary TOOL [--examples DIR]

With --examples, instead: the configs of that folder, which must be without errors
and of which there must be a plan.
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import tool as shared  # noqa: E402
from tool import DATA, Place, Tool  # noqa: E402

INPUTS = DATA / "inputs"
TABLE = INPUTS / "expected.jsonc"
SHOWN = 40


def text_at(data, place):
    """The text of a range by its byte offsets, after making sure that lines and columns say the same."""
    begin, end = place["start"], place["end"]
    lines = data.decode("utf-8").split("\n")
    for point in (begin, end):
        before = "\n".join(lines[:point["line"] - 1]) + ("\n" if point["line"] > 1 else "")
        offset = len((before + lines[point["line"] - 1][:point["column"] - 1]).encode())
        if offset != point["offset"]:
            return f"line and column say offset {offset}, but offset is {point['offset']}"
    text = data[begin["offset"]:end["offset"]].decode("utf-8")
    return text if len(text) <= SHOWN else text[:SHOWN - 3] + "..."


def row_of(data, finding):
    start = finding["range"]["start"]
    return f"{finding['code']} {finding['severity']} {start['line']}:{start['column']} {text_at(data, finding['range'])}"


def check(tool, name, expected):
    data = (INPUTS / name).read_bytes()
    done = tool.run("check", "--format=json", str(INPUTS / name))
    rows = [row_of(data, finding) for finding in done.json()["diagnostics"]]
    failures = list(shared.differences(expected["findings"], rows, name))
    errors = any(" error " in row for row in expected["findings"])
    warnings = any(" warning " in row for row in expected["findings"])
    strict = tool.run("check", "--strict", str(INPUTS / name))
    if (done.status, strict.status) != (int(errors), int(errors or warnings)):
        failures.append(f"{name}: status {done.status}, with --strict {strict.status}")
    with Place() as place:
        compiled = tool.run("compile", str(INPUTS / name), *place.context())
    if (compiled.status, bool(compiled.out)) != ((0, True) if expected["plan"] else (1, False)):
        failures.append(f"{name}: a plan is {'' if expected['plan'] else 'not '}expected: {compiled}")
    return failures


def check_example(tool, path):
    failures = []
    done = tool.run("check", str(path))
    with Place() as place:
        compiled = tool.run("compile", str(path), *place.context(), "-o", place.path("plan"))
        emitted = tool.run("emit", place.path("plan"))
    if done.status != 0 or "error[" in done.errors:
        failures.append(f"an example has errors: {done}")
    if (compiled.status, emitted.status) != (0, 0):
        failures.append(f"an example has no plan: {compiled}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--examples", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.examples:
        examples = sorted(arguments.examples.rglob("*.jsonc"))
        return shared.report([failure for path in examples for failure in check_example(Tool(arguments.binary), path)], len(examples))
    table = shared.read_jsonc(TABLE)
    files = {str(path.relative_to(INPUTS)) for path in INPUTS.rglob("*.jsonc") if path != TABLE}
    failures = [f"{name}: no file or no row" for name in files ^ table.keys()]
    for name in sorted(files & table.keys()):
        failures += check(Tool(arguments.binary), name, table[name])
    return shared.report(failures, len(files))


if __name__ == "__main__":
    sys.exit(main())
