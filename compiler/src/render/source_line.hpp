// One line of source as a terminal shows it, with a part of it underlined.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace forge::compiler {

/// `text` made safe and cut to a window around the underlined part; `marks` has
/// the same width up to the end of the carets.
struct ShownLine {
  std::string text;
  std::string marks;
};

/// Shows `line` with the bytes [begin, end) underlined by at least one caret.
/// Bytes for which `concealed` answers true are shown as asterisks.
using Concealed = std::function<bool(std::size_t)>;
[[nodiscard]] ShownLine show_line(std::string_view line, std::size_t begin, std::size_t end,
                                  const Concealed& concealed);

/// The columns a terminal needs for `text` (East Asian wide characters two, combining ones none).
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace forge::compiler
