#!/usr/bin/env python3
"""Brings the real msb into a cache folder, from whatever registry npm is configured for.

usage: msb_install.py [--cache DIR] [VERSION...]

DIR/VERSION then holds the package, checked against the digest pinned here, and a
staged copy that can start no machine (see msb_resolve.py). Runs that meet wait
for one another. Status 77 when it cannot be had, 1 where FORGE_REQUIRE names msb.
"""

import argparse
import base64
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import tool  # noqa: E402
import msb_resolve  # noqa: E402

PACKAGE = "@superradcompany/microsandbox-linux-x64-gnu"
# The integrity of each version's package, as npm writes it.
PINNED = {
    "0.6.18": "sha512-b9Mu+tu1Vq407c8sr7scNOxBgGpJX/Znd4NGFQ/Dx44SS6bHU3pjUEAdso3IpEB2Cx9nrGIBtBdaRrVw1ro+6w==",
    "0.7.2": "sha512-5gmMDYjyGXtx+13rWKeI0/f6x7ecDg6aMFVCupgr23IQODQLuGsbvn70LyXUrT0bOlYhle6i4uum2+AwVKTU8Q==",
}
BINARY = "package/bin/msb"
SECONDS = 300


class Unavailable(Exception):
    """msb cannot be had here, for a reason outside of the project."""


class Wrong(Exception):
    """Something came that is not what was pinned: never excused."""


def default_cache():
    return pathlib.Path(os.environ.get("FORGE_MSB_CACHE") or tool.TESTS.parent / "build" / "msb")


def staged(folder):
    """The staged binary of an installed version."""
    return str(pathlib.Path(folder) / "staged" / "bin" / "msb")


def is_installed(folder):
    return (folder / "installed").exists()


@contextlib.contextmanager
def locked(cache):
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def integrity_of(path):
    return "sha512-" + base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


def download(version, into):
    """The package's archive, as npm fetched it."""
    if shutil.which("npm") is None:
        raise Unavailable("there is no npm")
    try:
        done = subprocess.run(["npm", "pack", "--silent", f"{PACKAGE}@{version}", "--pack-destination", str(into)],
                              cwd=into, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"npm did not answer within {SECONDS} s") from None
    archives = list(into.glob("*.tgz"))
    if done.returncode != 0 or len(archives) != 1:
        raise Unavailable(f"npm pack: {done.stderr.strip()[-300:] or 'no archive'}")
    return archives[0]


def unpack(archive, version, into):
    found = integrity_of(archive)
    if found != PINNED[version]:
        raise Wrong(f"msb {version} has integrity {found}, pinned is {PINNED[version]}")
    with tarfile.open(archive) as tar:
        for name in (BINARY, "package/package.json"):
            member = tar.getmember(name)
            if not member.isfile():
                raise Wrong(f"{name} in the package of msb {version} is no file")
            target = into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with tar.extractfile(member) as source, open(target, "wb") as file:
                shutil.copyfileobj(source, file)
    described = json.loads((into / "package/package.json").read_text())
    if (described["name"], described["version"]) != (PACKAGE, version):
        raise Wrong(f"the package says it is {described['name']} {described['version']}")


def install(version, cache):
    """The folder of `version`, installed there unless it is already."""
    folder = cache / version
    with locked(cache):
        if is_installed(folder):
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        draft = pathlib.Path(tempfile.mkdtemp(dir=cache, prefix="draft-"))
        try:
            unpack(download(version, draft), version, draft)
            msb_resolve.stage(draft / BINARY, draft / "staged")
            for archive in draft.glob("*.tgz"):
                archive.unlink()
            (draft / "installed").touch()
            draft.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=pathlib.Path, default=default_cache())
    parser.add_argument("versions", nargs="*", default=sorted(PINNED), metavar="VERSION")
    arguments = parser.parse_args()
    if platform.machine() != "x86_64" or sys.platform != "linux":
        tool.missing("msb", f"there is no msb of these versions for {sys.platform} on {platform.machine()}")
    for version in arguments.versions:
        try:
            print(install(version, arguments.cache.resolve()))
        except Unavailable as why:
            tool.missing("msb", f"{version}: {why}")
        except Wrong as what:
            print(f"FAILED: {what}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
