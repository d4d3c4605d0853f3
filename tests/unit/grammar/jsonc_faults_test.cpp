// Every single fault: its code, its exact place, what is said and advised.
#include <array>

#include "jsonc_test_reading.hpp"

namespace forge::grammar::test {
namespace {

using testing::HasSubstr;

struct Fault {
  std::string_view name;
  std::string_view text;
  DiagnosticId id;
  Span where;
  std::string_view message;
  std::string_view help;
};

void PrintTo(const Fault& row, std::ostream* out) { *out << row.name << ": " << printable(row.text); }

class JsoncFault : public testing::TestWithParam<Fault> {};

TEST_P(JsoncFault, IsReportedOnceAtItsPlace) {
  const Fault& row = GetParam();
  const Reading reading = read(row.text);
  EXPECT_FALSE(reading.tree.complete);
  EXPECT_EQ(codes_of(reading), policy::code_text(row.id) + "@" + span_text(row.where));
  ASSERT_FALSE(reading.findings.empty());
  EXPECT_THAT(reading.findings[0].message, HasSubstr(row.message));
  EXPECT_THAT(reading.findings[0].help, HasSubstr(row.help));
}

constexpr auto kSyntax = DiagnosticId::SyntaxError;

constexpr std::array kStructure = {
    Fault{"comma_missing", R"({"a": 1 "b": 2})", kSyntax, {8, 9}, "a comma is missing", "put a comma"},
    Fault{"comma_missing_in_array", "[1 2]", kSyntax, {3, 4}, "a comma is missing", "put a comma"},
    Fault{"colon_missing", R"({ "sandbox" { } })", kSyntax, {12, 13}, "a colon is missing", "write a colon"},
    Fault{"colon_missing_before_text", R"({"a" "b"})", kSyntax, {5, 6}, "expected `:`", "write a colon"},
    Fault{"equals_sign", R"({"a" = 1})", kSyntax, {5, 6}, "not `=`", "write a colon"},
    Fault{"value_missing", R"({"a": })", kSyntax, {6, 7}, "a value is missing", "write a value"},
    Fault{"value_missing_before_comma", R"({"a": , "b": 1})", kSyntax, {6, 7}, "a value is missing", ""},
    Fault{"key_missing", R"({: 1})", kSyntax, {1, 2}, "a key is missing", ""},
    Fault{"key_alone", R"({"a"})", kSyntax, {1, 4}, "the key `a` has no value", "write a colon"},
    Fault{"key_alone_in_list", R"({"a", "b": 1})", kSyntax, {1, 4}, "the key `a` has no value", ""},
    Fault{"array_as_key", R"({[1]: 2})", kSyntax, {1, 2}, "expected a key in double quotes, not `[`", ""},
    Fault{"colon_in_array", R"(["a": 1])", kSyntax, {4, 5}, "expected `,` or `]`, not `:`", "inside `{ }`"},
    Fault{"semicolon", R"({"a": 1; "b": 2})", kSyntax, {7, 8}, "not `;`", "write a comma"},
    Fault{"quote_inside_text", R"({"a": "foo"bar", "b": 1})", kSyntax, {11, 14}, "not this word", "comma"},
    Fault{
        "wrong_bracket", R"({"a": [1, 2}, "b": 3})", kSyntax, {11, 12}, "expected `]`, not `}`", "write `]`"},
    Fault{
        "bracket_forgotten", R"({"x": {"a": [1}, "b": 3})", kSyntax, {14, 15}, "`]` is missing", "write `]`"},
    Fault{"two_forgotten", R"({"a": [[1})", kSyntax, {9, 10}, "`]` is missing before this", ""},
    Fault{"no_end",
          R"({"sandbox": {"network": {"allow": ["a.com"]})",
          kSyntax,
          {44, 44},
          "`}` is missing at the end",
          ""},
    Fault{"no_end_after_comma", "[1,", kSyntax, {3, 3}, "`]` is missing at the end", "array ends"},
    Fault{"no_end_after_colon", R"({"a":)", kSyntax, {5, 5}, "`}` is missing at the end", "object ends"},
    Fault{"no_end_after_key", R"({"a")", kSyntax, {4, 4}, "`}` is missing at the end", ""},
};

constexpr std::array kAfterTheValue = {
    Fault{"word", "{} x", kSyntax, {3, 4}, "expected the end of the file, not this word", "one value"},
    Fault{"second_value", "{} {}", kSyntax, {3, 4}, "not `{`", "one value"},
    Fault{"comma", "{},", kSyntax, {2, 3}, "not `,`", ""},
    Fault{"bracket", "{}}", kSyntax, {2, 3}, "`}` closes nothing", ""},
    Fault{"nul", std::string_view("{}\0", 3), kSyntax, {2, 3}, "U+0000", ""},
    Fault{"hash", "{} # x", kSyntax, {3, 4}, "`#` does not begin a comment", "`//`"},
};

constexpr std::array kWords = {
    Fault{"single_quotes",
          "{\"a\": 'it'}",
          kSyntax,
          {6, 10},
          "this text is in single quotes",
          "write double quotes"},
    Fault{"single_quoted_key", "{'sandbox': {}}", kSyntax, {1, 10}, "single quotes", "write double quotes"},
    Fault{"lone_single_quote", "['a\n]", kSyntax, {1, 2}, "single quotes", "write double quotes"},
    Fault{"bare_key",
          "{sandbox: {}}",
          kSyntax,
          {1, 8},
          "the key `sandbox` has no quotes",
          "put the key in double quotes"},
    Fault{"bare_text",
          "[a.example.com]",
          kSyntax,
          {1, 14},
          "this word is no value",
          "put text in double quotes"},
    Fault{"foreign_word", "[gr\u00fc\u00df]", kSyntax, {1, 7}, "this word", "double quotes"},
    Fault{"python_true", "[True]", kSyntax, {1, 5}, "`True` is no value of JSON", "write `true`"},
    Fault{"yaml_no", "[no]", kSyntax, {1, 3}, "`no`", "write `false`"},
    Fault{"undefined", "[undefined]", kSyntax, {1, 10}, "`undefined`", "write `null`"},
    Fault{"nan", R"({"x": NaN})", kSyntax, {6, 9}, "`NaN`", "no such number"},
    Fault{"infinity", "[-Infinity]", kSyntax, {1, 10}, "`-Infinity`", "no such number"},
    Fault{"runs_on", "[nullx]", kSyntax, {1, 6}, "this word", ""},
    Fault{"slash", "[/ 1]", kSyntax, {1, 2}, "not `/`", "`//` or `/*`"},
    Fault{"foreign_quotes", "[\u201ca\u201d]", kSyntax, {1, 4}, "`\u201c`", "plain double quotes"},
    Fault{"backtick", "[`a`]", kSyntax, {1, 2}, "```", "plain double quotes"},
    Fault{"foreign_space", "[\u00a01]", kSyntax, {1, 3}, "U+00A0", "plain space"},
    Fault{"second_mark", "\xEF\xBB\xBF\xEF\xBB\xBF{}", kSyntax, {3, 6}, "U+FEFF", "very beginning"},
    Fault{"mark_inside", "[\xEF\xBB\xBF]", kSyntax, {1, 4}, "U+FEFF", ""},
    Fault{"vertical_tab", "[\v1]", kSyntax, {1, 2}, "U+000B", ""},
};

constexpr std::array kNumbers = {
    Fault{"leading_zero", "[01]", kSyntax, {1, 3}, "`01` is no number", "leading zero"},
    Fault{"negative_leading_zero", "[-012]", kSyntax, {1, 5}, "`-012`", "leading zero"},
    Fault{"plus", "[+1]", kSyntax, {1, 3}, "`+1`", "plus sign"},
    Fault{"no_digit_before", "[.5]", kSyntax, {1, 3}, "`.5`", "digit before the point"},
    Fault{"no_digit_after", "[1.]", kSyntax, {1, 3}, "`1.`", "digit after the point"},
    Fault{"hexadecimal", "[0x1F]", kSyntax, {1, 5}, "`0x1F`", "in decimal"},
    Fault{"unit", "[8g]", kSyntax, {1, 3}, "`8g`", "double quotes"},
    Fault{"half_exponent", "[1e+]", kSyntax, {1, 4}, "`1e+`", ""},
    Fault{"minus_alone", "[-]", kSyntax, {1, 2}, "this word", ""},
    Fault{"two_points", "[1.2.3]", kSyntax, {1, 6}, "`1.2.3`", ""},
    Fault{"overflow", "[1e9999]", DiagnosticId::NumberOutOfRange, {1, 7}, "`1e9999`", "1.8e308"},
    Fault{"overflow_short", "[9e999]", DiagnosticId::NumberOutOfRange, {1, 6}, "`9e999`", ""},
    Fault{"overflow_edge", "[1.8e308]", DiagnosticId::NumberOutOfRange, {1, 8}, "`1.8e308`", ""},
    Fault{"overflow_negative", "[-2E308]", DiagnosticId::NumberOutOfRange, {1, 7}, "`-2E308`", ""},
    Fault{"overflow_huge_exponent",
          "[0.1e99999999999999999999]",
          DiagnosticId::NumberOutOfRange,
          {1, 25},
          "",
          ""},
    Fault{"inexact",
          "[9007199254740992]",
          DiagnosticId::NumberOutOfRange,
          {1, 17},
          "exact",
          "9007199254740991"},
    Fault{"inexact_negative", "[-9007199254740993]", DiagnosticId::NumberOutOfRange, {1, 18}, "exact", ""},
    Fault{"long_integer", "[100000000000000000000]", DiagnosticId::NumberOutOfRange, {1, 22}, "exact", ""},
};

constexpr std::array kText = {
    Fault{
        "lone_high", R"(["/a\ud800b"])", DiagnosticId::LoneSurrogate, {4, 10}, R"(`\ud800`)", "both halves"},
    Fault{"lone_low", R"(["\uDC00"])", DiagnosticId::LoneSurrogate, {2, 8}, R"(`\uDC00`)", ""},
    Fault{"high_before_other", R"(["\ud800\u0041"])", DiagnosticId::LoneSurrogate, {2, 8}, "", ""},
    Fault{"high_at_end", R"(["x\udbff"])", DiagnosticId::LoneSurrogate, {3, 9}, "", ""},
    Fault{"low_after_pair", R"(["\ud83d\ude00\ude00"])", DiagnosticId::LoneSurrogate, {14, 20}, "", ""},
    Fault{"high_before_pair", R"(["\ud83d\ud83d\ude00"])", DiagnosticId::LoneSurrogate, {2, 8}, "", ""},
    Fault{"bad_byte",
          "[\"/a\xFF"
          "b\"]",
          DiagnosticId::InvalidUtf8,
          {4, 5},
          "`\\xFF` is not UTF-8",
          "save the file"},
    Fault{"overlong", "[\"\xC0\xAF\"]", DiagnosticId::InvalidUtf8, {2, 4}, "\\xC0\\xAF", ""},
    Fault{"raw_surrogate", "[\"\xED\xA0\x80\"]", DiagnosticId::InvalidUtf8, {2, 5}, "", ""},
    Fault{"beyond_unicode", "[\"\xF4\x90\x80\x80\"]", DiagnosticId::InvalidUtf8, {2, 6}, "", ""},
    Fault{"cut_short", "[\"\xE2\x82\"]", DiagnosticId::InvalidUtf8, {2, 4}, "", ""},
    Fault{"bad_byte_in_key", "{\"\xFE\": 1}", DiagnosticId::InvalidUtf8, {2, 3}, "", ""},
    Fault{"bad_byte_in_line_comment", "{} // \x80", DiagnosticId::InvalidUtf8, {6, 7}, "", ""},
    Fault{"bad_byte_in_block_comment", "/* \xC3 */ {}", DiagnosticId::InvalidUtf8, {3, 4}, "", ""},
    Fault{"bad_byte_outside", "[\xFF]", DiagnosticId::InvalidUtf8, {1, 2}, "", ""},
    Fault{"utf_16", "\xFF\xFE{", DiagnosticId::InvalidUtf8, {0, 2}, "", "UTF-8"},
    Fault{"tab", "[\"a\tb\"]", DiagnosticId::ControlCharacter, {3, 4}, "U+0009", "`\\t`"},
    Fault{"nul",
          std::string_view("[\"a\0b\"]", 7),
          DiagnosticId::ControlCharacter,
          {3, 4},
          "U+0000",
          "`\\u0000`"},
    Fault{"controls", "[\"\x1b\x1b\"]", DiagnosticId::ControlCharacter, {2, 4}, "U+001B", "`\\u001b`"},
    Fault{"unknown_escape",
          R"(["C:\dir"])",
          DiagnosticId::InvalidEscape,
          {4, 6},
          R"(`\d` is no escape)",
          R"(`\\`)"},
    Fault{"hex_escape", R"(["\x41"])", DiagnosticId::InvalidEscape, {2, 4}, R"(`\x`)", R"(`\u00`)"},
    Fault{"escaped_single_quote",
          R"(["it\'s"])",
          DiagnosticId::InvalidEscape,
          {4, 6},
          "",
          "needs no backslash"},
    Fault{"short_code_unit",
          R"(["\u12"])",
          DiagnosticId::InvalidEscape,
          {2, 6},
          R"(`\u12`)",
          "four hexadecimal digits"},
    Fault{"capital_code_unit", R"(["\U0041"])", DiagnosticId::InvalidEscape, {2, 4}, R"(`\U`)", ""},
    Fault{"foreign_escape", "[\"\\\u00e9\"]", DiagnosticId::InvalidEscape, {2, 5}, "`\\\u00e9`", ""},
    Fault{"comment_ends_for_some",
          "{ // a\r\"b\":1}",
          DiagnosticId::ControlCharacter,
          {6, 7},
          "carriage return",
          ""},
};

constexpr std::array kEnds = {
    Fault{"empty", "", DiagnosticId::EmptyFile, {0, 0}, "no value", "{}"},
    Fault{"blank", " \r\n\t", DiagnosticId::EmptyFile, {0, 0}, "no value", "{}"},
    Fault{"only_comments", "// a\n/* b */", DiagnosticId::EmptyFile, {0, 0}, "no value", "{}"},
    Fault{"only_a_mark", "\xEF\xBB\xBF", DiagnosticId::EmptyFile, {0, 0}, "no value", "{}"},
    Fault{"comment_without_end",
          "{ \"a\": 1 /* oops }",
          DiagnosticId::UnterminatedComment,
          {9, 11},
          "no end",
          "`*/`"},
    Fault{"comment_alone", "/*/", DiagnosticId::UnterminatedComment, {0, 2}, "no end", "`*/`"},
    Fault{"comment_after_value", "{} /*", DiagnosticId::UnterminatedComment, {3, 5}, "no end", "`*/`"},
    Fault{"string_at_line_end",
          "{ \"a\": \"x,\n \"b\": 2 }",
          DiagnosticId::UnterminatedString,
          {7, 10},
          "no end",
          "quote"},
    Fault{"string_before_crlf", "[\"x\r\n]", DiagnosticId::UnterminatedString, {1, 3}, "no end", "quote"},
    Fault{"string_at_file_end", "[\"x", DiagnosticId::UnterminatedString, {1, 3}, "no end", "quote"},
    Fault{"quote_at_file_end", "\"", DiagnosticId::UnterminatedString, {0, 1}, "no end", "quote"},
    Fault{"backslash_at_line_end", "[\"x\\\n]", DiagnosticId::UnterminatedString, {1, 4}, "no end", "quote"},
    Fault{"key_without_end", "{ \"image: 1 }", DiagnosticId::UnterminatedString, {2, 13}, "no end", "quote"},
    Fault{
        "two_commas", R"(["a",, "b"])", DiagnosticId::ExtraComma, {5, 6}, "no value before it", "remove it"},
    Fault{"two_commas_at_end",
          R"({"a":1, ,})",
          DiagnosticId::ExtraComma,
          {8, 9},
          "no value before it",
          "remove it"},
    Fault{"comma_first", "[,1]", DiagnosticId::ExtraComma, {1, 2}, "no value before it", ""},
    Fault{"comma_alone", "{,}", DiagnosticId::ExtraComma, {1, 2}, "no value before it", ""},
};

constexpr std::array kDuplicates = {
    Fault{"plain",
          R"({"allow":["a"],"allow":["*"]})",
          DiagnosticId::DuplicateKey,
          {15, 22},
          "the key `allow`",
          "merge"},
    Fault{"escaped", R"({"\u0061":1,"a":2})", DiagnosticId::DuplicateKey, {12, 15}, "the key `a`", ""},
    Fault{"escaped_later", R"({"a":1,"\u0061":2})", DiagnosticId::DuplicateKey, {7, 15}, "the key `a`", ""},
    Fault{"empty", R"({"":1,"":2})", DiagnosticId::DuplicateKey, {6, 8}, "this key is given twice", ""},
    Fault{"prototype",
          R"({"__proto__":1,"__proto__":2})",
          DiagnosticId::DuplicateKey,
          {15, 26},
          "`__proto__`",
          ""},
    Fault{"among_many",
          R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"b":1})",
          DiagnosticId::DuplicateKey,
          {55, 58},
          "the key `b`",
          ""},
};

std::string row_name(const testing::TestParamInfo<Fault>& info) { return std::string(info.param.name); }

INSTANTIATE_TEST_SUITE_P(Structure, JsoncFault, testing::ValuesIn(kStructure), row_name);
INSTANTIATE_TEST_SUITE_P(AfterTheValue, JsoncFault, testing::ValuesIn(kAfterTheValue), row_name);
INSTANTIATE_TEST_SUITE_P(Words, JsoncFault, testing::ValuesIn(kWords), row_name);
INSTANTIATE_TEST_SUITE_P(Numbers, JsoncFault, testing::ValuesIn(kNumbers), row_name);
INSTANTIATE_TEST_SUITE_P(Text, JsoncFault, testing::ValuesIn(kText), row_name);
INSTANTIATE_TEST_SUITE_P(Ends, JsoncFault, testing::ValuesIn(kEnds), row_name);
INSTANTIATE_TEST_SUITE_P(Duplicates, JsoncFault, testing::ValuesIn(kDuplicates), row_name);

TEST(JsoncFaults, MessagesFollowTheHouseStyle) {
  const auto check = [](const auto& rows) {
    for (const Fault& row : rows) {
      for (const Diagnostic& finding : read(row.text).findings) {
        EXPECT_EQ(finding.message.find('\n'), std::string::npos) << row.name;
        EXPECT_FALSE(finding.message.ends_with('.')) << row.name;
        EXPECT_FALSE(finding.message.front() >= 'A' && finding.message.front() <= 'Z') << row.name;
        EXPECT_TRUE(policy::is_valid_utf8(finding.message)) << row.name;
        EXPECT_NE(finding.help, "") << row.name;
      }
    }
  };
  check(kStructure);
  check(kAfterTheValue);
  check(kWords);
  check(kNumbers);
  check(kText);
  check(kEnds);
  check(kDuplicates);
}

TEST(JsoncFaults, NumbersAtTheEdgeArePlain) {
  for (const std::string_view text :
       {"[9007199254740991]", "[-9007199254740991]", "[1.7976931348623157e308]", "[-1.7e308]", "[1e-9999]",
        "[0e9999]", "[0.0000000000e99999999999]", "[9007199254740993.0]", "[0.00000001e309]", "[123456]"}) {
    EXPECT_EQ(codes_of(read(text)), "") << text;
  }
}

TEST(JsoncFaults, LongMessagesAreCut) {
  const std::string text = "[" + std::string(100'000, 'x') + "]";
  const Reading reading = read(text);
  ASSERT_EQ(reading.findings.size(), 1U);
  EXPECT_LT(reading.findings[0].message.size(), 200U);
}

TEST(JsoncFaults, MissingBracketsNameWhereTheyWereOpened) {
  const Reading reading = read(R"({"a": [1, {"b": 2)");
  ASSERT_EQ(reading.findings.size(), 1U);
  EXPECT_THAT(reading.findings[0].related, testing::ElementsAre(policy::Related{"opened here", {10, 11}}));
}

TEST(JsoncFaults, WrongBracketsNameWhereTheContainerWasOpened) {
  const Reading reading = read(R"([{"a": 1])");
  EXPECT_EQ(codes_of(reading), "FP1001@8-9");
  EXPECT_THAT(reading.findings[0].related, testing::ElementsAre(policy::Related{"opened here", {1, 2}}));
}

}  // namespace
}  // namespace forge::grammar::test
