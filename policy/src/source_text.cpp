#include "forge/policy/source_text.hpp"

#include <algorithm>

namespace forge::policy {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

void SourceText::index() const {
  if (!starts_.empty()) {
    return;
  }
  starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool lone_cr = text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n');
    if (text_[i] == '\n' || lone_cr) {
      starts_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
}

std::size_t SourceText::line_begin(std::size_t index) const {
  const bool marked = index == 0 && text_.starts_with(kByteOrderMark);
  return starts_[index] + (marked ? kByteOrderMark.size() : 0);
}

Position SourceText::position(std::size_t offset) const {
  index();
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(next - starts_.begin()) - 1;
  const std::size_t begin = std::min(line_begin(line), offset);
  const auto column = std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text_.begin() + static_cast<std::ptrdiff_t>(offset), starts_code_point);
  return {static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(column + 1),
          static_cast<std::uint32_t>(offset)};
}

std::string_view SourceText::line(std::uint32_t line) const {
  index();
  if (line == 0 || line > starts_.size()) {
    return {};
  }
  const std::size_t begin = line_begin(line - 1);
  std::size_t end = line < starts_.size() ? starts_[line] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) {
    --end;
  }
  return std::string_view(text_).substr(begin, end - begin);
}

std::uint32_t SourceText::line_count() const {
  index();
  return static_cast<std::uint32_t>(starts_.size());
}

}  // namespace forge::policy
