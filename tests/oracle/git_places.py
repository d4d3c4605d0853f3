"""Real repositories for random configs, with the mounts that each must come to."""

import os
import subprocess

GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main",
       "-c", "protocol.file.allow=always"]
QUIET = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
WRITABLE_IN_SPLIT = ("objects", "refs", "logs")


def git(folder, *words):
    subprocess.run([*GIT, "-C", folder, *words], check=True, env=QUIET, capture_output=True)


def repository(folder):
    os.makedirs(folder, exist_ok=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "first")


class GitPlace:
    """One repository and a worktree of it. `mounts`: what a plan adds for git, path -> (host, access)."""

    def __init__(self, chance, place, worktree):
        self.mode = chance.choice(("compatible", "split"))
        self.mounts, self.project = {}, None
        layout = chance.choice(("checkout", "linked", "linked", "separate", "submodule"))
        if layout == "linked":
            self.project = place.path("source repo")
            repository(self.project)
            os.rmdir(worktree)
            git(self.project, "worktree", "add", "--quiet", "-b", "task", worktree)
            self.shared, self.own = os.path.join(self.project, ".git"), self.entry(worktree)
        elif layout == "separate":
            self.shared, self.own = place.path("git dirs of x.git"), None
            git(place.root, "init", "--quiet", f"--separate-git-dir={self.shared}", worktree)
        else:
            repository(worktree)
            self.shared, self.own = os.path.join(worktree, ".git"), None
            if layout == "submodule":
                repository(place.path("lib"))
                git(worktree, "submodule", "--quiet", "add", place.path("lib"), "libs/s")
        if chance.random() < 0.3:
            self.remove_hooks()
        self.expect(worktree, [os.path.join(self.shared, "modules/libs/s")] if layout == "submodule" else [])

    @staticmethod
    def entry(worktree):
        with open(os.path.join(worktree, ".git"), encoding="utf-8") as file:
            return file.read().removeprefix("gitdir: ").strip()

    def remove_hooks(self):
        hooks = os.path.join(self.shared, "hooks")
        for name in os.listdir(hooks):
            os.remove(os.path.join(hooks, name))
        os.rmdir(hooks)

    def expect(self, worktree, modules):
        inside = self.shared.startswith(worktree + "/")
        if self.mode == "split":
            self.add(self.shared, "ro")
            for name in WRITABLE_IN_SPLIT:
                self.add(os.path.join(self.shared, name), "rw")
            if self.own:
                self.add(self.own, "rw")
            return
        if not inside:
            self.add(self.shared, "rw")
        for folder in [self.shared, *modules]:
            self.add(os.path.join(folder, "hooks"), "ro")

    def add(self, path, access):
        self.mounts[path] = (path, access)
