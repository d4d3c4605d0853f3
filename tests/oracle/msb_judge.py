"""Plans and their vectors before the real msb: what it makes of a vector must be the plan, field by field."""

import contextlib
import os
import pathlib
import threading

import msb_install
import msb_model
import msb_resolve
import tool as shared
from tool import differences

NOT_CACHED = "image not cached"


class Msb:
    """One installed version, with the answers it gives to minimal vectors."""

    def __init__(self, folder):
        self.staged = msb_install.staged(folder)
        self.version = pathlib.Path(folder).name
        env = shared.environment(msb_model.MINIMAL_ENV)
        self.minimal = {name: self.must_resolve(words, env) for name, words in msb_model.MINIMAL.items()}
        for config in self.minimal.values():
            msb_model.check_minimal(config)
        self.known_images = {}
        self.lock = threading.Lock()

    def must_resolve(self, words, env):
        resolved = msb_resolve.resolve(self.staged, words, env)
        if resolved.config is None:
            raise AssertionError(f"msb {self.version} refuses {words}: {resolved.error}")
        return resolved.config

    def refusal_of_image(self, image):
        """Why msb does not take an image reference; empty when it does."""
        with self.lock:
            known = self.known_images.get(image)
        if known is None:
            with msb_resolve.home() as msb_home:
                words = [image, "--name=n", "--quiet", "--pull=never"]
                _, error = msb_resolve.create(self.staged, words, shared.environment(), msb_home)
            known = "" if NOT_CACHED in error else f"msb {self.version} on image {image!r}: {error or 'no error'}"
            with self.lock:
                self.known_images[image] = known
        return known


def add_arguments(parser):
    """What says which versions judge: `--msb DIR...`, or all that are in the cache."""
    parser.add_argument("--msb", nargs="+", metavar="DIR", type=pathlib.Path)
    parser.add_argument("--cache", metavar="DIR", type=pathlib.Path, default=msb_install.default_cache())


def folders_of(arguments):
    folders = arguments.msb or [arguments.cache / version for version in sorted(msb_install.PINNED)]
    for folder in folders:
        if not msb_install.is_installed(folder):
            shared.missing("msb", f"{folder} is not installed")
    return folders


def resolve(plan, argv, msb, env):
    """What this msb makes of a create vector of `plan`, or None, and what is wrong before anything is compared."""
    if argv[:2] != ["create", plan["sandbox"]["image"]]:
        return None, [f"the vector begins with {argv[:2]}"]
    if refusal := msb.refusal_of_image(argv[1]):
        return None, [refusal]
    hidden = [word for word in argv for value in env.values() if len(value) > 8 and value in word]
    if hidden:
        return None, [f"a value in the vector: {hidden}"]
    resolved = msb_resolve.resolve(msb.staged, [msb_resolve.ROOT, *argv[2:]], shared.environment(env))
    if resolved.config is None:
        return None, [f"msb {msb.version} refuses the vector: {resolved.error}"]
    if not resolved.opens_its_mounts:
        return None, [f"msb {msb.version} cannot open a mount: {resolved.error}"]
    return resolved, []


def compare(plan, resolved, msb, env):
    """Where what msb has resolved is not the plan."""
    hidden = msb_model.hidden_mounts(resolved.config)
    found = [f"msb {msb.version} mounts {guest} before what it lies in" for guest in hidden]
    expected = msb_model.config_of(plan, msb.minimal, shared.environment(env))
    found += differences(expected, msb_model.in_order(resolved.config), f"msb {msb.version}")
    return found + list(differences(msb_model.volumes_of(plan), resolved.volumes, f"msb {msb.version} volumes"))


def judge(plan, argv, msb, env):
    """What is wrong with a create vector of `plan`, as this msb sees it."""
    resolved, failures = resolve(plan, argv, msb, env)
    return compare(plan, resolved, msb, env) if resolved else failures


# ---- what a caller does before create ----

def do_actions(plan):
    """Does the actions of a plan. What is returned takes them back when it is closed."""
    undo = contextlib.ExitStack()
    for action in plan["actions"]:
        if action["kind"] == "ensure-dir":
            make_folder(action["path"], int(action["mode"], 8), undo)
        elif action["kind"] == "git-exclude":
            exclude(pathlib.Path(plan["git"]["common_dir"], "info"), action["pattern"], undo)
        else:
            raise AssertionError(f"unknown action {action}")
    return undo


def make_folder(path, mode, undo):
    path = pathlib.Path(path)
    for above in [*reversed(path.parents), path]:
        if not above.is_dir():
            undo.callback(above.rmdir)
    os.makedirs(path, mode=mode, exist_ok=True)


def exclude(info, pattern, undo):
    make_folder(info, 0o777, undo)
    file = info / "exclude"
    if file.exists():
        undo.callback(file.write_bytes, file.read_bytes())
    else:
        undo.callback(file.unlink)
    with open(file, "a", encoding="utf-8") as text:
        text.write(pattern + "\n")
