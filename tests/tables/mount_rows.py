"""The rows about mounts against the tool: each is built on disk with the real git, and its paths are the tool's own.

Paths in `ours` are relative to the row's root. Directories that a row does not speak of get no mount: the editor's temp
directory is then part of the worktree, and its tool-output directory does not exist.
"""

import json
import os

import steps
from tool import DATA
from vector_rows import Verdict

# What the reference says of an entry that it leaves out, by our codes. An entry that another mount already shows is
# left out without a word by both.
WORDS = {"FP3001": "missing-host", "FP3002": "not-absolute", "FP3008": "not-exist", "FP3010": "collision",
         "FP3013": "collision", "FP3015": "dropped-conflict"}
AUTOMATIC = ("tmp", "tool-output")
SKIPPED, LEFT_OUT = "FP3024", "FP3023"
VOLUME = "--volume="


def word_of(entry):
    """The reference's word for a dropped entry; empty where it has none, and our code where it does not know it."""
    if entry["code"] == SKIPPED:
        return "" if entry["conflict"] else "not-exist"
    if entry["code"] == LEFT_OUT and entry["origin"] == "tmp":
        return "tmp-failed"
    return WORDS.get(entry["code"], entry["code"])


def mount_of(word):
    """A mount of the runtime's command in the words of the rows."""
    host, guest, *read_only = word.removeprefix(VOLUME).split(":")
    return {"hostDir": host, "containerDir": guest, "readOnly": read_only == ["ro"]}


class Outcome:
    """The tool's answer in a row's terms. `given`: what of AUTOMATIC the row speaks of."""

    def __init__(self, bench, compiled, root, given=AUTOMATIC):
        self.compiled, self.root = compiled, root
        self.mounts, self.dropped, self.makes = [], [], []
        if compiled.plan is None:
            return
        self.mounts = [mount_of(word) for word in bench.argv(compiled.done.out) if word.startswith(VOLUME)]
        self.dropped = [entry for entry in compiled.plan["dropped"]
                        if entry["origin"] not in AUTOMATIC or entry["origin"] in given]
        self.makes = [action["path"] for action in compiled.plan["actions"] if action["kind"] == "ensure-dir"]

    @property
    def words(self):
        return sorted(filter(None, map(word_of, self.dropped)))

    def short(self, path):
        return os.path.relpath(path, self.root) if path.startswith(self.root) else path

    def shown(self, mount):
        host, guest = self.short(mount["hostDir"]), self.short(mount["containerDir"])
        return f"{host if host == guest else f'{host}->{guest}'}:{'ro' if mount['readOnly'] else 'rw'}"

    @property
    def ours(self):
        if self.compiled.plan is None:
            return self.compiled.summary
        made = [f"makes {self.short(path)}" for path in self.makes]
        return " ".join([*map(self.shown, self.mounts), *made, *self.words])


def compile_in(bench, root, config, worktree, **context):
    # The kind of session is left to the tool: a loop where there is another project.
    return bench.compile(config, session=None, worktree=worktree, **{
        "home": bench.place.path("home"), "data_dir": os.path.join(root, "data"), **context})


def mount_plan(bench, row):
    """The whole plan. The reference's `boundaryMounts` are its mounts by their place in the guest, and say no more."""
    root = bench.place.folder("disk")
    row = steps.placed(row, root)
    steps.build(row["setup"])
    given, worktree = row["input"]["config"], row["input"]["projectDir"]
    sandbox = {"mounts": given.get("customMounts", [])}
    if "mountProjectReadonly" in given:
        sandbox["mountProjectReadonly"] = given["mountProjectReadonly"]
    flags = {"project": "sourceProjectDir", "tool_output": "toolOutputDir", "tmp": "tmpDir"}
    context = {flag: given[key] for flag, key in flags.items() if key in given}
    if "tmp" in context:  # the reference makes the directories above it, too; here they must be there
        os.makedirs(os.path.dirname(context["tmp"]), exist_ok=True)
    compiled = compile_in(bench, root, {"sandbox": sandbox}, worktree, **context)
    outcome = Outcome(bench, compiled, root, [flag.replace("_", "-") for flag in context])
    wanted = {"mounts": row["expected"]["workspaces"], "left out": sorted(row["expected"]["diagnostics"])}
    if compiled.plan is None:
        return Verdict(wanted, None, outcome.ours)
    return Verdict(wanted, {"mounts": outcome.mounts, "left out": outcome.words}, outcome.ours)


def custom_mounts(bench, row):
    """The entries of sandbox.mounts beside what is reserved, which is the worktree here. By the spelling alone: the
    reference's function does not look where a link leads."""
    root = bench.place.folder("disk")
    steps.build(steps.placed(read("setup_common")["custom_mounts"], root))
    row = steps.placed(row, root)
    worktree = (row["input"]["reserved"] or [bench.place.path("wt")])[0]
    assert len(row["input"]["reserved"]) <= 1, row["name"]
    config = {"sandbox": {} if row["input"]["mounts"] is None else {"mounts": row["input"]["mounts"]}}
    compiled = compile_in(bench, root, config, worktree, home=os.path.join(root, "home"),
                          data_dir=os.path.join(root, "data", "forge"))
    outcome = Outcome(bench, compiled, root, given=())
    wanted = {"mounts": [[mount["containerDir"], mount["readOnly"]] for mount in row["expected"]["mounts"]],
              "left out": sorted(row["expected"]["skips"])}
    if compiled.plan is None:
        return Verdict(wanted, None, outcome.ours)
    outcome.mounts = outcome.mounts[1:]  # without the worktree
    mounts = [[mount["containerDir"], mount["readOnly"]] for mount in outcome.mounts]
    return Verdict(wanted, {"mounts": mounts, "left out": outcome.words}, outcome.ours)


def workspaces(bench, row):
    """Which of several mounts may stand beside one another. Those that the tool makes by itself may nest, so each row
    is said by them: what is writable is the worktree, then the temp directory; what is read-only is the project, then
    the tool-output directory; what is left is a custom mount, and so is the worktree once more, read-only."""
    root = bench.place.folder("disk")
    row = steps.placed(row, root)
    steps.build(row["setup"])
    places, custom, own = {False: ["worktree", "tmp"], True: ["project", "tool_output"]}, [], bench.place.path("wt")
    context = {}
    for mount in row["input"]["mounts"]:
        path, read_only = mount["hostDir"], mount.get("readOnly", False)
        if not places[read_only] or (read_only and path == context.get("worktree")):
            custom.append({"host": path, "readonly": read_only})
        else:
            context[places[read_only].pop(0)] = path
    worktree = context.pop("worktree", own)
    compiled = compile_in(bench, root, {"sandbox": {"mounts": custom}}, worktree, **context)
    outcome = Outcome(bench, compiled, root, [flag.replace("_", "-") for flag in context])
    wanted = {"mounts": row["expected"]["workspaces"], "dropped": row["expected"]["dropped"]}
    if compiled.plan is None:
        return Verdict(wanted, None, outcome.ours)
    outcome.mounts = [mount for mount in outcome.mounts if mount["hostDir"] != own]
    return Verdict(wanted, {"mounts": outcome.mounts, "dropped": len(outcome.words)}, outcome.ours)


def relocated(path, root):
    """An absolute path of a row below `root`, its doubled slash at the front kept; others are left as they are."""
    if path.startswith("//"):
        return f"/{root}{path[1:]}"
    return root + path if path.startswith("/") and path != "/" else path


def same_or_descendant(bench, row):
    """A tool-output directory inside the worktree needs no mount of its own, and the tool says which mount it is in."""
    path, prefix = row["input"]["path"], row["input"]["prefix"]
    if "\0" in path:
        return Verdict(row["expected"], None, "not sayable")
    root = bench.place.folder("disk")
    path, prefix = relocated(path, root), relocated(prefix, root)
    for name in filter(None, (path, prefix)):
        os.makedirs(os.path.join(root, name), exist_ok=True)
    compiled = compile_in(bench, root, {}, prefix, tool_output=path, tmp=bench.place.path("tmp", "opencode"), cwd=root)
    if compiled.plan is None:
        return Verdict(row["expected"], None, compiled.summary)
    inside = any(entry["code"] == SKIPPED and entry["conflict"] for entry in compiled.plan["dropped"]
                 if entry["origin"] == "tool-output")
    return Verdict(row["expected"], {"inside": inside}, "inside" if inside else "not inside")


def worktree_dir(bench, row):
    """A directory of a loop is one strictly below `worktrees` in the data directory; nothing else that meets the data
    directory is mounted at all."""
    root = bench.place.folder("disk")
    data_dir, worktree = (relocated(row["input"][key], root) for key in ("dataDir", "directory"))
    for name in filter(None, (data_dir, worktree)):
        os.makedirs(os.path.join(root, name), exist_ok=True)
    compiled = compile_in(bench, root, {}, worktree, data_dir=data_dir)
    if compiled.done.status == 2:
        return Verdict(row["expected"], None, compiled.summary)
    accepted = compiled.plan is not None
    return Verdict(row["expected"], {"isWorktree": accepted}, compiled.summary or "accepted")


def path_checks(bench, row):
    """Where a path leads, by what the tool records of it; it is given as the tool-output directory. Which mount holds
    it, and where a search may start, is a question to a guard (see `needs` in differences.jsonc)."""
    root = bench.place.folder("disk")
    steps.build(steps.placed(read("setup_paths")["path_checks"], root))
    row = steps.placed(row, root)
    path, wanted = row["input"]["path"], row["expected"]["canonicalized"]
    if wanted is None:
        return Verdict("a question to a guard", None, "not recorded")
    if "\0" in path:
        return Verdict(wanted, None, "not sayable")
    compiled = compile_in(bench, root, {}, os.path.join(root, "wt"), tool_output=path)
    if compiled.plan is None:
        return Verdict(wanted, None, compiled.summary)
    asked = compiled.plan["context"]["tool_output"]
    fact = next(fact for fact in compiled.plan["facts"]["paths"] if fact["path"] == asked)
    return Verdict(wanted, fact["real_path"], fact["kind"] + (", a link" if fact["link"] else ""))


def read(name):
    return json.loads((DATA / "vectors" / f"{name}.json").read_text(encoding="utf-8"))


FAMILIES = {family.__name__: family for family in (mount_plan, custom_mounts, workspaces, same_or_descendant,
                                                   worktree_dir, path_checks)}
