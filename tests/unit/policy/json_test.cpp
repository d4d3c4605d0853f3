#include "forge/policy/json.hpp"

#include <gtest/gtest.h>

namespace forge::policy {
namespace {

TEST(CanonicalJson, ReadsBackWhatItWrites) {
  for (const char* text :
       {"null", "true", "[]", "{}", "-1", "9007199254740991", R"({"a":[1,2,{"b":null}],"c":"x"})",
        "\"\\u0000\\b\\t\\n\\f\\r\\\"\\\\/\xC3\xA4\"", R"({"":0})"}) {
    const auto json = read_canonical_json(text);
    ASSERT_TRUE(json) << text << ": " << json.error().detail;
    EXPECT_EQ(encode(*json), text);
  }
}

TEST(CanonicalJson, RefusesEveryOtherSpelling) {
  for (const char* text : {"",
                           " null",
                           "null ",
                           "[1, 2]",
                           "{\"b\":1,\"a\":2}",
                           "{\"a\":1,\"a\":1}",
                           "01",
                           "-0",
                           "1.0",
                           "1e3",
                           "+1",
                           "9007199254740992",
                           "\"\\/\"",
                           "\"\\u000a\"",
                           "\"\\u0041\"",
                           "\"\\u001F\"",
                           "\"\n\"",
                           "\"\xFF\"",
                           "[1,]",
                           "{\"a\":1,}",
                           "nul",
                           "[",
                           "\"a",
                           "{\"a\"}",
                           "'a'",
                           "\"\xED\xA0\x80\""}) {
    EXPECT_FALSE(read_canonical_json(text)) << text;
  }
}

TEST(CanonicalJson, SortsKeysByUtf16CodeUnits) {
  // U+1F600 is the surrogate D83D..., which sorts before U+E000 although its code point is higher.
  EXPECT_TRUE(read_canonical_json("{\"\xF0\x9F\x98\x80\":1,\"\xEE\x80\x80\":2}"));
  EXPECT_FALSE(read_canonical_json("{\"\xEE\x80\x80\":2,\"\xF0\x9F\x98\x80\":1}"));
}

TEST(CanonicalJson, DepthIsBounded) {
  const std::string deep = std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']');
  EXPECT_TRUE(read_canonical_json(deep));
  EXPECT_FALSE(read_canonical_json("[" + deep + "]" + "]"));
  EXPECT_FALSE(read_canonical_json(std::string(100'000, '[')));
}

TEST(JsonWriter, SafeTextEscapesWhatMustNotBeShown) {
  JsonWriter safe(JsonWriter::Text::Safe);
  safe.string("a\x7F\xC2\x9B\xE2\x80\x8B\xF3\xA0\x80\x81\xC3\xA4");
  EXPECT_EQ(std::move(safe).take(), "\"a\\u007f\\u009b\\u200b\\udb40\\udc01\xC3\xA4\"");
}

TEST(CanonicalJson, ErrorsNameTheByte) {
  const auto json = read_canonical_json("[1, 2]");
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().kind, ErrorKind::Malformed);
  EXPECT_EQ(json.error().detail, "expected a value at byte 3");
}

}  // namespace
}  // namespace forge::policy
