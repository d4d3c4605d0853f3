// Going on after a fault: each slip is one finding, and what is good is read.
#include <array>

#include "jsonc_test_reading.hpp"

namespace forge::grammar::test {
namespace {

struct Recovered {
  std::string_view name;
  std::string_view text;
  std::string_view codes;
  std::string_view shape;
};

void PrintTo(const Recovered& row, std::ostream* out) { *out << row.name << ": " << printable(row.text); }

class JsoncRecovery : public testing::TestWithParam<Recovered> {};

TEST_P(JsoncRecovery, ReportsEachSlipAndReadsTheRest) {
  const Reading reading = read(GetParam().text);
  EXPECT_EQ(codes_of(reading), GetParam().codes);
  EXPECT_FALSE(reading.tree.complete);
  EXPECT_EQ(shape_of(reading.tree), GetParam().shape);
}

constexpr std::array kMembers = {
    Recovered{"two_words", R"({"a": nope, "b": 1, "c": True})", "FP1001@6-10 FP1001@25-29", "{<b>:1}"},
    Recovered{"slips_at_two_levels", R"({"a": [x, 1], b: 2, "c": {"d": 01, "e": 3}})",
              "FP1001@7-8 FP1001@14-15 FP1001@31-33", "{<a>:[1],<c>:{<e>:3}}"},
    Recovered{"skips_nested", R"({a: {"x": [1, "}"], /* , */ "y": 2}, "b": 1})", "FP1001@1-2", "{<b>:1}"},
    Recovered{"skips_strings_and_comments", "[x \"a,]\" /* ,] */ // ,]\n, 1]", "FP1001@1-2", "[1]"},
    Recovered{"skips_escaped_quotes", R"([x "a\",]", 1])", "FP1001@1-2", "[1]"},
    Recovered{"array_as_key", R"({[1, 2]: 3, "a": 1})", "FP1001@1-2", "{<a>:1}"},
    Recovered{"comma_missing", R"({"a": 1 "b": [1 2 {}]})", "FP1001@8-9 FP1001@16-17 FP1001@18-19",
              "{<a>:1,<b>:[1,2,{}]}"},
    Recovered{"colon_missing", R"({"a" {"b": 1, "b": 2}, "c": 3})", "FP1001@5-6 FP1013@14-17",
              "{<a>:{<b>:1,<b>:2},<c>:3}"},
    Recovered{"colon_missing_before_number", R"({"a" 1, "b":2})", "FP1001@5-6", "{<b>:2}"},
    Recovered{"value_missing_twice", R"({"a": , "b": , "c": 1})", "FP1001@6-7 FP1001@13-14", "{<c>:1}"},
    Recovered{"key_without_value", R"({"a", "b": 1})", "FP1001@1-4", "{<b>:1}"},
    Recovered{"commas", "[,1,,2,,]", "FP1012@1-2 FP1012@4-5 FP1012@7-8", "[1,2]"},
    Recovered{"trailing_comma_after_slip", "[1, x,]", "FP1001@4-5", "[1]"},
    Recovered{"hash_comments", "{ # one, two }\n \"a\": 1, # three\n}", "FP1001@2-3 FP1001@24-25", "{<a>:1}"},
    Recovered{"json5", "{'a': 1, b: 'x', \"c\": 'y', \"d\": .5}",
              "FP1001@1-4 FP1001@9-10 FP1001@22-25 FP1001@32-34", "{}"},
    Recovered{"bad_utf8_between", "[\xFF\xFE, 1]", "FP1005@1-3", "[1]"},
    Recovered{"duplicates_around_a_slip", R"({"a": 1, "b": x, "a": 2})", "FP1001@14-15 FP1013@17-20",
              "{<a>:1,<a>:2}"},
};

constexpr std::array kBrackets = {
    Recovered{"wrong_kind", R"({"a": [1, 2}, "b": x})", "FP1001@11-12 FP1001@19-20", "{<a>:[1,2]}"},
    Recovered{"wrong_kind_at_the_end", R"({"a": [1, 2}})", "FP1001@11-12", "{<a>:[1,2]}"},
    Recovered{"forgotten", R"({"x": {"a": [1, 2}, "b": x})", "FP1001@17-18 FP1001@25-26",
              "{<x>:{<a>:[1,2]}}"},
    Recovered{"forgotten_before_comment", R"({"a": [1, 2} // end)", "FP1001@11-12", "{<a>:[1,2]}"},
    Recovered{"several_forgotten", R"({"x": {"a": [[1}, "b": x}})", "FP1001@15-16 FP1001@23-24",
              "{<x>:{<a>:[[1]]}}"},
    Recovered{"fits_nothing", "[1, 2}, 3]", "FP1001@5-6", "[1,2]"},
    Recovered{"first_in_array", R"({"a": [}, "b": 1})", "FP1001@7-8", "{<a>:[],<b>:1}"},
    Recovered{"after_colon", R"([{"a": ], 1])", "FP1001@7-8", "[{},1]"},
    Recovered{"after_key", R"([{"a"], 1])", "FP1001@5-6", "[{},1]"},
};

constexpr std::array kStrings = {
    Recovered{"faults_in_one_string", "[\"\\q\xFF\\ud800\x01\", 1]",
              "FP1008@2-4 FP1005@4-5 FP1006@5-11 FP1007@11-12", "[<\\q\\ud800\x01>,1]"},
    Recovered{"no_end_before_comma", "{ \"a\": \"x,\n \"b\": 2 }", "FP1011@7-10", "{<b>:2}"},
    Recovered{"no_end_on_a_line", "{ \"a\": \"x\n , \"b\": 2 }", "FP1011@7-9", "{<b>:2}"},
    Recovered{"no_end_and_no_comma", "[\"x\n\"y\"\n]", "FP1011@1-3", "[<y>]"},
    Recovered{"no_end_before_bracket", "{ \"allow\": [\"a.com],\n \"env\": [] }", "FP1011@12-20",
              "{<allow>:[],<env>:[]}"},
    Recovered{"key_without_end", "{ \"a: 1,\n \"b\": 2, \"c\": x }", "FP1011@2-8 FP1001@23-24", "{<b>:2}"},
    Recovered{"key_without_end_before_array", "{ \"a: [\n \"x\", \"y\"\n], \"b\": 2 }", "FP1011@2-7",
              "{<b>:2}"},
    Recovered{"two_lines", "[\"a,\n\"b,\n\"c\"]", "FP1011@1-4 FP1011@5-8", "[<c>]"},
    Recovered{"bracket_lost_with_the_quote", "[[\"x] // c\n, \"y\"]", "FP1011@2-10", "[[<y>]]"},
    Recovered{"no_end_of_file_either", "{\"a\": \"x", "FP1011@6-8", "{}"},
};

constexpr std::array kEndsTheReading = {
    Recovered{"comment", R"({"a": 1, "b": /* x, "c": })", "FP1010@14-16", "{<a>:1}"},
    Recovered{"comment_while_skipping", R"([x /* , 1])", "FP1001@1-2 FP1010@3-5", "[]"},
    Recovered{"file_after_slip", R"([1, x)", "FP1001@4-5", "[1]"},
    Recovered{"file_in_nested", R"({"a": {"b": [1, 2)", "FP1001@17-17", "{<a>:{<b>:[1,2]}}"},
    Recovered{"after_the_value", "{\"a\": x} y z", "FP1001@6-7 FP1001@9-10", "{}"},
    Recovered{"bad_root", "nope, 1", "FP1001@0-4", ""},
    Recovered{"bad_root_string", "\"nope\n1", "FP1011@0-5", ""},
    Recovered{"hash_only", "# nothing", "FP1001@0-1", ""},
};

std::string row_name(const testing::TestParamInfo<Recovered>& info) { return std::string(info.param.name); }

INSTANTIATE_TEST_SUITE_P(Members, JsoncRecovery, testing::ValuesIn(kMembers), row_name);
INSTANTIATE_TEST_SUITE_P(Brackets, JsoncRecovery, testing::ValuesIn(kBrackets), row_name);
INSTANTIATE_TEST_SUITE_P(Strings, JsoncRecovery, testing::ValuesIn(kStrings), row_name);
INSTANTIATE_TEST_SUITE_P(EndsTheReading, JsoncRecovery, testing::ValuesIn(kEndsTheReading), row_name);

TEST(JsoncRecoverySpans, ContainersCutOffReachToTheEnd) {
  EXPECT_EQ(spans_of(read(R"({"a": [1, )").tree), "O0-10 S1-4 A6-10 N7-8");
}

TEST(JsoncRecoverySpans, AForgottenBracketEndsItsContainerBeforeTheNext) {
  EXPECT_EQ(spans_of(read(R"([{"a": [1 }])").tree), "A0-12 O1-11 S2-5 A7-10 N8-9");
}

}  // namespace
}  // namespace forge::grammar::test
