"""The repository that git commands are tried on: a source checkout with hooks, remotes, two linked worktrees."""

import os
import subprocess

from mount_namespace import NOBODY
from on_disk import git_environment

# The guest sees the system's own programs alone. Nothing waits for someone, or goes on when git has ended.
ENV = git_environment({"safe.directory": "*", "gc.autoDetach": "false", "advice.detachedHead": "false"},
                      PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                      GIT_EDITOR="true", GIT_PAGER="cat")

# Branches: forge/task is the one worked on; `ahead` is a fast-forward of it, `topic` merges with it, `clash` does not;
# packed-old is in packed-refs only, loose-old in a file. Remotes: origin, which has a commit that src has not fetched
# and lacks the branch `gone` by now; mirror, to push to; library, the submodule of the branch of that name.
BUILD = r"""
mkdir -p remotes home/data/worktrees
for name in origin mirror library; do git init -q --bare remotes/$name.git; done
git init -q src
cd src
put() { printf '%s\n' "$2" >"$1"; git add "$1"; git commit -qm "$1: $2"; }
put file one; put big 'a
b
c'
git tag -am 'the first' v1
git branch packed-old; git branch gone
R=$(cd ../remotes; pwd)
git remote add origin $R/origin.git; git remote add mirror $R/mirror.git
git push -q origin main gone; git push -q mirror main gone; git fetch -q --all
git pack-refs --all
git branch loose-old; git tag v2
git switch -qc topic; put topic one; put topic two
git switch -qc clash main; put file theirs
git switch -qc library main; git push -q $R/library.git HEAD:main
git submodule --quiet add $R/library.git lib; git commit -qm library
git config --remove-section submodule.lib
git switch -q main; rm -rf lib .git/modules
git switch -qc forge/task; put file ours; put task one; put task two
git switch -qc ahead; put more one
git switch -q forge/task
printf '#!/bin/sh\nexit 0\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
echo '*.none binary' >.git/info/attributes
git init -q --bare .git/modules/kept
git worktree add -q ../other -b other main
git clone -q $R/origin.git ../away; cd ../away; put upstream one; git tag -am up v3
git push -q --tags origin main :gone; cd ..; rm -rf away
"""
LINK = "git -C src switch -q main; git -C src worktree add -q ../home/data/worktrees/task forge/task"


def shell(place, command):
    """A command of the host, as the one the repository belongs to."""
    done = subprocess.run(["/bin/sh", "-euc", command], cwd=place, env=ENV, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, user=NOBODY, group=NOBODY, extra_groups=[])
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Repository:
    """The repository below `place.path("box")`, with its worktree either the checkout itself or a linked one."""

    def __init__(self, place, linked, stripped=False):
        self.place, self.box = place, place.folder("box")
        for folder in (place.folder("box", "home"), self.box, place.root):
            os.chown(folder, NOBODY, NOBODY)
        shell(self.box, BUILD + (LINK if linked else ""))
        if stripped:
            shell(self.box, "cd src/.git; rm -r logs hooks info modules/kept/hooks")
        self.linked = linked
        self.source = self.path("src")
        self.common = self.path("src", ".git")
        self.worktree = self.path("home", "data", "worktrees", "task") if linked else self.source
        self.entry = os.path.join(self.common, "worktrees", "task") if linked else None

    def path(self, *parts):
        return os.path.join(self.box, *parts)
