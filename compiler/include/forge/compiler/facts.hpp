// Asks the host. Everything a plan depends on comes through here, as data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "forge/policy/host_facts.hpp"

namespace forge::compiler {

/// What a plan needs to know about the host.
struct FactQuestions {
  std::vector<std::string> paths;  ///< absolute, lexically normal
  std::vector<policy::EnvName> env_names;
};

/// The file system as the collector sees it. One call for each path; links are
/// followed once and the result recorded.
class HostFiles {
 public:
  virtual ~HostFiles() = default;

  [[nodiscard]] virtual policy::PathFact look(const std::string& path) const = 0;

 protected:
  HostFiles() = default;
  HostFiles(const HostFiles&) = default;
  HostFiles& operator=(const HostFiles&) = default;
};

/// The real file system. `identity` answers device and inode of a path (0, 0 if
/// unknown); it is passed in because this room makes no system calls.
class SystemHostFiles final : public HostFiles {
 public:
  using Identity = std::function<std::pair<std::uint64_t, std::uint64_t>(const std::string&)>;

  explicit SystemHostFiles(Identity identity) : identity_(std::move(identity)) {}
  [[nodiscard]] policy::PathFact look(const std::string& path) const override;

 private:
  Identity identity_;
};

/// A file system made of a table: the twin that tests and tools use.
class InMemoryHostFiles final : public HostFiles {
 public:
  void add_directory(const std::string& path) { add(path, policy::PathKind::Directory, path); }
  void add_file(const std::string& path) { add(path, policy::PathKind::File, path); }
  /// `path` and everything below it lead to `target`.
  void add_link(const std::string& path, const std::string& target) { links_[path] = target; }
  void add(const std::string& path, policy::PathKind kind, const std::string& real_path);

  [[nodiscard]] policy::PathFact look(const std::string& path) const override;

 private:
  [[nodiscard]] std::string resolve(std::string path) const;

  std::map<std::string, policy::PathFact> entries_;
  std::map<std::string, std::string> links_;
};

/// True when the variable is set on the host; an empty value counts as set.
using EnvIsSet = std::function<bool(const policy::EnvName&)>;

[[nodiscard]] policy::HostFacts collect_facts(const FactQuestions& questions, const HostFiles& files,
                                              const EnvIsSet& env_is_set);

}  // namespace forge::compiler
