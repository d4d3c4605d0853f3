#!/usr/bin/env python3
"""What a real msb makes of the arguments of `msb create`, without starting a machine.

usage: msb_resolve.py MSB_BINARY [--] CREATE_ARGUMENTS...     (`{}` stands for a local root folder)

A copy of the binary stands beside an empty file in place of its machine library.
`msb create` then does everything for real (arguments, validation, the record in
its database, opening the mounts), and its child ends when it loads the library.
The configuration is read from the database of a throw-away MSB_HOME. msb takes
the record back when the failed create had also made a named volume; the
write-ahead log still holds it then.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
from typing import NamedTuple, Optional

MACHINE_LIBRARY = "libkrunfw.so.5.6.1"
ROOT = "{}"
NOT_OPENED = "→ mount: "  # in what msb says
SECONDS = 20  # for one run of msb, which takes a tenth of one
ATTEMPTS = 3
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# These would send `create` to another place, or change its defaults.
_STEERING = ("MSB_BACKEND", "MSB_API_KEY", "MSB_PROFILE", "MSB_CONFIG_PATH", "MSB_PATH", "MSB_LIBKRUNFW_PATH")


# msb formats each named disk: in memory that takes a tenth of the time, and some megabytes.
_MEMORY, _MEMORY_BYTES = "/dev/shm", 256 << 20


def scratch():
    """Where a throw-away MSB_HOME is best put; None for the usual place of temporary files."""
    if os.access(_MEMORY, os.W_OK | os.X_OK):
        room = os.statvfs(_MEMORY)
        if room.f_bavail * room.f_frsize > _MEMORY_BYTES:
            return _MEMORY
    return None


def _metrics_name(home):
    """The name that msb gives the shared memory of a home: FNV-1a over its path."""
    number = 0xCBF29CE484222325
    for byte in os.fsencode(home):
        number = ((number ^ byte) * 0x100000001B3) & ((1 << 64) - 1)
    return f"msb-met-{number:016x}-v"


@contextlib.contextmanager
def home():
    """A throw-away MSB_HOME; afterwards nothing of it is left, shared memory included."""
    work = tempfile.mkdtemp(prefix="msb-", dir=scratch())  # short: msb puts a socket below it
    path = os.path.join(work, "h")
    try:
        yield path
    finally:
        shutil.rmtree(work, ignore_errors=True)
        for left in pathlib.Path(_MEMORY).glob(_metrics_name(path) + "*"):
            left.unlink(missing_ok=True)


class Resolved(NamedTuple):
    """`config` is None when msb refused the arguments; `error` is then what it said."""

    config: Optional[dict]
    volumes: dict  # name -> {"kind", "capacity_bytes"}
    status: int
    error: str

    @property
    def opens_its_mounts(self):
        """False when msb could not open one: it follows no link on the way, and opens all of them after it has stored
        the record and before it loads the machine's library."""
        return NOT_OPENED not in self.error


def stage(msb, folder):
    """A copy of `msb` in `folder` that can start no machine; the path of its binary."""
    folder = pathlib.Path(folder)
    binary = folder / "bin" / "msb"
    if binary.exists():
        return str(binary)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = pathlib.Path(tempfile.mkdtemp(dir=folder.parent, prefix="stage-"))
    (draft / "bin").mkdir()
    (draft / "lib").mkdir()
    shutil.copy(msb, draft / "bin" / "msb")
    (draft / "bin" / "msb").chmod(0o755)
    (draft / "lib" / MACHINE_LIBRARY).touch()
    try:
        draft.rename(folder)
    except OSError:  # another test was faster
        shutil.rmtree(draft, ignore_errors=True)
    return str(binary)


def _ask(database):
    """The newest sandbox in a database and the volumes beside it, or None."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        try:
            row = connection.execute("select config from sandbox order by id desc limit 1").fetchone()
            volumes = connection.execute("select name, kind, capacity_bytes from volume").fetchall()
        except sqlite3.Error:
            return None
    if row is None:
        return None
    return json.loads(row[0]), {name: {"kind": kind, "capacity_bytes": size} for name, kind, size in volumes}


def _commit_ends(log):
    """Where in a write-ahead log each commit ends, last one first."""
    ends = []
    if len(log) > 32:
        page, salt, at = struct.unpack(">I", log[8:12])[0], log[16:24], 32
        while at + 24 + page <= len(log) and log[at + 8:at + 16] == salt:
            commits = struct.unpack(">I", log[at + 4:at + 8])[0]
            at += 24 + page
            if commits:
                ends.append(at)
    return reversed(ends)


def _states(database):
    """What the database holds, then what it held before each commit, as far as the log reaches back."""
    log_file = pathlib.Path(database + "-wal")
    log = log_file.read_bytes() if log_file.exists() else b""
    base = pathlib.Path(database).read_bytes()
    for end in _commit_ends(log):
        earlier = pathlib.Path(database).parent / "earlier.db"
        earlier.write_bytes(base)
        pathlib.Path(f"{earlier}-wal").write_bytes(log[:end])
        yield _ask(earlier)
        for suffix in ("", "-wal", "-shm"):
            pathlib.Path(f"{earlier}{suffix}").unlink(missing_ok=True)
    if not log:
        yield _ask(database)


def _stored(database, disks):
    """The newest record, and the volumes made with it; msb takes back one after the other."""
    config, volumes = None, {}
    for state in _states(database):
        if state is None:
            if config is not None:
                break
            continue
        config = config or state[0]
        volumes.update(state[1])
        if len(volumes) >= disks:
            break
    return config, volumes


def _run(words, env):
    """Runs msb in a session of its own, so that nothing it starts outlives it."""
    with subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          start_new_session=True) as process:
        try:
            return process, process.communicate(timeout=SECONDS)[1]
        except subprocess.TimeoutExpired:
            return process, None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def create(staged, arguments, env, msb_home):
    """Runs `msb create`; status and what it wrote to standard error.

    One run in some thousands of msb never ends, whatever it was asked; it is asked again.
    """
    own = {name: value for name, value in env.items() if name not in _STEERING}
    own.update(MSB_HOME=msb_home, NO_COLOR="1")
    for _ in range(ATTEMPTS):
        process, error = _run([staged, "create", *arguments], own)
        if error is not None:
            return process.returncode, _COLOUR.sub("", error.decode("utf-8", "replace")).strip()
        print(f"msb did not end within {SECONDS} s; asked again", file=sys.stderr)
        shutil.rmtree(msb_home, ignore_errors=True)
    raise TimeoutError(f"msb never ends: {arguments}")


def resolve(staged, arguments, env):
    """What a staged msb makes of `arguments`; one that is `{}` stands for a folder to boot from.

    When msb gives up it takes back what it made, and now and then it folds its log into
    the database first: then the record is found but a volume of it is not. Such a run is
    repeated; volumes that were never asked for stay missing however often one asks.
    """
    disks = sum(word.startswith("--mount-named") for word in arguments)
    for _ in range(ATTEMPTS):
        resolved = _resolve_once(staged, arguments, env, disks)
        if resolved.config is None or len(resolved.volumes) >= disks:
            break
    return resolved


def _resolve_once(staged, arguments, env, disks):
    with home() as msb_home:
        root = os.path.join(os.path.dirname(msb_home), "root")
        os.makedirs(os.path.join(root, "bin"))
        status, error = create(staged, [root if word == ROOT else word for word in arguments], env, msb_home)
        database = os.path.join(msb_home, "db", "msb.db")
        config, volumes = _stored(database, disks) if os.path.exists(database) else (None, {})
        if config is None:
            return Resolved(None, {}, status, error)
        bind = config["image"].get("Bind", {})
        if bind.get("path") == root:
            bind["path"] = ROOT
        return Resolved(config, volumes, status, error)


def main(argv):
    if not argv:
        sys.exit(__doc__)
    binary, *arguments = argv
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    with tempfile.TemporaryDirectory() as folder:
        resolved = resolve(stage(binary, os.path.join(folder, "msb")), arguments, dict(os.environ))
    json.dump(resolved._asdict(), sys.stdout, indent=1, sort_keys=True)
    print()
    return 0 if resolved.config is not None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
