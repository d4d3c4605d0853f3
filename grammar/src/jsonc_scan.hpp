// Runs of bytes that need no look each, eight at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace forge::grammar::jsonc {

inline constexpr std::uint64_t kEachByte = 0x0101010101010101U;
inline constexpr std::uint64_t kHighBits = 0x8080808080808080U;

inline std::uint64_t load_eight(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// True for a byte that stands for itself in a string: ASCII without controls,
/// DEL, quote and backslash.
inline bool is_plain(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

/// The high bit of each byte that is not plain. A borrow or carry can also mark
/// bytes above the lowest marked one, never below: only the lowest mark counts.
inline std::uint64_t marks_not_plain(std::uint64_t word) {
  const std::uint64_t quote = (word ^ (kEachByte * '"')) - kEachByte;
  const std::uint64_t backslash = (word ^ (kEachByte * '\\')) - kEachByte;
  const std::uint64_t control = word - kEachByte * 0x20;
  const std::uint64_t rubout = word + kEachByte;
  return (quote | backslash | control | rubout | word) & kHighBits;
}

/// The first byte of [at, end) that is not plain, or `end`.
inline const char* skip_plain(const char* at, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      if (const std::uint64_t marks = marks_not_plain(load_eight(at)); marks != 0) {
        return at + (static_cast<unsigned>(std::countr_zero(marks)) / 8U);
      }
      at += 8;
    }
  }
  while (at != end && is_plain(*at)) {
    ++at;
  }
  return at;
}

inline bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The first byte of [at, end) that is no white space, or `end`.
inline const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) {
    ++at;
  }
  return at;
}

inline bool is_ascii(std::string_view text) {
  while (text.size() >= 8) {
    if ((load_eight(text.data()) & kHighBits) != 0) {
      return false;
    }
    text.remove_prefix(8);
  }
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0x80U) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace forge::grammar::jsonc
