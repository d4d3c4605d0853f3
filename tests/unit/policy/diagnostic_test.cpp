#include <gtest/gtest.h>

#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/source_text.hpp"

namespace forge::policy {
namespace {

Diagnostic finding(DiagnosticId id, std::uint32_t at) { return {id, "x", Span{at, at + 1}, {}, {}, {}}; }

TEST(Diagnostics, CodesRoundTrip) {
  for (const DiagnosticInfo& row : diagnostic_table()) {
    EXPECT_EQ(diagnostic_from_code(code_text(row.id)), row.id);
    EXPECT_EQ(info(row.id).name, row.name);
  }
  for (const char* bad : {"", "FP", "FP0000", "FP1", "FP10011", "XP1001", "FP1 01", "FP+101"}) {
    EXPECT_FALSE(diagnostic_from_code(bad)) << bad;
  }
}

TEST(DiagnosticSink, SortsByPositionAndCountsEverything) {
  DiagnosticSink sink;
  sink.report(finding(DiagnosticId::HostBlank, 9));
  sink.report(finding(DiagnosticId::EmptyAllowList, 3));
  sink.report({DiagnosticId::LanOpen, "no place", std::nullopt, {}, {}, {}});
  const auto sorted = sink.sorted();
  ASSERT_EQ(sorted.size(), 3U);
  EXPECT_EQ(sorted[0].id, DiagnosticId::LanOpen);
  EXPECT_EQ(sorted[1].id, DiagnosticId::EmptyAllowList);
  EXPECT_EQ(sink.errors(), 1U);
  EXPECT_EQ(sink.warnings(), 1U);
  EXPECT_EQ(sink.notes(), 1U);
  EXPECT_FALSE(sink.stops_plan());
}

TEST(DiagnosticSink, KeepsTheFirstByPositionAtItsLimit) {
  DiagnosticSink sink;
  for (std::uint32_t i = 0; i < 5 * kMaxDiagnostics; ++i) {
    sink.report(finding(DiagnosticId::HostBlank, 10'000 - i));
  }
  const auto sorted = sink.sorted();
  ASSERT_EQ(sorted.size(), kMaxDiagnostics);
  EXPECT_EQ(sorted.front().span->begin, 10'000 - 5 * kMaxDiagnostics + 1);
  EXPECT_EQ(sink.omitted(), 4 * kMaxDiagnostics);
  DiagnosticSink at_limit;
  for (std::uint32_t i = 0; i < kMaxDiagnostics; ++i) {
    at_limit.report(finding(DiagnosticId::HostBlank, i));
  }
  EXPECT_EQ(at_limit.omitted(), 0U);
  at_limit.report(finding(DiagnosticId::WrongType, 7));
  EXPECT_EQ(at_limit.omitted(), 1U);
  EXPECT_TRUE(at_limit.stops_plan());
}

TEST(DiagnosticSink, NoCrowdOfNotesHidesAnError) {
  DiagnosticSink sink;
  for (std::uint32_t i = 0; i < 5 * kMaxDiagnostics; ++i) {
    sink.report(finding(DiagnosticId::EnvReadableInGuest, i));
  }
  sink.report(finding(DiagnosticId::WrongType, 100'000));
  const auto sorted = sink.sorted();
  ASSERT_EQ(sorted.size(), kMaxDiagnostics);
  EXPECT_EQ(sorted.back().id, DiagnosticId::WrongType);
}

TEST(SourceText, CountsLinesAndCodePoints) {
  const SourceText text("t",
                        "\xEF\xBB\xBF"
                        "ab\r\n\xC3\xA4\xF0\x9F\x98\x80x\rlast\n");
  EXPECT_EQ(text.position(3), (Position{1, 1, 3}));
  EXPECT_EQ(text.position(4), (Position{1, 2, 4}));
  EXPECT_EQ(text.position(7), (Position{2, 1, 7}));
  EXPECT_EQ(text.position(9), (Position{2, 2, 9}));
  EXPECT_EQ(text.position(13), (Position{2, 3, 13}));
  EXPECT_EQ(text.line(1), "ab");
  EXPECT_EQ(text.line(3), "last");
  EXPECT_EQ(text.line(4), "");
  EXPECT_EQ(text.line(5), "");
  EXPECT_EQ(text.line_count(), 4U);
  EXPECT_EQ(text.position(1000).offset, text.text().size());
}

}  // namespace
}  // namespace forge::policy
