// No git directory that the facts know has hooks that the sandbox can write. Found by
// the facts and judged by the effective access of every place where the guest sees
// them, not by the entries that were made for them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "forge/policy/access.hpp"
#include "passes.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::Mount;
using policy::PathFact;
using policy::PathKind;
using policy::Plan;

/// What the questions about one plan need again and again.
struct Known {
  explicit Known(const Plan& of) : plan(of), access(of.mounts) {
    for (const policy::Action& action : of.actions) {
      if (const auto* dir = std::get_if<policy::EnsureDir>(&action)) {
        made.insert(dir->path);
      }
    }
  }
  const Plan& plan;
  policy::AccessMap access;
  std::set<std::string> made;

  [[nodiscard]] bool is_writable(const std::string& host) const {
    return access.host(host, policy::MountModel::PerMount) == policy::PathAccess::ReadWrite;
  }
};

// There when the sandbox starts, or made before, and closed at every place where it is
// seen; a link together with what holds it and what it leads to.
bool is_closed(const Known& known, const std::string& hooks) {
  const PathFact* fact = known.plan.facts.find(hooks);
  if (known.is_writable(hooks) || fact == nullptr) {
    return false;
  }
  const std::string git_dir = folder_of(hooks);
  if (fact->is_link) {
    return fact->kind == PathKind::Directory && !fact->is_chain && !known.is_writable(git_dir) &&
           !known.is_writable(fact->real_path);
  }
  return fact->kind == PathKind::Directory || (fact->kind == PathKind::Missing && known.made.contains(hooks));
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

// A `.git` without these is a directory like any other, and so is what lies in it.
bool is_git_directory(const Plan& plan, const std::string& path) {
  return is_there(plan, path + "/HEAD") && is_there(plan, path + "/objects") &&
         is_there(plan, path + "/refs");
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
      const std::string& top = source->host.text();
      const PathFact* pointer = plan.facts.find(top + "/.git");
      if (is_git_directory(plan, top + "/.git")) {
        out.insert(top + "/.git");
      } else if (is_git_directory(plan, top) && (pointer == nullptr || pointer->kind != PathKind::File)) {
        out.insert(top);  // git asks for it only where there is no `.git` that it can use
      }
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
  const Known known(plan);
  for (const std::string& hooks : all) {
    if (!is_closed(known, hooks)) {
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
