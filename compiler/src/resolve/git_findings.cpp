// What is said of the worktree's repository beside its mounts.
#include <algorithm>

#include "mount_plan.hpp"

namespace forge::compiler {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::Mount;
using policy::MountOrigin;

constexpr std::size_t kMaxOfOneKind = 8;

}  // namespace

// What is wrong with the repository beside its hooks; asked last, when it is known
// which directories the sandbox sees.
void MountPlan::git_findings() {
  if (!contents_) {
    return;
  }
  git_linked_hooks();
  for (const GitProblem& remark : contents_->remarks) {
    out_.report(remark.id, remark.message, remark.help);
  }
  for (const std::string& hooks : {contents_->hooks_path, contents_->named_hooks_path}) {
    const Mount* around = hooks.empty() ? nullptr : table_.covering(hooks);
    if (around != nullptr && around->access == Access::ReadWrite) {
      out_.report(DiagnosticId::HooksInTree,
                  fmt::format("core.hooksPath names {}, which the sandbox can write", quoted_path(hooks)),
                  "run git on the host with -c core.hooksPath=/dev/null, or review the directory first");
      break;
    }
  }
  git_links();
  git_alternates();
}

void MountPlan::git_links() {
  std::vector<std::string> leaving;
  for (const GitLink& link : contents_->links) {
    leaving.push_back(fmt::format("{} leads to {}, {}", quoted_path(link.path),
                                  link.real_path.empty() ? "nothing" : quoted_path(link.real_path),
                                  !link.real_path.empty() && table_.covering(link.real_path) != nullptr
                                      ? "outside of the git directory"
                                      : "which no mount shows"));
  }
  report_some(DiagnosticId::GitLinkLeaves, leaving);
  std::vector<std::string> writable;
  for (const GitLink& link : contents_->hook_links) {
    const Mount* around = link.real_path.empty() ? nullptr : table_.covering(link.real_path);
    if (link.real_path.empty()) {
      writable.push_back(fmt::format("the hook {} leads to nothing; whoever makes that file makes the hook",
                                     quoted_path(link.path)));
    } else if (around != nullptr && around->access == Access::ReadWrite) {
      writable.push_back(fmt::format("the hook {} leads to {}, which the sandbox can write",
                                     quoted_path(link.path), quoted_path(link.real_path)));
    }
  }
  report_some(DiagnosticId::HooksInTree, writable);
}

// A hostile repository can hold thousands of links; they must not crowd out the rest.
void MountPlan::report_some(DiagnosticId id, const std::vector<std::string>& messages) {
  const std::size_t shown = std::min(messages.size(), kMaxOfOneKind);
  for (std::size_t i = 0; i < shown; ++i) {
    out_.report(id, messages[i]);
  }
  if (messages.size() > shown) {
    out_.report(id, fmt::format("the same of {} more", messages.size() - shown));
  }
}

void MountPlan::git_alternates() {
  for (const std::string& path : contents_->alternates) {
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
