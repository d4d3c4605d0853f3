// Paths and overrides.
#include "plan_decode_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace forge::policy {
namespace {

void check_path(std::string_view path, std::string_view where, DecodeProblem& problem) {
  if (!is_normal_path(path)) {
    problem.note(fmt::format("{} is not an absolute path in normal form", where));
  }
}

template <class T>
void check_override(std::string_view key, const T& value, ValueOrigin origin, const std::optional<T>& given,
                    DecodeProblem& problem) {
  if (given.has_value() != (origin == ValueOrigin::Override)) {
    problem.note(fmt::format("resources/origin/{} is not what the overrides say", key));
  } else if (given && *given != value) {
    problem.note(fmt::format("resources/{} is not the override's value", key));
  }
}

}  // namespace

bool is_normal_path(std::string_view path) {
  if (!path.starts_with('/') || !is_shown_as_written(path)) {
    return false;
  }
  for (std::size_t begin = 1; begin <= path.size() && path != "/";) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view component = path.substr(begin, end - begin);
    if (component.empty() || component == "." || component == "..") {
      return false;
    }
    begin = end + 1;
  }
  return true;
}

void check_paths(const Plan& plan, DecodeProblem& problem) {
  const Context& context = plan.context;
  check_path(context.worktree, "context/worktree", problem);
  check_path(context.project, "context/project", problem);
  check_path(context.home, "context/home", problem);
  check_path(context.data_dir, "context/data_dir", problem);
  check_path(context.tool_output, "context/tool_output", problem);
  check_path(context.tmp, "context/tmp", problem);
  for (std::size_t i = 0; i < plan.actions.size(); ++i) {
    const auto* dir = std::get_if<EnsureDir>(&plan.actions[i]);
    if (dir != nullptr && !MountPath::from_canonical(dir->path)) {
      problem.note(fmt::format("/actions[{}]/path is not a path that a mount can name", i));
    }
  }
  for (std::size_t i = 0; i < plan.control_plane.size(); ++i) {
    check_path(plan.control_plane[i].path, fmt::format("/control_plane[{}]/path", i), problem);
  }
}

void check_overrides(const Plan& plan, DecodeProblem& problem) {
  const Overrides& given = plan.overrides;
  const Resources& used = plan.resources;
  check_override("cpus", used.cpus, used.cpus_origin, given.cpus, problem);
  check_override("memory_mib", used.memory, used.memory_origin, given.memory, problem);
  check_override("docker_disk_mib", used.docker_disk, used.docker_disk_origin, given.docker_disk, problem);
  check_override("cache_disk_mib", used.cache_disk, used.cache_disk_origin, given.cache_disk, problem);
  if (given.sandbox == Enabled::Off && plan.enabled == Enabled::On) {
    problem.note("sandbox/enabled is not what the overrides say");
  }
  const bool lan =
      plan.egress.mode == EgressMode::PublicAndPrivate || plan.egress.mode == EgressMode::AllowListAndPrivate;
  if (given.lan && (*given.lan == Lan::Open) != lan) {
    problem.note("egress/mode is not what the overrides say");
  }
}

}  // namespace forge::policy
