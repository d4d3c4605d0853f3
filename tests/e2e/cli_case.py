"""The base of the command-line tests: unittest, with the tool given by --binary."""

import argparse
import json
import sys
import unittest

from tool import Place, Tool, as_text


class CliCase(unittest.TestCase):
    tool = None  # set by main()
    maxDiff = 4000

    def setUp(self):
        self.place = self.enterContext(Place("cli-"))

    def run_tool(self, *args, **more):
        return self.tool.run(*args, **more)

    def compile(self, config="{}", *flags, **more):
        """A run of compile with a whole context."""
        return self.tool.run("compile", "-", *self.place.context(), *flags, stdin=as_text(config), **more)

    def plan_bytes(self, config="{}", *flags, **more):
        done = self.compile(config, *flags, **more)
        self.assertEqual(done.status, 0, done)
        return done.out

    def plan_file(self, config="{}", *flags, name="plan.json", **more):
        return self.place.write(name, self.plan_bytes(config, *flags, **more))

    def assertStatus(self, done, status):
        self.assertEqual(done.status, status, done)
        if status == 2:
            self.assertNotEqual(done.err, b"", done)
            self.assertTrue(done.out == b"" or done.args[0] == "check", done)

    def assertSays(self, done, *words):
        for word in words:
            self.assertIn(word, done.errors, done)


def canonical(value):
    """RFC 8785 for what plans hold: no floating point, keys sorted by their UTF-16."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--binary", required=True)
    arguments, rest = parser.parse_known_args()
    CliCase.tool = Tool(arguments.binary)
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])
