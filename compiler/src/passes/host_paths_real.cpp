// Every mounted host path is, by the facts, what it is taken for and no link anywhere; or
// an action makes it, in a place that is no link.
#include <fmt/format.h>

#include <algorithm>

#include "passes.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::PathFact;
using policy::PathKind;

bool is_real(const PathFact& fact) { return !fact.is_link && fact.real_path == fact.path; }

// Nothing known about the directories above says that one of them is a link.
bool is_behind_no_link(const policy::HostFacts& facts, const std::string& path) {
  for (std::string up = folder_of(path); up != "/"; up = folder_of(up)) {
    const PathFact* fact = facts.find(up);
    if (fact != nullptr && (fact->is_link || (!fact->real_path.empty() && fact->real_path != up))) {
      return false;
    }
  }
  return true;
}

bool is_made(const policy::Plan& plan, const std::string& path) {
  return std::any_of(plan.actions.begin(), plan.actions.end(), [&](const policy::Action& action) {
    const auto* dir = std::get_if<policy::EnsureDir>(&action);
    return dir != nullptr && dir->path == path;
  });
}

// A path is asked about as it is spelled: what the guest's spelling is known to lead to
// is real by that.
bool is_vouched_for(const policy::Plan& plan, const policy::Mount& mount, const policy::PathSource& source) {
  const std::string& host = source.host.text();
  const bool directory = source.kind == policy::PathMountKind::Directory;
  const PathKind wanted = directory ? PathKind::Directory : PathKind::File;
  if (!is_behind_no_link(plan.facts, host)) {
    return false;
  }
  if (const PathFact* fact = plan.facts.find(host); fact != nullptr && fact->kind != PathKind::Missing) {
    return is_real(*fact) && fact->kind == wanted;
  } else if (fact != nullptr && fact->is_link) {
    return false;
  }
  const PathFact* spelled = plan.facts.find(mount.guest.text());
  return (spelled != nullptr && spelled->kind == wanted && spelled->real_path == host) ||
         (directory && is_made(plan, host));
}

}  // namespace

void verify_host_paths_real(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  for (const policy::Mount& mount : plan.mounts) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    if (source != nullptr && !is_vouched_for(plan, mount, *source)) {
      refute(sink, policy::DiagnosticId::HostPathNotReal,
             fmt::format("the facts do not vouch for {} as a {} behind no link",
                         quoted_path(source->host.text()),
                         source->kind == policy::PathMountKind::Directory ? "directory" : "file"));
    }
  }
}

}  // namespace forge::compiler
