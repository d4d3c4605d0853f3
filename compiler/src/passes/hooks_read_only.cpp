// No git directory that the facts know has hooks that the sandbox can write. Found by
// the facts and judged by the effective access of every place where the guest sees
// them, not by the entries that were made for them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "passes.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::Mount;
using policy::PathFact;
using policy::PathKind;
using policy::Plan;

// The deepest mount decides what the guest may do at a path.
policy::Access access_at(const Plan& plan, std::string_view guest) {
  const Mount* deepest = nullptr;
  for (const Mount& mount : plan.mounts) {
    if (policy::path_is_at_or_below(guest, mount.guest.text()) &&
        (deepest == nullptr || mount.guest.text().size() > deepest->guest.text().size())) {
      deepest = &mount;
    }
  }
  return deepest == nullptr ? policy::Access::ReadOnly : deepest->access;
}

bool is_writable(const Plan& plan, const std::string& host) {
  return std::any_of(plan.mounts.begin(), plan.mounts.end(), [&](const Mount& mount) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    return source != nullptr && policy::path_is_at_or_below(host, source->host.text()) &&
           access_at(plan, mount.guest.text() + host.substr(source->host.text().size())) ==
               policy::Access::ReadWrite;
  });
}

bool is_made(const Plan& plan, const std::string& path) {
  return std::any_of(plan.actions.begin(), plan.actions.end(), [&](const policy::Action& action) {
    const auto* dir = std::get_if<policy::EnsureDir>(&action);
    return dir != nullptr && dir->path == path;
  });
}

// There when the sandbox starts, or made before, and closed at every place where it is
// seen; a link together with what holds it and what it leads to.
bool is_closed(const Plan& plan, const std::string& hooks) {
  const PathFact* fact = plan.facts.find(hooks);
  if (is_writable(plan, hooks) || fact == nullptr) {
    return false;
  }
  const std::string git_dir = hooks.substr(0, hooks.rfind('/'));
  if (fact->is_link) {
    return fact->kind == PathKind::Directory && !fact->is_chain && !is_writable(plan, git_dir) &&
           !is_writable(plan, fact->real_path);
  }
  return fact->kind == PathKind::Directory || (fact->kind == PathKind::Missing && is_made(plan, hooks));
}

bool is_there(const Plan& plan, const std::string& path) {
  const PathFact* fact = plan.facts.find(path);
  return fact != nullptr && (fact->kind != PathKind::Missing || fact->is_link);
}

// Any directory may be called hooks; those of git lie beside other parts of it.
bool is_of_git(const Plan& plan, const std::string& hooks) {
  const std::string git_dir = hooks.substr(0, hooks.rfind('/'));
  return is_there(plan, git_dir + "/HEAD") || is_there(plan, git_dir + "/objects") ||
         is_there(plan, git_dir + "/refs");
}

// Where a plan promises closed hooks: in the repository and in writable mounts that are one.
bool is_promised(const Plan& plan, const std::string& hooks) {
  if (plan.git.layout != policy::GitLayout::None && policy::path_is_at_or_below(hooks, plan.git.common_dir)) {
    return true;
  }
  return std::any_of(plan.mounts.begin(), plan.mounts.end(), [&](const Mount& mount) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    return source != nullptr && mount.origin == policy::MountOrigin::Custom &&
           mount.access == policy::Access::ReadWrite &&
           policy::path_is_at_or_below(hooks, source->host.text());
  });
}

}  // namespace

void verify_hooks_read_only(const Plan& plan, policy::DiagnosticSink& sink) {
  std::set<std::string> all(plan.git.hooks.begin(), plan.git.hooks.end());
  for (const PathFact& fact : plan.facts.paths) {
    if (fact.path.ends_with("/hooks") && is_of_git(plan, fact.path) && is_promised(plan, fact.path)) {
      all.insert(fact.path);
    }
  }
  for (const std::string& hooks : all) {
    if (!is_closed(plan, hooks)) {
      sink.report({policy::DiagnosticId::HooksWritable,
                   fmt::format("{} could be written from the sandbox", quoted_path(hooks)),
                   std::nullopt,
                   {},
                   "this is a defect of forge-policy, or the plan was edited; compile it again",
                   {}});
    }
  }
}

}  // namespace forge::compiler
