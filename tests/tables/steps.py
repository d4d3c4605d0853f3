"""What a row or a case wants to have on disk, as steps: their words, and how each is done."""

import json
import os

import on_disk

STEPS = {
    "mkdir": lambda step: os.makedirs(step["path"], exist_ok=True),
    "file": lambda step: on_disk.write(step["path"], step.get("text", "")),
    "symlink": lambda step: on_disk.link(step["path"], step["target"]),
    "rm": lambda step: on_disk.remove(step["path"]),
    "git-init": lambda step: on_disk.repository(step["path"], hooks=not step.get("noHooks")),
    "git-worktree": lambda step: on_disk.worktree(step["path"], step["target"], step["branch"]),
    "git-separate": lambda step: on_disk.repository(step["path"], separate=step["target"]),
    "git-submodule": lambda step: on_disk.submodule(step["path"], step["target"]),
}


def placed(value, root):
    """A value of a row with `root` in the place of ${ROOT}."""
    return json.loads(json.dumps(value).replace("${ROOT}", json.dumps(root)[1:-1]))


def build(steps):
    for step in steps:
        STEPS[step["op"]](step)
