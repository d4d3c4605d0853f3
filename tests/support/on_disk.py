"""Directories, files, links and git repositories on disk, as tests need them; all repositories are of the real git."""

import os
import shutil
import subprocess

from tool import environment, missing


def git_environment(settings=None, **variables):
    """An environment with nothing of the machine's git: these settings and no others, no questions. Times and people
    are fixed, so is the first branch."""
    settings = {"init.defaultBranch": "main", "protocol.file.allow": "always",  # a submodule is cloned from a path
                **(settings or {})}
    env = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_COUNT": str(len(settings))}
    for at, (key, value) in enumerate(settings.items()):
        env.update({f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value})
    for who in ("GIT_AUTHOR", "GIT_COMMITTER"):
        env.update({f"{who}_NAME": "Ada", f"{who}_EMAIL": "ada@example.org", f"{who}_DATE": "2024-01-01T00:00:00Z"})
    return environment({**env, **variables})


GIT_ENV = git_environment(GIT_TEMPLATE_DIR="")


def need_git():
    if shutil.which("git", path=GIT_ENV["PATH"]) is None:
        missing("git", "it is not installed")


def git(directory, *words):
    """What a git command prints."""
    need_git()
    done = subprocess.run(["git", "-C", directory, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=GIT_ENV)
    if done.returncode != 0:
        raise RuntimeError(f"git {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout.removesuffix("\n")  # a path may end in a space


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


def repository(path, separate=None, hooks=True, commit=True):
    """A repository of one commit, or of none; `separate` is where its git directory is to lie."""
    os.makedirs(path, exist_ok=True)
    if separate:
        os.makedirs(os.path.dirname(separate), exist_ok=True)
    git(path, "init", "-q", *([f"--separate-git-dir={separate}"] if separate else []))
    if commit:
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
