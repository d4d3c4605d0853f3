// A named text whose lines are indexed on first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forge::policy {

/// A place as people and editors count it: line and column from 1, the column
/// in Unicode code points; `offset` in bytes from 0.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t offset = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

/// Owns a source text and answers where an offset lies in it. A line ends at
/// LF, CRLF or a lone CR. A leading byte order mark takes no column.
class SourceText {
 public:
  SourceText(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// The position of `offset`; an offset past the end is taken as the end.
  /// Costs O(log lines + length of the line); the first call indexes all lines.
  [[nodiscard]] Position position(std::size_t offset) const;

  /// The bytes of line `line` (counted from 1) without its line ending, and
  /// without the byte order mark.
  [[nodiscard]] std::string_view line(std::uint32_t line) const;

  [[nodiscard]] std::uint32_t line_count() const;

 private:
  void index() const;
  [[nodiscard]] std::size_t line_begin(std::size_t index) const;

  std::string name_;
  std::string text_;
  mutable std::vector<std::uint32_t> starts_;  // byte offset of each line's first byte
};

}  // namespace forge::policy
