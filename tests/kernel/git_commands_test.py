#!/usr/bin/env python3
"""Which git commands work with the mounts of a plan, tried with the real git, and what the host keeps.

usage: git_commands_test.py --binary TOOL --checkout linked|plain --layout compatible|split [--stripped] [ROW...]

The folders of the plan are bound in a mount namespace; each row of git_layouts_commands.py runs in there, on a copy of
the repository of its own. Afterwards nothing that the layout protects may have changed on the host, whatever was tried.
--stripped takes a repository that has no logs, hooks and info yet, and a few rows.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import stat
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / room) for room in ("e2e", "support")]
import git_layouts_commands as table  # noqa: E402
import mount_namespace  # noqa: E402
from git_repository import ENV, Repository, shell  # noqa: E402
from mount_namespace import Mount, mounts_of  # noqa: E402
from tool import Place, Tool, missing, report  # noqa: E402

OWN = ("objects", "refs", "logs")  # what a sandbox may write of the common directory with the layout `split`
REMOTES = {"origin": "ro", "library": "ro", "mirror": "rw"}


def planned(tool, repository, layout):
    """The mounts of the tool's plan, after what the plan wants done first."""
    context = {"worktree": repository.worktree, "project": repository.source, "home": repository.path("home"),
               "data-dir": repository.path("home", "data"), "tmp": repository.path("home", "tmp"),
               "tool-output": repository.path("home", "tool-output")}
    flags = [f"--{name}={path}" for name, path in context.items()]
    done = tool.run("compile", "-", f"--git-layout={layout}", *flags, stdin="{}")
    if done.status != 0:
        raise RuntimeError(f"no plan was made: {done}")
    plan = done.json()
    for action in plan["actions"]:
        if action["kind"] == "ensure-dir":
            shell(repository.box, f"mkdir -p -m {action['mode']} '{action['path']}'")
        elif action["kind"] == "git-exclude":
            shell(repository.common, f"mkdir -p info; echo '{action['pattern']}' >>info/exclude")
        else:
            raise RuntimeError(f"an action that this test does not know: {action}")
    return mounts_of(plan)


def snapshot(top, without):
    """What is at and below `top` but not at or below `without`: path to mode and content."""
    found = {top: (os.lstat(top).st_mode, b"") if os.path.lexists(top) else "missing"}
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in without]
        for path in (os.path.join(folder, name) for name in folders + files):
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                found[path] = (mode, os.readlink(path).encode())
            elif stat.S_ISREG(mode):
                found[path] = (mode, hashlib.sha256(pathlib.Path(path).read_bytes()).digest())
            else:
                found[path] = (mode, b"")
    return found


def protected(repository, layout):
    """What the sandbox must not change, by what the layout promises: a plan could be wrong about it."""
    common = repository.common
    outside = snapshot(repository.box, {repository.worktree, common, repository.path("remotes", "mirror.git"),
                                        repository.path("home", "tmp")})
    if layout == "split":
        own = {f"{common}/{name}" for name in OWN} | {repository.entry}
        return {**outside, **snapshot(common, own)}
    return {**outside, **snapshot(f"{common}/hooks", set()), **snapshot(f"{common}/modules/kept/hooks", set())}


class Trial:
    def __init__(self, repository, layout, mounts):
        self.repository, self.layout = repository, layout
        remotes = repository.path("remotes")
        at = {name: f"{remotes}/{name}.git" for name in REMOTES}
        self.mounts = [*mounts, *(Mount(at[name], at[name], access) for name, access in REMOTES.items())]
        self.root = repository.place.folder("guest")
        self.pristine = repository.place.path("pristine")
        if not os.path.exists(self.pristine):
            shell(repository.place.root, "cp -a box pristine")
        self.names = (f"C='{repository.common}'; E='{repository.entry or repository.common}'; R='{remotes}'; "
                      f"cd '{repository.worktree}'; ")

    def run(self, row):
        """How the row ends, what it said, and what of the protected changed."""
        shutil.rmtree(self.repository.box)
        shell(self.repository.place.root, "cp -a pristine box")
        # A copied file is new to the index: git status makes the two agree again.
        shell(self.repository.box, f"{self.names}{row.before}\ngit status")
        before = protected(self.repository, self.layout)
        done = mount_namespace.run(self.root, self.mounts, f"set -eu; {self.names}{row.guest}", ENV)
        after = protected(self.repository, self.layout)
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        if done.returncode != 0:
            return table.FAILS, done.stdout, changed
        return table.COMPLAINS if "Read-only file system" in done.stdout else table.WORKS, done.stdout, changed


def failures(trial, case, rows):
    for row in rows:
        end, said, changed = trial.run(row)
        expected = row.expected[table.CASES.index(case)]
        if end != expected:
            yield f"{row.name}: {end}, expected: {expected}\n{said}"
        if bool(changed) != (case in row.breaches):
            yield f"{row.name}: changed on the host: {changed}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--checkout", choices=("linked", "plain"), required=True)
    parser.add_argument("--layout", choices=("compatible", "split"), required=True)
    parser.add_argument("--stripped", action="store_true")
    parser.add_argument("rows", nargs="*")
    arguments = parser.parse_args()
    why_not = mount_namespace.why_not()
    if why_not:
        missing("kernel", f"no mount namespace: {why_not}")
    layout, case = arguments.layout, (arguments.checkout, arguments.layout)
    known = {row.name: row for row in table.COMMANDS + table.ATTACKS}
    names = arguments.rows or (table.STRIPPED if arguments.stripped else known)
    rows = [known[name] for name in names]
    with Place("git-commands-") as place:
        repository = Repository(place, arguments.checkout == "linked", arguments.stripped)
        mounts = planned(Tool(arguments.binary), repository, layout)
        found = list(failures(Trial(repository, layout, mounts), case, rows))
        # What shows that a change would be seen: the same mounts, but all of them writable.
        writable = Trial(repository, layout, [mount._replace(access="rw") for mount in mounts])
        planted = table.Row("planted", "echo x >>$C/hooks/pre-commit", table.ALWAYS)
        if not any("changed on the host" in failure for failure in failures(writable, case, [planted])):
            found.append("a hook that was written was not noticed")
    return report(found, len(rows))


if __name__ == "__main__":
    sys.exit(main())
