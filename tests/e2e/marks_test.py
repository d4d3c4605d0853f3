#!/usr/bin/env python3
"""The marks under a source line stand under what the finding means, however wide the characters before it are.

Each finding is read twice: from the JSON form, which says the place in numbers, and
from the text form, where the marks must stand in the columns of that very text.
Widths are computed here from Unicode's own data.
"""

import json
import random
import re
import unicodedata

import cli_case
from cli_case import CliCase

PIECES = ["a", "Z", "-", "_", "é", "ß", "ñ", "日", "本", "語", "한", "글", "ｆｗ", "e\u0301", "o\u0308\u0323", "\U0001f600", "я", "ω", "א", "ا", " ", "\t", "/"]
BLOCK = re.compile(r"^(?P<name>[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?:error|warning|note)\[(?P<code>FP\d+)\]: [^\n]*\n"
                   r" *\|\n *\d+ \| (?P<text>[^\n]*)\n *\| (?P<marks>[ ^]*)$", re.MULTILINE)
TAB = "    "
FRONT_BYTES = 60
CUT = "..."


def width(text):
    total = 0
    for character in text:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        total += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return total


def word(chance, most):
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(1, most)))


class Marks(CliCase):
    def configs(self, chance):
        key, image, other = word(chance, 12), word(chance, 12), word(chance, 30)
        entry = {"sandbox": {"image": image, "network": {"allow": [other, "x y", word(chance, 40)]}}, key: word(chance, 20)}
        yield json.dumps(entry, ensure_ascii=False).replace("\\t", "\t")
        yield json.dumps(entry, ensure_ascii=False, indent=chance.choice((1, "\t"))).replace("\\t", "\t")

    def check_text(self, text):
        findings = [finding for finding in self.tool.diagnostics(text) if finding["range"]]
        done = self.run_tool("check", "-", stdin=text)
        blocks = list(BLOCK.finditer(done.errors))
        self.assertEqual([block["code"] for block in blocks], [finding["code"] for finding in findings], done)
        for finding, block in zip(findings, blocks):
            self.check_block(text, finding, block)
        return len(blocks)

    def check_block(self, text, finding, block):
        start, end = finding["range"]["start"], finding["range"]["end"]
        self.assertEqual((int(block["line"]), int(block["column"])), (start["line"], start["column"]))
        line = text.split("\n")[start["line"] - 1]
        marked = line[start["column"] - 1:end["column"] - 1] if end["line"] == start["line"] else line[start["column"] - 1:]
        before = line[:start["column"] - 1]
        shown_before, shown_marked = before.replace("\t", TAB), marked.replace("\t", TAB)
        kept = before.encode()
        if len(kept) > FRONT_BYTES:  # the front of the line is cut off, at a whole character
            at = len(kept) - FRONT_BYTES
            while kept[at] & 0xC0 == 0x80:
                at -= 1
            shown_before = CUT + kept[at:].decode().replace("\t", TAB)
        if "*" not in block["text"]:  # what may be a value is hidden, at its width
            self.assertTrue(block["text"].startswith(shown_before + shown_marked[:20]), block[0])
        first = len(block["marks"]) - len(block["marks"].lstrip())
        self.assertEqual(first, width(shown_before), block[0])
        if len(marked.encode()) <= 100:
            self.assertEqual(len(block["marks"].strip()), max(width(shown_marked), 1), block[0])

    def test_random_texts(self):
        seed = random.SystemRandom().randrange(1 << 32)
        chance = random.Random(seed)
        seen = 0
        for _ in range(60):
            for text in self.configs(chance):
                with self.subTest(seed=seed, text=text):
                    seen += self.check_text(text)
        self.assertGreater(seen, 300)


if __name__ == "__main__":
    cli_case.main()
