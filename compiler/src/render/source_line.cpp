#include "source_line.hpp"

#include <fmt/format.h>
#include <uniwidth.h>

#include <algorithm>

#include "forge/policy/utf8.hpp"

namespace forge::compiler {
namespace {

constexpr std::size_t kContextBytes = 60;  // shown before and behind the underlined part
constexpr std::size_t kMaxMarkedBytes = 100;
constexpr std::string_view kCut = "...";
constexpr std::string_view kTab = "    ";

// One piece of the line as it is shown.
struct Piece {
  std::string text;
  std::size_t width = 0;
};

Piece show(std::string_view bytes, const policy::CodePoint& point) {
  if (point.length == 0) {
    return {fmt::format("\\x{:02X}", static_cast<unsigned char>(bytes.front())), 4};
  }
  if (point.value == '\t') {
    return {std::string(kTab), kTab.size()};
  }
  if (policy::is_unsafe_to_show(point.value)) {
    std::string escaped = policy::escape_for_display(bytes.substr(0, point.length));
    const std::size_t width = escaped.size();
    return {std::move(escaped), width};
  }
  const int width = uc_width(point.value, "UTF-8");
  return {std::string(bytes.substr(0, point.length)), width < 0 ? 0 : static_cast<std::size_t>(width)};
}

std::size_t back_to_start(std::string_view line, std::size_t at) {
  while (at > 0 && at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U) {
    --at;
  }
  return at;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const policy::CodePoint point = policy::decode_utf8(text);
    width += show(text, point).width;
    text.remove_prefix(std::max<std::size_t>(point.length, 1));
  }
  return width;
}

ShownLine show_line(std::string_view line, std::size_t begin, std::size_t end, const Concealed& concealed) {
  begin = std::min(begin, line.size());
  end = std::clamp(end, begin, line.size());
  const std::size_t marked_end = std::min(end, begin + kMaxMarkedBytes);
  const std::size_t from = begin > kContextBytes ? back_to_start(line, begin - kContextBytes) : 0;
  const std::size_t to = back_to_start(line, std::min(line.size(), marked_end + kContextBytes));
  ShownLine out;
  if (from > 0) {
    out.text += kCut;
    out.marks.append(kCut.size(), ' ');
  }
  for (std::size_t at = from; at < to;) {
    const std::string_view rest = line.substr(at);
    const policy::CodePoint point = policy::decode_utf8(rest);
    const bool marked = at >= begin && at < marked_end;
    Piece piece = show(rest, point);
    if (concealed(at)) {
      piece.text.assign(piece.width, '*');  // the columns behind it stay where they were
    }
    out.text += piece.text;
    if (at < std::max(marked_end, begin)) {
      out.marks.append(piece.width, marked ? '^' : ' ');
    }
    at += std::max<std::size_t>(point.length, 1);
  }
  if (out.marks.find('^') == std::string::npos) {
    out.marks += '^';
  }
  if (to < line.size()) {
    out.text += kCut;
  }
  return out;
}

}  // namespace forge::compiler
