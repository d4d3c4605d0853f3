"""Random configs that are legal, with what each of them must come to.

The expectation is known by construction: canonical values are made first, then
spelled in one of the ways that mean the same.
"""

import json
import os
from fractions import Fraction

import git_places

WORDS = ("api", "cdn", "git", "pkg", "files", "a", "x1", "under_score", "r2-d2", "0day", "mirror")
ZONES = ("example.com", "example.org", "svc.example.net", "test.example", "b-c.example.com")
SINGLE = ("gitea", "build-box", "db1", "x")
LAN_NAMES = ("nas.local", "printer.lan", "box.home.arpa")
INTERNATIONAL = (("bücher.example", "xn--bcher-kva.example"), ("日本語.example.org", "xn--wgv71a119e.example.org"),
                 ("MÜNCHEN.example", "xn--mnchen-3ya.example"))
REFUSED = ("http://x.example", "a b.example", "a,b.example", "user@x.example", "myhost", "*.com", "169.254.169.254",
           "host.microsandbox.internal", "127.1", "", "a.*.example", "10.0.0.0/33")
PUBLIC_FIRST = (8, 20, 45, 93, 140, 151, 185)  # first octets without special ranges below /16
FOLDERS = ("plain", "with space", " lead", "trail ", "quote'", 'dq"', "ünï", "日本", "=eq", "-dash", "--flag=x", "~home",
           "a$", "$1 x", "back\\slash", "at@sign", "star*", "q?", "[b]", "a&b", "pipe|", "#hash", "e\u0301combining", "ro", "(x)",
           "percent%41", "a b  c", "…dots", "%s", "{}", "!bang")
ENV_NAMES = ("LANG", "CI", "EDITOR", "TERM_PROGRAM", "_X", "lower_case", "A1", "DEBUG", "NODE_ENV", "Z9_")
SECRET_NAMES = ("GITHUB_TOKEN", "NPM_AUTH", "API_KEY", "DB_PASSWORD", "secret_1", "_S")
IMAGES = ("oc-forge-sandbox:latest", "oc-forge-sandbox", "registry.example.org/team/box:1.2", "localhost:5000/x:y",
          "registry.example.org:8443/a/b_c/d@sha256:" + "0123456789abcdef" * 4, "box:v1.0-rc.1", "a/b/c")
NAMES = ("fix-tests", "a", "Feature/A", "loop.1", "x" * 60, "y" * 80, "  spaced  ", "--name", "ünïcode", "a_b", "0")
UNITS = {"k": Fraction(1, 1024), "m": Fraction(1), "g": Fraction(1024)}


MIN_DISK, GROUP, MOST_DISK = 68, 128, 32768  # mebibytes


def can_be_formatted(mib):
    """True for the sizes that msb can give a disk: its groups of 128 MiB hold what each must hold."""
    return MIN_DISK <= mib <= MOST_DISK and not 0 < mib % GROUP < 4


class Case:
    """One config, how to compile it, and what must come of it."""

    def __init__(self, chance, place):
        self.chance, self.place = chance, place
        self.flags, self.compile_env, self.run_env, self.expected = [], {}, {}, {}
        sandbox, loop = {}, {}
        self.context()
        self.resources(sandbox)
        self.mounts(sandbox, loop)
        self.network(sandbox)
        if self.maybe(0.3):
            sandbox["image"] = self.expected["image"] = chance.choice(IMAGES)
        self.text = self.spelled({"sandbox": sandbox, "loop": loop} if loop or self.maybe(0.5) else {"sandbox": sandbox})

    def maybe(self, probability):
        return self.chance.random() < probability

    def some(self, values, most):
        return self.chance.sample(values, self.chance.randint(0, min(most, len(values))))

    # ---- context ----

    def context(self):
        place = self.place
        changes = {}
        if self.maybe(0.4):
            changes["worktree"] = place.folder("trees", self.chance.choice(FOLDERS))
        self.worktree = changes.get("worktree", place.path("wt"))
        git = git_places.GitPlace(self.chance, place, self.worktree) if self.maybe(0.5) else None
        if git:
            self.flags += [f"--git-layout={git.mode}"]
        if git and git.project:
            changes["project"] = git.project
        elif not git and self.maybe(0.5):
            changes["project"] = place.folder("project")
        if "project" in changes:
            self.flags += ["--name=" + self.chance.choice(NAMES)]
        if self.maybe(0.4):
            changes["tool_output"] = place.folder("tool output")
        if self.maybe(0.3):
            place.folder("tmp", "opencode")
        self.flags += place.context(**changes)
        # A git directory inside of the project is writable, so the project is not mounted.
        reads = ["project"] if "project" in changes and not git else []
        reads += ["tool_output"] if "tool_output" in changes else []
        self.automatic = {self.worktree: (self.worktree, "rw"), place.path("tmp/opencode"): (place.path("tmp/opencode"), "rw")}
        self.automatic.update({changes[name]: (changes[name], "ro") for name in reads})
        self.automatic.update(git.mounts if git else {})

    # ---- resources ----

    def disk_size(self):
        while True:
            text, mib = self.size()
            if can_be_formatted(mib):
                return text, mib

    def size(self):
        """A size in one of its spellings, and what it is in whole mebibytes."""
        unit = self.chance.choice("kmg")
        most = {"k": 1 << 26, "m": 1 << 16, "g": 1 << 6}[unit]
        number = str(self.chance.randint({"k": 1024, "m": 1, "g": 1}[unit], most))
        if self.maybe(0.3):
            number += "." + str(self.chance.randint(0, 99999))
        mib = int(Fraction(number) * UNITS[unit])
        unit = self.chance.choice((unit, unit.upper())) + self.chance.choice(("", "", "b", "B"))
        pad = self.chance.choice(("", "", "", " "))
        return pad + self.chance.choice(("", "0")) + number + unit + pad, mib

    def resources(self, sandbox):
        section = {}
        wanted = {"cpus": 4, "memory_mib": 8192, "docker_disk_mib": 16384, "cache_disk_mib": 16384}
        if self.maybe(0.5):
            wanted["cpus"] = self.chance.randint(1, 255)
            section["cpus"] = self.chance.choice(("{}", " {} ", " {}")).format(wanted["cpus"])
        for key, plan_key in (("memory", "memory_mib"), ("dockerDisk", "docker_disk_mib"), ("cacheDisk", "cache_disk_mib")):
            if self.maybe(0.4):
                section[key], wanted[plan_key] = self.size() if key == "memory" else self.disk_size()
        for flag, plan_key in (("memory", "memory_mib"), ("docker-disk", "docker_disk_mib"), ("cache-disk", "cache_disk_mib")):
            if self.maybe(0.12):
                text, wanted[plan_key] = self.size() if flag == "memory" else self.disk_size()
                self.flags.append(f"--{flag}={text}")
        if self.maybe(0.12):
            wanted["cpus"] = self.chance.randint(1, 255)
            self.flags.append(f"--cpus={wanted['cpus']}")
        self.expected["resources"] = wanted
        if section:
            sandbox["resources"] = section

    # ---- mounts ----

    def mounts(self, sandbox, loop):
        mounts = dict(self.automatic)
        names = self.some(FOLDERS, 5)
        external = self.some([name for name in FOLDERS if name not in names], 2)
        entries = []
        for name in names:
            real = guest = self.place.folder("mounts", name)
            if self.maybe(0.2):
                guest = self.place.path("link to " + name)
                os.symlink(real, guest)
            entry = {"host": self.respelled(guest)}
            writable = self.maybe(0.4)
            if writable or self.maybe(0.3):
                entry["readonly"] = not writable
            mounts[guest] = (real, "rw" if writable else "ro")
            entries.append(entry)
        if entries:
            sandbox["mounts"] = entries
        if external:
            loop["allowExternalDirectories"] = [self.respelled(self.place.folder("external", name)) for name in external]
        mounts.update({path: (path, "ro") for path in (self.place.path("external", name) for name in external)})
        self.expected["mounts"] = mounts

    def respelled(self, path):
        """The same path with slashes and dots that mean nothing."""
        return self.chance.choice((path, path, path + "/", path.replace("/", "//", 1), path.replace("/mounts", "/./mounts"),
                                   path + "/."))

    # ---- network ----

    def host(self, lan):
        """An entry of the list, and the rule (kind, value) it must become."""
        kinds = ["exact"] * 4 + ["suffix"] * 3 + ["single", "ip", "cidr", "wide"] + (["private", "lan"] if lan else [])
        kind = self.chance.choice(kinds)
        name = ".".join(self.some(WORDS, 3) + [self.chance.choice(ZONES)])
        if kind == "exact":
            return self.respelled_name(self.chance.choice(("", "domain=")), name), ("domain", name)
        if kind == "suffix":
            return self.respelled_name(self.chance.choice(("*.", "suffix=")), name), ("suffix", name)
        if kind == "single":
            label = self.chance.choice(SINGLE)
            return "domain=" + label, ("domain", label)
        if kind == "wide":
            text, ascii_name = self.chance.choice(INTERNATIONAL)
            return (text, ("domain", ascii_name)) if self.maybe(0.5) else ("*." + text, ("suffix", ascii_name))
        if kind == "lan":
            return (name := self.chance.choice(LAN_NAMES)), ("domain", name)
        first = 10 if kind == "private" else self.chance.choice(PUBLIC_FIRST)
        number = (first << 24) | self.chance.getrandbits(24)
        if kind == "ip" or (kind == "private" and self.maybe(0.5)):
            return dotted(number), ("ip", dotted(number))
        length = self.chance.randint(8, 31)  # /32 becomes an address
        network = f"{dotted(number & ~((1 << (32 - length)) - 1))}/{length}"
        return network, ("cidr", network)

    def respelled_name(self, prefix, name):
        name = self.chance.choice((name, name, name.upper(), name.title()))
        space = self.chance.choice(("", "", "", " "))
        return space + prefix + name + self.chance.choice(("", "", "", ".")) + space

    def network(self, sandbox):
        network = {}
        lan = self.lan(network)
        allow, rules = [], []
        for _ in range(self.chance.choice((0, 0, 1, 2, 3, 5, 12))):
            if self.maybe(0.08):
                allow.append(self.chance.choice(REFUSED))
                continue
            text, rule = self.host(lan)
            allow.append(text)
            rules += [rule] if rule not in rules else []
        everything = self.maybe(0.1)
        if everything:
            allow.insert(self.chance.randint(0, len(allow)), self.chance.choice(("*", "**", " * ")))
        if allow or self.maybe(0.3):
            network["allow"] = allow
        for rule in self.secrets(network):
            rules += [rule] if rule not in rules else []
        self.env(network)
        if network or self.maybe(0.3):
            sandbox["network"] = network
        restricted = not everything and bool(allow or network.get("secrets"))
        self.expected["mode"] = ("allow-list" if restricted else "public") + ("+private" if lan else "")
        self.expected["rules"] = rules + ([("group", "private")] if lan else []) if restricted else []

    def lan(self, network):
        lan = self.maybe(0.3)
        if lan or self.maybe(0.2):
            network["allowLan"] = lan
        if self.maybe(0.1):
            lan = not lan
            self.flags.append("--lan=" + ("on" if lan else "off"))
        return lan

    def secrets(self, network):
        """Adds secrets; the rules that their hosts ask for."""
        entries, rules, self.expected["secrets"] = [], [], {}
        for name in self.some(SECRET_NAMES, 3):
            hosts, keys = [], []
            for _ in range(self.chance.randint(1, 3)):
                host = ".".join(self.some(WORDS, 2) + [self.chance.choice(ZONES)])
                wild = self.maybe(0.3)
                key = ("suffix" if wild else "domain", host)
                hosts.append(self.respelled_name("*." if wild else "", host))
                keys += [key] if key not in keys else []
            bound = self.maybe(0.6)
            self.set_variable(name, bound)
            entries.append({"env": name, "hosts": hosts})
            rules += keys
            self.expected["secrets"][name] = (bound, [("*." if kind == "suffix" else "") + host for kind, host in keys])
        if entries:
            network["secrets"] = entries
        return rules

    def env(self, network):
        names = self.some(ENV_NAMES, 4)
        self.expected["env"] = []
        for name in names:
            there = self.maybe(0.6)
            self.set_variable(name, there)
            self.expected["env"] += [name] if there else []
        if names:
            network["env"] = names

    def set_variable(self, name, there):
        if there:
            self.run_env[name] = self.chance.choice(("", "canary-%032x" % self.chance.getrandbits(128), "a=b\n'c\"$X", "ünï"))
            self.compile_env[name] = self.run_env[name]

    # ---- spelling ----

    def spelled(self, config):
        """As JSONC: any indent, comments where they are allowed, a last comma."""
        text = json.dumps(config, indent=self.chance.choice((None, 1, 2, "\t")), ensure_ascii=self.maybe(0.5))
        if self.maybe(0.3):
            text = "// first\n" + text + " /* last */"
        if self.maybe(0.3) and text.endswith("}}") and not text.endswith("{}}"):
            text = text[:-1] + ",}"
        return ("\ufeff" if self.maybe(0.1) else "") + (text.replace("\n", "\r\n") if self.maybe(0.1) else text)


def dotted(number):
    return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
