#!/usr/bin/env python3
"""The rows of a vector file against the tool, by meaning.

usage: vectors_test.py --binary TOOL FAMILY...   [--propose]

A row that differs on purpose stands in differences.jsonc with its reason and with
what the tool does instead. An unlisted difference fails, and so does a listed one
that is none any more or has become another, or that waits (`needs`) for what has
been built. --propose prints rows for that file.
"""

import argparse
import json
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / room) for room in ("e2e", "support")]
import mount_rows  # noqa: E402
import tool as shared  # noqa: E402
import vector_rows  # noqa: E402
from needs import can  # noqa: E402
from tool import DATA, Place, Tool  # noqa: E402

FAMILIES = {**vector_rows.FAMILIES, **mount_rows.FAMILIES}


def judge(tool, verdict, listed):
    """What is wrong with a row; empty when nothing is."""
    if listed is None:
        return "\n  ".join(["it differs and is not listed", *verdict.differs, f"ours: {verdict.ours}"]) if verdict.differs else ""
    if not verdict.differs:
        return "it is listed as a difference and is none"
    if not listed.get("reason"):
        return "its difference has no reason"
    if listed.get("ours") != verdict.ours:
        return f"the tool does {verdict.ours!r}, listed is {listed.get('ours')!r}"
    if "needs" in listed and can(tool, listed["needs"]):
        return f"{listed['needs']} is there now: compare the row with it, and unlist it"
    return ""


def rows_of(family):
    return json.loads((DATA / "vectors" / f"{family}.json").read_text(encoding="utf-8"))["cases"]


def verdict_on(tool, family, row):
    with Place("v-") as place:
        return FAMILIES[family](vector_rows.Bench(tool, place), row)


def check(tool, family, listed, propose):
    rows = rows_of(family)
    failures = [f"{family}: {name!r} is listed as a difference and is no row"
                for name in listed.keys() - {row["name"] for row in rows}]
    for row in rows:
        verdict = verdict_on(tool, family, row)
        if propose and verdict.differs:
            print(f'      {json.dumps(row["name"])}: {{"reason": "", "ours": {json.dumps(verdict.ours, ensure_ascii=False)}}},')
        if wrong := judge(tool, verdict, listed.get(row["name"])):
            failures.append(f"{family}: {row['name']!r} {json.dumps(row['input'])[:200]}: {wrong}")
    return failures, len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--propose", action="store_true")
    parser.add_argument("families", nargs="+", choices=sorted(FAMILIES), metavar="FAMILY")
    arguments = parser.parse_args()
    listed = shared.read_jsonc(DATA / "differences.jsonc")["vectors"]
    failures, checked = [], 0
    for family in arguments.families:
        found, count = check(Tool(arguments.binary), family, listed.get(family, {}), arguments.propose)
        failures += found
        checked += count
    return shared.report(failures, checked)


if __name__ == "__main__":
    sys.exit(main())
