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
  Unnameable,  ///< there, but its real path is no text that can be shown
};

/// Who owns a path, seen from whoever took the facts.
enum class Owner : std::uint8_t { Unknown, Self, Other };

/// One path that was looked at. `real_path` is the path with every link
/// resolved, empty unless the kind is Directory, File or Other. `is_link`: the
/// last component is itself a symbolic link (a dangling one is Missing).
/// `others_write`: its group or everyone may write to it.
struct PathFact {
  std::string path;
  PathKind kind = PathKind::Missing;
  std::string real_path;
  std::uint64_t dev = 0;  ///< 0 when not known
  std::uint64_t ino = 0;
  bool is_link = false;
  Owner owner = Owner::Unknown;
  bool others_write = false;
  bool is_chain = false;  ///< a link that leads on through another one, or through `..` after a name

  friend bool operator==(const PathFact&, const PathFact&) = default;
};

/// The small files by which git finds its directories.
enum class GitFileKind : std::uint8_t {
  GitFile,     ///< `.git` as a file: `gitdir: PATH`
  CommonDir,   ///< `commondir`: where a worktree's shared part is
  GitDir,      ///< `gitdir` of a worktree's entry: the worktree's `.git`
  Alternates,  ///< `objects/info/alternates`
  Config,      ///< `config`; only the keys that decide anything are kept
};

enum class GitFileState : std::uint8_t {
  Missing,
  Read,
  Malformed,   ///< not as git writes it, or larger than the limit
  Unreadable,  ///< not a regular file, or the host did not let it be read
};

/// One thing a git file says: `path` of a pointer or alternate, absolute and
/// lexically normal; for a config the key, like `core.worktree`.
struct GitFileValue {
  std::string key;
  std::string value;
  friend bool operator==(const GitFileValue&, const GitFileValue&) = default;
};

struct GitFileFact {
  std::string path;
  GitFileKind kind = GitFileKind::GitFile;
  GitFileState state = GitFileState::Missing;
  std::string problem;  ///< why it is Malformed or Unreadable, else empty
  std::vector<GitFileValue> values;

  /// The last value of `key`, as git takes it; null when there is none.
  [[nodiscard]] const std::string* find(std::string_view key) const;

  friend bool operator==(const GitFileFact&, const GitFileFact&) = default;
};

enum class ListingState : std::uint8_t { Missing, Listed, Truncated, Unreadable };

/// A directory's entry that is a directory or a symbolic link; others are not kept.
struct ListedEntry {
  std::string name;
  bool is_link = false;
  friend bool operator==(const ListedEntry&, const ListedEntry&) = default;
};

/// What lies in a directory. INVARIANT: `entries` is sorted by name and unique.
struct ListingFact {
  std::string path;
  ListingState state = ListingState::Missing;
  std::vector<ListedEntry> entries;

  friend bool operator==(const ListingFact&, const ListingFact&) = default;
};

/// All facts that decide anything. INVARIANT: `paths`, `git_files` and `listings`
/// are sorted by path and unique, `env_set` is sorted and holds only names that
/// the config mentions.
struct HostFacts {
  std::string platform;  ///< `linux`, `macos` or `other`
  std::vector<PathFact> paths;
  std::vector<GitFileFact> git_files;
  std::vector<ListingFact> listings;
  std::vector<EnvName> env_set;

  /// The fact about `path`, or null when it was never looked at.
  [[nodiscard]] const PathFact* find(std::string_view path) const;
  [[nodiscard]] const GitFileFact* find_git_file(std::string_view path) const;
  [[nodiscard]] const ListingFact* find_listing(std::string_view path) const;
  [[nodiscard]] bool is_set(const EnvName& name) const;
  /// Puts all lists into the order the invariant asks for.
  void normalise();

  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

}  // namespace forge::policy
