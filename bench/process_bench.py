#!/usr/bin/env python3
"""Whole-process bench: `forge-policy check` of an 8 kB config, cold, against rivals.

usage: process_bench.py FORGE_POLICY [ROUNDS]

The rounds are interleaved, so that a clock that wanders hits all alike. The
rivals are apparmor_parser compiling a four-rule profile without loading it
(`-QK`) and a static C program that does nothing. The ratios are what counts.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROFILE = """\
profile forge-bench /usr/bin/true {
  /usr/bin/true rm,
  /etc/passwd r,
  network inet stream,
  deny /root/** rw,
}
"""


def config_of(size):
    """A realistic config of about `size` bytes."""
    hosts = []
    text = ""
    while len(text) < size:
        hosts.append(f"host-{len(hosts)}.services.example.com")
        lines = ",\n        ".join(f'"{host}"' for host in hosts)
        text = (
            "// Generated for the bench.\n{\n"
            '  "sandbox": {\n    "resources": { "memory": "8g", "cpus": "4" },\n'
            '    "network": {\n      "allow": [\n        ' + lines + "\n      ]\n    }\n  }\n}\n"
        )
    return text


def static_noop(folder):
    source = os.path.join(folder, "noop.c")
    binary = os.path.join(folder, "noop")
    with open(source, "w", encoding="utf-8") as out:
        out.write("int main(void) { return 0; }\n")
    subprocess.run(["cc", "-O2", "-static", "-o", binary, source], check=True)
    return binary


def once(command):
    start = time.perf_counter()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    return time.perf_counter() - start, status


def main(argv):
    if len(argv) < 2:
        sys.exit(__doc__)
    rounds = int(argv[2]) if len(argv) > 2 else 101
    with tempfile.TemporaryDirectory(prefix="forge-bench-") as folder:
        config = os.path.join(folder, "forge-config.jsonc")
        with open(config, "w", encoding="utf-8") as out:
            out.write(config_of(8192))
        profile = os.path.join(folder, "profile")
        with open(profile, "w", encoding="utf-8") as out:
            out.write(PROFILE)
        commands = {"static no-op": [static_noop(folder)], "forge-policy check": [argv[1], "check", config]}
        parser = shutil.which("apparmor_parser", path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
        if parser:
            commands["apparmor_parser -QK"] = [parser, "-QK", profile]
        times = {name: [] for name in commands}
        for name, command in commands.items():
            _, status = once(command)
            if status != 0:
                sys.exit(f"{name} failed with status {status}")
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(once(command)[0])
    medians = {name: statistics.median(values) for name, values in times.items()}
    ours = medians["forge-policy check"]
    for name, median in medians.items():
        print(f"{name:24} {median * 1000:7.2f} ms   forge-policy / this = {ours / median:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
