// The worktree comes first and is writable; every mount has the access that it declares
// under the runtime's model of nested mounts, never more under the user's document, and
// what is mounted read-only can be written at no other place of the guest.
#include <fmt/format.h>

#include "forge/policy/access.hpp"
#include "forge/policy/plan_words.hpp"
#include "passes.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::Mount;
using policy::MountModel;
using policy::PathAccess;

PathAccess granted(Access access) {
  return access == Access::ReadWrite ? PathAccess::ReadWrite : PathAccess::ReadOnly;
}

void check_worktree(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  const Mount* first = plan.mounts.empty() ? nullptr : &plan.mounts.front();
  if (first == nullptr || first->origin != policy::MountOrigin::Worktree ||
      first->access != Access::ReadWrite || first->guest.text() != plan.context.worktree) {
    refute(sink, DiagnosticId::MountNotAsDeclared, "the first mount is not the writable worktree");
  }
}

void check_mount(const Mount& mount, const policy::AccessMap& access, policy::DiagnosticSink& sink) {
  const std::string& guest = mount.guest.text();
  const PathAccess declared = granted(mount.access);
  if (access.guest(guest, MountModel::PerMount) != declared ||
      access.guest(guest, MountModel::OutermostReadOnly) > declared) {
    refute(sink, DiagnosticId::MountNotAsDeclared,
           fmt::format("the mount at {} declares {} and has another access", quoted_path(guest),
                       policy::word(mount.access)));
  }
  const auto* source = std::get_if<policy::PathSource>(&mount.source);
  if (source != nullptr && access.host(source->host.text(), MountModel::PerMount) > declared) {
    refute(sink, DiagnosticId::MountNotAsDeclared,
           fmt::format("{} is mounted read-only at {} and can be written at another place",
                       quoted_path(source->host.text()), quoted_path(guest)));
  }
}

}  // namespace

void verify_mounts_as_declared(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  check_worktree(plan, sink);
  const policy::AccessMap access(plan.mounts);
  for (const Mount& mount : plan.mounts) {
    check_mount(mount, access, sink);
  }
}

}  // namespace forge::compiler
