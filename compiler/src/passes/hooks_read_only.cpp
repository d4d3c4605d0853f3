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
  const std::string git_dir = folder_of(hooks);
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
  const std::string git_dir = folder_of(hooks);
  return is_there(plan, git_dir + "/HEAD") || is_there(plan, git_dir + "/objects") ||
         is_there(plan, git_dir + "/refs");
}

// The git directories that a plan guards: the shared one, and those at the top of
// writable mounts.
std::set<std::string> guarded(const Plan& plan) {
  std::set<std::string> out;
  if (plan.git.layout != policy::GitLayout::None) {
    out.insert(plan.git.common_dir);
  }
  for (const Mount& mount : plan.mounts) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    if (source != nullptr && mount.access == policy::Access::ReadWrite) {
      out.insert({source->host.text(), source->host.text() + "/.git"});
    }
  }
  return out;
}

// Its own hooks, and those of the submodules and worktrees in it; a repository elsewhere
// in a writable directory is one of many that nobody looked for.
bool is_promised(const std::set<std::string>& git_dirs, const std::string& hooks) {
  return std::any_of(git_dirs.begin(), git_dirs.end(), [&](const std::string& git_dir) {
    return hooks == git_dir + "/hooks" || policy::path_is_at_or_below(hooks, git_dir + "/modules") ||
           policy::path_is_at_or_below(hooks, git_dir + "/worktrees");
  });
}

}  // namespace

void verify_hooks_read_only(const Plan& plan, policy::DiagnosticSink& sink) {
  std::set<std::string> all(plan.git.hooks.begin(), plan.git.hooks.end());
  const std::set<std::string> git_dirs = guarded(plan);
  for (const PathFact& fact : plan.facts.paths) {
    if (fact.path.ends_with("/hooks") && is_promised(git_dirs, fact.path) && is_of_git(plan, fact.path)) {
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
