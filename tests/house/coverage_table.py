#!/usr/bin/env python3
"""gcovr's table of files (CSV on standard input) as a table of rooms."""

import csv
import re
import sys


def room_of(path):
    """The folder above src/ or include/, else the file's folder."""
    return re.sub(r"/(src|include)/.*|/[^/]*$", "", path, count=1)


def main(lines):
    covered = {}
    for row in csv.DictReader(lines):
        for room in (room_of(row["filename"]), "~all"):  # sorts last
            hit, total = covered.get(room, (0, 0))
            covered[room] = (hit + int(row["line_covered"]), total + int(row["line_total"]))
    if not covered:
        sys.exit("no file was covered")
    for room, (hit, total) in sorted(covered.items()):
        print(f"{room.lstrip('~'):<28} {hit:>6} of {total:>6} lines  {100 * hit / max(total, 1):5.1f} %")


if __name__ == "__main__":
    main(sys.stdin)
