"""Family config."""

import os
import resource

from tool import Place, as_text

from .bench import CANARY, Outcome, help_of

DEEP = 100_000
MEMORY = 1 << 29
STACK = 256 << 10


def C01(tool):
    with Place() as place:
        good = place.folder("ok")
        config = {"sandbox": {"mounts": [{"host": "relative/dir"}, {"host": good}]}}
        outcome = Outcome(tool, config, place=place)
    found = outcome.having("FP3002", pointer="/sandbox/mounts/0/host", severity="error")
    yield "entry 0 is an error", len(found) == 1
    yield "with line and column", found[0]["range"]["start"] == {"line": 1, "column": 35, "offset": 34}
    yield "with a path", found[0]["file"] == "<stdin>"
    mounts = [mount["host"] for mount in outcome.plan["mounts"] if mount["origin"] == "custom"]
    yield "entry 1 is kept, entry 0 skipped", mounts == [good]
    yield "strict mode exits 1", outcome.strict.status == 1 and outcome.strict.out == b""


def C04(tool):
    outcome = Outcome(tool, {"network": {"allow": ["a.example"]}, "sandbox": {"mount": [{"host": "/x"}], "netwrok": {}}})
    unknown = outcome.having("FP1014", "FP1015", severity="error")
    yield "three unknown-key errors", len(outcome.findings) == len(unknown) == 3
    for word in ("`sandbox.network`", "`mounts`", "`network`"):
        yield f"with the suggestion {word}", word in help_of(unknown)
    yield "nothing is compiled", outcome.plan is None


def C05(tool):
    levels = {
        "network": '{"sandbox":{"network":{"allow":["a.example"],"allow":["*"]}}}',
        "the top": '{"sandbox":{},"sandbox":{}}',
        "a list's element": '{"sandbox":{"mounts":[{"host":"/a","host":"/b"}]}}',
        "a map's element": '{"agents":{"a":{"temperature":1,"temperature":0}}}',
        "a map": '{"agents":{"a":{},"a":{}}}',
        "a free object": '{"loop":{"worktreeOpencodeConfig":{"x":{"y":1,"y":2}}}}',
        "an escaped key": '{"sandbox":{"network":{"allow":["a.example"],"allo\\u0077":["*"]}}}',
        "an unknown section": '{"unknown":{"x":1,"x":2}}',
    }
    for level, text in levels.items():
        outcome = Outcome(tool, text)
        found = outcome.having("FP1013", severity="error")
        yield f"a duplicate key in {level} is an error", len(found) == 1 and outcome.plan is None
        first = found[0]["related"][0]["range"]["start"]["offset"]
        yield f"with both positions in {level}", 0 < first < found[0]["range"]["start"]["offset"]


def C06(tool):
    outcome = Outcome(tool, '{"sandbox":{"mounts":[{"__proto__":{"readonly":false},"host":"/x"}]},"constructor":1}')
    unknown = outcome.having("FP1014", severity="error")
    yield "unknown-key error for __proto__", any("`__proto__`" in finding["message"] for finding in unknown)
    yield "unknown-key error for constructor", any("`constructor`" in finding["message"] for finding in unknown)
    yield "no false duplicate", not outcome.has("FP1013")
    yield "the mount is not writable", not outcome.has("FP3014") and outcome.plan is None


def C07(tool):
    outcome = Outcome(tool, '{"sandbox":{"mountProjectReadonly":true,},}')
    yield "accepted", outcome.findings == [] and outcome.plan is not None
    for text in ('{"sandbox":{},,}', '{,}', '{"sandbox":{"mounts":[,]}}', '{"sandbox":{"mounts":[{"host":"/a"},,]}}'):
        yield f"{text} is an error", Outcome(tool, text).having("FP1012", severity="error") != []


def _poor():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))


def C08(tool):
    for text in ("[" * DEEP, '{"a":' * DEEP, "[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, '{"sandbox":' + '[{"a":' * DEEP):
        done = tool.run("check", "-", "--format=json", stdin=text, preexec_fn=_poor)
        codes = [finding["code"] for finding in done.json()["diagnostics"]]
        yield f"{text[:8]}...: an error, no crash, little memory", done.status == 1 and "FP1002" in codes
        limit = next(finding for finding in done.json()["diagnostics"] if finding["code"] == "FP1002")
        yield f"{text[:8]}...: it names the limit", "64" in limit["message"] + limit["help"]


def C09(tool):
    outcome = Outcome(tool, b'{"sandbox":{"mounts":[{"host":"/a\\ud800b"},{"host":"/a\xffb"}]}}')
    surrogate, invalid = outcome.having("FP1006", severity="error"), outcome.having("FP1005", severity="error")
    yield "the lone surrogate is an error with offset", [f["range"]["start"]["offset"] for f in surrogate] == [33]
    yield "the invalid byte is an error with offset", [f["range"]["start"]["offset"] for f in invalid] == [54]
    yield "nothing becomes U+FFFD", b"\xef\xbf\xbd" not in outcome.all_output and b"ufffd" not in outcome.all_output.lower()
    yield "nothing is compiled", outcome.plan is None


def C10(tool):
    outcome = Outcome(tool, {"sandbox": {"resources": {"cpus": "99999999999999999999", "memory": "1e9999"}}})
    yield "an error for cpus", outcome.has("FP4004", severity="error")
    yield "an error for memory", outcome.has("FP4001", "FP4002", severity="error")
    yield "no wrap-around", outcome.plan is None
    for cpus in ("4294967297", "18446744073709551617", "256", "0", "-1", "1.0"):
        yield f"cpus {cpus} is an error", Outcome(tool, {"sandbox": {"resources": {"cpus": cpus}}}).has("FP4004")
    yield "a number beyond the machine is an error", Outcome(tool, '{"loop":{"defaultMaxIterations":1e9999}}').has("FP1009")


def C11(tool):
    outcome = Outcome(tool, {"sandbox": {"mounts": [{"host": "/x", "readonly": "true"}], "network": {"allowLan": "false"},
                                         "enabled": "false"}})
    pointers = {finding["pointer"] for finding in outcome.having("FP1016", severity="error")}
    yield "type errors for all three", pointers == {"/sandbox/mounts/0/readonly", "/sandbox/network/allowLan", "/sandbox/enabled"}
    yield "no mount is writable, the LAN is not opened", outcome.plan is None and not outcome.has("FP3014", "FP2027", "FP4008")


def C12(tool):
    outcome = Outcome(tool, {"sandbox": {"mounts": [{"host": "{env:EXTRA}"}]}}, env={"EXTRA": '/x","readonly":false,"y":"'})
    found = outcome.having("FP3002", severity="error")
    yield "not absolute: an error", len(outcome.errors) == len(found) == 1
    yield "no substitution", found[0]["message"].startswith("`{env") and b"readonly" not in outcome.all_output
    yield "never empty", outcome.plan["dropped"][0]["what"].startswith("{env") and not outcome.has("FP3001")
    yield "with the hint that nothing is expanded", "expanded" in found[0]["help"]


def C13(tool):
    outcome = Outcome(tool, '{"a": "{env:TOKEN}" "b"', env={"TOKEN": CANARY})
    yield "a syntax error", outcome.has("FP1001", severity="error")
    yield "the text as written", "{env:TOKEN}" in outcome.readable.errors + outcome.readable.text
    yield "never a value", CANARY.encode() not in outcome.all_output


def C14(tool):
    plan = Outcome(tool, {"sandbox": {"resources": {"memory": "4g"}}}).plan
    resources = {key: value for key, value in plan["resources"].items() if key != "origin"}
    yield "only memory changes", resources == {"memory_mib": 4096, "cpus": 4, "docker_disk_mib": 16384, "cache_disk_mib": 16384}
    yield "the plan says where each value is from", plan["resources"]["origin"]["memory_mib"] == "config" and \
        plan["resources"]["origin"]["cpus"] == "default"
    yield "allowLan stays off", plan["egress"] == {"mode": "public", "rules": []}
    with Place() as place:
        project = place.folder("project")
        flags = [*place.context(project=project), "--name=n"]
        plan = tool.run("compile", "-", *flags, stdin='{"sandbox":{"resources":{"memory":"4g"}}}').json()
    yield "mountProjectReadonly stays on", [project, "ro"] in [[mount.get("host"), mount["access"]] for mount in plan["mounts"]]


def C17(tool):
    hosts = ["~/ref", "$HOME/ref", "$HOMELESS/x"]
    with Place() as place:
        config = {"sandbox": {"mounts": [{"host": host} for host in hosts]}}
        place.write("c.jsonc", config)
        env = {"HOME": place.path("home"), "HOMELESS": "/x"}
        done = tool.run("compile", "c.jsonc", *place.context(), env=env, cwd=place.root)
        yield "never created literally", sorted(os.listdir(place.root)) == ["c.jsonc", "home", "tmp", "wt"]
        yield "none is mounted", [mount for mount in done.json()["mounts"] if mount["origin"] == "custom"] == []
    found = Outcome(tool, config).having("FP3002", severity="error")
    yield "all are rejected", [finding["pointer"] for finding in found] == [f"/sandbox/mounts/{at}/host" for at in range(3)]
    yield "with a hint", all("absolute path" in finding["help"] and "expanded" in finding["help"] for finding in found)


def C18(tool):
    with Place() as place:
        runs = [tool.run("check", name, cwd=place.root) for name in ("/dev/null", place.folder("some-directory"), "missing.jsonc")]
        yield "three distinct errors", len({run.err for run in runs}) == 3 and all(run.err for run in runs)
        for run, what in zip(runs, ("an empty file", "a directory", "a missing file")):
            yield f"{what} exits 2", run.status == 2
            yield f"{what} does not pass", run.status != 0
        compiled = [tool.run("compile", name, *place.context(), cwd=place.root) for name in ("/dev/null", "some-directory", "missing.jsonc")]
        yield "nothing is compiled of any of them", all(run.status in (1, 2) and run.out == b"" for run in compiled)
    outcome = Outcome(tool, "{}")
    yield "an empty object is valid", outcome.checked.status == 0 and outcome.findings == [] and outcome.plan is not None


def C19(tool):
    outcome = Outcome(tool, '{"sandbox":{"mounts":[{"host":"/a"}],"mounts":[{"host":"/b"}]}}')
    yield "a duplicate-key error", outcome.has("FP1013", severity="error") and outcome.plan is None


def C20(tool):
    config = {"sandbox": {"mounts": [{"host": "/does/not/exist"}, {"host": "/etc/hostname"}]}}
    with Place() as place:
        config["sandbox"]["mounts"][1]["host"] = place.write("a-file", "")
        done = tool.run("check", "-", "--format=json", *place.context(), stdin=as_text(config))
        outcome = Outcome(tool, config, place=place)
    found = {finding["code"]: finding for finding in done.json()["diagnostics"]}
    yield "`does not exist` is told", "does not exist" in found["FP3008"]["message"]
    yield "`not a directory` is told", "not a directory" in found["FP3009"]["message"]
    yield "both are warnings", {found["FP3008"]["severity"], found["FP3009"]["severity"]} == {"warning"}
    yield "the plan skips them", len([entry for entry in outcome.plan["dropped"] if entry["origin"].startswith("mounts[")]) == 2
    yield "strict exits 1", outcome.strict.status == 1
