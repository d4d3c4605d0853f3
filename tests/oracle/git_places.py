"""Real repositories for random configs, with the mounts that each must come to."""

import os
import shutil

import on_disk

WRITABLE_IN_SPLIT = ("objects", "refs", "logs")


class GitPlace:
    """One repository and a worktree of it. `mounts`: what a plan adds for git, path -> (host, access)."""

    def __init__(self, chance, place, worktree):
        self.mode = chance.choice(("compatible", "split"))
        self.mounts, self.project = {}, None
        layout = chance.choice(("checkout", "linked", "linked", "separate", "submodule"))
        if layout == "linked":
            self.project = on_disk.repository(place.path("source repo"))
            on_disk.worktree(worktree, self.project, "task")
            self.shared, self.own = os.path.join(self.project, ".git"), on_disk.git_dir(worktree)
        elif layout == "separate":
            self.shared, self.own = place.path("git dirs of x.git"), None
            on_disk.repository(worktree, separate=self.shared, commit=False)
        else:
            on_disk.repository(worktree)
            self.shared, self.own = os.path.join(worktree, ".git"), None
            if layout == "submodule":
                on_disk.submodule(os.path.join(worktree, "libs/s"), on_disk.repository(place.path("lib")))
        if chance.random() < 0.3:
            shutil.rmtree(os.path.join(self.shared, "hooks"))
        self.expect(worktree, [os.path.join(self.shared, "modules/libs/s")] if layout == "submodule" else [])

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
