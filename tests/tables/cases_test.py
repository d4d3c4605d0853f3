#!/usr/bin/env python3
"""Cases from the field against the tool.

usage: cases_test.py --binary TOOL ID...      or: cases_test.py --list

What a case expects and the tool does otherwise stands in differences.jsonc: a
`check` that does not hold, with the reason; or `needs`, a verb or target that is
not built yet. An unlisted difference fails, and so does one that is none any more.
"""

import argparse
import json
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / room) for room in ("e2e", "support")]
import tool as shared  # noqa: E402
from cases import ALL  # noqa: E402
from needs import can  # noqa: E402
from tool import DATA, Tool  # noqa: E402


def known():
    """All ids of the data with their families; each must have its function, and each function its data."""
    lines = (DATA / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    ids = [case["id"] for case in cases]
    assert sorted(ids) == sorted(ALL), set(ids) ^ set(ALL)
    return {case["id"]: case["family"] for case in cases}


def check(tool, name, listed):
    """Failures of a case, and how many things it says."""
    failures, unused = [], {entry["check"]: entry for entry in listed if "check" in entry}
    said = 0
    for what, holds in ALL[name](tool):
        said += 1
        entry = unused.pop(what, None)
        if not holds and entry is None:
            failures.append(f"{name}: `{what}` does not hold and is not listed")
        elif holds and entry is not None:
            failures.append(f"{name}: `{what}` is listed as a difference and holds")
    failures += [f"{name}: `{what}` is listed as a difference and is not said by the case" for what in unused]
    failures += [f"{name}: a difference without a reason: {entry}" for entry in listed if not entry.get("reason")]
    for entry in listed:
        if "needs" in entry and can(tool, entry["needs"]):
            failures.append(f"{name}: {entry['needs']} is there now: say in the case what it must do, and unlist it")
    return failures, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("ids", nargs="*", metavar="ID")
    arguments = parser.parse_args()
    ids = known()
    if arguments.list:
        print("\n".join(ids))
        return 0
    listed = shared.read_jsonc(DATA / "differences.jsonc")["cases"]
    failures = [f"{name} is listed and is no case" for name in listed.keys() - set(ids)]
    checked = 0
    for name in arguments.ids:
        found, said = check(Tool(arguments.binary), name, listed.get(name, []))
        failures += found
        checked += said
    return shared.report(failures, checked)


if __name__ == "__main__":
    sys.exit(main())
