// Keys given twice: which place is named, and where they are found.
#include "jsonc_test_reading.hpp"

namespace forge::grammar::test {
namespace {

TEST(JsoncDuplicates, PointAtTheMemberAndTheFirstKey) {
  const Reading reading = read(R"({"a/b": [0, {"~k": 1, "~k": 2}]})");
  ASSERT_EQ(codes_of(reading), "FP1013@22-26");
  EXPECT_EQ(reading.findings[0].pointer, "/a~1b/1/~0k");
  EXPECT_THAT(reading.findings[0].related,
              testing::ElementsAre(policy::Related{"first given here", {13, 17}}));
}

TEST(JsoncDuplicates, EveryRepeatPointsAtTheFirst) {
  const Reading reading = read(R"({"a":1,"b":2,"a":3,"a":4,"b":5})");
  ASSERT_EQ(codes_of(reading), "FP1013@13-16 FP1013@19-22 FP1013@25-28");
  EXPECT_EQ(reading.findings[1].related[0].span, (Span{1, 4}));
  EXPECT_EQ(reading.findings[2].related[0].span, (Span{7, 10}));
}

TEST(JsoncDuplicates, ManyRepeatsPointAtTheFirstInOrder) {
  std::string text = "{";
  for (std::size_t i = 0; i < 100; ++i) {
    text += i % 2 == 0 ? "\"a\":1," : "\"b\":1,";
  }
  text += "}";
  const Reading reading = read(text);
  ASSERT_EQ(reading.findings.size(), 98U);
  for (std::size_t i = 0; i < reading.findings.size(); ++i) {
    const auto begin = static_cast<std::uint32_t>(1 + 6 * (i + 2));
    EXPECT_EQ(reading.findings[i].span, (Span{begin, begin + 3}));
    EXPECT_EQ(reading.findings[i].related.at(0).span, (i % 2 == 0 ? Span{1, 4} : Span{7, 10}));
  }
}

TEST(JsoncDuplicates, AreFoundAtEveryLevelAndStayInTheTree) {
  const Reading reading = read(R"({"x": {"a":1,"a":2}, "x": [{"a":1,"a":2}]})");
  EXPECT_EQ(codes_of(reading), "FP1013@13-16 FP1013@21-24 FP1013@34-37");
  EXPECT_EQ(shape_of(reading.tree), "{<x>:{<a>:1,<a>:2},<x>:[{<a>:1,<a>:2}]}");
}

TEST(JsoncDuplicates, AnOverlongPointerIsLeftOut) {
  const std::string text = R"({")" + std::string(5000, 'k') + R"(":{"a":1,"a":2}})";
  const Reading reading = read(text);
  ASSERT_EQ(reading.findings.size(), 1U);
  EXPECT_EQ(reading.findings[0].pointer, "");
}

TEST(JsoncDuplicates, SyntaxErrorsHaveNoPointer) {
  EXPECT_EQ(read(R"({"a": nope})").findings.at(0).pointer, "");
}

}  // namespace
}  // namespace forge::grammar::test
