#!/usr/bin/env python3
"""Every plan that a row or a case of tests/tables comes to, against the real msb: its command must be resolved to it.

usage: table_cases_test.py --binary TOOL [--msb DIR... | --cache DIR] [--families FAMILY...]

The rows and cases run as they are; what they expect is judged in tests/tables. Here
every plan goes to each version of msb as soon as it is made, while what it mounts is
on disk, and the disk is then put back. A comparison counts only when it notices the
plan with each of its mounts altered. Every family must come to a plan.
"""

import argparse
import collections
import functools
import operator
import pathlib
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / room) for room in ("e2e", "support", "tables")]
import cases  # noqa: E402
import cases_test  # noqa: E402
import msb_judge  # noqa: E402
import tool as shared  # noqa: E402
import vectors_test  # noqa: E402
from msb_judge import Msb  # noqa: E402
from tool import Tool  # noqa: E402

WORKERS = 2
ASKS_CHECK_ALONE = {"legacy_warnings"}
OTHER_ACCESS = {"ro": "rw", "rw": "ro"}
OTHER_MOUNT = {
    "dir": lambda mount: {**mount, "access": OTHER_ACCESS[mount["access"]]},
    "named-disk": lambda mount: {**mount, "size_mib": mount["size_mib"] + 1},
}


def altered(plan):
    """For each mount of the plan: the plan with another in its place, and the plan without it."""
    mounts = plan["mounts"]
    for at, mount in enumerate(mounts):
        for what, instead in ("another mount", [OTHER_MOUNT[mount["kind"]](mount)]), ("no mount", []):
            yield mount["guest"], what, {**plan, "mounts": [*mounts[:at], *instead, *mounts[at + 1:]]}


def failures_of(plan, argv, msb, env):
    resolved, failures = msb_judge.resolve(plan, argv, msb, env)
    if resolved is None:
        return failures
    return msb_judge.compare(plan, resolved, msb, env) or [
        f"msb {msb.version}: not noticed: {what} for {mount}" for mount, what, other in altered(plan)
        if not msb_judge.compare(other, resolved, msb, env)]


class JudgedTool(Tool):
    """The tool; a plan it makes is judged before whoever asked for it goes on. `off` counts plans without a sandbox."""

    def __init__(self, binary, versions):
        super().__init__(binary)
        self.versions, self.seen, self.off, self.failures = versions, set(), 0, []

    def run(self, *args, stdin=b"", env=None, **more):
        done = super().run(*args, stdin=stdin, env=env, **more)
        if args[0] == "compile" and done.status == 0 and done.out not in self.seen:
            self.seen.add(done.out)
            self.failures += [f"{failure}\n  of {args}, input {stdin!r}" for failure in self.judge(done, env or {})]
        return done

    def judge(self, done, env):
        plan = done.json()
        if not plan["sandbox"]["enabled"]:
            self.off += 1
            return []
        emitted = super().run("emit", "-", "create", stdin=done.out)
        if emitted.status != 0:
            return [f"no vector: {emitted}"]
        with msb_judge.do_actions(plan):
            return [failure for msb in self.versions for failure in failures_of(plan, emitted.json(), msb, env)]


def run_row(tool, family, at):
    vectors_test.verdict_on(tool, family, vectors_test.rows_of(family)[at])


def run_case(tool, name):
    collections.deque(cases.ALL[name](tool), maxlen=0)


def jobs_of(families):
    """(family, name, what to call with a tool) of every row and case of the families."""
    for family in families:
        if family in vectors_test.FAMILIES:
            for at, row in enumerate(vectors_test.rows_of(family)):
                yield family, row["name"], functools.partial(run_row, family=family, at=at)
    for name, family in cases_test.known().items():
        if family in families:
            yield family, name, functools.partial(run_case, name=name)


class Seen(NamedTuple):
    """What came of one row or case, or of all of a family."""

    plans: int = 0
    without_sandbox: int = 0  # of plans that there is no command for
    not_run: int = 0
    failures: tuple = ()

    def __add__(self, other):
        return Seen(*map(operator.add, self, other))


@functools.cache
def version(folder):
    return Msb(folder)  # for each worker its own


def check(binary, folders, job):
    family, name, run = job
    tool = JudgedTool(binary, [version(folder) for folder in folders])
    not_run = 0
    try:
        run(tool)
    except SystemExit as end:  # by `missing`
        not_run = 1
        if end.code != shared.SKIPPED:
            tool.failures.append("what it needs is required and is not here")
    failures = tuple(f"{family}: {name!r}: {failure}" for failure in tool.failures)
    return family, Seen(len(tool.seen) - tool.off, tool.off, not_run, failures)


def summary(family, seen):
    words = [f"{family}: {seen.plans} plans"]
    words += [f"{seen.without_sandbox} more without a sandbox"] if seen.without_sandbox else []
    words += [f"{seen.not_run} not run: what they need is not here"] if seen.not_run else []
    return ", ".join(words)


def main():
    known = list(dict.fromkeys([*vectors_test.FAMILIES, *cases_test.known().values()]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    msb_judge.add_arguments(parser)
    parser.add_argument("--families", nargs="+", choices=known, metavar="FAMILY",
                        default=[family for family in known if family not in ASKS_CHECK_ALONE])
    arguments = parser.parse_args()
    of_family = dict.fromkeys(arguments.families, Seen())
    judged = functools.partial(check, arguments.binary, msb_judge.folders_of(arguments))
    with ProcessPoolExecutor(WORKERS) as pool:  # no threads: a case starts the tool with limits set in between
        for family, seen in pool.map(judged, jobs_of(of_family)):
            of_family[family] += seen
    failures = [failure for seen in of_family.values() for failure in seen.failures]
    for family, seen in of_family.items():
        print(summary(family, seen))
        if not seen.plans and not seen.not_run:
            failures.append(f"{family}: no plan")
    return shared.report(failures, sum(seen.plans for seen in of_family.values()))


if __name__ == "__main__":
    sys.exit(main())
