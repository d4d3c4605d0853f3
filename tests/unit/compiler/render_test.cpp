#include "forge/compiler/render.hpp"

#include <gtest/gtest.h>

#include "src/render/source_line.hpp"

namespace forge::compiler {
namespace {

const Concealed kNothing = [](std::size_t) { return false; };

struct LineRow {
  std::string line;
  std::size_t begin;
  std::size_t end;
  std::string text;
  std::string marks;
};
void PrintTo(const LineRow& row, std::ostream* out) { *out << row.line; }

class ShownLines : public testing::TestWithParam<LineRow> {};
TEST_P(ShownLines, UnderlineExactlyTheSpan) {
  const LineRow& row = GetParam();
  const ShownLine shown = show_line(row.line, row.begin, row.end, kNothing);
  EXPECT_EQ(shown.text, row.text);
  EXPECT_EQ(shown.marks, row.marks);
}
INSTANTIATE_TEST_SUITE_P(
    Table, ShownLines,
    testing::Values(LineRow{"abc", 1, 2, "abc", " ^"}, LineRow{"abc", 3, 3, "abc", "   ^"},
                    LineRow{"", 0, 0, "", "^"}, LineRow{"\tx", 1, 2, "    x", "    ^"},
                    // two wide characters, then the span
                    LineRow{"\xE6\xBC\xA2\xE5\xAD\x97x", 6, 7, "\xE6\xBC\xA2\xE5\xAD\x97x", "    ^"},
                    // the span is a wide character
                    LineRow{"a\xE6\xBC\xA2", 1, 4, "a\xE6\xBC\xA2", " ^^"},
                    // a combining mark takes no column
                    LineRow{"e\xCC\x81x", 3, 4, "e\xCC\x81x", " ^"},
                    LineRow{"a\x1B[1mb", 5, 6, "a\\u{1B}[1mb", "          ^"},
                    LineRow{"a\xFF"
                            "b",
                            2, 3, "a\\xFFb", "     ^"}));

TEST(ShownLines, LongLinesAreCutAroundTheSpan) {
  const std::string line = std::string(1'000'000, 'a') + "X" + std::string(1'000'000, 'b');
  const ShownLine shown = show_line(line, 1'000'000, 1'000'001, kNothing);
  EXPECT_LT(shown.text.size(), 200U);
  EXPECT_EQ(shown.text[shown.marks.size() - 1], 'X');
  EXPECT_TRUE(shown.text.starts_with("..."));
  EXPECT_TRUE(shown.text.ends_with("..."));
}

TEST(ShownLines, CutsBetweenCharacters) {
  std::string line;
  for (int i = 0; i < 200; ++i) {
    line += "\xE2\x82\xAC";
  }
  for (std::size_t at = 0; at < line.size(); at += 3) {
    const ShownLine shown = show_line(line, at, at + 3, kNothing);
    EXPECT_EQ(shown.text.find("\\x"), std::string::npos);
  }
}

TEST(ShownLines, ConcealedBytesAreNeverShown) {
  const ShownLine shown = show_line("a=secret b", 9, 10, [](std::size_t at) { return at >= 2 && at < 8; });
  EXPECT_EQ(shown.text, "a=****** b");
}

TEST(Render, JsonAlwaysHasTheSameKeys) {
  const policy::SourceText source("f.jsonc", "{}");
  policy::DiagnosticSink sink;
  sink.report({policy::DiagnosticId::LanOpen, "m", std::nullopt, {}, {}, {}});
  const std::string json = render_json({make_report(source, sink, false, Color::Off)});
  EXPECT_EQ(
      json,
      R"({"diagnostics":[{"code":"FP2027","file":"f.jsonc","help":null,"message":"m","pointer":null,"range":null,"related":[],"severity":"note"}],)"
      R"("files":[{"errors":0,"notes":1,"omitted":0,"path":"f.jsonc","sandbox_off":false,"warnings":0}],"schema":"forge-policy/diagnostics/v1"})"
      "\n");
}

TEST(Render, OffIsTheFirstLine) {
  const policy::SourceText source("f.jsonc", "{}");
  const std::vector<FileReport> reports = {make_report(source, {}, true, Color::Off)};
  EXPECT_TRUE(
      render_summary(reports, Strictness::ErrorsOnly, Color::Off).starts_with("f.jsonc: the sandbox is off"));
  EXPECT_EQ(render_findings(reports, Color::Off), "");
  policy::DiagnosticSink sink;
  sink.report({policy::DiagnosticId::SandboxOff, "m", policy::Span{0, 1}, {}, {}, {}});
  EXPECT_TRUE(render_findings({make_report(source, sink, true, Color::Off)}, Color::Off)
                  .starts_with("f.jsonc: the sandbox is off"));
}

TEST(Render, ColourOnlyWhenAsked) {
  const policy::SourceText source("f.jsonc", "{}");
  policy::DiagnosticSink sink;
  sink.report({policy::DiagnosticId::HostBlank, "m", policy::Span{0, 1}, {}, {}, {}});
  EXPECT_EQ(render_findings({make_report(source, sink, false, Color::Off)}, Color::Off).find('\x1B'),
            std::string::npos);
  EXPECT_NE(render_findings({make_report(source, sink, false, Color::On)}, Color::On).find('\x1B'),
            std::string::npos);
}

}  // namespace
}  // namespace forge::compiler
