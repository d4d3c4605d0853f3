// What the compiler was told about the host. Plain data, stored in the plan, so
// that another machine compiles the same plan from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/env_name.hpp"

namespace forge::policy {

enum class PathKind : std::uint8_t {
  Missing,     ///< nothing there
  Directory,   ///< a directory, links followed
  File,        ///< a regular file, links followed
  Other,       ///< device, socket, pipe
  Unreadable,  ///< the host did not say; never taken for any of the above
};

/// One path that was looked at. `real_path` is the path with every link
/// resolved, empty unless the kind is Directory, File or Other.
struct PathFact {
  std::string path;
  PathKind kind = PathKind::Missing;
  std::string real_path;
  std::uint64_t dev = 0;  ///< 0 when not known
  std::uint64_t ino = 0;

  friend bool operator==(const PathFact&, const PathFact&) = default;
};

/// All facts that decide anything. INVARIANT: `paths` is sorted by path and
/// unique, `env_set` is sorted and holds only names that the config mentions.
struct HostFacts {
  std::string platform;  ///< `linux`, `macos` or `other`
  std::vector<PathFact> paths;
  std::vector<EnvName> env_set;

  /// The fact about `path`, or null when it was never looked at.
  [[nodiscard]] const PathFact* find(std::string_view path) const;
  [[nodiscard]] bool is_set(const EnvName& name) const;
  /// Puts both lists into the order the invariant asks for.
  void normalise();

  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

}  // namespace forge::policy
