#!/usr/bin/env python3
"""Plans and their vectors against the real msb: what it makes of a vector must be the plan, field by field.

usage: oracle_test.py --binary TOOL [--msb DIR... | --cache DIR]
                      (--files FILE_OR_FOLDER... | --random N [--seed S] | --planted | --disks)

DIR is a folder made by msb_install.py; by default all versions in the cache.
--planted alters good vectors and wants every alteration to be noticed. --disks
takes sizes around what msb can format.
"""

import argparse
import os
import pathlib
import random
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / room) for room in ("e2e", "support")]
import generate  # noqa: E402
import msb_judge  # noqa: E402
import tool as shared  # noqa: E402
from msb_judge import Msb, do_actions, judge  # noqa: E402
from tool import Place, Tool, differences  # noqa: E402

WORKERS = 2
FILES_ENV = {name: f"canary-{name}" for name in ("LANG", "GITHUB_TOKEN", "DATABASE_URL", "NPM_TOKEN", "APP_MODE", "API_TOKEN")}


def compile_and_emit(tool, config, flags, env):
    """Plan and create vector, or what went wrong."""
    done = tool.run("compile", config, *flags, env=env)
    if done.status != 0:
        return None, None, [f"no plan: {done}"]
    emitted = tool.run("emit", "-", "create", stdin=done.out)
    if emitted.status != 0:
        return None, None, [f"no vector: {emitted}"]
    return done.json(), emitted.json(), []


# ---- files ----

def check_file(tool, versions, path):
    with Place("o-") as place:
        plan, argv, failures = compile_and_emit(tool, str(path), place.context(), FILES_ENV)
        if plan:
            do_actions(plan)
            for msb in versions:
                failures += judge(plan, argv, msb, FILES_ENV)
    return [f"{path}: {failure}" for failure in failures]


def config_files(names):
    """The config files named, and those below folders, but for those that the table beside them calls planless."""
    for name in map(pathlib.Path, names):
        if not name.is_dir():
            yield name
            continue
        table = name / "expected.jsonc"
        planless = set() if not table.exists() else {
            file for file, row in shared.read_jsonc(table).items() if not row["plan"]}
        for path in sorted(name.rglob("*.jsonc")):
            if path != table and str(path.relative_to(name)) not in planless:
                yield path


# ---- random configs ----

def expectation_failures(plan, expected):
    """Where a plan is not what its config was made to mean."""
    mounts = {mount["guest"]: (mount["host"], mount["access"]) for mount in plan["mounts"] if mount["kind"] == "dir"}
    resources = {key: value for key, value in plan["resources"].items() if key != "origin"}
    rules = [(rule["kind"], rule["value"]) for rule in plan["egress"]["rules"]]
    secrets = {secret["env"]: (secret["bound"], secret["hosts"]) for secret in plan["secrets"]}
    image = expected.get("image", "oc-forge-sandbox:latest")
    actual = {"mounts": mounts, "resources": resources, "rules": rules, "secrets": secrets, "env": plan["env"],
              "mode": plan["egress"]["mode"], "image": plan["sandbox"]["image"]}
    return list(differences({**expected, "image": image}, actual, "plan"))


def check_random(tool, versions, seed):
    chance = random.Random(seed)
    with Place("o-") as place:
        case = generate.Case(chance, place)
        place.write("c.jsonc", case.text)
        plan, argv, failures = compile_and_emit(tool, place.path("c.jsonc"), case.flags, case.compile_env)
        if plan:
            failures += expectation_failures(plan, case.expected)
            do_actions(plan)
            for msb in versions:
                failures += judge(plan, argv, msb, case.run_env)
    return [f"--seed {seed} --random 1: {failure}\n{case.flags}\n{case.text}" for failure in failures]


# ---- planted faults ----

PLANTED = {
    "a rule more": lambda argv: argv + ["--net-rule=allow@1.1.1.1"],
    "a rule less": lambda argv: [word for word in argv if word != "--net-rule=allow@*.b.example"],
    "the rules in another order": lambda argv: swapped(argv, "--net-rule="),
    "no base": lambda argv: [word for word in argv if word != "--net-default=deny"],
    "another base": lambda argv: ["--net-default=allow" if word == "--net-default=deny" else word for word in argv],
    "a port on a rule": lambda argv: [word + ":tcp:443" if word == "--net-rule=allow@a.example" else word for word in argv],
    "a suffix for a name": lambda argv: [word.replace("allow@a.example", "allow@*.a.example") for word in argv],
    "writable": lambda argv: [word[:-3] if word.endswith(":ro") else word for word in argv],
    "a mount option": lambda argv: [word + ",noexec" if word.endswith(":ro") else word for word in argv],
    "a mount more": lambda argv: argv + ["--volume=/usr:/usr:ro"],
    "a disk size": lambda argv: [word.replace("size=16384M", "size=16383M") for word in argv],
    "a disk name": lambda argv: [word.replace("docker-data", "docker-date") for word in argv],
    "memory": lambda argv: [word.replace("--memory=8192M", "--memory=8191M") for word in argv],
    "processors": lambda argv: [word.replace("--cpus=4", "--cpus=5") for word in argv],
    "a name": lambda argv: [word + "x" if word.startswith("--name=") else word for word in argv],
    "an image": lambda argv: [argv[0], "other:latest", *argv[2:]],
    "a variable more": lambda argv: argv + ["--env=PATH"],
    "a variable less": lambda argv: [word for word in argv if not word.startswith("--env=")],
    "a value": lambda argv: [word + "=canary-LANG" if word == "--env=LANG" else word for word in argv],
    "another value": lambda argv: [word + "=x" if word == "--env=LANG" else word for word in argv],
    "a secret's host more": lambda argv: [word + ",evil.example" if word.startswith("--secret=") else word for word in argv],
    "a secret less": lambda argv: [word for word in argv if not word.startswith("--secret=")],
    "strict": lambda argv: argv + ["--net-strict"],
    "a port": lambda argv: argv + ["--port=8080:80"],
    "a user": lambda argv: argv + ["--user=root"],
    "hardening": lambda argv: argv + ["--security=restricted"],
    "no rebinding protection": lambda argv: argv + ["--no-dns-rebind-protection"],
    "a flag msb does not know": lambda argv: argv + ["--no-such-flag"],
}


def swapped(argv, prefix):
    first, second = [at for at, word in enumerate(argv) if word.startswith(prefix)][:2]
    argv[first], argv[second] = argv[second], argv[first]
    return argv


def check_planted(tool, versions):
    with Place("o-") as place:
        config = {"sandbox": {"mounts": [{"host": place.folder("reference")}], "network": {
            "allow": ["a.example", "*.b.example"], "env": ["LANG"],
            "secrets": [{"env": "GITHUB_TOKEN", "hosts": ["a.example"]}]}}}
        plan, argv, failures = compile_and_emit(tool, place.write("c.jsonc", config), place.context(), FILES_ENV)
        if failures:
            return failures
        do_actions(plan)
        for msb in versions:
            failures += judge(plan, argv, msb, FILES_ENV)

        def noticed(job):
            name, msb = job
            altered = PLANTED[name](list(argv))
            if altered == argv:
                return [f"`{name}` alters nothing in {argv}"]
            return [] if judge(plan, altered, msb, FILES_ENV) else [f"msb {msb.version}: `{name}` was not noticed"]

        with ThreadPoolExecutor(WORKERS) as pool:
            for found in pool.map(noticed, [(name, msb) for name in PLANTED for msb in versions]):
                failures += found
        os.rmdir(place.path("reference"))
        failures += [f"msb {msb.version}: a folder that is gone was not noticed" for msb in versions
                     if not judge(plan, argv, msb, FILES_ENV)]
    return failures


# ---- disk sizes ----

ALWAYS = (128, 16384)  # mebibytes that msb can format, for sure
EDGES = (1, 64, 67, 68, 127, 129, 130, 131, 132, 257, 258, 259, 387, 388, 16385, 16386, 16387)


def check_disk(tool, versions, mebibytes):
    """A size is refused by the tool, or msb can make a disk of it."""
    with Place("o-") as place:
        config = place.write("c.jsonc", {"sandbox": {"resources": {"dockerDisk": f"{mebibytes}m", "cacheDisk": "128m"}}})
        done = tool.run("compile", config, *place.context())
        if done.status == 1 and mebibytes not in ALWAYS:
            return []
        plan, argv, failures = compile_and_emit(tool, config, place.context(), {})
        if plan:
            do_actions(plan)
            failures += [failure for msb in versions for failure in judge(plan, argv, msb, {})]
    return [f"a disk of {mebibytes} MiB: {failure}" for failure in failures]


def run(arguments, tool, versions):
    if arguments.planted:
        return check_planted(tool, versions), len(PLANTED) + 1
    if arguments.disks:
        jobs, check = [*ALWAYS, *EDGES], check_disk
    elif arguments.files:
        jobs, check = list(config_files(arguments.files)), check_file
    else:
        first = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1 << 32)
        print(f"seed {first}")
        jobs, check = range(first, first + arguments.random), check_random
    with ThreadPoolExecutor(WORKERS) as pool:
        results = list(pool.map(lambda job: check(tool, versions, job), jobs))
    return [failure for result in results for failure in result], len(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    msb_judge.add_arguments(parser)
    parser.add_argument("--files", nargs="+", metavar="FILE")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--disks", action="store_true")
    arguments = parser.parse_args()
    versions = [Msb(folder) for folder in msb_judge.folders_of(arguments)]
    failures, checked = run(arguments, Tool(arguments.binary), versions)
    return shared.report(failures, checked)


if __name__ == "__main__":
    sys.exit(main())
