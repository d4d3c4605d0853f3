#include "forge/compiler/facts.hpp"
#include "forge/policy/mount_path.hpp"

namespace forge::compiler {
namespace {

constexpr int kMaxLinks = 40;  // as Linux follows them (ELOOP)

}  // namespace

void InMemoryHostFiles::add(const std::string& path, policy::PathKind kind, const std::string& real_path) {
  const auto number = entries_.size() + 1;
  entries_[path] = {path, kind, real_path, 1, number};
}

std::string InMemoryHostFiles::resolve(std::string path) const {
  for (int followed = 0; followed < kMaxLinks; ++followed) {
    bool changed = false;
    for (const auto& [link, target] : links_) {
      if (policy::path_is_at_or_below(path, link)) {
        path.replace(0, link.size(), target);
        changed = true;
        break;
      }
    }
    if (!changed) {
      return path;
    }
  }
  return {};
}

policy::PathFact InMemoryHostFiles::look(const std::string& path) const {
  const auto entry = entries_.find(resolve(path));
  if (entry == entries_.end()) {
    return {path, policy::PathKind::Missing, {}, 0, 0};
  }
  policy::PathFact fact = entry->second;
  fact.path = path;
  return fact;
}

}  // namespace forge::compiler
