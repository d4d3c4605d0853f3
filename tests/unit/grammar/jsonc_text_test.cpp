// What may stand between quotes, byte by byte, and what is only warned of.
#include "jsonc_test_reading.hpp"

namespace forge::grammar::test {
namespace {

using testing::HasSubstr;

// What one byte means in a string, told without the reader's tables.
std::string expected_codes(unsigned char byte, std::size_t at) {
  const std::string place =
      "@" + span_text({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)});
  if (byte >= 0x80) {
    return "FP1005" + place;
  }
  if (byte == 0x7F) {
    return "FP1022" + place;
  }
  return byte < 0x20 ? "FP1007" + place : "";
}

TEST(JsoncText, EveryByteIsJudgedAlikeAtEveryPlace) {
  constexpr std::string_view kElsewhere = "\"\\\n\r";  // these end the string or join the next byte
  for (unsigned byte = 0; byte < 0x100; ++byte) {
    if (kElsewhere.find(static_cast<char>(byte)) != std::string_view::npos) {
      continue;
    }
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text = "\"" + std::string(20, 'a') + "\"";
      text[1 + place] = static_cast<char>(byte);
      EXPECT_EQ(codes_of(read(text)), expected_codes(static_cast<unsigned char>(byte), 1 + place)) << byte;
    }
  }
}

TEST(JsoncText, TheEndIsFoundAtEveryLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string text = "[\"" + std::string(length, 'a') + "\",\"" + std::string(length, 'b') + "\\n\"]";
    EXPECT_EQ(shape_of(read(text).tree),
              "[<" + std::string(length, 'a') + ">,<" + std::string(length, 'b') + "\n>]");
  }
}

TEST(JsoncInvisible, IsWarnedOfOncePerStringAndComment) {
  const Reading reading = read("[\"\u202e\u202e\", \"a\u200b\"] // \u2066x\u2069\n/* \u00ad */");
  EXPECT_EQ(codes_of(reading), "FP1022@2-5 FP1022@13-16 FP1022@22-25 FP1022@33-35");
  EXPECT_TRUE(reading.tree.complete);
  EXPECT_THAT(reading.findings[0].message, HasSubstr("U+202E in a string"));
  EXPECT_THAT(reading.findings[2].message, HasSubstr("U+2066 in a comment"));
}

TEST(JsoncInvisible, CountsDeleteInStringsOnly) {
  EXPECT_EQ(codes_of(read("[\"\x7f\"] // \x7f")), "FP1022@2-3");
}

}  // namespace
}  // namespace forge::grammar::test
