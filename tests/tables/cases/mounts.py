"""Family mounts."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess

import on_disk
from tool import Place, as_text, environment, missing

from .bench import Outcome, Planned


def listed(*hosts, writable=(), external=()):
    mounts = [{"host": host} for host in hosts] + [{"host": host, "readonly": False} for host in writable]
    return {"sandbox": {"mounts": mounts}, "loop": {"allowExternalDirectories": list(external)}}


def volumes_of(argv):
    return [word.removeprefix("--volume=") for word in argv if word.startswith("--volume=")]


def dropped(planned):
    return {entry["origin"]: entry["code"] for entry in planned.plan["dropped"]}


def M02(tool):
    with Place() as place:
        real = on_disk.repository(place.path("real/proj"))
        on_disk.link(place.path("link"), place.path("real"))
        worktree = on_disk.worktree(place.path("linked"), real, "task")
        planned = Planned(tool, place, worktree=worktree, project=place.path("link/proj"))
        through = Planned(tool, place, worktree=place.path("link/proj"))
    yield "the read-only project is dropped", [[entry["origin"], entry["code"]] for entry in planned.plan["dropped"]
                                               if entry["origin"] == "project"] == [["project", "FP3015"]]
    yield "the git directory is mounted", planned.access(os.path.join(real, ".git")) == "rw"
    yield "its hooks are read-only", planned.access(os.path.join(real, ".git/hooks")) == "ro"
    yield "on the host all is real", not any(mount["host"].startswith(place.path("link/"))
                                             for mount in planned.mounts + through.mounts)
    yield "the guest has the user's spelling", [through.mounts[0]["guest"], through.access(
        place.path("link/proj/.git/hooks"))] == [place.path("link/proj"), "ro"]


def M04(tool):
    with Place() as place:
        hosts = [place.folder("data", name) for name in ("Group Containers/x", "a,b", "it's")]
        planned = Planned(tool, place, listed(*hosts))
        shell = tool.run("emit", "-", "--format=shell", stdin=planned.done.out).text
        words = subprocess.run(["/bin/sh", "-c", f"set -- {shell.strip()}\nprintf '%s\\0' \"$@\""], capture_output=True,
                               env=environment(), check=True).stdout.decode().split("\0")[:-1]
    for host in (hosts[0], hosts[2]):
        yield f"one element for {os.path.basename(host)}", f"{host}:{host}:ro" in volumes_of(planned.argv)
    yield "a comma is rejected", dropped(planned)["mounts[1]"] == "FP3004"
    yield "a shell reads back the same words", words == shlex.split(shell) == ["msb", *planned.argv]


def M06(tool):
    outcome = Outcome(tool, listed("C:\\Users\\me\\ref"))
    yield "not absolute: rejected", outcome.has("FP3002", pointer="/sandbox/mounts/0/host", severity="error")
    yield "nothing is mounted", outcome.argv and "C:" not in " ".join(outcome.argv)


def M08(tool):
    with Place() as place:
        findings = [Planned(tool, place, config).having("FP3041", "error")
                    for config in (listed("/run"), listed(writable=["/run"]))]
    yield "read-only is no better than writable", [len(found) for found in findings] == [1, 1]
    yield "the sockets are told", all("socket" in found[0]["message"] for found in findings)


def M10(tool):
    with Place() as place:
        real = place.folder("real", "ref")
        on_disk.link(place.path("link"), place.path("real"))
        spelled = place.path("link/ref")
        planned = Planned(tool, place, listed(spelled))
    found = planned.having("FP3047")
    yield "a diagnostic", len(found) == 1 and spelled in found[0]["message"]
    yield "that suggests the real path", real in found[0]["message"] and "real path" in found[0]["help"]
    yield "the backend is told the real path", f"{real}:{spelled}:ro" in volumes_of(planned.argv)


def in_order(planned):
    guests = [mount["guest"] for mount in planned.mounts]
    return not any(later != guest and guest.startswith(later + "/")
                   for at, guest in enumerate(guests) for later in guests[at:])


def M11(tool):
    with Place() as place:
        source = on_disk.repository(place.path("repo"))
        on_disk.submodule(place.path("repo/sub"), on_disk.repository(place.path("library")))
        beside = on_disk.worktree(place.path("linked"), source, "task")
        inside = on_disk.worktree(place.path("repo/.git/inside"), source, "inside")
        refs = [place.folder("ref", name) for name in "abc"]
        for what, worktree in (("a linked worktree", beside), ("a checkout", source),
                               ("a worktree in the git directory", inside)):
            for layout in ("compatible", "split"):
                planned = Planned(tool, place, listed(*refs), f"--git-layout={layout}", worktree=worktree)
                if planned.plan is None:
                    continue
                yield f"{what}, {layout}: parents before children", in_order(planned)
                volumes = [mount["guest"] for mount in planned.mounts]
                yield f"{what}, {layout}: the command has the plan's order", [
                    volume.split(":")[1] for volume in volumes_of(planned.argv)] == volumes
        one, other = (volumes_of(Planned(tool, place, listed(*hosts), worktree=beside).argv)
                      for hosts in (refs, refs[::-1]))
    yield "reversed input gives the same mounts", sorted(one) == sorted(other) and len(one) > len(refs)
    yield "in the same order", one == other


def M12(tool):
    with Place() as place:
        planned = Planned(tool, place, worktree=on_disk.repository(place.path("repo")))
    yield "the plan says what the nested mount is worth", planned.warns("hooks are read-only in the guest only")


def M16(tool):
    with Place() as place:
        dotted = place.folder("home", ".dotfiles")
        planned = Planned(tool, place, worktree=dotted)
    yield "msb takes it", planned.plan is not None and f"{dotted}:{dotted}" in volumes_of(planned.argv)


def M18(tool):
    mount = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    with Place() as place:
        other, inner = place.folder("other"), place.folder("ref", "inner")
        words = ["unshare", "--mount", "--map-root-user", "/bin/sh", "-c", mount, "sh", other, inner]
        if shutil.which("unshare") is None or subprocess.run([*words, "true"], capture_output=True).returncode != 0:
            missing("kernel", "no mount can be made")
        done = tool.run("compile", "-", *place.context(), stdin=as_text(listed(place.path("ref"))), within=words)
        yield "planned with the mount in place", done.json()["mounts"][-3]["host"] == place.path("ref")
    yield "mount points below a read-only source are listed", inner.encode() in done.out + done.err


def M19(tool):
    with Place() as place:
        ref = place.folder("ref")
        planned = Planned(tool, place, {"sandbox": {"mounts": [
            {"host": ref}, {"host": ref + "/", "readonly": False}, {"host": f"{place.root}/./ref"}]},
            "loop": {"allowExternalDirectories": [ref]}})
        external = Planned(tool, place, listed(writable=[ref], external=[ref]))
        on_disk.link(place.path("link"), ref)
        by_link = Planned(tool, place, listed(ref, writable=[place.path("link")]))
    yield "the first wins", [mount["access"] for mount in planned.mounts if mount["host"] == ref] == ["ro"]
    yield "the others are reported", {origin: code for origin, code in dropped(planned).items() if "[" in origin} == {
        "mounts[1]": "FP3010", "mounts[2]": "FP3010", "allowExternalDirectories[0]": "FP3013"}
    yield "a link to it is no other directory", dropped(by_link)["mounts[1]"] == "FP3010"
    yield "nor another way to write it", by_link.access(ref) == "ro" and by_link.access(place.path("link")) is None
    yield "sandbox.mounts beats allowExternalDirectories", external.access(ref) == "rw"


def M20(tool):
    with Place() as place:
        home = place.folder("homes", "u")
        inside = place.folder("homes", "u", "project")
        flags = {"home": home, "data_dir": place.folder("homes/u/data")}
        for what, worktree in (("above home", place.path("homes")), ("home", home), ("the root", "/"),
                               ("the data directory", place.path("homes/u/data"))):
            yield f"{what} as the worktree: no plan", Planned(tool, place, worktree=worktree, **flags).refuses("FP3020")
        for what, host, code in (("above home", place.path("homes"), "FP3041"), ("home", home, "FP3041"),
                                 ("the root", "/", "FP3007")):
            for word, config in (("read-only", listed(host)), ("writable", listed(writable=[host]))):
                planned = Planned(tool, place, config, **flags)
                yield f"{what}, {word}: an error", bool(planned.having(code, "error")) and planned.access(home) is None
        on_disk.link(place.path("link"), home)
        by_link = Planned(tool, place, listed(writable=[place.path("link")]), **flags)
        yield "home by a link: an error", bool(by_link.having("FP3041", "error"))
        yield "a directory in it is none", Planned(tool, place, worktree=inside, **flags).plan is not None


def M21(tool):
    with Place() as place:
        source = on_disk.repository(place.path("repo"))
        worktree = on_disk.worktree(place.path("linked"), source, "task")
        external = place.folder("ref")
        for layout in ("compatible", "split"):
            planned = Planned(tool, place, listed(external=[external]), f"--git-layout={layout}", worktree=worktree,
                              project=source)
            mounts = [f"{mount['host']}:{mount['guest']}{':ro' if mount['access'] == 'ro' else ''}"
                      for mount in planned.mounts]
            yield f"{layout}: the plan's mounts are the command's", mounts == volumes_of(planned.argv)
            yield f"{layout}: among them the external directory", f"{external}:{external}:ro" in mounts


def as_if_there(facts, *paths):
    """The facts of a host that has these directories, too."""
    known = {fact["path"]: fact for fact in facts["paths"]}
    for number, path in enumerate(paths):
        known[path] = {**known[path], "kind": "dir", "real_path": path, "dev": "1", "ino": str(2 ** 40 + number)}
    facts = {**facts, "paths": [known[path] for path in sorted(known, key=str.encode)]}
    return json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))  # as plans are written


def M22(tool):
    hosts = ["/usr/local", "/opt/forge/cache", "/var/lib/docker", "/etc"]
    with Place() as place:
        plan = Planned(tool, place, listed(*hosts)).plan
        facts = place.write("facts.json", as_if_there(plan["facts"], *hosts))
        planned = Planned(tool, place, listed(*hosts), f"--facts={facts}")
        elsewhere = Planned(tool, place, worktree="/var/lib/docker")
    for index in (1, 2):
        yield f"{hosts[index]}: an error", [finding["severity"] for finding in planned.findings
                                            if finding["pointer"] == f"/sandbox/mounts/{index}/host"] == ["error"]
        yield f"{hosts[index]}: not mounted", hosts[index] not in [mount["host"] for mount in planned.mounts]
    for index in (0, 3):
        yield f"{hosts[index]}: a warning", [finding["severity"] for finding in planned.findings
                                             if finding["pointer"] == f"/sandbox/mounts/{index}/host"] == ["warning"]
    yield "/usr/local: it holds the host's programs, and would hide the guest's", dropped(planned)["mounts[0]"] == "FP3041"
    yield "nor is one of them a worktree", elsewhere.plan is None


def content_of(path):
    if path.is_symlink():
        return os.readlink(path)
    return path.read_bytes() if path.is_file() else None


def tree(top):
    """Everything below a directory: what it is, when it was changed, and its content."""
    found = {}
    for path in [pathlib.Path(top), *pathlib.Path(top).rglob("*")]:
        status = path.lstat()
        found[path] = (status.st_mode, status.st_ino, status.st_mtime_ns, status.st_ctime_ns, content_of(path))
    return found


def M23(tool):
    with Place() as place:
        source = on_disk.repository(place.path("repo"), hooks=False)
        worktree = on_disk.worktree(place.path("linked"), source, "task")
        config = listed(place.folder("ref"), place.path("not-there"))
        for what, context in (("a linked worktree", {"worktree": worktree, "project": source}),
                              ("a checkout", {"worktree": source}), ("no repository", {})):
            for layout in ("compatible", "split"):
                before = tree(place.root)
                planned = Planned(tool, place, config, f"--git-layout={layout}", **context)
                tool.run("check", "-", f"--git-layout={layout}", *place.context(**context), stdin=as_text(config))
                yield f"{what}, {layout}: nothing changed", tree(place.root) == before
                missing_one = place.path("tmp/opencode")
                yield f"{what}, {layout}: what is missing is left to the caller", planned.makes(missing_one)
