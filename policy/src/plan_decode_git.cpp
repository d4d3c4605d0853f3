// The git part of a plan against itself and against the actions.
#include <fmt/format.h>

#include <algorithm>

#include "plan_decode_checks.hpp"

namespace forge::policy {
namespace {

void check_directories(const GitPlan& git, DecodeProblem& problem) {
  const bool none = git.layout == GitLayout::None;
  for (const std::string* path : {&git.git_dir, &git.common_dir}) {
    if (none ? !path->empty() : !is_normal_path(*path)) {
      problem.note("git names a directory that its layout does not have");
    }
  }
}

// A writable mount may be a repository too, so there can be hooks without a layout.
void check_hooks(const GitPlan& git, DecodeProblem& problem) {
  const auto& hooks = git.hooks;
  if (std::adjacent_find(hooks.begin(), hooks.end(), std::greater_equal<>()) != hooks.end()) {
    problem.note("git/hooks is not sorted and unique");
  }
  if (git.layout != GitLayout::None &&
      !std::binary_search(hooks.begin(), hooks.end(), git.common_dir + "/hooks")) {
    problem.note("git/hooks lacks that of common_dir");
  }
  for (const std::string& path : hooks) {
    if (!is_normal_path(path) || !path.ends_with("/hooks")) {
      problem.note("git/hooks names what is no hooks directory");
    }
  }
}

bool is_link(const Plan& plan, const std::string& path) {
  const PathFact* fact = plan.facts.find(path);
  return fact != nullptr && fact->is_link;
}

// One line in the repository's exclude file, unless a link on the way leads elsewhere.
void check_exclude(const Plan& plan, DecodeProblem& problem) {
  const auto count = std::count_if(plan.actions.begin(), plan.actions.end(), [](const Action& action) {
    return std::holds_alternative<GitExclude>(action);
  });
  const std::string info = plan.git.common_dir + "/info";
  const bool wanted =
      plan.git.layout != GitLayout::None && !is_link(plan, info) && !is_link(plan, info + "/exclude");
  if (count != (wanted ? 1 : 0)) {
    problem.note("/actions does not keep the scratch directory out of the repository that git names");
  }
}

// An action makes nothing but the temp directory, hooks and, for a split, the logs.
void check_made(const Plan& plan, DecodeProblem& problem) {
  for (std::size_t i = 0; i < plan.actions.size(); ++i) {
    const auto* dir = std::get_if<EnsureDir>(&plan.actions[i]);
    if (dir == nullptr) {
      continue;
    }
    const bool logs = plan.git.mode == GitMode::Split && dir->path == plan.git.common_dir + "/logs";
    const bool hooks = std::binary_search(plan.git.hooks.begin(), plan.git.hooks.end(), dir->path);
    const std::string_view tmp = plan.context.tmp;
    const bool is_tmp = dir->path.substr(dir->path.rfind('/')) == tmp.substr(tmp.rfind('/'));
    if (!logs && !hooks && !is_tmp) {
      problem.note(fmt::format("/actions[{}]/path is nothing that a plan makes", i));
    }
  }
}

}  // namespace

void check_git(const Plan& plan, DecodeProblem& problem) {
  check_directories(plan.git, problem);
  check_hooks(plan.git, problem);
  check_exclude(plan, problem);
  check_made(plan, problem);
}

}  // namespace forge::policy
