// Builds the list of mounts: candidates in the order of their priority, each
// accepted, redundant or dropped with a reason.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "forge/compiler/facts.hpp"
#include "git/contents.hpp"
#include "mount_table.hpp"
#include "path_text.hpp"
#include "protection.hpp"
#include "resolution.hpp"

namespace forge::compiler {

/// A candidate on its way into the table: everything but its source.
struct Candidate {
  std::string path;
  policy::Access access = policy::Access::ReadOnly;
  policy::MountOrigin origin = policy::MountOrigin::Custom;
  std::string label;    ///< the plan's `origin` of a dropped entry
  std::string pointer;  ///< of the config entry, empty for automatic ones
  std::optional<policy::Span> span;
};

/// Why a candidate cannot be mounted at all, before conflicts are looked at.
struct Refusal {
  policy::DiagnosticId id;
  std::string message;
  std::string help;
};

class MountPlan {
 public:
  explicit MountPlan(Resolution& out);

  void run();

 private:
  // mounts.cpp
  bool worktree();
  void project();
  void tool_output();
  void tmp();
  void create_tmp(const Candidate& candidate, const policy::PathFact& parent);
  void automatic(const Candidate& candidate);
  bool automatic_at(const Candidate& candidate, const MountPlace& place);
  [[nodiscard]] bool is_island(const Candidate& candidate, const MountPlace& place,
                               const policy::Mount& other) const;
  void reserve(const Candidate& candidate, const policy::MountPath& host);
  void left_out(const Candidate& candidate, const Refusal& why);
  void skip(const Candidate& candidate, const policy::Mount& other);
  void listed(const MountEntry& entry);
  bool listed_overlaps(const Candidate& candidate, const MountPlace& place);

  // mount_sources.cpp
  [[nodiscard]] tl::expected<MountPlace, Refusal> place_of(const Candidate& candidate) const;
  [[nodiscard]] tl::expected<MountPlace, Refusal> place_at(const Candidate& candidate,
                                                           const std::string& real_path) const;
  [[nodiscard]] std::vector<Identity> chain_at(const std::string& real_path) const;
  [[nodiscard]] std::optional<Refusal> forbidden(const Candidate& candidate, const MountPlace& place) const;
  [[nodiscard]] const policy::Mount* overlap(const MountPlace& place) const;
  void accept(const Candidate& candidate, const MountPlace& place);
  void warn_accepted(const Candidate& candidate, const MountPlace& place);

  // git_mounts.cpp
  void git();
  void tell_owner(const GitRepository& repository);
  [[nodiscard]] bool belongs_to_project(const GitRepository& repository);
  void git_directories(const GitRepository& repository);
  [[nodiscard]] std::string guest_of_common(const GitRepository& repository) const;
  void compatible(const GitRepository& repository);
  void split(const GitRepository& repository);
  void add_git(const std::string& host, policy::Access access, policy::MountOrigin origin,
               const std::string& guest);
  [[nodiscard]] std::optional<Refusal> add_hooks(const GitContents& contents);
  [[nodiscard]] std::optional<Refusal> add_linked_hooks(const GitDirectory& directory);
  void add_island(const std::string& host);
  [[nodiscard]] std::optional<Refusal> guard_repository(const Candidate& candidate, const MountPlace& place);
  void git_linked_hooks();

  // git_findings.cpp
  void git_findings();
  [[nodiscard]] bool is_writable(const std::string& host) const;
  void findings_of(const GitContents& contents);
  void git_alternates(const GitContents& contents);
  void git_links(const GitContents& contents);
  void hook_links(const GitContents& contents);
  void report_some(policy::DiagnosticId id, const std::vector<std::string>& messages,
                   const std::string& help = {});

  [[nodiscard]] policy::PathKind kind_of(const std::string& path) const;
  void stop(policy::DiagnosticId id, std::string message, std::string help) {
    out_.report(id, std::move(message), std::move(help));
  }
  void drop(const Candidate& candidate, policy::DiagnosticId id, std::string message, std::string help,
            const policy::Mount* conflict);

  Resolution& out_;
  RecordedAnswers host_;
  Protection protection_;
  MountTable table_;
  MountTable disks_;
  MountTable reserved_;
  mutable std::unordered_map<std::string, std::vector<Identity>> chains_;  ///< of folders that hold mounts
  std::ptrdiff_t sensitive_ = 0;         ///< warnings of the plan that stand first
  std::optional<GitContents> contents_;  ///< of the worktree's repository
  std::vector<GitContents> others_;      ///< of those in listed mounts
};

}  // namespace forge::compiler
