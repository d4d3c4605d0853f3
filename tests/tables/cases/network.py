"""Families egress and secrets."""

from tool import Place, as_text

from .bench import CANARY, Outcome, allow, help_of, secrets


def E02(tool):
    outcome = Outcome(tool, allow())
    yield "a warning that an empty list does not restrict", outcome.has("FP2023", severity="warning")
    yield "no network flags", outcome.plan["egress"]["mode"] == "public" and outcome.network_flags == []
    yield "only invalid entries: deny", Outcome(tool, allow("localhost")).network_flags == ["--net-default=deny"]


def E03(tool):
    outcome = Outcome(tool, allow("https://api.example.com", "registry.example.org"))
    yield "the first is rejected", outcome.refuses("allow", 0, "FP2003")
    yield "with the hint api.example.com", "`api.example.com`" in help_of(outcome.having("FP2003"))
    yield "the second is emitted", outcome.network_flags == ["--net-default=deny", "--net-rule=allow@registry.example.org"]


def E06(tool):
    outcome = Outcome(tool, allow("a.example\0.google.com", "a.example\n.b.example"))
    for index in range(2):
        yield f"entry {index} is rejected", outcome.refuses("allow", index, "FP2007")
    yield "nothing is allowed", outcome.network_flags == ["--net-default=deny"]
    hosts = [f"a{chr(code)}b.example.com" for code in range(0x21, 0x7F) if not chr(code).isalnum() and chr(code) not in "-._"]
    outcome = Outcome(tool, allow(*hosts))
    yield "only letters, digits, hyphen, underscore and dot", len(outcome.errors) == len(hosts) and outcome.rules == []


def E07(tool):
    hosts = ["evil.example#.atlassian.net", "evil.example?.atlassian.net", "user@api.example.com", "api.example.com/path"]
    outcome = Outcome(tool, allow(*hosts))
    for index in range(len(hosts)):
        yield f"entry {index} is rejected", outcome.refuses("allow", index, "FP2007", "FP2004")
    yield "nothing is allowed", outcome.network_flags == ["--net-default=deny"]


def E08(tool):
    outcome = Outcome(tool, allow("youtube.com"))
    yield "an exact rule", outcome.rules == [("domain", "youtube.com")]
    yield "emitted as such", outcome.network_flags == ["--net-default=deny", "--net-rule=allow@youtube.com"]


def E09(tool):
    outcome = Outcome(tool, allow("*.trusted.net"))
    yield "a suffix rule of whole labels", outcome.rules == [("suffix", "trusted.net")]
    yield "emitted with its dot", outcome.network_flags == ["--net-default=deny", "--net-rule=allow@*.trusted.net"]


def E10(tool):
    outcome = Outcome(tool, allow("*.example.com"))
    yield "emitted unchanged", "--net-rule=allow@*.example.com" in outcome.argv
    yield "a note about the apex", any("apex" in str(finding) or "itself" in str(finding) for finding in outcome.findings)


def E13(tool):
    outcome = Outcome(tool, allow("**.cloud.gov", "crl*.example.com"))
    yield "the first is rejected", outcome.refuses("allow", 0, "FP2028")
    yield "with the hint *.cloud.gov", "`*.cloud.gov`" in help_of(outcome.having("FP2028"))
    yield "the second is rejected", outcome.refuses("allow", 1, "FP2009")
    yield "nothing is widened", outcome.rules == []


def E15(tool):
    outcome = Outcome(tool, allow("host.docker.internal", "127.0.0.1", "localhost", "host.microsandbox.internal"))
    yield "the alias is told", "docker host" in outcome.having("FP2016")[0]["message"]
    yield "the alias is a warning", outcome.having("FP2016")[0]["severity"] == "warning"
    yield "the loopback address is rejected", outcome.refuses("allow", 1, "FP2015")
    yield "localhost is rejected", outcome.refuses("allow", 2, "FP2006")
    yield "host.microsandbox.internal is rejected", outcome.refuses("allow", 3, "FP2016")
    yield "nothing is allowed", outcome.rules == []


def E16(tool):
    outcome = Outcome(tool, allow("192.168.1.20:1234"))
    yield "rejected for its colon", outcome.refuses("allow", 0, "FP2003")
    yield "with the hint allowLan", "allowLan" in help_of(outcome.findings)


def E18(tool):
    hosts = ["127.1", "2130706433", "0x7f000001", "0251.254.169.254", "169.254.169.254"]
    outcome = Outcome(tool, allow(*hosts))
    for index in range(4):
        yield f"{hosts[index]} is rejected as not canonical", outcome.refuses("allow", index, "FP2010")
    yield "the metadata address is rejected", outcome.refuses("allow", 4, "FP2015")
    yield "nothing is allowed", outcome.rules == []


def E22(tool):
    outcome = Outcome(tool, allow("registry.example.org"))
    yield "the plan names the versions it is for", outcome.plan["target"] == {"name": "msb", "versions": "0.6.18 - 0.7.2"}
    yield "a finding about msb 0.6.9", any("0.6.9" in str(finding) for finding in outcome.findings)


def E23(tool):
    outcome = Outcome(tool, allow("*", allowLan=True))
    yield "the group form", outcome.network_flags == ["--net=public,private"]


def E24(tool):
    outcome = Outcome(tool, allow("good.example"))
    yield "deny", outcome.network_flags == ["--net-default=deny", "--net-rule=allow@good.example"]
    yield "the plan speaks of lookups", any("looked up" in warning for warning in outcome.plan["warnings"])


def E25(tool):
    outcome = Outcome(tool, allow("*.cloudfront.net"))
    yield "accepted", outcome.rules == [("suffix", "cloudfront.net")]
    yield "shared infrastructure is told", "shared infrastructure" in help_of(outcome.having("FP2017"))
    yield "as a note", outcome.has("FP2017", severity="note")


def E28(tool):
    outcome = Outcome(tool, allow("*", "example.com"))
    yield "no network flags", outcome.network_flags == []
    yield "a warning", outcome.has("FP2024", severity="warning")
    yield "that names what is overridden", "overrides" in outcome.having("FP2024")[0]["message"]


def E29(tool):
    outcome = Outcome(tool, allow("jira.foo.com", deny=["*.foo.com"]))
    yield "an unknown-key error", outcome.has("FP1014", pointer="/sandbox/network/deny", severity="error")
    yield "nothing is compiled", outcome.plan is None


def E32(tool):
    outcome = Outcome(tool, allow("api.example.com", deniedDomains=["*"]))
    found = outcome.having("FP1014", pointer="/sandbox/network/deniedDomains", severity="error")
    yield "an unknown-key error", len(found) == 1 and outcome.plan is None
    yield "with the hint that the rest is denied", "denied as soon as" in help_of(found)


def S02(tool):
    config = {"sandbox": {"network": {"env": ["DATABASE_URL"], "allow": ["bad host"]}}}
    outcome = Outcome(tool, config, env={"DATABASE_URL": CANARY})
    yield "the name is passed", "--env=DATABASE_URL" in outcome.argv
    yield "the value is nowhere", CANARY.encode() not in outcome.all_output
    with Place() as place:
        runs = [tool.run(*words, env={"DATABASE_URL": CANARY}, stdin=as_text(config)) for words in (
            ("compile", "-", "--memory=wrong", *place.context()), ("compile", "-", "--worktree=/missing"),
            ("compile", "-", "--no-such-flag", CANARY[:4]), ("emit", "-"), ("check", "/missing/DATABASE_URL"))]
    yield "nor in what a failed command says", all(run.status and CANARY.encode() not in run.out + run.err for run in runs)


def S04(tool):
    names = ["DOCKER_HOST", "HTTPS_PROXY", "MSB_HOME", "PATH"]
    outcome = Outcome(tool, {"sandbox": {"network": {"env": names}}}, env={name: "/x" for name in names[:3]})
    for index in range(2):
        yield f"{names[index]}: a warning", outcome.has("FP2036", pointer=f"/sandbox/network/env/{index}", severity="warning")
    for index in (2, 3):
        yield f"{names[index]}: rejected", outcome.refuses("env", index, "FP2031")
    yield "only the first two are passed", outcome.plan["env"] == names[:2]


def S06(tool):
    value = '{\n "k":1\n}'
    outcome = Outcome(tool, {"sandbox": {"network": {"env": ["JWKS"]}}}, env={"JWKS": value})
    yield "the name only", "--env=JWKS" in outcome.argv
    yield "no value is rendered", value.encode() not in outcome.all_output and b'"k"' not in outcome.all_output
    yield "nor in shell text", outcome.shell.count("JWKS") == 1 and outcome.shell.count("\n") == 1


def S07(tool):
    outcome = Outcome(tool, secrets(("GITHUB_TOKEN", ["api.github.com"]), ("GITHUB_TOKEN", ["uploads.github.com"])),
                      env={"GITHUB_TOKEN": CANARY})
    flags = [word for word in outcome.argv if word.startswith("--secret")]
    yield "one merged flag", flags == ["--secret=GITHUB_TOKEN@api.github.com,uploads.github.com"]
    yield "a note", outcome.has("FP2047", severity="note")
    yield "both hosts are allowed", outcome.rules == [("domain", "api.github.com"), ("domain", "uploads.github.com")]


def S08(tool):
    outcome = Outcome(tool, secrets(("TOK:passthrough=evil.example", ["a.example"]), ("TOK", ["a.example,b.example"]),
                                    ("TOK@x.example", ["a.example"])), env={"TOK": CANARY})
    for index, codes in enumerate((("FP2040",), ("FP2002",), ("FP2040",))):
        yield f"entry {index} is rejected", outcome.refuses("secrets", index, *codes)
    yield "no secret, nothing allowed", outcome.plan["secrets"] == [] and outcome.network_flags == ["--net-default=deny"]


def S09(tool):
    outcome = Outcome(tool, secrets(("TOK", ["*"]), ("ANOTHER", ["**"])), env={"TOK": CANARY, "ANOTHER": CANARY})
    for index in range(2):
        yield f"entry {index} is invalid", outcome.refuses("secrets", index, "FP2042")
    yield "no flag", not any(word.startswith("--secret") for word in outcome.argv)
    yield "egress is restricted", outcome.network_flags == ["--net-default=deny"]


def S11(tool):
    outcome = Outcome(tool, secrets(("TOK", ["http://api.example.com"])), env={"TOK": CANARY})
    yield "rejected for its colon", outcome.refuses("secrets", 0, "FP2003")
    yield "a note that substitution needs TLS", b"TLS" in outcome.all_output
    kept = Outcome(tool, secrets(("TOK", ["api.example.com"])), env={"TOK": CANARY})
    yield "the plan says it of secrets that are kept", any("TLS" in warning for warning in kept.plan["warnings"])


def S12(tool):
    outcome = Outcome(tool, secrets(("A", ["a.example"]), ("B", ["b.example"])), env={"A": CANARY, "B": CANARY})
    flags = [word for word in outcome.argv if word.startswith("--secret")]
    yield "two flags of their own", flags == ["--secret=A@a.example", "--secret=B@b.example"]
    yield "the list is the union", outcome.rules == [("domain", "a.example"), ("domain", "b.example")]


def S13(tool):
    outcome = Outcome(tool, secrets(("GH", ["github.com"])), env={"GH": CANARY, "HTTPS_PROXY": "http://proxy:80"})
    yield "bound", "--secret=GH@github.com" in outcome.argv
    yield "never passed in the clear", not any(word.startswith("--env") for word in outcome.argv)
    yield "the plan says where substitution ends", any("headers and basic authentication" in warning
                                                       for warning in outcome.plan["warnings"])


def S14(tool):
    outcome = Outcome(tool, secrets(("GITHUB_TOKEN", ["api.github.com"]), env=["GITHUB_TOKEN"]), env={"GITHUB_TOKEN": CANARY})
    yield "an error", outcome.has("FP2046", pointer="/sandbox/network/env/0", severity="error")
    yield "not passed in the clear", outcome.plan["env"] == [] and not any(word.startswith("--env") for word in outcome.argv)
    yield "still a secret", "--secret=GITHUB_TOKEN@api.github.com" in outcome.argv


def S15(tool):
    outcome = Outcome(tool, secrets(("NOT_SET", ["a.example"])))
    found = outcome.having("FP2045", severity="warning")
    yield "a warning that names the variable", len(found) == 1 and "`NOT_SET`" in found[0]["message"]
    yield "its host stays", outcome.rules == [("domain", "a.example")]
    yield "the flag is emitted", "--secret=NOT_SET@a.example" in outcome.argv
    yield "the plan has it unbound", [secret["bound"] for secret in outcome.plan["secrets"]] == [False]
