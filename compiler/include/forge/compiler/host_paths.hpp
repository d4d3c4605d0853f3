// Paths as the command line and the environment give them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "forge/policy/result.hpp"

namespace forge::compiler {

inline constexpr std::size_t kMaxSearchedEntries = 1'000'000;
inline constexpr int kMaxSearchDepth = 64;

/// A place below a searched folder that was not searched, and why.
struct Unsearched {
  std::string path;
  policy::Error error;
};

/// What a search found; each list sorted. The search is complete when
/// `unsearched` is empty.
struct FoundConfigs {
  std::vector<std::string> configs;
  std::vector<Unsearched> unsearched;
};

/// Every `forge-config.jsonc` below `folder`, a link to a regular file included.
/// Links to folders are not followed, `.git` and `node_modules` not entered.
[[nodiscard]] FoundConfigs find_configs(const std::string& folder);

/// `path` as an absolute path without `.`, doubled or trailing slashes. `..` is
/// resolved on the real file system, because what it means depends on links.
[[nodiscard]] policy::Result<std::string> absolute_path(const std::string& path);

/// True when `path` is a directory, links followed.
[[nodiscard]] bool is_directory(const std::string& path);

}  // namespace forge::compiler
