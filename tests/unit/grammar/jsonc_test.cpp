// What JSONC is: texts that are read without a finding, their nodes and places, and the limits.
#include <array>

#include "jsonc_test_reading.hpp"

namespace forge::grammar::test {
namespace {

struct Good {
  std::string_view name;
  std::string_view text;
  std::string_view shape;
};

void PrintTo(const Good& row, std::ostream* out) { *out << row.name << ": " << printable(row.text); }

class JsoncGood : public testing::TestWithParam<Good> {};

TEST_P(JsoncGood, IsReadWithoutAFinding) {
  const Reading reading = read(GetParam().text);
  EXPECT_EQ(codes_of(reading), "");
  EXPECT_TRUE(reading.tree.complete);
  EXPECT_EQ(shape_of(reading.tree), GetParam().shape);
}

constexpr std::array kValues = {
    Good{"empty_object", "{}", "{}"},
    Good{"empty_array", "[]", "[]"},
    Good{"spaced", " \t\r\n{ \n } \n", "{}"},
    Good{"words", "[true,false,null]", "[true,false,null]"},
    Good{"root_word", "null", "null"},
    Good{"root_string", R"("x")", "<x>"},
    Good{"root_number", "5", "5"},
    Good{"numbers", "[0,-0,1,10,0.5,-1.25,1e5,1E+5,2e-3,0e0]", "[0,-0,1,10,0.5,-1.25,1e5,1E+5,2e-3,0e0]"},
    Good{"nested", R"({"a":[1,{"b":[]},[[]]],"c":{}})", "{<a>:[1,{<b>:[]},[[]]],<c>:{}}"},
    Good{"empty_key", R"({"":1})", "{<>:1}"},
    Good{"prototype_key", R"({"__proto__":{"readonly":false},"constructor":1})",
         "{<__proto__>:{<readonly>:false},<constructor>:1}"},
    Good{"same_key_elsewhere", R"({"a":{"a":1},"b":[{"a":2},{"a":3}]})",
         "{<a>:{<a>:1},<b>:[{<a>:2},{<a>:3}]}"},
};

constexpr std::array kStrings = {
    Good{"escapes", R"(["\"\\\/\b\f\n\r\t"])", "[<\"\\/\b\f\n\r\t>]"},
    Good{"code_units", R"(["\u0041\u00e9\u20AC"])", "[<A\u00e9\u20ac>]"},
    Good{"pair", R"(["\ud83d\ude00\uD83D\uDE00"])", "[<\U0001F600\U0001F600>]"},
    Good{"edge_pairs", R"(["\ud800\udc00\udbff\udfff"])", "[<\U00010000\U0010FFFF>]"},
    Good{"around_surrogates", R"(["\ud7ff\ue000"])", "[<\uD7FF\uE000>]"},
    Good{"raw_text", "[\"\u00e9\u20ac\U0001F600\"]", "[<\u00e9\u20ac\U0001F600>]"},
    Good{"eight_byte_steps", R"(["1234567","12345678","123456789","1234567\n","12345678\n"])",
         "[<1234567>,<12345678>,<123456789>,<1234567\n>,<12345678\n>]"},
    Good{"double_slash", R"({"image":"http://x/y","host":"/srv//data"})",
         "{<image>:<http://x/y>,<host>:</srv//data>}"},
    Good{"comment_signs", R"(["/* no */", "cat /etc/**/shadow", "a\"//b", "//x", "#"])",
         "[</* no */>,<cat /etc/**/shadow>,<a\"//b>,<//x>,<#>]"},
    Good{"comma_and_bracket", R"(["a,}", "a, ]", ",", "[1,]"])", "[<a,}>,<a, ]>,<,>,<[1,]>]"},
    Good{"escaped_invisible", R"(["\u200b\u0000\ufeff"])", std::string_view("[<\u200b\0\ufeff>]", 11)},
};

constexpr std::array kComments = {
    Good{"line", "{ // c\n \"a\": 1 }", "{<a>:1}"},
    Good{"line_crlf", "{\r\n \"a\": 1 // x\r\n}", "{<a>:1}"},
    Good{"line_at_end", "{} // x", "{}"},
    Good{"empty_line_comment", "{}//", "{}"},
    Good{"block", "/**/{/* c */\"a\"/* : */:/***/1/* , */}/* }\n */", "{<a>:1}"},
    Good{"block_does_not_nest", "{ /* a /* b */ \"a\": 1 }", "{<a>:1}"},
    Good{"block_in_line", "{} // /*", "{}"},
    Good{"line_in_block", "{} /* // */", "{}"},
    Good{"foreign", "{} // gr\u00fc\u00dfe \u6f22", "{}"},
    Good{"quote_in_comment", "[1 /* \" */, 2 // \"\n]", "[1,2]"},
};

constexpr std::array kCommas = {
    Good{"in_array", "[1,2,]", "[1,2]"},
    Good{"in_object", R"({"a":{"b":true,},})", "{<a>:{<b>:true}}"},
    Good{"with_comments", "[1, // last\n]", "[1]"},
    Good{"before_comment", "[1 /* a */ , /* b */ ]", "[1]"},
};

constexpr std::array kMarks = {
    Good{"byte_order_mark", "\xEF\xBB\xBF{\"a\":1}", "{<a>:1}"},
    Good{"lone_carriage_return", "{\r\"a\":1\r}", "{<a>:1}"},
};

std::string row_name(const testing::TestParamInfo<Good>& info) { return std::string(info.param.name); }

INSTANTIATE_TEST_SUITE_P(Values, JsoncGood, testing::ValuesIn(kValues), row_name);
INSTANTIATE_TEST_SUITE_P(Strings, JsoncGood, testing::ValuesIn(kStrings), row_name);
INSTANTIATE_TEST_SUITE_P(Comments, JsoncGood, testing::ValuesIn(kComments), row_name);
INSTANTIATE_TEST_SUITE_P(Commas, JsoncGood, testing::ValuesIn(kCommas), row_name);
INSTANTIATE_TEST_SUITE_P(Marks, JsoncGood, testing::ValuesIn(kMarks), row_name);

TEST(JsoncTree, SpansCoverKeysAndValuesWithTheirQuotes) {
  const std::string_view text = R"({ "a" : [1, -2.5], "bc":true , "d": {"e":null},"f":"g\n" })";
  const Reading reading = read(text);
  EXPECT_EQ(spans_of(reading.tree),
            "O0-58 S2-5 A8-17 N9-10 N12-16 S19-23 T24-28 S31-34 O36-46 S37-40 Z41-45 S47-50 S51-56");
  EXPECT_EQ(source_text(reading.tree, reading.tree.nodes[4]), "-2.5");
  EXPECT_EQ(source_text(reading.tree, reading.tree.nodes[12]), R"("g\n")");
}

TEST(JsoncTree, SpansCountTheByteOrderMarkAndBytesNotCharacters) {
  EXPECT_EQ(spans_of(read("\xEF\xBB\xBF[\"\u20ac\",1]").tree), "A3-12 S4-9 N10-11");
}

TEST(JsoncTree, NextLeadsOverSubtrees) {
  const Reading reading = read(R"({"a":[1,[2]],"b":3})");
  std::vector<std::uint32_t> next;
  for (const Node& node : reading.tree.nodes) {
    next.push_back(node.next);
  }
  EXPECT_THAT(next, testing::ElementsAre(8, 2, 6, 4, 6, 6, 7, 8));
}

TEST(JsoncTree, OnlyStringsWithABackslashAreMarkedEscaped) {
  const Reading reading = read(R"({"a":"b\n","c\u0064":"/\\","e":"f"})");
  std::vector<bool> escaped;
  for (const Node& node : reading.tree.nodes) {
    escaped.push_back(node.escaped);
  }
  EXPECT_THAT(escaped, testing::ElementsAre(false, false, true, true, true, false, false));
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsoncLimits, DeepestNestingIsRead) {
  const std::string text = nested(kMaxNesting);
  const Reading reading = read(text);
  EXPECT_EQ(codes_of(reading), "");
  EXPECT_EQ(reading.tree.nodes.size(), kMaxNesting);
}

TEST(JsoncLimits, OneLevelMoreStopsTheReading) {
  const std::string text = "[x, " + nested(kMaxNesting) + ", y]";
  const Reading reading = read(text);
  EXPECT_EQ(codes_of(reading), "FP1001@1-2 FP1002@67-68");
  EXPECT_THAT(reading.findings[1].message, testing::HasSubstr("64 levels"));
  EXPECT_FALSE(reading.tree.complete);
  EXPECT_EQ(reading.tree.nodes.size(), kMaxNesting);
}

TEST(JsoncLimits, ObjectsCountAsLevelsToo) {
  std::string text;
  for (std::size_t level = 0; level <= kMaxNesting; ++level) {
    text += R"({"a":)";
  }
  EXPECT_EQ(codes_of(read(text)), "FP1002@320-321");
}

TEST(JsoncLimits, HundredThousandBracketsNeedNoStack) {
  EXPECT_EQ(codes_of(read(std::string(100'000, '['))), "FP1002@64-65");
  // Skipped brackets are only counted.
  EXPECT_EQ(codes_of(read("[x " + std::string(100'000, '['))), "FP1001@1-2");
}

TEST(JsoncLimits, LargestFileIsRead) {
  std::string text(kMaxConfigBytes, ' ');
  text.front() = '[';
  text.back() = ']';
  const Reading reading = read(text);
  EXPECT_EQ(codes_of(reading), "");
  EXPECT_EQ(spans_of(reading.tree), "A0-8388608");
}

TEST(JsoncLimits, OneByteMoreIsNotReadAtAll) {
  const std::string text(kMaxConfigBytes + 1, '?');
  const Reading reading = read(text);
  EXPECT_EQ(codes_of(reading), "FP1003@0-0");
  EXPECT_FALSE(reading.tree.complete);
  EXPECT_TRUE(reading.tree.nodes.empty());
}

std::string with_faults(std::size_t count) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) {
    text += "x,";
  }
  return text + "7]";
}

TEST(JsoncLimits, ReadingGoesOnUpToTheLastErrorButOne) {
  const std::string text = with_faults(kMaxSyntaxErrors - 1);
  const Reading reading = read(text);
  EXPECT_EQ(reading.errors, kMaxSyntaxErrors - 1);
  EXPECT_EQ(shape_of(reading.tree), "[7]");
}

TEST(JsoncLimits, ReadingStopsAtTheLastError) {
  const std::string text = with_faults(kMaxSyntaxErrors + 5);
  const Reading reading = read(text);
  EXPECT_EQ(reading.errors, kMaxSyntaxErrors);
  EXPECT_EQ(shape_of(reading.tree), "[]");
  EXPECT_FALSE(reading.tree.complete);
}

TEST(JsoncLimits, WarningsDoNotCountAsErrors) {
  std::string text = "[";
  for (std::size_t i = 0; i < kMaxSyntaxErrors + 5; ++i) {
    text += "\"\u200b\",";
  }
  text += "7]";
  const Reading reading = read(text);
  EXPECT_TRUE(reading.tree.complete);
  EXPECT_EQ(reading.errors, 0U);
  EXPECT_EQ(reading.tree.nodes.size(), kMaxSyntaxErrors + 7);
}

}  // namespace
}  // namespace forge::grammar::test
