// Names and advice for what does not belong where it stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace forge::grammar::jsonc {

enum class Wanted : std::uint8_t { Value, Key, Colon, ObjectSeparator, ArraySeparator, DocumentEnd };

/// What stands at the front of a text instead of what is wanted.
struct Unexpected {
  std::size_t length = 0;  ///< in bytes: a word, a quoted text, or one character
  std::string message;
  std::string help;
};

/// `rest` is not empty and begins with valid UTF-8.
[[nodiscard]] Unexpected explain_unexpected(std::string_view rest, Wanted wanted);

}  // namespace forge::grammar::jsonc
