#!/usr/bin/env python3
"""The wording of findings: the rows of diagnostics.def and the messages in the code.

usage: diagnostic_style.py [ROOT]

Before it looks at the real texts it looks at planted ones, so that a rule that
reports nothing is noticed.
"""

import bisect
import pathlib
import re
import sys
import unittest

from check_rules import STRING, without_comments

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[2] / "docs"))
import generate  # noqa: E402 (its folder is known only now)

# What a text may begin with although it is no lower-case word.
PROPER_NAMES = {"DNS", "Docker", "GitHub", "IPv4", "IPv6", "JSON", "Java", "Linux", "MiB", "TLS", "UTF-8", "U+"}
CAMEL_CASE = re.compile(r"\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b")
CPP_TYPE = re.compile(r"\b[A-Za-z_]\w*::[A-Za-z_]\w*|\b\w+_t\b|\bstring_view\b|\bnullptr\b|\bstd\b|\w+<\w+>")


def cpp_names(text):
    """Words that only a C++ programmer knows; what stands between backticks is the user's own text."""
    outside = re.sub(r"`[^`]*`", " ", text)
    names = CPP_TYPE.findall(outside) + [word for word in CAMEL_CASE.findall(outside) if word not in PROPER_NAMES]
    return ", ".join(names)


def is_lower_start(text):
    return (not text or text[0] in '`"({[*.-' or text[0].islower() or text[0].isdigit()
            or any(text.startswith(name) for name in PROPER_NAMES))


def text_faults(text):
    """What is wrong with any text that is shown to people."""
    if not text.isascii():
        yield "is not ASCII"
    if re.search(r"[\x00-\x1f]", text):
        yield "holds a line break or control character"
    if names := cpp_names(text):
        yield f"names C++ types: {names}"


def phrase_faults(text):
    """The same for a phrase: a title, a message, a help."""
    yield from text_faults(text)
    if not is_lower_start(text):
        yield "does not begin in lower case"
    if text.endswith(".") and not text.endswith(".."):
        yield "ends with a full stop"


def row_faults(row):
    for column in ("title", "fix"):
        for fault in phrase_faults(getattr(row, column)):
            yield f"{column} {fault}"
    for column in ("why", "example"):
        for fault in text_faults(getattr(row, column)):
            yield f"{column} {fault}"
    for column in ("title", "why", "example", "fix"):
        if not getattr(row, column).strip():
            yield f"{column} is empty"
    if row.why and not re.match(r"[A-Z`]", row.why):
        yield "why does not begin like a sentence"
    if row.why and not row.why.endswith("."):
        yield "why does not end like a sentence"


def table_faults(text, name=generate.DIAGNOSTICS):
    comments = [(text.count("\n", 0, match.start()) + 1, int(match[1]))
                for match in re.finditer(r"^// FP(\d)xxx: \S", text, re.MULTILINE)]
    for row in generate.diagnostics(text, name):
        above = bisect.bisect_left(comments, (row.line,)) - 1
        where = f"{name}:{row.line}: {row.label}"
        if above < 0 or comments[above][1] != row.code // 1000:
            yield f"{where}: stands below the comment of another range"
        for fault in row_faults(row):
            yield f"{where}: {fault}"


# ---- messages in the code ----


def literals(code):
    """(offset, decoded text) of the string literals, neighbours joined."""
    joined = []  # offset, text, end
    for match in STRING.finditer(code):
        raw = match[0]
        if raw.startswith("'"):
            continue
        text = raw.split("(", 1)[1].rsplit(")", 1)[0] if raw.startswith("R") else generate.decode(raw[1:-1])
        if joined and not code[joined[-1][2]:match.start()].strip():
            joined[-1] = (joined[-1][0], joined[-1][1] + text, match.end())
        else:
            joined.append((match.start(), text, match.end()))
    return [(offset, text) for offset, text, _ in joined]


def messages(code):
    """(line, text) of every text of several words. Keys, flags and pointers have one."""
    code = without_comments(code)
    return [(code.count("\n", 0, offset) + 1, text) for offset, text in literals(code) if re.search(r"\S \S", text)]


def message_faults(code):
    """(line, fault) of every message that is not worded as the house words them."""
    for line, text in messages(code):
        for fault in phrase_faults(text):
            yield line, f'"{text[:60]}" {fault}'


# ---- planted faults ----

GOOD_ROW = ('// FP1xxx: syntax\nFORGE_DIAGNOSTIC(1001, A, Error, StopsPlan, "a title",\n'
            '  "A reason" " in two parts.", "\\"a\\\\n\\"", "do this, like `\\"x\\"` // or that")\n')
BAD_ROWS = {
    ('"a title"', '"A title"'): "title does not begin in lower case",
    ('"a title"', '"a title."'): "title ends with a full stop",
    ('"a title"', '"a\\ntitle"'): "title holds a line break or control character",
    ('"a title"', '"a t\u00eftle"'): "title is not ASCII",
    ('"a title"', '"a title of a HostRule"'): "title names C++ types: HostRule",
    ('"a title"', '"a std::string"'): "title names C++ types: std::string",
    ('"a title"', '""'): "title is empty",
    ('"do this,', '"Do this,'): "fix does not begin in lower case",
    ('" in two parts."', '" in two parts"'): "why does not end like a sentence",
    ('"\\"a\\\\n\\""', '""'): "example is empty",
    ('"do this, like `\\"x\\"` // or that"', '""'): "fix is empty",
    ("// FP1xxx", "// FP2xxx"): "stands below the comment of another range",
    ("// FP1xxx: syntax\n", ""): "stands below the comment of another range",
}
GOOD_CODE = """void f() {
  sink.report({DiagnosticId::A, fmt::format("`{}` is wrong", excerpt(text)), span, "/sandbox/mode", "fix it", {}});
  return {DiagnosticId::B, text.find("://") != npos ? "one" " text" : "another text", ""};
  // report("Not a message.") and neither is 'x'
  const std::string_view key = "Sandbox.";
  report(id, "U+202E in a text, escaped as \\\\u{202e}", "JSON has no such word");
}
"""
BAD_CODE = {
    ("fix it", "fix it now."): '2: "fix it now." ends with a full stop',
    ("`{}` is wrong", "The text `{}` is wrong"): '2: "The text `{}` is wrong" does not begin in lower case',
    ("another text", "another HostRule text"): '3: "another HostRule text" names C++ types: HostRule',
    ('"one" " text"', '"one" " text."'): '3: "one text." ends with a full stop',
    ("JSON has no such word", "JSON has\\n no such word"): "holds a line break or control character",
}


class Planted(unittest.TestCase):
    def test_good_rows_pass(self):
        self.assertEqual(list(table_faults(GOOD_ROW, "x")), [])
        row = generate.diagnostics(GOOD_ROW)[0]
        self.assertEqual((row.why, row.example, row.fix),
                         ("A reason in two parts.", '"a\\n"', 'do this, like `"x"` // or that'))

    def test_each_bad_row_is_reported(self):
        for (old, new), fault in BAD_ROWS.items():
            self.assertIn(old, GOOD_ROW)
            self.assertTrue(any(fault in found for found in table_faults(GOOD_ROW.replace(old, new), "x")), fault)

    def test_a_row_that_is_not_understood_is_an_error(self):
        for old, new in (('"a title",', '"a title" + b,'), (", StopsPlan", ""), ("FORGE_DIAGNOSTIC", "FORGE_DIAGNOSIS"),
                         ("that\")", 'that"'), ("A reason", "A \\q reason")):
            self.assertIn(old, GOOD_ROW)
            with self.assertRaises(generate.TableError):
                list(table_faults(GOOD_ROW.replace(old, new), "x"))

    def test_good_messages_pass(self):
        self.assertEqual(list(message_faults(GOOD_CODE)), [])

    def test_each_bad_message_is_reported(self):
        for (old, new), fault in BAD_CODE.items():
            self.assertIn(old, GOOD_CODE)
            found = [f"{line}: {what}" for line, what in message_faults(GOOD_CODE.replace(old, new))]
            self.assertTrue(any(fault in what for what in found), (fault, found))


# The layout of findings is made of lines, so these are no phrases.
LAYOUT = "compiler/src/render/"


def faults(root):
    yield from table_faults((root / generate.DIAGNOSTICS).read_text())
    found = 0
    for room in ("compiler/src", "grammar/src"):
        for path in sorted((root / room).rglob("*.[ch]pp")):
            name = str(path.relative_to(root))
            if name.startswith(LAYOUT):
                continue
            code = path.read_text()
            found += len(messages(code))
            for line, fault in message_faults(code):
                yield f"{name}:{line}: {fault}"
    if not found:
        yield "no message was found in the code"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[2]).resolve()
    planted = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(Planted))
    found = list(faults(root))
    print("\n".join(found) if found else "all findings are worded as the house words them")
    return 1 if found or not planted.wasSuccessful() else 0


if __name__ == "__main__":
    sys.exit(main())
