// Paths, overrides and mounts.
#include "plan_decode_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "forge/policy/overloaded.hpp"

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

bool is_kernel_tree(const MountPath& path) {
  return path_is_at_or_below(path.text(), "/proc") || path_is_at_or_below(path.text(), "/sys") ||
         path_is_at_or_below(path.text(), "/dev");
}

class MountChecks {
 public:
  MountChecks(const Plan& plan, DecodeProblem& problem) : plan_(plan), problem_(problem) {}

  void run() {
    for (; at_ < plan_.mounts.size() && !problem_.any(); ++at_) {
      check(plan_.mounts[at_]);
    }
    for (const MountOrigin origin :
         {MountOrigin::Worktree, MountOrigin::DockerDisk, MountOrigin::CacheDisk}) {
      if (!seen_.contains(origin)) {
        problem_.note(fmt::format("/mounts has none of origin {}", word(origin)));
      }
    }
  }

 private:
  void wrong(std::string_view what) { problem_.note(fmt::format("/mounts[{}]{}", at_, what)); }

  void check(const Mount& mount) {
    if (!guests_.insert(mount.guest.text()).second) {
      wrong("/guest is taken by an earlier mount");
    }
    if (is_kernel_tree(mount.guest)) {
      wrong("/guest belongs to the kernel");
    }
    check_origin(mount);
    std::visit(overloaded{[&](const PathSource& source) { check_source(mount, source); },
                          [&](const DiskSource& disk) { check_disk(mount, disk); }},
               mount.source);
  }

  // The place and the access that the origin stands for. `exec` runs in the guest
  // directory of the worktree, so there is one, and it is the first.
  void check_origin(const Mount& mount) {
    switch (mount.origin) {
      case MountOrigin::Worktree:
        if (at_ != 0) {
          wrong("/origin is worktree, which only the first mount has");
        }
        return check_place(mount, plan_.context.worktree, Access::ReadWrite);
      case MountOrigin::Project:
        return check_place(mount, plan_.context.project, Access::ReadOnly);
      case MountOrigin::ToolOutput:
        return check_place(mount, plan_.context.tool_output, Access::ReadOnly);
      case MountOrigin::Tmp:
        return check_place(mount, plan_.context.tmp, Access::ReadWrite);
      case MountOrigin::External:
        return check_access(mount, Access::ReadOnly);
      case MountOrigin::DockerDisk:
      case MountOrigin::CacheDisk:
        check_once(mount);
        return check_access(mount, Access::ReadWrite);
      case MountOrigin::Custom:
        return;
    }
  }

  void check_place(const Mount& mount, std::string_view guest, Access access) {
    check_once(mount);
    if (mount.guest.text() != guest) {
      wrong("/guest is not the directory of its origin");
    }
    check_access(mount, access);
  }

  void check_once(const Mount& mount) {
    if (!seen_.insert(mount.origin).second) {
      wrong("/origin is that of an earlier mount");
    }
  }

  void check_access(const Mount& mount, Access access) {
    if (mount.access != access) {
      wrong(fmt::format("/access is not `{}`, which its origin has", word(access)));
    }
  }

  void check_source(const Mount& mount, const PathSource& source) {
    if (mount.origin == MountOrigin::DockerDisk || mount.origin == MountOrigin::CacheDisk) {
      wrong("/origin is that of a disk");
    }
    if (is_kernel_tree(source.host)) {
      wrong("/host belongs to the kernel");
    }
    const PathKind wanted = source.kind == PathMountKind::Directory ? PathKind::Directory : PathKind::File;
    const PathFact* fact = plan_.facts.find(mount.guest.text());
    const bool known = fact != nullptr && fact->kind == wanted && fact->real_path == source.host.text();
    if (!known && !is_made(mount, source, fact)) {
      wrong("/host is not what the facts say is there");
    }
  }

  // Only the temp directory may be missing on the host: an action makes it.
  bool is_made(const Mount& mount, const PathSource& source, const PathFact* fact) const {
    const bool missing = fact != nullptr && fact->kind == PathKind::Missing;
    return missing && mount.origin == MountOrigin::Tmp && source.kind == PathMountKind::Directory &&
           std::any_of(plan_.actions.begin(), plan_.actions.end(),
                       [&](const EnsureDir& action) { return action.path == source.host.text(); });
  }

  void check_disk(const Mount& mount, const DiskSource& disk) {
    const bool docker = mount.origin == MountOrigin::DockerDisk;
    if (!docker && mount.origin != MountOrigin::CacheDisk) {
      wrong("/origin is not that of a disk");
    }
    if (disk.volume != (docker ? plan_.name.docker_volume() : plan_.name.cache_volume())) {
      wrong("/volume is not that of this sandbox");
    }
    if (disk.size != (docker ? plan_.resources.docker_disk : plan_.resources.cache_disk)) {
      wrong("/size_mib is not that of the resources");
    }
  }

  const Plan& plan_;
  DecodeProblem& problem_;
  std::size_t at_ = 0;
  std::set<std::string_view> guests_;
  std::set<MountOrigin> seen_;
};

}  // namespace

bool is_normal_path(std::string_view path) {
  if (!path.starts_with('/') || escape_for_display(path) != path) {
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
    if (!MountPath::from_canonical(plan.actions[i].path)) {
      problem.note(fmt::format("/actions[{}]/path is not a path that a mount can name", i));
    }
  }
  for (std::size_t i = 0; i < plan.control_plane.size(); ++i) {
    check_path(plan.control_plane[i].path, fmt::format("/control_plane[{}]/path", i), problem);
  }
  for (std::size_t i = 0; i < plan.facts.paths.size(); ++i) {
    check_path(plan.facts.paths[i].path, fmt::format("facts/paths[{}]/path", i), problem);
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

void check_mounts(const Plan& plan, DecodeProblem& problem) { MountChecks(plan, problem).run(); }

}  // namespace forge::policy
