// What is said of the worktree's repository beside its mounts.
#include <algorithm>
#include <map>

#include "mount_plan.hpp"

namespace forge::compiler {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::Mount;
using policy::MountOrigin;

constexpr std::size_t kMaxOfOneKind = 8;

}  // namespace

// Asked last, when it is known which directories the sandbox sees.
void MountPlan::git_findings() {
  if (contents_) {
    git_linked_hooks();
    findings_of(*contents_);
  }
  for (const GitContents& contents : others_) {
    findings_of(contents);
  }
}

// What is wrong with a repository beside its hooks directories.
void MountPlan::findings_of(const GitContents& contents) {
  std::map<DiagnosticId, std::vector<std::string>> remarks;
  std::map<DiagnosticId, std::string> help;
  for (const GitProblem& remark : contents.remarks) {
    remarks[remark.id].push_back(remark.message);
    help.emplace(remark.id, remark.help);
  }
  for (const auto& [id, messages] : remarks) {
    report_some(id, messages, help[id]);
  }
  std::vector<std::string> named;
  for (const GitHooksPath& hooks : contents.hooks_paths) {
    const bool writable = is_writable(hooks.real) || is_writable(hooks.named);
    if (writable || hooks.is_chain) {
      named.push_back(fmt::format("core.hooksPath names {}, {}", quoted_path(hooks.named),
                                  writable ? "which the sandbox can write"
                                           : "which leads on through other links that can be replaced"));
    }
  }
  report_some(DiagnosticId::HooksInTree, named,
              "run git on the host with -c core.hooksPath=/dev/null, or review the directory first");
  git_links(contents);
  hook_links(contents);
  git_alternates(contents);
}

bool MountPlan::is_writable(const std::string& host) const {
  const Mount* around = table_.covering(host);
  return around != nullptr && around->access == Access::ReadWrite;
}

void MountPlan::git_links(const GitContents& contents) {
  std::vector<std::string> leaving;
  for (const GitLink& link : contents.links) {
    leaving.push_back(fmt::format("{} leads to {}, {}", quoted_path(link.path),
                                  link.real_path.empty() ? "nothing" : quoted_path(link.real_path),
                                  !link.real_path.empty() && table_.covering(link.real_path) != nullptr
                                      ? "outside of the git directory"
                                      : "which no mount shows"));
  }
  report_some(DiagnosticId::GitLinkLeaves, leaving);
}

// Every place on the way counts: each can be replaced where it can be written.
void MountPlan::hook_links(const GitContents& contents) {
  std::vector<std::string> open;
  for (const policy::PathFact& hook : contents.hook_links) {
    if (hook.kind == policy::PathKind::Missing) {
      open.push_back(fmt::format("the hook {} leads to nothing; whoever makes that file makes the hook",
                                 quoted_path(hook.path)));
    } else if (hook.real_path.empty()) {
      open.push_back(
          fmt::format("nobody can tell where the hook {} leads, which is a link", quoted_path(hook.path)));
    } else if (is_writable(hook.real_path)) {
      open.push_back(fmt::format("the hook {} leads to {}, which the sandbox can write",
                                 quoted_path(hook.path), quoted_path(hook.real_path)));
    } else if (hook.is_chain) {
      open.push_back(fmt::format("the hook {} leads to {} through other links, which could be replaced",
                                 quoted_path(hook.path), quoted_path(hook.real_path)));
    }
  }
  report_some(DiagnosticId::HooksInTree, open);
}

// A hostile repository can hold thousands of links; they must not crowd out the rest.
void MountPlan::report_some(DiagnosticId id, const std::vector<std::string>& messages,
                            const std::string& help) {
  const std::size_t shown = std::min(messages.size(), kMaxOfOneKind);
  for (std::size_t i = 0; i < shown; ++i) {
    out_.report(id, messages[i], help);
  }
  if (messages.size() > shown) {
    out_.report(id, fmt::format("the same of {} more", messages.size() - shown));
  }
}

void MountPlan::git_alternates(const GitContents& contents) {
  for (const std::string& path : contents.alternates) {
    if (table_.covering(path) != nullptr) {
      continue;
    }
    const Candidate candidate{path, Access::ReadOnly, MountOrigin::GitData, "git-alternates",
                              {},   std::nullopt};
    left_out(candidate, {DiagnosticId::AlternateNotVisible,
                         fmt::format("the objects in {} are not visible in the sandbox", quoted_path(path)),
                         "mount the directory read-only under sandbox.mounts"});
  }
}

}  // namespace forge::compiler
