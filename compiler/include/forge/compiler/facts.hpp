// Asks the host. Everything a plan depends on comes through here, as data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "forge/policy/host_facts.hpp"
#include "forge/policy/result.hpp"

namespace forge::compiler {

/// The most entries of one directory that are looked at, and the most names read
/// to find them.
inline constexpr std::size_t kMaxListedEntries = 10'000;

/// What a plan needs to know about the host.
struct FactQuestions {
  std::vector<std::string> paths;         ///< absolute, lexically normal
  std::vector<std::string> repositories;  ///< directories whose git layout is wanted
  std::vector<policy::EnvName> env_names;
};

/// The file system as the collector sees it. One call for each path; links are
/// followed once and the result recorded.
class HostFiles {
 public:
  virtual ~HostFiles() = default;

  [[nodiscard]] virtual policy::PathFact look(const std::string& path) const = 0;
  /// The bytes of a regular file, no link followed. Error NotFound when there is
  /// none, TooLarge, or any other when it cannot be read.
  [[nodiscard]] virtual policy::Result<std::string> read(const std::string& path,
                                                         std::size_t limit) const = 0;
  /// Directories and links in a directory, in any order.
  [[nodiscard]] virtual policy::ListingFact list(const std::string& path) const = 0;

 protected:
  HostFiles() = default;
  HostFiles(const HostFiles&) = default;
  HostFiles& operator=(const HostFiles&) = default;
};

/// What the operating system says of one entry, a link looked at itself.
struct EntryStatus {
  enum class Type : std::uint8_t { Missing, RegularFile, Directory, SymbolicLink, Other, Unknown };
  Type type = Type::Unknown;
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
  policy::Owner owner = policy::Owner::Unknown;
  bool others_write = false;
};

/// The system calls that the real file system is asked with; passed in because
/// this room makes none itself.
struct HostCalls {
  std::function<EntryStatus(const std::string&)> status_of;
  std::function<policy::Result<std::string>(const std::string&, std::size_t)> read;
};

/// The real file system. Remembers the real path of every directory on the way, so
/// that many entries of one directory cost one look each.
class SystemHostFiles final : public HostFiles {
 public:
  explicit SystemHostFiles(HostCalls calls) : calls_(std::move(calls)) {}
  [[nodiscard]] policy::PathFact look(const std::string& path) const override;
  [[nodiscard]] policy::Result<std::string> read(const std::string& path, std::size_t limit) const override;
  [[nodiscard]] policy::ListingFact list(const std::string& path) const override;

 private:
  [[nodiscard]] policy::PathFact directory(const std::string& path) const;

  HostCalls calls_;
  mutable std::map<std::string, policy::PathFact> directories_;
};

/// A file system made of a table: the twin that tests and tools use. Directories
/// above an entry come into being with it.
class InMemoryHostFiles final : public HostFiles {
 public:
  void add_directory(const std::string& path) { add(path, policy::PathKind::Directory, path); }
  void add_file(const std::string& path, std::string text = {});
  /// `path` and everything below it lead to `target`.
  void add_link(const std::string& path, const std::string& target);
  void add(const std::string& path, policy::PathKind kind, const std::string& real_path);
  /// Changes what look() says of an entry, like its owner.
  [[nodiscard]] policy::PathFact& fact(const std::string& path) { return entries_.at(path); }

  [[nodiscard]] policy::PathFact look(const std::string& path) const override;
  [[nodiscard]] policy::Result<std::string> read(const std::string& path, std::size_t limit) const override;
  [[nodiscard]] policy::ListingFact list(const std::string& path) const override;

 private:
  [[nodiscard]] std::string resolve(std::string path) const;

  std::uint64_t inodes_ = 0;  ///< given out so far
  std::map<std::string, policy::PathFact> entries_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::string> links_;
};

/// Answers about the host, taken from it or from what was recorded. Whoever asks
/// cannot tell the two apart, so the same code finds out what to ask and, later,
/// what the answers mean. An answer that was never recorded is Unreadable.
class HostAnswers {
 public:
  virtual ~HostAnswers() = default;

  [[nodiscard]] virtual policy::PathFact look(const std::string& path) = 0;
  [[nodiscard]] virtual policy::GitFileFact git_file(const std::string& path, policy::GitFileKind kind) = 0;
  [[nodiscard]] virtual policy::ListingFact list(const std::string& path) = 0;

 protected:
  HostAnswers() = default;
  HostAnswers(const HostAnswers&) = default;
  HostAnswers& operator=(const HostAnswers&) = default;
};

/// Answers from facts alone.
class RecordedAnswers final : public HostAnswers {
 public:
  explicit RecordedAnswers(const policy::HostFacts& facts) : facts_(facts) {}
  [[nodiscard]] policy::PathFact look(const std::string& path) override;
  [[nodiscard]] policy::GitFileFact git_file(const std::string& path, policy::GitFileKind kind) override;
  [[nodiscard]] policy::ListingFact list(const std::string& path) override;

 private:
  const policy::HostFacts& facts_;
};

/// True when the variable is set on the host; an empty value counts as set.
using EnvIsSet = std::function<bool(const policy::EnvName&)>;

/// Looks at every path asked for and at each directory above its real path, and
/// reads the layout of every repository.
[[nodiscard]] policy::HostFacts collect_facts(const FactQuestions& questions, const HostFiles& files,
                                              const EnvIsSet& env_is_set);

}  // namespace forge::compiler
