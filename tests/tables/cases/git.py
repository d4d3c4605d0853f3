"""Family git: every repository is a real one, made by git."""

import os
import shutil

import on_disk
from tool import Place

from .bench import CANARY, Planned

SPLIT = "--git-layout=split"


def linked(place, hooks=True):
    """A repository and a worktree of it beside it; the flags that name both."""
    source = on_disk.repository(place.path("repo"), hooks=hooks)
    worktree = on_disk.worktree(place.path("linked"), source, "task")
    return {"worktree": worktree, "project": source}


def git_path(place, *parts):
    return place.path("repo", ".git", *parts)


def hooks_of(planned):
    return planned.plan["git"]["hooks"]


def G01(tool):
    with Place() as place:
        flags = linked(place)
        planned, split = Planned(tool, place, **flags), Planned(tool, place, "{}", SPLIT, **flags)
        config, attributes, hooks = (git_path(place, name) for name in ("config", "info/attributes", "hooks"))
    mounts = [[mount["host"], mount["access"]] for mount in planned.mounts][:3]
    yield "the mounts of the case", mounts == [[flags["worktree"], "rw"], [git_path(place), "rw"], [hooks, "ro"]]
    yield "the plan lists the surface", planned.warns("executable git surface writable from the sandbox")
    yield "with config and attributes", planned.warns("config and info/attributes")
    yield "which are writable, as it says", {planned.access(config), planned.access(attributes)} == {"rw"}
    yield "hooks are not", planned.access(hooks) == "ro"
    yield "split: none of them is", {split.access(path) for path in (config, attributes, hooks)} == {"ro"}
    yield "split: the plan does not say so", not split.warns("executable git surface writable from the sandbox")


def G03(tool):
    with Place() as place:
        on_disk.repository(place.path("wt"))
        shutil.copytree(place.path("wt/.git"), place.path("wt/bad"))
        yield "without the file there is a plan", Planned(tool, place).plan is not None
        on_disk.write(place.path("wt/.git/commondir"), "../bad\n")
        yield "git follows it", on_disk.git(place.path("wt"), "rev-parse", "--git-common-dir").endswith("bad")
        planned = Planned(tool, place)
        checked = tool.run("check", "-", *place.context(), stdin="{}")
        below = Planned(tool, place, worktree=place.folder("wt/sub"))
        on_disk.remove(place.path("wt/.git/objects"))
        without_objects = Planned(tool, place)
    yield "an error, and no plan", planned.refuses("FP3027")
    yield "from a directory below, too", below.refuses("FP3027")
    yield "of the lint, too", checked.status == 1 and "FP3027" in checked.errors
    # Git takes objects from where commondir leads, so the directory is one to git all the same.
    yield "where it stands in for the directory's own objects", without_objects.refuses("FP3027")
    yield "the file is named", "commondir" in planned.having("FP3027")[0]["message"]


def G04(tool):
    with Place() as place:
        flags = linked(place)
        on_disk.git(flags["project"], "config", "extensions.worktreeConfig", "true")
        other = on_disk.worktree(place.path("other"), flags["project"], "other")
        for checkout in (flags["project"], flags["worktree"], other):
            on_disk.git(checkout, "config", "--worktree", "core.pager", CANARY)
        planned, split = Planned(tool, place, **flags), Planned(tool, place, "{}", SPLIT, **flags)
        own, others, main = (git_path(place, name) for name in (
            "worktrees/linked/config.worktree", "worktrees/other/config.worktree", "config.worktree"))
    yield "the plan says that it stays writable", planned.warns("config.worktree") and split.warns("config.worktree")
    yield "split: the main checkout's is closed", split.access(main) == "ro"
    yield "split: another worktree's is closed", split.access(others) == "ro"
    yield "split: the own one is closed", split.access(own) == "ro"
    yield "nothing of it gets into the plan", CANARY.encode() not in planned.done.out + split.done.out


def G06(tool):
    with Place() as place:
        target = place.folder("home", ".ssh")
        pointer = place.path("wt", ".git")
        for what, text in (("relative", "gitdir: ../home/.ssh"), ("absolute", f"gitdir: {target}")):
            on_disk.write(pointer, text + "\n")
            planned = Planned(tool, place)
            yield f"{what}: an error, and no mount", planned.refuses("FP3025")
            yield f"{what}: the target is named", target in planned.having("FP3025")[0]["message"]
        repository = on_disk.repository(place.path("repo"))
        worktree = on_disk.worktree(place.path("linked"), repository, "task")
        for what, where in (("another checkout", "repo/.git"), ("a worktree's entry", "repo/.git/worktrees/linked")):
            on_disk.write(pointer, f"gitdir: {place.path(where)}\n")
            yield f"{what}'s git directory: an error", Planned(tool, place).refuses("FP3025")
        yield "a worktree that its entry names is accepted", Planned(tool, place, worktree=worktree).plan is not None
        on_disk.write(place.path("repo/.git/worktrees/linked/gitdir"), place.path("elsewhere", ".git") + "\n")
        yield "one that it does not name is not", Planned(tool, place, worktree=worktree).refuses("FP3025")
        entry = place.folder("wt", "fake", "worktrees", "x")
        shutil.copytree(place.path("repo/.git"), place.path("wt/fake"), dirs_exist_ok=True)
        forged = {"HEAD": "ref: refs/heads/main", "commondir": place.path("repo/.git"), "gitdir": pointer}
        for name, text in forged.items():
            on_disk.write(os.path.join(entry, name), text + "\n")
        on_disk.write(pointer, f"gitdir: {entry}\n")
        yield "an entry of the sandbox's own making is not", Planned(tool, place).refuses("FP3025")


def G09(tool):
    with Place() as place:
        flags = linked(place)
        source = on_disk.repository(place.path("library"))
        inner = on_disk.repository(place.path("inner"))
        on_disk.submodule(os.path.join(source, "deep"), inner)
        on_disk.submodule(os.path.join(flags["project"], "libs/s"), source)
        on_disk.git(flags["project"], "submodule", "update", "--init", "--recursive", "-q")
        on_disk.git(flags["worktree"], "merge", "-q", "main")
        on_disk.git(flags["worktree"], "submodule", "update", "--init", "-q")
        modules = [git_path(place, name) for name in (
            "modules/libs/s", "modules/libs/s/modules/deep", "worktrees/linked/modules/libs/s")]
        yield "git made the directories of the case", all(map(os.path.isdir, modules))
        hooks = sorted([git_path(place, "hooks"), *(os.path.join(path, "hooks") for path in modules)])
        absent = [path for path in hooks if not os.path.isdir(path)]
        yield "and not all of the hooks", 0 < len(absent) < len(hooks)
        main, both = Planned(tool, place, worktree=flags["project"]), Planned(tool, place, **flags)
        split = Planned(tool, place, "{}", SPLIT, **flags)
        submodule = Planned(tool, place, worktree=os.path.join(flags["project"], "libs/s"))
    for what, planned in (("a checkout", main), ("a linked worktree", both)):
        yield f"{what}: all hooks are read-only mounts", sorted(planned.hosts("git-hooks")) == hooks
        yield f"{what}: the plan names them", hooks_of(planned) == hooks
        yield f"{what}: those that are not there are made", all(map(planned.makes, absent))
    configs = {split.access(os.path.join(path, "config")) for path in modules[:2]}
    yield "split: their config is closed, too", configs == {"ro"}
    yield "split: the worktree's own submodule keeps its hooks", split.access(os.path.join(modules[2], "hooks")) == "ro"
    yield "a submodule as the worktree: its hooks and those inside it", hooks_of(submodule) == hooks[1:3] and \
        submodule.plan["git"]["layout"] == "submodule"


def G11(tool):
    with Place() as place:
        on_disk.repository(place.path("wt"))
        on_disk.remove(place.path("wt/.git/hooks"))
        real = place.folder("wt", "tracked-hooks")
        on_disk.link(place.path("wt/.git/hooks"), "../tracked-hooks")
        planned, split = Planned(tool, place), Planned(tool, place, "{}", SPLIT)
        source = on_disk.repository(place.path("repo"))
        on_disk.remove(git_path(place, "hooks"))
        on_disk.link(git_path(place, "hooks"), place.folder("linked-hooks"))
        flags = {"worktree": on_disk.worktree(place.path("linked"), source, "task"), "project": source}
        beside, split_beside = Planned(tool, place, **flags), Planned(tool, place, "{}", SPLIT, **flags)
        deep = place.folder("wt", "a", "hooks")
        on_disk.remove(place.path("wt/.git/hooks"))
        on_disk.link(place.path("wt/.git/hooks"), "../a/hooks")
        below = Planned(tool, place, "{}", SPLIT)
    yield "the plan has the real directory read-only", planned.access(real) == "ro"
    yield "it is refused, with the ways out", planned.refuses("FP3029") and \
        SPLIT.split("=")[0] in planned.having("FP3029")[0]["help"]
    yield "so it is outside of the worktree", beside.refuses("FP3029")
    yield "split: the real directory is a read-only mount", split.hosts("git-hooks") == [real]
    yield "split: a command can be made of it", split.emitted.status == 0
    yield "split: and it is said", real in split.having("FP3030", "note")[0]["message"]
    yield "split: both spellings are closed", {split.access(real), split.access(place.path("wt/.git/hooks"))} == {"ro"}
    yield "split: outside of every mount it stays outside", split_beside.access(place.path("linked-hooks")) is None
    yield "split: where a directory above can be renamed it is refused", below.refuses("FP3029") and deep != real


def G12(tool):
    with Place() as place:
        flags = linked(place, hooks=False)
        hooks = git_path(place, "hooks")
        yield "git made no hooks", not os.path.exists(hooks)
        planned, split = Planned(tool, place, **flags), Planned(tool, place, "{}", SPLIT, **flags)
        yield "the plan made none", not os.path.exists(hooks)
        on_disk.write(hooks)
        file = Planned(tool, place, **flags)
    yield "the mount is of the common directory's hooks", planned.hosts("git-hooks") == [hooks]
    yield "read-only", planned.access(hooks) == "ro"
    yield "never of the worktree's", flags["worktree"] + "/.git/hooks" not in str(planned.plan)
    yield "the caller makes them first", planned.makes(hooks)
    yield "split: the same", split.access(hooks) == "ro" and split.makes(hooks)
    yield "hooks that are a file: no plan", file.refuses("FP3031")


def G13(tool):
    with Place() as place:
        flags = linked(place)
        on_disk.git(flags["project"], "config", "core.hooksPath", ".githooks")
        planned, main = Planned(tool, place, **flags), Planned(tool, place, worktree=flags["project"])
        on_disk.git(flags["project"], "config", "core.hooksPath", place.folder("elsewhere"))
        elsewhere = Planned(tool, place, **flags)
        on_disk.git(flags["project"], "config", "core.hooksPath", git_path(place, "hooks"))
        own = Planned(tool, place, **flags)
    yield "accepted", planned.plan is not None and main.plan is not None
    for what, one, worktree in (("a linked worktree", planned, flags["worktree"]),
                                ("a checkout", main, flags["project"])):
        found = one.having("FP3036", "warning")
        yield f"{what}: a warning that names the directory", f"{worktree}/.githooks" in found[0]["message"]
        yield f"{what}: and what it can do", "the sandbox can write" in found[0]["message"]
    yield "none where the sandbox does not write", not elsewhere.having("FP3036") and not own.having("FP3036")


def G14(tool):
    with Place() as place:
        on_disk.repository(place.path("wt"))
        on_disk.write(place.path("wt/.git/info/attributes"), "f filter=e\n")
        on_disk.git(place.path("wt"), "config", "filter.e.clean", CANARY)
        planned = Planned(tool, place)
    yield "the plan says which files name programs", planned.warns("config and info/attributes, which name programs")
    yield "no program gets into the plan", CANARY.encode() not in planned.done.out + planned.done.err


def G15(tool):
    with Place() as place:
        on_disk.repository(place.path("wt"))
        on_disk.git(place.path("wt"), "config", "diff.e.textconv", f"touch {place.path('ran')} {CANARY}")
        planned = Planned(tool, place)
        yield "planning runs nothing", planned.plan is not None and not os.path.exists(place.path("ran"))
    yield "no program gets into the plan", CANARY.encode() not in planned.done.out + planned.done.err


def G16(tool):
    with Place() as place:
        on_disk.repository(place.path("wt"))
        ran = place.path("ran")
        for key, value in (("submodule.x.update", "!touch"), ("alias.st", "!touch"), ("core.sshCommand", "touch"),
                           ("core.fsmonitor", "touch"), ("includeIf.gitdir:/.path", place.path("evil"))):
            on_disk.git(place.path("wt"), "config", "-f", ".git/config", key, f"{value} {ran}")
        on_disk.write(place.path("evil"), "[core]\n\thooksPath = /nowhere\n")
        planned = Planned(tool, place)
        yield "planning runs nothing", planned.plan is not None and not os.path.exists(ran)
        yield "and includes nothing", place.path("evil") not in str(planned.plan["facts"])


def G17(tool):
    with Place() as place:
        on_disk.repository(place.path("wt"))
        alternates = place.path("wt/.git/objects/info/alternates")
        on_disk.write(alternates, "/x/objects\n")
        missing = Planned(tool, place)
        strict = tool.run("compile", "-", "--strict", *place.context(), stdin="{}")
        checked = tool.run("check", "-", *place.context(), stdin="{}")
        borrowed, chained = (os.path.join(on_disk.git_dir(on_disk.repository(place.path(name))), "objects")
                             for name in ("borrowed", "chained"))
        on_disk.write(alternates, "../../../borrowed/.git/objects\n")
        on_disk.write(os.path.join(borrowed, "info/alternates"), f"{chained}\n")
        outside = Planned(tool, place)
        config = {"sandbox": {"mounts": [{"host": borrowed}, {"host": chained}]}}
        shown = Planned(tool, place, config)
    found = missing.having("FP3035", "error")
    yield "an error", len(found) == 1
    yield "that says that the objects are not visible", "`/x/objects` are not visible" in found[0]["message"]
    yield "in the plan's list of what is left out", ["/x/objects", "FP3035"] in [
        [entry["what"], entry["code"]] for entry in missing.plan["dropped"]]
    yield "strict makes no plan, the lint fails", (strict.status, strict.out, checked.status) == (1, b"", 1)
    yield "a chain is followed", sorted(entry["what"] for entry in outside.plan["dropped"]
                                        if entry["code"] == "FP3035") == [borrowed, chained]
    yield "nothing is mounted for it", outside.access(borrowed) is None
    yield "no error where mounts show them", not shown.having("FP3035") and shown.access(chained) == "ro"


def G19(tool):
    yield "see the verb", True


def G20(tool):
    with Place() as place:
        flags = linked(place)
        entry = git_path(place, "worktrees/linked")
        files = {"the .git file": (os.path.join(flags["worktree"], ".git"), "gitdir: " + entry),
                 "commondir": (os.path.join(entry, "commondir"), "../.."),
                 "gitdir": (os.path.join(entry, "gitdir"), os.path.join(flags["worktree"], ".git"))}
        for what, (path, text) in files.items():
            for said, tail in (("as git writes it", "\n"), ("without the line feed", "")):
                on_disk.write(path, text + tail)
                yield f"{what} {said}", Planned(tool, place, **flags).plan is not None
            # The first is the case's; git ends the text there, and reads what is before it.
            for said, tail in (("with NUL", "\0junk\n"), ("with a carriage return", "\r\n"), ("with a tab", "\t\n"),
                               ("with a line feed more", "\n\n"), ("with an escape", "\x1b[0m\n"),
                               ("over 4 KiB", "/" * 4096 + "\n")):
                on_disk.write(path, text + tail)
                yield f"{what} {said}: no plan", Planned(tool, place, **flags).refuses("FP3026")
            on_disk.write(path, "")
            yield f"{what}, empty: no plan", Planned(tool, place, **flags).refuses("FP3026")
            on_disk.write(path, text + "\n")
        yield "all of them repaired", Planned(tool, place, **flags).plan is not None


def G21(tool):
    with Place() as place:
        flags = linked(place)
        planned, split = Planned(tool, place, **flags), Planned(tool, place, "{}", SPLIT, **flags)
    yield "the plan says what can be renamed", planned.warns("above the hooks of a submodule can be renamed")
    yield "split: nothing in the common directory can", split.access(git_path(place, "worktrees")) == "ro" and \
        split.access(git_path(place, "worktrees.old")) == "ro"


def G22(tool):
    with Place() as place:
        on_disk.repository(place.path("wt"))
        project = place.path(".repo/projects/p.git")
        hooks = place.path(".repo/project-objects/p.git/hooks")
        for path in (project, hooks):
            os.makedirs(os.path.dirname(path))
        os.rename(place.path("wt/.git"), project)
        os.rename(os.path.join(project, "hooks"), hooks)
        on_disk.link(os.path.join(project, "hooks"), "../../project-objects/p.git/hooks")
        on_disk.link(place.path("wt/.git"), "../.repo/projects/p.git")
        yield "git takes the layout of the case", on_disk.git_dir(place.path("wt")) == project
        planned, split = Planned(tool, place), Planned(tool, place, "{}", SPLIT)
        on_disk.git(place.path("wt"), "config", "core.worktree", place.path("elsewhere"))
        other = Planned(tool, place)
    yield "a plan", planned.plan is not None
    yield "it is refused for its hooks, not silently mounted", planned.refuses("FP3029")
    yield "split: the real git directory is in the plan", split.hosts("git-common-dir") == [project]
    yield "split: the hooks are closed", split.access(os.path.join(project, "hooks")) == "ro"
    yield "split: the hooks' real directory is in the plan", split.access(hooks) == "ro"
    yield "split: where the link leads is told", hooks in split.having("FP3030")[0]["message"]
    yield "outside of the worktree: a finding", bool(split.having("FP3038", "warning"))
    yield "one that names another worktree: no plan", other.refuses("FP3025")
