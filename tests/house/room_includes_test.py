#!/usr/bin/env python3
"""What the real rooms can include, asked of the compiler with each target's own include folders.

usage: room_includes_test.py COMPILER ROOM=FOLDER|FOLDER|... [ROOM=...]
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a room may include, besides itself; DESIGN's table of rooms.
MAY_SEE = {
    "policy": {"policy"},
    "seal": {"policy", "seal"},
    "grammar": {"policy", "grammar"},
    "enforce": {"policy", "seal", "enforce"},
    "compiler": {"policy", "seal", "grammar", "compiler"},
}
HEADERS_OF = {"seal": "policy/seal/include/forge/seal"}


def header_of(room):
    """Some public header of the room as an include names it, or nothing while it has none."""
    folder = ROOT / HEADERS_OF.get(room, f"{room}/include/forge/{room}")
    headers = sorted(folder.glob("*.hpp")) + sorted(folder.glob("*.h"))
    return f"forge/{room}/{headers[0].name}" if headers else None


def faults(compiler, room, folders):
    """Headers that the room sees but must not, and its own when it does not see them."""
    lines = []
    for other in MAY_SEE:
        header = header_of(other)
        if header is None or (other in MAY_SEE[room] and other != room):
            continue
        blind = "" if other in MAY_SEE[room] else "!"
        # What should resolve and does not, or the other way round, is an error.
        lines.append(f'#if !{blind}__has_include("{header}")\n#error {room} and {header}\n#endif\n')
    includes = [f"-I{folder}" for folder in folders if folder]
    done = subprocess.run([compiler, "-std=c++20", "-x", "c++", "-fsyntax-only", *includes, "-"],
                          input="".join(lines), capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or "the compiler failed"


def main(compiler, targets):
    failed = []
    for target in targets:
        room, _, folders = target.partition("=")
        folders = folders.split("|")
        if found := faults(compiler, room, folders):
            failed.append(f"{room} does not see what it should, or sees what it should not:\n{found}")
        # The same question about a target that links one room too many must be answered with no.
        for other in MAY_SEE.keys() - MAY_SEE[room]:
            extra = ROOT / HEADERS_OF.get(other, f"{other}/include/forge/{other}")
            if header_of(other) and not faults(compiler, room, [*folders, str(extra.parents[1])]):
                failed.append(f"nobody would notice {room} including {other}")
        if not faults(compiler, room, []):
            failed.append(f"nobody would notice {room} without its own headers")
    if not targets:
        failed.append("no room was named")
    print("\n".join(failed) or f"{len(targets)} targets see what they may")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
