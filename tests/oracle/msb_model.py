"""What a plan asks of msb, as the configuration that msb must store for it.

Written from the description of the plan and from msb's own records, not from the
compiler: the two must agree without knowing one another.
"""

import copy

MIB = 1024 * 1024
# Vectors that ask for next to nothing; all that a plan does not decide is taken from what they give.
MINIMAL = {
    "plain": ["{}", "--name=n", "--quiet"],
    "network": ["{}", "--name=n", "--quiet", "--net-default=deny"],
    "secret": ["{}", "--name=n", "--quiet", "--net-default=deny", "--secret=ONE@one.example"],
}
MINIMAL_ENV = {"ONE": "1"}

DNS = {"action": "allow", "direction": "egress", "destination": {"group": "host"},
       "protocols": ["udp", "tcp"], "ports": [{"start": 53, "end": 53}]}


def rule(**destination):
    return {"action": "allow", "direction": "egress", "destination": destination, "protocols": [], "ports": []}


DESTINATION = {
    "domain": lambda value: rule(domain=value),
    "suffix": lambda value: rule(domain_suffix=value),
    "ip": lambda value: rule(cidr=f"{value}/32"),
    "cidr": lambda value: rule(cidr=value),
    "group": lambda value: rule(group=value),
}


def policy_of(plan):
    """The network policy msb must hold; None where it must keep to its own default."""
    mode, rules = plan["egress"]["mode"], plan["egress"]["rules"]
    if mode == "public":
        assert rules == [], rules
        # msb writes its default down as soon as anything else about the network is asked for.
        bound = any(secret["bound"] for secret in plan["secrets"])
        return {"default_egress": "deny", "default_ingress": "allow", "rules": [DNS, rule(group="public")]} if bound else None
    if mode == "public+private":
        assert rules == [], rules
        return {"default_egress": "deny", "default_ingress": "allow",
                "rules": [DNS, rule(group="public"), rule(group="private")]}
    assert mode in ("allow-list", "allow-list+private"), mode
    groups = [entry["value"] for entry in rules if entry["kind"] == "group"]
    assert groups == (["private"] if mode == "allow-list+private" else []), rules
    assert all(entry["action"] == "allow" for entry in rules), rules
    return {"default_egress": "deny", "default_ingress": "deny",
            "rules": [DESTINATION[entry["kind"]](entry["value"]) for entry in rules]}


def mount_of(mount):
    common = {"guest": mount["guest"], "host_permissions": "private", "stat_virtualization": "strict",
              "follow_root_symlinks": False,
              "options": {"readonly": mount["access"] == "ro", "noexec": False, "nosuid": False, "nodev": False}}
    if mount["kind"] == "named-disk":
        assert mount["access"] == "rw" and "host" not in mount, mount
        return {**common, "type": "Named", "name": mount["volume"]}
    assert mount["kind"] == "dir", mount
    return {**common, "type": "Bind", "host": mount["host"], "quota_mib": None}


def secret_of(secret, template):
    hosts = [{"wildcard": host} if host.startswith("*.") else {"exact": host} for host in secret["hosts"]]
    return {**template, "env_var": secret["env"], "source": {"kind": "env", "var": secret["env"]},
            "placeholder": "$MSB_" + secret["env"], "allowed_hosts": hosts, "value": "", "require_tls_identity": True}


def config_of(plan, minimal, env):
    """The whole configuration for `plan`, where `env` is the environment of whoever runs msb."""
    bound = [secret for secret in plan["secrets"] if secret["bound"]]
    policy = policy_of(plan)
    config = copy.deepcopy(minimal["secret" if bound else "network" if policy else "plain"])
    config["name"] = plan["sandbox"]["name"]
    cpus, memory = plan["resources"]["cpus"], plan["resources"]["memory_mib"]
    config["resources"] = {"cpus": cpus, "max_cpus": cpus, "memory_mib": memory, "max_memory_mib": memory}
    config["mounts"] = [mount_of(mount) for mount in plan["mounts"]]
    config["env"] = [{"key": name, "value": env[name]} for name in plan["env"]]
    if policy:
        config["network"]["policy"] = policy
    if bound:
        template = minimal["secret"]["network"]["secrets"]["secrets"][0]
        config["network"]["secrets"]["secrets"] = [secret_of(secret, template) for secret in bound]
    return in_order(config)


def in_order(config):
    """The same with its mounts sorted: msb puts them in an order of its own, whatever the order of the flags."""
    return {**config, "mounts": sorted(config["mounts"], key=lambda mount: mount["guest"])}


def hidden_mounts(config):
    """What a later mount would hide: all that comes before a mount that it lies in."""
    guests = [mount["guest"] for mount in config["mounts"]]
    return [guest for at, guest in enumerate(guests)
            if any(guest.startswith(later.rstrip("/") + "/") for later in guests[at + 1:])]


def volumes_of(plan):
    return {mount["volume"]: {"kind": "disk", "capacity_bytes": mount["size_mib"] * MIB}
            for mount in plan["mounts"] if mount["kind"] == "named-disk"}


def check_minimal(config):
    """What a sandbox nobody asked anything of must look like; all comparisons build on it."""
    network = config["network"]
    assert network["strict"] is False and network["ports"] == [] and network["trust_host_cas"] is False, network
    assert network.get("dns", {"rebind_protection": True})["rebind_protection"] is True, network
    assert config["mounts"] == [] and config["env"] == [] and config["patches"] == [], config
    assert config["security_profile"] == "default" and config["deployment_profile"] == "single_tenant", config
    assert config["init"] is None and config["rlimits"] == [] and config["labels"] == {}, config
    assert all(config["runtime"][key] is None for key in ("user", "workdir", "cmd", "entrypoint", "hostname")), config
