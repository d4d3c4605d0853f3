"""What a difference waits for: a verb or a target that is not built yet."""


def can(tool, need):
    kind, name = need.split()
    if kind == "verb":
        return name in tool.verbs()
    assert kind == "target", need
    listing = tool.run("compile", "--help").text
    return name in listing[listing.index("--target"):].splitlines()[0].split(":")[-1].replace(",", " ").split()
