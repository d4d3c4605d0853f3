// What each mount must be, by its origin and by the facts.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "forge/policy/overloaded.hpp"
#include "forge/policy/protected_paths.hpp"
#include "plan_decode_checks.hpp"

namespace forge::policy {
namespace {

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
    if (lies_in_kernel_tree(mount.guest.text())) {
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
      case MountOrigin::GitDir:
      case MountOrigin::GitData:
        return check_access(mount, Access::ReadWrite);
      case MountOrigin::GitCommonDir:
        return check_access(mount, is_split() ? Access::ReadOnly : Access::ReadWrite);
      case MountOrigin::GitHooks:
        return check_access(mount, Access::ReadOnly);
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
    if (lies_in_kernel_tree(source.host.text())) {
      wrong("/host belongs to the kernel");
    }
    if (is_git(mount.origin)) {
      check_git_source(mount, source);
      return;
    }
    const PathKind wanted = source.kind == PathMountKind::Directory ? PathKind::Directory : PathKind::File;
    const PathFact* fact = plan_.facts.find(mount.guest.text());
    const bool known = fact != nullptr && fact->kind == wanted && fact->real_path == source.host.text();
    const bool missing = fact != nullptr && fact->kind == PathKind::Missing;
    // Of these only the temp directory may be missing on the host: an action makes it.
    if (!known && !(missing && mount.origin == MountOrigin::Tmp && is_made(source))) {
      wrong("/host is not what the facts say is there");
    }
  }

  static bool is_git(MountOrigin origin) {
    return origin == MountOrigin::GitDir || origin == MountOrigin::GitCommonDir ||
           origin == MountOrigin::GitData || origin == MountOrigin::GitHooks;
  }

  bool is_split() const { return plan_.git.mode == GitMode::Split; }

  bool is_made(const PathSource& source) const {
    return source.kind == PathMountKind::Directory &&
           std::any_of(plan_.actions.begin(), plan_.actions.end(), [&](const Action& action) {
             const auto* dir = std::get_if<EnsureDir>(&action);
             return dir != nullptr && dir->path == source.host.text();
           });
  }

  // The host side is the repository's, by the facts real, or made before the start.
  void check_git_source(const Mount& mount, const PathSource& source) {
    const std::string& host = source.host.text();
    const PathFact* fact = plan_.facts.find(host);
    const bool real = fact != nullptr && fact->kind == PathKind::Directory && fact->real_path == host;
    const bool made = fact != nullptr && fact->kind == PathKind::Missing && is_made(source);
    if (source.kind != PathMountKind::Directory || (!real && !made)) {
      wrong("/host is not what the facts say is there");
    }
    if (!is_of_repository(mount.origin, host)) {
      wrong("/host is not the directory of its origin");
    }
    if (!shows(mount.guest, source.host)) {
      wrong("/guest is not where the host side is seen");
    }
  }

  bool is_of_repository(MountOrigin origin, const std::string& host) const {
    const GitPlan& git = plan_.git;
    switch (origin) {
      case MountOrigin::GitDir:
        return host == git.git_dir;
      case MountOrigin::GitCommonDir:
        return host == git.common_dir;
      case MountOrigin::GitData:
        return is_split() && (host == git.common_dir + "/objects" || host == git.common_dir + "/refs" ||
                              host == git.common_dir + "/logs");
      case MountOrigin::GitHooks:
        return std::any_of(git.hooks.begin(), git.hooks.end(), [&](const std::string& hooks) {
          const PathFact* fact = plan_.facts.find(hooks);
          return hooks == host || (fact != nullptr && fact->real_path == host);
        });
      case MountOrigin::Worktree:
      case MountOrigin::Project:
      case MountOrigin::ToolOutput:
      case MountOrigin::Tmp:
      case MountOrigin::Custom:
      case MountOrigin::External:
      case MountOrigin::DockerDisk:
      case MountOrigin::CacheDisk:
        return false;
    }
    return false;
  }

  // A git directory is seen at its own path, at a spelling that leads to it, or
  // inside another mount at the place that it has on the host.
  bool shows(const MountPath& guest, const MountPath& host) const {
    const PathFact* fact = plan_.facts.find(guest.text());
    if (guest == host || (fact != nullptr && fact->real_path == host.text())) {
      return true;
    }
    return std::any_of(plan_.mounts.begin(), plan_.mounts.end(), [&](const Mount& outer) {
      const auto* source = std::get_if<PathSource>(&outer.source);
      return source != nullptr && guest.is_at_or_below(outer.guest) && host.is_at_or_below(source->host) &&
             guest.text().substr(outer.guest.text().size()) ==
                 host.text().substr(source->host.text().size()) &&
             !(guest == outer.guest);
    });
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

void check_mounts(const Plan& plan, DecodeProblem& problem) { MountChecks(plan, problem).run(); }

}  // namespace forge::policy
