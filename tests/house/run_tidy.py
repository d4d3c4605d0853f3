#!/usr/bin/env python3
"""Runs clang-tidy over every file of a compile_commands.json that is ours.

usage: run_tidy.py ROOT BUILD_DIR

First the planted faults of tests/negative/tidy_fault.cpp: a linter that finds
nothing may be one that looks for nothing.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

PLANTED = "tests/negative/tidy_fault.cpp"
REPORT = re.compile(r":(\d+):\d+: (?:error|warning): .*\[([^\]]+)\]$", re.MULTILINE)
FAULT = re.compile(r"// FAULT: (\S+)")


def tidy(*arguments):
    """clang-tidy's status and what it reports, without its count of silenced warnings."""
    done = subprocess.run(["clang-tidy", "--quiet", *arguments], capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if not re.match(r"\d+ warnings? (generated|treated)", line)]
    return done.returncode, (done.stdout + "\n".join(errors)).strip()


def missed_faults(root):
    """The planted faults that are not reported on their line under their name."""
    source = root / PLANTED
    _, output = tidy(str(source), "--", "-std=c++20")
    reported = {(int(line), check) for line, checks in REPORT.findall(output) for check in checks.split(",")}
    planted = [
        (number, found[1])
        for number, line in enumerate(source.read_text().splitlines(), 1)
        if (found := FAULT.search(line))
    ]
    if not planted:
        return [f"{PLANTED} plants nothing"]
    return [f"{PLANTED}:{line}: {check} is not reported" for line, check in planted if (line, check) not in reported]


def own_sources(root, build):
    entries = json.loads((build / "compile_commands.json").read_text())
    files = {pathlib.Path(entry["file"]) for entry in entries}
    return sorted(f for f in files if f.is_relative_to(root) and not f.is_relative_to(root / "build"))


def check(build, source):
    began = time.monotonic()
    status, output = tidy("-p", str(build), str(source))
    return source, status, output, time.monotonic() - began


def main(root, build):
    faults = missed_faults(root)
    print("\n".join(faults), end="\n" if faults else "")
    sources = own_sources(root, build)
    if not sources:
        faults.append("nothing to check")
        print("compile_commands.json names no file of this project")
    took = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, status, output, seconds in pool.map(lambda f: check(build, f), sources):
            took.append((seconds, source))
            if status != 0:
                faults.append(str(source))
                print(f"{source.relative_to(root)}: status {status}\n{output}\n", flush=True)
    slowest = ", ".join(f"{f.relative_to(root)} {s:.1f} s" for s, f in sorted(took, reverse=True)[:3])
    print(f"clang-tidy: {len(sources)} files, {len(faults)} with faults; slowest: {slowest}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
