#include "forge/policy/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace forge::policy {
namespace {

struct Lead {
  std::size_t length;
  char32_t bits;
  char32_t minimum;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) {
    return {1, byte, 0};
  }
  if (byte >= 0xC2 && byte <= 0xDF) {
    return {2, byte & 0x1FU, 0x80};
  }
  if (byte >= 0xE0 && byte <= 0xEF) {
    return {3, byte & 0x0FU, 0x800};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    return {4, byte & 0x07U, 0x10000};
  }
  return {0, 0, 0};
}

struct Range {
  char32_t first;
  char32_t last;
};

// C0, DEL and C1; soft hyphen, Arabic letter mark, Hangul fillers, Mongolian
// separators, zero-width and bidirectional formatting, line and paragraph separators, interlinear
// marks, byte order mark, noncharacters of the BMP, tag characters.
constexpr std::array kUnsafe = {
    Range{0x00, 0x1F},     Range{0x7F, 0x9F},     Range{0xAD, 0xAD},       Range{0x61C, 0x61C},
    Range{0x115F, 0x1160}, Range{0x180B, 0x180F}, Range{0x200B, 0x200F},   Range{0x2028, 0x202E},
    Range{0x2060, 0x206F}, Range{0x2800, 0x2800}, Range{0x3164, 0x3164},   Range{0xFDD0, 0xFDEF},
    Range{0xFEFF, 0xFEFF}, Range{0xFFF0, 0xFFFF}, Range{0xE0000, 0xE0FFF},
};

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  const Lead lead = lead_of(static_cast<unsigned char>(text.front()));
  if (lead.length == 0 || lead.length > text.size()) {
    return {0, 0};
  }
  char32_t value = lead.bits;
  for (std::size_t i = 1; i < lead.length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) {
      return {0, 0};
    }
    value = (value << 6U) | (byte & 0x3FU);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < lead.minimum || value > 0x10FFFF || surrogate) {
    return {0, 0};
  }
  return {value, lead.length};
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (point.length == 0) {
      return false;
    }
    text.remove_prefix(point.length);
  }
  return true;
}

void append_utf8(std::string& out, char32_t value) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((value >> shift) & 0x3FU)); };
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xC0U | (value >> 6U));
    tail(0);
  } else if (value < 0x10000) {
    out += static_cast<char>(0xE0U | (value >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (value >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_unsafe_to_show(char32_t value) {
  return std::any_of(kUnsafe.begin(), kUnsafe.end(),
                     [value](const Range& range) { return value >= range.first && value <= range.last; });
}

namespace {

// How many characters of plain ASCII `text` begins with; nearly all text is nothing else.
std::size_t plain_run(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; });
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

bool is_shown_as_written(std::string_view text) {
  return plain_run(text) == text.size() || escape_for_display(text) == text;
}

std::string escape_for_display(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (const std::size_t plain = plain_run(text); plain > 0) {
      out += text.substr(0, plain);
      text.remove_prefix(plain);
      continue;
    }
    const CodePoint point = decode_utf8(text);
    if (point.length == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if (is_unsafe_to_show(point.value)) {
      out += fmt::format("\\u{{{:02X}}}", static_cast<std::uint32_t>(point.value));
    } else {
      out += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
  }
  return out;
}

std::string excerpt(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) {
    return escape_for_display(text);
  }
  std::size_t cut = limit;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) {
    --cut;
  }
  return escape_for_display(text.substr(0, cut)) + "...";
}

bool is_plain_word(std::string_view text) {
  constexpr std::size_t kMaxWordBytes = 48;
  return !text.empty() && text.size() <= kMaxWordBytes && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$' || c == '-';
  });
}

}  // namespace forge::policy
