"""Runs a command where only given folders of the host exist, mounted the way a plan says.

A sandbox sees the mounts of its plan and nothing else of the host. A mount namespace stands in for it here: its root is
a tmpfs, the system's programs are bound read-only, and each mount is a bind mount. A read-only bind mount refuses root
too; the command runs as nobody all the same, so that it cannot unmount anything.
"""

import os
import shlex
import subprocess
from typing import NamedTuple

NOBODY = 65534
HOME = "/home/agent"
NOT_MOUNTED = 125  # the status of a run that did not get as far as its command; chroot's own is the same
SECONDS = 60
SYSTEM = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "etc", "dev")


class Mount(NamedTuple):
    host: str
    guest: str
    access: str  # "ro" or "rw"


def mounts_of(plan):
    """What a plan mounts of the host. A disk of the runtime is nothing of the host's."""
    kinds = {mount["kind"] for mount in plan["mounts"]}
    if not kinds <= {"dir", "file", "named-disk"}:
        raise ValueError(f"kinds of mounts that this harness cannot bind: {kinds}")
    of_the_host = [mount for mount in plan["mounts"] if mount["kind"] != "named-disk"]
    return [Mount(mount["host"], mount["guest"], mount["access"]) for mount in of_the_host]


def why_not():
    """Why no mount namespace can be had here; None when it can."""
    if os.geteuid() != 0:
        return "only root can mount"
    done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "none", "/mnt"],
                          capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip()


def _bind(host, target, access):
    yield f"mount --bind {shlex.quote(host)} {shlex.quote(target)}"
    if access == "ro":
        yield f"mount -o remount,bind,ro {shlex.quote(target)}"


def _system(root):
    """The programs, and what they need: links as they are (/bin is one to usr/bin), folders read-only."""
    for name in SYSTEM:
        if os.path.islink(f"/{name}"):
            yield f"ln -s {shlex.quote(os.readlink(f'/{name}'))} {root}/{name}"
        elif os.path.isdir(f"/{name}"):
            yield f"mkdir {root}/{name}"
            yield from _bind(f"/{name}", f"{root}/{name}", "ro")


def _planned(root, mounts):
    """The mounts, parents first: a plan's order need not be theirs."""
    placed = []
    for mount in sorted(mounts, key=lambda mount: mount.guest.rstrip("/").count("/")):
        target = root + mount.guest
        # A mount point inside another mount has to be there: made here, it would be made on the host.
        if not any(mount.guest.startswith(parent + "/") for parent in placed):
            yield f"mkdir -p {shlex.quote(os.path.dirname(target) if os.path.isfile(mount.host) else target)}"
            if os.path.isfile(mount.host):
                yield f"touch {shlex.quote(target)}"
        yield from _bind(mount.host, target, mount.access)
        placed.append(mount.guest)


def script(root, mounts, command):
    """The shell script that sets up `root`, an empty folder, in a namespace of its own and runs `command` in there."""
    root = shlex.quote(root)
    as_nobody = f"chroot --userspec={NOBODY}:{NOBODY} --groups="
    return "\n".join([
        "set -eu", f"trap 'exit {NOT_MOUNTED}' EXIT",
        f"mount -t tmpfs -o mode=0755 guest {root}", f"mkdir -p -m 1777 {root}/tmp {root}{HOME}",
        *_system(root), *_planned(root, mounts),
        "trap - EXIT", f"exec {as_nobody} {root} /bin/sh -c {shlex.quote(command)}"])


def run(root, mounts, command, env):
    """Runs a shell command with `mounts`. What it leaves running ends with it. Output and errors are one text."""
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script(root, mounts, command)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**env, "HOME": HOME}, timeout=SECONDS)
    done.stdout = done.stdout.decode("utf-8", "backslashreplace")
    if done.returncode == NOT_MOUNTED:
        raise RuntimeError(f"the mounts could not be made: {done.stdout}")
    return done
