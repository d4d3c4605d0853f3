"""One row of a vector file against the tool, for each family: what the row means, and what the tool makes of it.

A family is a function of (bench, row); it returns a Verdict. `ours` says in a few
words what the tool did; where the two differ on purpose, that is pinned as well.
"""

import json
import os
import re
from fractions import Fraction
from typing import NamedTuple

from tool import Done, as_text, differences

MIB_OF = {"k": Fraction(1, 1024), "m": Fraction(1), "g": Fraction(1024)}
DEFAULTS = {"cpus": 4, "memory": 8192, "docker": 16384, "cache": 16384}
LEGACY = {"FP1018", "FP1019"}
DENIED = "localhost"  # an entry that is refused: it restricts, and allows nothing


class Verdict(NamedTuple):
    expected: object
    actual: object
    ours: str

    @property
    def differs(self):
        return list(differences(self.expected, self.actual, "row"))


class Compiled(NamedTuple):
    done: Done
    plan: dict  # None where there is none
    findings: list

    @property
    def errors(self):
        return sorted({finding["code"] for finding in self.findings if finding["severity"] == "error"})

    @property
    def summary(self):
        """`no plan` or the egress, with the errors."""
        words = [] if self.plan else ["no plan"] if self.done.status == 1 else ["usage error"]
        return " ".join(words + self.errors)


class Bench:
    """Compiles configs in one place. Its temp directory is part of the worktree, so it is no mount of its own."""

    def __init__(self, tool, place):
        self.tool, self.place = tool, place

    def compile(self, config, *flags, env=None, cwd=None, session="loop", **context):
        context = {"tmp": os.path.join(context.get("worktree") or self.place.path("wt"), "t"), **context}
        done = self.tool.run("compile", "-", "--format=json", *self.place.context(session=session, **context), *flags,
                             stdin=as_text(config), env=env, cwd=cwd)
        plan = done.json() if done.status == 0 else None
        text = done.err if done.status == 0 else done.out
        findings = [] if done.status == 2 else json.loads(text)["diagnostics"]
        return Compiled(done, plan, findings)

    def argv(self, plan_bytes):
        done = self.tool.run("emit", "-", "create", stdin=plan_bytes)
        assert done.status == 0, f"no command can be made of a plan: {done}"
        return done.json()


def mebibytes(text):
    """A size of the reference, which has no padding and no `b` left."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kmg])", text)
    return int(Fraction(found[1]) * MIB_OF[found[2]]) if found else None


# ---- names, sizes, processors ----

def names(bench, row):
    raw, expected = row["input"]["raw"], row["expected"]
    if "\0" in raw:
        return Verdict(expected["container"], None, "not sayable")
    compiled = bench.compile("{}", f"--name={raw}")
    wanted = {"sandbox": expected["container"], "volumes": sorted([expected["dockerVolume"], expected["cacheVolume"]])}
    if compiled.plan is None:
        return Verdict(wanted, None, compiled.summary)
    volumes = sorted(mount["volume"] for mount in compiled.plan["mounts"] if mount["kind"] == "named-disk")
    name = compiled.plan["sandbox"]["name"]
    return Verdict(wanted, {"sandbox": name, "volumes": volumes},
                   f"{name} {'same' if [v.removeprefix(name) for v in volumes] == ['-cache-data', '-docker-data'] else 'odd'}")


def setting(bench, row, key, flag, plan_key, default, read):
    """A value in the config and as an override. A warning of the reference, which then leaves the flag out, counts
    as a refusal; a value that it leaves out without a word counts as none given, which is the default in both."""
    raw, expected = row["input"]["raw"], row["expected"]
    section = {} if raw is None else {key: raw}
    configured = bench.compile({"sandbox": {"resources": section}})
    overridden = None if raw is None else bench.compile("{}", f"--{flag}={raw}")
    value = read(expected["value"]) if expected["value"] is not None else "refused" if expected["warned"] else default
    wanted = {"config": value, "override accepted": expected["overrideAccepted"]}
    actual = {"config": configured.plan["resources"][plan_key] if configured.plan else "refused",
              "override accepted": overridden is not None and overridden.plan is not None}
    ours = f"config {actual['config']}" + (" " + configured.summary if configured.errors else "")
    return Verdict(wanted, actual, f"{ours}, override {'accepted' if actual['override accepted'] else 'refused'}")


def size(bench, row):
    return setting(bench, row, "memory", "memory", "memory_mib", DEFAULTS["memory"], mebibytes)


def cpus(bench, row):
    return setting(bench, row, "cpus", "cpus", "cpus", DEFAULTS["cpus"], int)


# ---- egress ----

REFUSED = {"single-label": "FP2006", "colon": "FP2003", "at": "FP2004", "comma": "FP2002", "wildcard-labels": "FP2005",
           "suffix-labels": "FP2005", "bare-wildcard": "FP2042"}


def rule_of(host):
    """A host as the reference passes it on, by what msb makes of it."""
    host = host.lower().rstrip(".")
    for prefix, kind in (("*.", "suffix"), ("suffix=", "suffix"), ("domain=", "domain")):
        if host.startswith(prefix):
            return [kind, host.removeprefix(prefix)]
    if "/" in host:
        return ["cidr", host]
    return ["ip" if re.fullmatch(r"(\d{1,3}\.){3}\d{1,3}", host) else "domain", host]


def egress_of(plan):
    return {"restricted": plan["egress"]["mode"].startswith("allow-list"),
            "rules": [[rule["kind"], rule["value"]] for rule in plan["egress"]["rules"]]}


def egress_words(compiled):
    if compiled.plan is None:
        return compiled.summary
    meaning = egress_of(compiled.plan)
    rules = " ".join(":".join(rule) for rule in meaning["rules"])
    return " ".join(filter(None, ["restricted" if meaning["restricted"] else "open", rules, *compiled.errors]))


def egress(bench, row):
    network = {key: value for key, value in row["input"].items() if value is not None}
    secrets = network.get("secrets")
    env = {secret["env"]: "1" for secret in secrets if isinstance(secret, dict) and "=" not in secret.get("env", "=")
           } if isinstance(secrets, list) else {}
    compiled = bench.compile({"sandbox": {"network": network}}, env={name: "1" for name in env if name.strip()})
    expected = row["expected"]
    if isinstance(expected["restrict"], dict):  # it throws, and nothing starts
        return Verdict("no plan", "no plan" if compiled.plan is None else "a plan", egress_words(compiled))
    wanted = {"restricted": expected["restrict"], "rules": [rule_of(host) for host in expected["hosts"]],
              "refused": sorted({REFUSED[word] for word in expected["diagnostics"] if word in REFUSED}),
              "everything": expected["allowsAll"]}
    if compiled.plan is None:
        return Verdict(wanted, None, compiled.summary)
    codes = {finding["code"] for finding in compiled.findings}
    actual = {**egress_of(compiled.plan), "refused": compiled.errors, "everything": bool(codes & {"FP2024", "FP2025"})}
    return Verdict(wanted, actual, egress_words(compiled))


# ---- create arguments ----

def flags_of(argv):
    """(flag, value) pairs of a create vector in either spelling; the image comes first."""
    pairs, rest = [("image", argv[1])], list(argv[2:])
    short = {"-v": "--volume", "-c": "--cpus", "-m": "--memory", "-e": "--env"}
    while rest:
        word = rest.pop(0)
        flag, attached, value = word.partition("=")
        if flag == "--quiet":
            value = ""
        elif not attached:
            value = rest.pop(0)
        pairs.append((short.get(flag, flag), value))
    return pairs


def meaning_of(argv):
    """What a create vector says, whatever way it says it."""
    out = {"--volume": [], "--mount-named": [], "--net-rule": [], "--env": [], "--secret": [], "--cpus": str(DEFAULTS["cpus"]),
           "--memory": DEFAULTS["memory"], "--net-default": None, "--net": None}
    for flag, value in flags_of(argv):
        if flag == "--memory":
            value = memory_of(value)
        if flag == "--mount-named":
            head, size_text = value.rsplit("size=", 1)
            value = [head, memory_of(size_text)]
        if flag == "--net-rule":
            value = rule_of(value.removeprefix("allow@")) if value != "allow@private" else ["group", "private"]
        if isinstance(out.get(flag), list):
            out[flag].append(value)
        else:
            out[flag] = value
    return out


def memory_of(text):
    return mebibytes(text.lower()) if re.fullmatch(r"[\d.]+[kmgKMG]", text) else text


def as_config(options):
    """The config that makes the caller of the reference's builder pass these options."""
    resources = {key: str(options[key]) for key in ("cpus", "memory", "dockerDisk", "cacheDisk") if key in options}
    network = {key: options[key] for key in ("env", "secrets", "allowLan") if key in options}
    if "networkAllow" in options:
        network["allow"] = options["networkAllow"] or [DENIED]
    return {"sandbox": {"image": options["image"], "resources": resources, "network": network}}


def with_secrets_hosts(meaning, options):
    """The builder is given its list by a caller, who has put the secrets' hosts into it."""
    hosts = [host.strip() for secret in options.get("secrets", []) if "=" not in secret["env"] for host in secret["hosts"]]
    rules = [rule_of(host) for host in hosts]
    if rules and meaning["--net"] is None:
        private = [rule for rule in meaning["--net-rule"] if rule[0] == "group"]
        named = [rule for rule in meaning["--net-rule"] if rule[0] != "group"]
        meaning["--net-default"] = "deny"
        meaning["--net-rule"] = named + [rule for rule in rules if rule not in named] + private
    return meaning


def create_args_newest(bench, row):
    options, spaces = row["input"]["options"], row["input"]["workspaces"]
    expected = row["expected"]
    if "error" in expected:
        done = bench.tool.run("compile", "-", stdin="{}")
        return Verdict("refused", "refused" if done.status == 2 else "accepted", f"status {done.status}")
    here = {space["hostDir"]: bench.place.folder("spaces", *space["hostDir"].split("/")) if space["hostDir"] != "/" else "/"
            for space in spaces}
    worktree = next((here[space["hostDir"]] for space in spaces if not space.get("readOnly")), bench.place.path("wt"))
    config = as_config(options)
    config["sandbox"]["mounts"] = [{"host": here[space["hostDir"]]} for space in spaces if space.get("readOnly")]
    env = {name.strip(): "" for name in options.get("env", []) + [secret["env"] for secret in options.get("secrets", [])]
           if "=" not in name}
    compiled = bench.compile(config, f"--name={row['input']['name'].removeprefix('forge-')}", env=env,
                             worktree=worktree)
    wanted = with_secrets_hosts(meaning_of(expected["args"]), options)
    wanted["--volume"] = [relocated(value, here, spaces) for value in wanted["--volume"]]
    if compiled.plan is None:
        return Verdict(wanted, None, compiled.summary)
    actual = meaning_of(bench.argv(compiled.done.out))
    own = f"{bench.place.path('wt')}:{bench.place.path('wt')}"  # where the row has no writable space
    actual["--volume"] = [value for value in actual["--volume"] if value != own]
    ours = " ".join(f"{flag[2:]}={value}" for flag, value in flags_of(bench.argv(compiled.done.out))
                    if flag in ("--net-default", "--net-rule", "--env", "--secret", "--net"))
    return Verdict(wanted, actual, " ".join(filter(None, [ours, *compiled.errors])))


def relocated(value, here, spaces):
    for space in spaces:
        old = f"{space['hostDir']}:{space['containerDir']}"
        if value in (old, old + ":ro"):
            return f"{here[space['hostDir']]}:{here[space['hostDir']]}" + value[len(old):]
    raise AssertionError(value)


# ---- whole configs ----

def config_load(bench, row):
    text, expected = row["input"]["text"], row["expected"]
    if text is None:
        done = bench.tool.run("check", bench.place.path("there-is-none"))
        return Verdict("accepted", "accepted" if done.status == 0 else "refused", f"status {done.status}")
    try:
        compiled = bench.compile(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise AssertionError(f"{row['name']} is not encodable") from None
    if expected["usedDefaults"]:
        return Verdict("refused", "accepted" if compiled.plan else "refused", compiled.summary or "accepted")
    section = expected["sandbox"] or {}
    deny = [{"pattern": "*", **rule} for rule in (expected["loopPermissions"] or {}).get("deny", [])]
    allow = section.get("network", {}).get("allow", [])
    wanted = {"enabled": expected["sandboxEnabledGate"], "image": section.get("image", "oc-forge-sandbox:latest"),
              "deny": deny, "open": not allow or "*" in allow}
    if compiled.plan is None:
        return Verdict(wanted, None, compiled.summary)
    actual = {"enabled": compiled.plan["sandbox"]["enabled"], "image": compiled.plan["sandbox"]["image"],
              "deny": compiled.plan["permissions"]["loop_deny"], "open": not egress_of(compiled.plan)["restricted"]}
    return Verdict(wanted, actual, " ".join(["a plan", *(rule["pattern"] for rule in actual["deny"])]))


LEGACY_KEYS = {"project-mount-path": "projectMountPath", "shm-size": "shmSize", "memory-swap": "memorySwap",
               "host-gateway": "hostGateway", "mounts-container": "container", "mode-docker": "mode", "mode-replaced": "mode"}


def legacy_warnings(bench, row):
    """By the keys warned of: the reference has an order of its own and one warning for all mounts."""
    findings = bench.tool.diagnostics({"sandbox": row["input"]["sandbox"]})
    keys = sorted({finding["pointer"].rsplit("/", 1)[1] for finding in findings if finding["code"] in LEGACY})
    return Verdict(sorted({LEGACY_KEYS[code] for code in row["expected"]["codes"]}), keys, " ".join(keys) or "none")


def mount_configs(bench, row):
    """The candidates in their order, whether they were kept or dropped for another one."""
    config = row["input"]["config"]
    text = as_text(config or {}).replace('"/', f'"{bench.place.root}/')
    for name in re.findall(rf'"{re.escape(bench.place.root)}/([^"]*)"', text):
        bench.place.folder(name)
    compiled = bench.compile(text)
    wanted = [[entry["host"], entry["readonly"]] for entry in row["expected"]["mounts"]]
    if compiled.plan is None:
        return Verdict(wanted, None, compiled.summary)
    kept = [[mount["span"]["start"], mount["host"], mount["access"] == "ro"] for mount in compiled.plan["mounts"] if mount["span"]]
    dropped = [[entry["span"]["start"], entry["what"], True] for entry in compiled.plan["dropped"] if entry["span"]]
    ordered = sorted(kept, key=lambda item: item[0]) + sorted(dropped, key=lambda item: item[0])
    actual = [[path.removeprefix(bench.place.root), read_only] for _, path, read_only in sorted(ordered)]
    return Verdict(wanted, actual, f"{len(kept)} kept, {len(dropped)} dropped")


def enabled_gate(bench, row):
    compiled = bench.compile(row["input"]["config"] or {})
    wanted = row["expected"]["configEnabled"]
    return Verdict(wanted, compiled.plan["sandbox"]["enabled"] if compiled.plan else None, compiled.summary or "a plan")


FAMILIES = {family.__name__: family for family in (names, size, cpus, egress, create_args_newest, config_load,
                                                   legacy_warnings, mount_configs, enabled_gate)}
