#include "forge/policy/mount_path.hpp"

#include <algorithm>

#include "forge/policy/utf8.hpp"

namespace forge::policy {
namespace {

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (point.length == 0 || is_unsafe_to_show(point.value)) {
      return false;
    }
    text.remove_prefix(point.length);
  }
  return true;
}

bool has_normal_components(std::string_view path) {
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view component = path.substr(begin, end - begin);
    if (component.empty() || component == "." || component == "..") {
      return false;
    }
    begin = end + 1;
  }
  return true;
}

}  // namespace

std::optional<MountPath> MountPath::from_canonical(std::string_view text) {
  const bool shaped = text.size() >= 2 && text.size() <= kMaxPathBytes && text.front() == '/';
  if (!shaped || text.find_first_of(":,;") != std::string_view::npos || !is_plain_text(text) ||
      !has_normal_components(text)) {
    return std::nullopt;
  }
  return MountPath(std::string(text));
}

bool MountPath::is_at_or_below(const MountPath& other) const {
  return path_is_at_or_below(text_, other.text_);
}

bool path_is_at_or_below(std::string_view path, std::string_view ancestor) {
  if (ancestor == "/") {
    return true;
  }
  return path.starts_with(ancestor) && (path.size() == ancestor.size() || path[ancestor.size()] == '/');
}

}  // namespace forge::policy
