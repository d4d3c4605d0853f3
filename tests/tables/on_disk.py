"""Directories, files, links and git repositories on disk, from the steps that a row or a case gives."""

import json
import os
import shutil
import subprocess

from tool import environment, missing

# Nothing of the machine's git: no templates, no settings, no questions. Times are fixed, so is the first branch.
GIT_ENV = environment({
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": "", "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "init.defaultBranch", "GIT_CONFIG_VALUE_0": "main",
    "GIT_CONFIG_KEY_1": "protocol.file.allow", "GIT_CONFIG_VALUE_1": "always",  # a submodule is cloned from a path
    **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (
        ("NAME", "Ada"), ("EMAIL", "ada@example.org"), ("DATE", "2024-01-01T00:00:00Z"))}})


def git(directory, *words):
    """What a git command prints."""
    if shutil.which("git", path=GIT_ENV["PATH"]) is None:
        missing("git", "it is not installed")
    done = subprocess.run(["git", "-C", directory, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=GIT_ENV)
    if done.returncode != 0:
        raise RuntimeError(f"git {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout.strip()


def git_dir(directory):
    return git(directory, "rev-parse", "--absolute-git-dir")


def _hooks(directory):
    os.makedirs(os.path.join(git_dir(directory), "hooks"), exist_ok=True)


def write(path, text=""):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
    return path


def link(path, target):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)
    return path


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.remove(path)


def repository(path, separate=None, hooks=True):
    """A repository of one commit; `separate` is where its git directory is to lie."""
    os.makedirs(path, exist_ok=True)
    if separate:
        os.makedirs(os.path.dirname(separate), exist_ok=True)
    git(path, "init", "-q", *([f"--separate-git-dir={separate}"] if separate else []))
    git(path, "commit", "-q", "--allow-empty", "-m", "first")
    if hooks:
        _hooks(path)
    return path


def worktree(path, source, branch):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    git(source, "worktree", "add", "-q", "-b", branch, path)
    return path


def submodule(path, source):
    """A submodule in the checkout that `path` lies in, named by its place there."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    checkout = git(os.path.dirname(path), "rev-parse", "--show-toplevel")
    git(checkout, "submodule", "--quiet", "add", source, os.path.relpath(path, checkout))
    git(checkout, "commit", "-q", "-m", "submodule")
    _hooks(path)
    return path


STEPS = {
    "mkdir": lambda step: os.makedirs(step["path"], exist_ok=True),
    "file": lambda step: write(step["path"], step.get("text", "")),
    "symlink": lambda step: link(step["path"], step["target"]),
    "rm": lambda step: remove(step["path"]),
    "git-init": lambda step: repository(step["path"], hooks=not step.get("noHooks")),
    "git-worktree": lambda step: worktree(step["path"], step["target"], step["branch"]),
    "git-separate": lambda step: repository(step["path"], separate=step["target"]),
    "git-submodule": lambda step: submodule(step["path"], step["target"]),
}


def placed(value, root):
    """A value of a row with `root` in the place of ${ROOT}."""
    return json.loads(json.dumps(value).replace("${ROOT}", json.dumps(root)[1:-1]))


def build(steps):
    for step in steps:
        STEPS[step["op"]](step)
