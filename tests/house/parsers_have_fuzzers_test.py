#!/usr/bin/env python3
"""parsers_have_fuzzers.py on headers and targets made to be missed."""

import pathlib
import tempfile
import unittest

import parsers_have_fuzzers as checker

HEADER = """
// parse_comment(text) is no declaration; nor is "decode_string(".
#pragma once
#define parse_macro(x) \\
  parse_continued(x)
namespace forge::policy {
enum class ParseKind { One };
class DomainName {
 public:
  [[nodiscard]] static std::optional<DomainName> from_canonical(std::string_view text);
  explicit DomainName(int a = f({1, 2})) : a_(a) { parse_inner(a); }
  std::string read(int member) const;

 private:
  static int decode_private(int);
  int a_;
};
struct Limits { static Limits parse(int); int depth{3}; };
template <class T>
[[nodiscard]] tl::expected<T, std::vector<int>> parse_value(std::string_view text,
                                                            Limits limits = {});
using parsed = int;
int reader(int); int parsed_already(int); int lexically(int);
inline int lex(std::string_view text) { return parse_body(text); }
extern "C" { int decode_abi(const char*); }
namespace { int read_nested(int); }
}  // namespace forge::policy
"""
NAMES = ["DomainName::from_canonical", "Limits::parse", "parse_value", "lex", "decode_abi", "read_nested"]


class ParsersHaveFuzzers(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.root = pathlib.Path(temp.name)
        self.write("policy/include/forge/policy/a.hpp", HEADER)
        self.write("enforce/include/forge/enforce/files.hpp",
                   "namespace forge::enforce {\n" + "".join(f"int {name}(int);\n" for name in checker.EXEMPT) + "}\n")
        self.targets(NAMES)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def targets(self, called):
        self.write("fuzz/a_fuzz.cpp", "".join(f"  use(policy::{name}(text));\n" for name in called))

    def test_all_declarations_are_found_and_nothing_else(self):
        self.assertEqual(checker.parsers_in(HEADER), NAMES)

    def test_passes_when_each_is_called(self):
        self.assertEqual(list(checker.faults(self.root)), [])

    def test_each_that_is_not_called_is_reported(self):
        for name in NAMES:
            with self.subTest(name):
                self.targets([other for other in NAMES if other != name])
                self.assertEqual(list(checker.faults(self.root)),
                                 [f"policy/include/forge/policy/a.hpp: no fuzz target calls {name}"])

    def test_a_new_header_is_noticed(self):
        self.write("grammar/include/forge/grammar/new.hpp", "namespace forge::grammar {\nint parse_new(int);\n}\n")
        self.assertEqual(list(checker.faults(self.root)),
                         ["grammar/include/forge/grammar/new.hpp: no fuzz target calls parse_new"])

    def test_a_mention_that_is_no_call_does_not_count(self):
        for mention in ("// lex(text)", 'const char* s = "lex(text)";', "using forge::policy::lex;", "lexer(text);",
                        "other_lex(text);"):
            with self.subTest(mention):
                self.targets([name for name in NAMES if name != "lex"])
                with (self.root / "fuzz/a_fuzz.cpp").open("a") as target:
                    target.write(mention + "\n")
                self.assertEqual(len(list(checker.faults(self.root))), 1)

    def test_a_call_of_another_types_parser_does_not_count(self):
        self.targets([name for name in NAMES if name != "Limits::parse"] + ["OtherLimits::parse", "parse"])
        self.assertEqual(len(list(checker.faults(self.root))), 1)

    def test_an_exemption_that_names_nothing_is_reported(self):
        self.write("enforce/include/forge/enforce/files.hpp", "")
        self.assertEqual(len(list(checker.faults(self.root))), len(checker.EXEMPT))

    def test_an_empty_tree_does_not_pass(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertIn("no parser was found at all", list(checker.faults(pathlib.Path(empty))))


if __name__ == "__main__":
    unittest.main()
