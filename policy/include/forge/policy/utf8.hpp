// UTF-8 as RFC 3629 defines it, and text that is safe to show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace forge::policy {

/// One decoded code point and the bytes it took; `length` 0 where the bytes are
/// no UTF-8 (overlong forms, surrogates, beyond U+10FFFF, cut short).
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;
};

/// Decodes the code point at the front of `text`, which must not be empty.
[[nodiscard]] CodePoint decode_utf8(std::string_view text);

[[nodiscard]] bool is_valid_utf8(std::string_view text);

/// Appends `value`, a scalar value, as UTF-8.
void append_utf8(std::string& out, char32_t value);

/// True for what must not reach a terminal or a log raw: control characters,
/// bidirectional formatting, zero-width, blank and other invisible characters.
[[nodiscard]] bool is_unsafe_to_show(char32_t value);

/// `text` with unsafe characters as `\u{XX}` and invalid bytes as `\xNN`.
[[nodiscard]] std::string escape_for_display(std::string_view text);

/// True when escape_for_display changes nothing.
[[nodiscard]] bool is_shown_as_written(std::string_view text);

/// escape_for_display cut to `limit` bytes or a little less, `...` marking the cut.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t limit = 80);

/// True for 1 to 48 of letters, digits and `_ . $ -`: a word that a person would
/// use as a name, safe to repeat in a message.
[[nodiscard]] bool is_plain_word(std::string_view text);

}  // namespace forge::policy
