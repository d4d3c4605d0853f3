#include "path_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "forge/policy/mount_path.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::compiler {

std::string join_path(std::string_view folder, std::string_view name) {
  return fmt::format("{}/{}", folder == "/" ? "" : folder, name);
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string quoted_path(std::string_view path) {
  return fmt::format("`{}`", policy::excerpt(path, policy::kMaxPathBytes));
}

bool climbs_after_name(std::string_view target) {
  bool named = false;
  while (!target.empty()) {
    const std::string_view part = target.substr(0, target.find('/'));
    if (part == ".." && named) {
      return true;
    }
    named = named || (part != ".." && part != "." && !part.empty());
    target.remove_prefix(std::min(part.size() + 1, target.size()));
  }
  return false;
}

}  // namespace forge::compiler
