#include <algorithm>

#include "forge/compiler/facts.hpp"
#include "forge/policy/mount_path.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::PathFact;
using policy::PathKind;

constexpr int kMaxLinks = 40;  // as Linux follows them (ELOOP)

}  // namespace

void InMemoryHostFiles::add(const std::string& path, PathKind kind, const std::string& real_path) {
  if (path != "/" && !entries_.contains(folder_of(path))) {
    add_directory(folder_of(path));
  }
  entries_[path] = {path, kind, real_path, 1, ++inodes_, false, policy::Owner::Self, false};
}

void InMemoryHostFiles::add_file(const std::string& path, std::string text) {
  add(path, PathKind::File, path);
  texts_[path] = std::move(text);
}

void InMemoryHostFiles::add_link(const std::string& path, const std::string& target) {
  if (!entries_.contains(folder_of(path))) {
    add_directory(folder_of(path));
  }
  links_[path] = target;
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

PathFact InMemoryHostFiles::look(const std::string& path) const {
  const std::string real = resolve(path);
  const auto entry = entries_.find(real);
  const bool is_link = links_.contains(path);
  if (entry == entries_.end()) {
    return {path,
            real.empty() ? PathKind::Unreadable : PathKind::Missing,
            {},
            0,
            0,
            is_link,
            policy::Owner::Unknown,
            false};
  }
  PathFact fact = entry->second;
  fact.path = path;
  fact.is_link = is_link;
  fact.is_chain = is_link && links_.at(path) != fact.real_path;
  return fact;
}

policy::Result<std::string> InMemoryHostFiles::read(const std::string& path, std::size_t limit) const {
  const auto text = texts_.find(path);
  if (links_.contains(path)) {
    return policy::fail(policy::ErrorKind::Unsupported, "open the file", "it is not a regular file");
  }
  if (text == texts_.end()) {
    return policy::fail(
        look(path).kind == PathKind::Missing ? policy::ErrorKind::NotFound : policy::ErrorKind::Unsupported,
        "open the file", "there is no such file");
  }
  if (text->second.size() > limit) {
    return policy::fail(policy::ErrorKind::TooLarge, "read the file", "it is too large");
  }
  return text->second;
}

policy::ListingFact InMemoryHostFiles::list(const std::string& path) const {
  policy::ListingFact fact{path, policy::ListingState::Listed, {}};
  const PathFact self = look(path);
  if (self.kind != PathKind::Directory) {
    fact.state =
        self.kind == PathKind::Missing ? policy::ListingState::Missing : policy::ListingState::Unreadable;
    return fact;
  }
  const auto add_name = [&](const std::string& entry, bool is_link) {
    if (entry != "/" && folder_of(entry) == self.real_path) {
      fact.entries.push_back({entry.substr(entry.rfind('/') + 1), is_link});
    }
  };
  for (const auto& [entry, what] : entries_) {
    if (what.kind == PathKind::Directory) {
      add_name(entry, false);
    }
  }
  for (const auto& [entry, target] : links_) {
    add_name(entry, true);
  }
  if (fact.entries.size() > kMaxListedEntries) {
    return {path, policy::ListingState::Truncated, {}};
  }
  return fact;
}

}  // namespace forge::compiler
