// Judges mounts against what is protected on the host and what the guest keeps.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forge/policy/host_facts.hpp"
#include "forge/policy/plan.hpp"
#include "forge/policy/protected_paths.hpp"
#include "mount_table.hpp"

namespace forge::compiler {

/// The protected paths of one session, by path and by device and inode.
class Protection {
 public:
  Protection(const policy::HostFacts& facts, const policy::Context& context,
             const std::vector<policy::ControlPlaneEntry>& control_plane);

  struct Finding {
    policy::Judgement judgement = policy::Judgement::Fine;
    policy::ProtectedKind kind = policy::ProtectedKind::System;
    std::string message;  ///< what follows the mount's name: "contains SSH keys (`/home/u/.ssh`)"
  };

  /// The gravest thing to say about a mount of what `place` names. The session's own
  /// worktree may lie below `worktrees` in the data directory.
  [[nodiscard]] Finding judge_host(const MountPlace& place, policy::Access access,
                                   policy::MountOrigin origin) const;
  [[nodiscard]] static Finding judge_guest(const policy::MountPath& guest);

 private:
  struct Entry {
    std::string path;  ///< as it is spelled, or its real path
    policy::ProtectedKind kind;
    std::string what;
    bool is_policy = false;  ///< the config: judged apart where a session's own directory holds it
  };
  struct Question {
    const MountPlace& place;
    policy::Access access;
    policy::MountOrigin origin;
  };

  void add(const std::string& path, Entry entry);
  [[nodiscard]] std::pair<std::string, std::string> where_it_would_be(const std::string& path) const;
  void judge_path(const Question& asked, std::string_view path, Finding& gravest) const;
  void judge_identity(const Question& asked, Finding& gravest) const;
  void judge_all(const Question& asked, const std::vector<std::size_t>& entries, policy::Lying lying,
                 Finding& gravest) const;
  [[nodiscard]] bool is_data_dir(const std::string& path) const;
  [[nodiscard]] bool is_own(const Question& asked, const Entry& entry, policy::Lying lying) const;

  const policy::HostFacts& facts_;
  std::vector<Entry> entries_;
  std::vector<std::string> data_dirs_;  ///< spellings of the data directory
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_path_;
  std::map<Identity, std::vector<std::size_t>> by_identity_;
  std::map<Identity, std::vector<std::size_t>> above_;
};

/// Every path that has to be looked at for the judgement.
[[nodiscard]] std::vector<std::string> protected_paths(
    const policy::Context& context, const std::vector<policy::ControlPlaneEntry>& control_plane);

/// What the facts know of a real path; kUnknownIdentity where it is not there yet.
[[nodiscard]] Identity identity_of(const policy::HostFacts& facts, const std::string& real_path);
/// The identities of a real path and of the directories above it, those that are known;
/// the first is the path's own, known or not.
[[nodiscard]] std::vector<Identity> chain_of(const policy::HostFacts& facts, const std::string& real_path);

}  // namespace forge::compiler
