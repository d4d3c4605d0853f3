#!/usr/bin/env python3
"""Writes the reference pages that come from the tables in the code.

usage: generate.py [--check]

  docs/config.md       from compiler/include/forge/compiler/schema.def
  docs/diagnostics.md  from policy/include/forge/policy/diagnostics.def

With --check nothing is written; the status is 1 when a page is not what the
tables give today. A row that is not understood is an error, never skipped.
"""

import difflib
import pathlib
import re
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = "compiler/include/forge/compiler/schema.def"
DIAGNOSTICS = "policy/include/forge/policy/diagnostics.def"


# ---- tables in C++ syntax ----


class TableError(Exception):
    """A table that cannot be read; the text names file and line."""


class Row(NamedTuple):
    macro: str
    arguments: list  # str of a literal, Word of anything else
    line: int


class Word(str):
    """An argument that is no string literal: a number or a name."""


class Literal(str):
    """An argument made of string literals, decoded and joined."""


TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
      | R"(?P<tag>[^\s()\\"]{0,16})\((?P<raw>.*?)\)(?P=tag)"
      | "(?P<text>(?:[^"\\\n]|\\.)*)"
      | (?P<word>[-+]?[A-Za-z0-9_.']+)
      | (?P<mark>[(),])""",
    re.DOTALL | re.VERBOSE)

ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]+)|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
SIMPLE_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
                  "\\": "\\", '"': '"', "'": "'", "?": "?", "\n": ""}


def decode(literal):
    """The text of a C++ string literal without its quotes."""
    def one(match):
        octal, hexadecimal, short, long, simple = match.groups()
        if octal:
            return chr(int(octal, 8))
        if hexadecimal or short or long:
            return chr(int(hexadecimal or short or long, 16))
        if simple not in SIMPLE_ESCAPES:
            raise ValueError(f"unknown escape \\{simple}")
        return SIMPLE_ESCAPES[simple]
    return ESCAPE.sub(one, literal)


def tokens(text, name):
    """Pairs of kind and value, and the line; blanks and comments are left out."""
    at = 0
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        match = TOKEN.match(text, at)
        if match is None:
            raise TableError(f"{name}:{line}: not understood: {text[at:at + 20]!r}")
        at = match.end()
        if match["blank"] is not None:
            continue
        if match["raw"] is not None:
            yield "literal", match["raw"], line
        elif match["text"] is not None:
            try:
                yield "literal", decode(match["text"]), line
            except ValueError as error:
                raise TableError(f"{name}:{line}: {error}") from error
        elif match["word"] is not None:
            yield "word", match["word"], line
        else:
            yield match["mark"], match["mark"], line


def argument(pieces, name, line):
    """One argument: a word, or literals that stand side by side."""
    kinds = {kind for kind, _ in pieces}
    if kinds == {"literal"}:
        return Literal("".join(value for _, value in pieces))
    if kinds == {"word"} and len(pieces) == 1:
        return Word(pieces[0][1])
    raise TableError(f"{name}:{line}: an argument that is neither one word nor string literals")


def rows(text, shapes, name):
    """All rows of a table. `shapes` maps each macro to the kinds of its arguments:
    `w` a word, `t` a text."""
    stream = tokens(text, name)
    for kind, macro, line in stream:
        if kind != "word" or macro not in shapes:
            raise TableError(f"{name}:{line}: expected one of {', '.join(shapes)}, found {macro!r}")
        if next(stream, ("", "", line))[0] != "(":
            raise TableError(f"{name}:{line}: {macro} without a parenthesis")
        arguments, pieces = [], []
        for kind, value, _ in stream:
            if kind in (",", ")"):
                arguments.append(argument(pieces, name, line))
                pieces = []
                if kind == ")":
                    break
            elif kind == "(":
                raise TableError(f"{name}:{line}: a parenthesis inside of {macro}")
            else:
                pieces.append((kind, value))
        else:
            raise TableError(f"{name}:{line}: {macro} has no end")
        shape = "".join("t" if isinstance(value, Literal) else "w" for value in arguments)
        if shape != shapes[macro]:
            raise TableError(f"{name}:{line}: {macro} takes {shapes[macro]}, found {shape} (w: word, t: text)")
        yield Row(macro, arguments, line)


class Diagnostic(NamedTuple):
    code: int
    name: str
    severity: str
    effect: str
    title: str
    why: str
    example: str
    fix: str
    line: int

    @property
    def label(self):
        return f"FP{self.code:04d}"


def diagnostics(text, name=DIAGNOSTICS):
    """The rows of diagnostics.def."""
    table = [Diagnostic(int(row.arguments[0]), *row.arguments[1:], row.line)
             for row in rows(text, {"FORGE_DIAGNOSTIC": "wwwwtttt"}, name)]
    if not table:
        raise TableError(f"{name}: no row")
    return table


def ranges(text, name=DIAGNOSTICS):
    """Thousands to what they are about, from the comments `// FP2xxx: ...`."""
    found = {int(digit): title for digit, title in re.findall(r"^// FP(\d)xxx: (.+)$", text, re.MULTILINE)}
    if not found:
        raise TableError(f"{name}: no comment names a range")
    return found


class Key(NamedTuple):
    kind: str  # KEY, LEGACY or HINT
    path: str
    type: str
    minimum: float
    maximum: float
    default: str
    doc: str


def keys(text, name=SCHEMA):
    """The rows of schema.def."""
    shapes = {"FORGE_KEY": "twwwtt", "FORGE_LEGACY": "tt", "FORGE_KEY_HINT": "tt"}
    table = []
    for row in rows(text, shapes, name):
        if row.macro == "FORGE_KEY":
            path, kind, minimum, maximum, default, doc = row.arguments
            table.append(Key("KEY", path, kind, float(minimum), float(maximum), default, doc))
        else:
            table.append(Key("LEGACY" if row.macro == "FORGE_LEGACY" else "HINT", row.arguments[0], "", 0, 0, "",
                             row.arguments[1]))
    if not table:
        raise TableError(f"{name}: no row")
    return table


# ---- Markdown ----


def code(text):
    """`text` as a code span, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def prose(text):
    """Plain text with `code spans` as Markdown: nothing outside of the spans means anything."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(piece if piece.startswith("`") else re.sub(r"([\\*_<\[\]|#])", r"\\\1", piece) for piece in pieces)


def cell(text):
    """For a cell of a table, where a bar would end it even inside of a code span."""
    return text.replace("|", "\\|")


def example(text):
    """Something to type is shown as code, a description as text."""
    if text.startswith(('"', "{", "[")):
        return code(text)
    return re.sub(r"(?<!\S)--[a-z-]+", lambda match: code(match[0]), prose(text))


NOTICE = "<!-- Written by docs/generate.py from {source}. Change the table and run it again. -->\n"

DIAGNOSTICS_HEAD = """# Diagnostics

Every finding has a code, `FP` and four digits. A code keeps its meaning once it is shipped, so scripts may rely on it.
The first digit says what the finding is about.

An **error** has one of two effects on `compile`. One that *stops the plan* leaves the tool without a plan, because
reading on could give the sandbox more than was meant. One that *drops the entry* leaves that entry out, which gives
less: the plan of the rest is written, and the entry stands in its `dropped` list. `check` fails on both.
A **warning** changes nothing, but `--strict` makes it a failure. A **note** changes nothing.
"""

EFFECTS = {"StopsPlan": "stops the plan", "DropsEntry": "drops the entry", "Informs": "", "LeadsReport": "shown first"}
SEVERITIES = {"Error": "error", "Warning": "warning", "Note": "note"}


def diagnostics_page(text):
    table, titles = diagnostics(text), ranges(text)
    lines = [NOTICE.format(source=DIAGNOSTICS), DIAGNOSTICS_HEAD]
    for thousand in sorted({row.code // 1000 for row in table}):
        if thousand not in titles:
            raise TableError(f"{DIAGNOSTICS}: no comment names the range FP{thousand}xxx")
        group = [row for row in table if row.code // 1000 == thousand]
        lines.append(f"## FP{thousand}xxx: {prose(titles[thousand])}\n")
        lines += ["| code | severity | |", "| --- | --- | --- |"]
        lines += [f"| [{row.label}](#{row.label.lower()}) | {SEVERITIES[row.severity]} | {cell(prose(row.title))} |"
                  for row in group]
        lines.append("")
        for row in group:
            effect = EFFECTS[row.effect]
            verdict = SEVERITIES[row.severity] + (f", {effect}" if effect else "")
            lines += [f"### {row.label}\n", f"**{prose(row.title)}** ({row.name}; {verdict})\n", f"{prose(row.why)}\n",
                      f"- Example: {example(row.example)}", f"- Fix: {prose(row.fix)}\n"]
    return "\n".join(lines).rstrip("\n") + "\n"


CONFIG_HEAD = """# The config: keys of `forge-config.jsonc`

The file is JSON in UTF-8 with `//` and `/* */` comments and one trailing comma in lists and objects. A key that is not
in these tables is an error, and so are a key given twice and a value of another type: a restriction that nobody reads
would not be applied. [Diagnostics](diagnostics.md) explains every code.

In a path, `[]` stands for each entry of a list and `*` for any key. Where no default is given there is none. An entry
of a list has to name its `host` (a mount), `env` and `hosts` (a secret), `action` and `resource` (an `autoApprove` rule)
or `permission` (a rule of a loop).

What a sandbox may do is decided by the keys under `sandbox` and `autoApprove`, by `loop.allowExternalDirectories`,
`loop.permissions` and `dataDir`. All others belong to the plugin; here only their shape is checked.

| value | form |
| --- | --- |
| size | a number, `k`, `m` or `g` (powers of 1024) and an optional `b`, in any case: `"8g"`, `"1.5GB"`; whole mebibytes from 1 to 4294967295, rounded down |
| processors | a whole number from 1 to 255, as text: `"4"` |
| host | an exact name with a dot (`registry.example.org`); `*.example.org` for the name itself and everything below it; `domain=` and `suffix=` are the same in words, and `domain=` also takes a single label; an IPv4 address; an IPv4 network `a.b.c.d/len`, `len` from 8 to 32; `*` alone for every public host. No scheme, port or path |
| directory | an absolute path without `..`, `:`, `,`, `;`, control or invisible characters; `~` and variables are refused, since nothing is expanded |
| variable | a name of letters, digits and underscores that does not start with a digit; never a value |
| image | `[host[:port]/]path[:tag][@sha256:...]`, the path in lower case |
"""

TYPES = {
    "Section": "object", "SectionList": "list of objects", "SectionMap": "object of objects",
    "FreeObject": "any object", "Boolean": "true or false", "Text": "text", "TextOrNull": "text or null",
    "Integer": "whole number", "Number": "number", "TextList": "list of texts",
    "TextOrSectionList": "list of texts or objects",
}


def number(value):
    return f"{value:g}" if value != int(value) else str(int(value))


def type_text(key):
    if key.type not in TYPES:
        raise TableError(f"{SCHEMA}: {key.path}: unknown type {key.type}")
    text = TYPES[key.type]
    if key.type in ("Integer", "Number"):
        bounded = key.maximum > key.minimum
        text += (f", {number(key.minimum)} to {number(key.maximum)}" if bounded
                 else f", {number(key.minimum)} or more")
    return text


def key_table(table):
    lines = ["| key | type | default | meaning |", "| --- | --- | --- | --- |"]
    for key in table:
        default = code(key.default) if key.default else ""
        lines.append("| " + " | ".join(cell(text) for text in (
            code(key.path), type_text(key), default, prose(key.doc))) + " |")
    return lines


def first_part(path):
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def config_page(text):
    table = keys(text)
    known = [key for key in table if key.kind == "KEY" and key.path]
    names = list(dict.fromkeys(first_part(key.path) for key in known))
    sections = {name: [key for key in known if first_part(key.path) == name] for name in names}
    single = [group[0] for group in sections.values() if len(group) == 1]
    lines = [NOTICE.format(source=SCHEMA), CONFIG_HEAD, "## Single keys\n", *key_table(single), ""]
    for name, group in sections.items():
        if len(group) > 1:
            lines += [f"## `{name}`\n", f"{prose(group[0].doc)}\n", *key_table(group[1:]), ""]
    for kind, title, intro in (
            ("LEGACY", "Keys of older versions", "Nothing reads them today; each gives a warning (FP1018)."),
            ("HINT", "Keys that are often written but never existed", "Each is an error (FP1014) that says what to do:")):
        lines += [f"## {title}\n", f"{intro}\n", "| key | instead |", "| --- | --- |"]
        lines += [f"| {code(key.path)} | {cell(prose(key.doc))} |" for key in table if key.kind == kind]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


PAGES = {"docs/config.md": (SCHEMA, config_page), "docs/diagnostics.md": (DIAGNOSTICS, diagnostics_page)}


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    stale = False
    for page, (source, render) in PAGES.items():
        path = ROOT / page
        try:
            wanted = render((ROOT / source).read_text(encoding="utf-8"))
        except TableError as error:
            print(error, file=sys.stderr)
            return 2
        found = path.read_text(encoding="utf-8") if path.exists() else ""
        if not arguments:
            path.write_text(wanted, encoding="utf-8")
            print(f"{page}: {'as it was' if found == wanted else 'written'}")
        elif found != wanted:
            stale = True
            print(f"{page} is not what {source} gives; run docs/generate.py")
            print("".join(list(difflib.unified_diff(found.splitlines(True), wanted.splitlines(True), page, "wanted"))[:40]))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
