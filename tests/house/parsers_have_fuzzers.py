#!/usr/bin/env python3
"""Every public function that reads untrusted text is called by a fuzz target.

usage: parsers_have_fuzzers.py [ROOT]

Such a function is one declared in a header under some include/ whose name is
parse, read, decode, lex or from_canonical, alone or as the first word: free, or
a public static member (then it must be called as `Type::name`).
"""

import pathlib
import re
import sys

from check_rules import PRODUCT, without_strings

NAME = re.compile(r"(?:parse|read|decode|lex|from_canonical)(?:_\w+)?$")

# Read bytes and give them no meaning, so there is nothing for a fuzzer to find.
EXEMPT = {
    "read_bounded": "gives back a file's bytes as they are",
    "read_small_file": "gives back a small file's bytes as they are",
    "read_stdin_bounded": "gives back the bytes of standard input as they are",
}


class Scope:
    def __init__(self, head):
        record = re.search(r"\b(class|struct|union)\s+(\w+)[^()=;]*$", head)
        if re.search(r"\bnamespace\b[^;()]*$|\bextern\s*$", head):
            self.kind, self.name, self.public = "namespace", "", True
        elif record and not re.search(r"\benum\b", head):
            self.kind, self.name, self.public = "record", record[2], record[1] != "class"
        else:
            self.kind, self.name, self.public = "other", "", False


def declared_name(scopes, head):
    """The parser that `head`, the text before a parenthesis, declares; or nothing."""
    word = re.search(r"(\w+)\s*$", head)
    if not word or not NAME.match(word[1]) or re.search(r"\b(?:using|operator|return|friend)\b", head):
        return None
    records = [scope for scope in scopes if scope.kind == "record"]
    if any(scope.kind == "other" or not scope.public for scope in scopes):
        return None
    if not records:
        return word[1] if head[:word.start()].strip() else None  # without a type before it, it is a macro
    return f"{records[-1].name}::{word[1]}" if re.search(r"\bstatic\b", head) else None


def parsers_in(header):
    """Names of the parsers that the text of a header declares."""
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", without_strings(header), flags=re.MULTILINE)
    scopes, head, depth, found = [], "", 0, []
    for token in re.findall(r"::|[^:]|:", text, re.DOTALL):
        if token == "{":
            scopes.append(Scope(head if depth == 0 else ""))
            head = ""
        elif token == "}":
            del scopes[-1:]
            head = ""
        elif token == ";" and depth == 0:
            head = ""
        elif token == ":" and (access := re.search(r"\b(public|private|protected)\s*$", head)) and scopes:
            scopes[-1].public = access[1] == "public"
            head = ""
        else:
            if token == "(" and depth == 0 and (name := declared_name(scopes, head)):
                found.append(name)
            depth += {"(": 1, ")": -1}.get(token, 0)
            head += token
    return found


def public_parsers(root):
    """Each parser with the header that declares it."""
    parsers = {}
    for room in PRODUCT:
        for header in sorted((root / room).rglob("include/**/*.h*")):
            for name in parsers_in(header.read_text()):
                parsers.setdefault(name, header.relative_to(root))
    return parsers


def mentioned(name, code):
    return re.search(rf"(?<!\w){re.escape(name)}\b", code) is not None


def faults(root):
    targets = sorted((root / "fuzz").glob("*_fuzz.cpp"))
    code = "\n".join(without_strings(target.read_text()) for target in targets)
    code = re.sub(r"^\s*(?:#|using\b)[^\n]*", "", code, flags=re.MULTILINE)
    parsers = public_parsers(root)
    for name, header in parsers.items():
        if name not in EXEMPT and not mentioned(name, code):
            yield f"{header}: no fuzz target calls {name}"
    # An exemption that outlived its function would cover the next one of that name.
    for name in EXEMPT.keys() - parsers.keys():
        yield f"tests/house/parsers_have_fuzzers.py: exempts {name}, which no header declares"
    if not parsers.keys() - EXEMPT.keys():
        yield "no parser was found at all"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    found = sorted(faults(root))
    print("\n".join(found) or f"{len(public_parsers(root))} parsers have a fuzz target or a reason")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
