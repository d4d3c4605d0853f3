#include <algorithm>

#include "forge/policy/utf8.hpp"
#include "mount_plan.hpp"

namespace forge::compiler {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::Mount;
using policy::MountOrigin;
using policy::MountPath;
using policy::PathFact;
using policy::PathKind;
using Verdict = MountTable::Verdict;

std::string_view origin_name(const Mount& mount) {
  return mount.origin == MountOrigin::Custom || mount.origin == MountOrigin::External ? "earlier"
                                                                                      : "automatic";
}

// A disk's place in the guest; on the host it has none that a directory could meet.
policy::Mount disk(std::string volume, std::string_view guest, policy::Mebibytes size, MountOrigin origin) {
  return {policy::DiskSource{std::move(volume), size}, *MountPath::from_canonical(guest), Access::ReadWrite,
          origin, std::nullopt};
}

}  // namespace

// The disks come last on the command line, but their places in the guest are taken
// from the start.
MountPlan::MountPlan(Resolution& out)
    : out_(out), host_(out.facts), protection_(out.facts, out.request.context, out.request.control_plane) {
  const policy::SandboxName& name = out.plan.name;
  const policy::Resources& sizes = out.plan.resources;
  disks_.add(disk(name.docker_volume(), "/var/lib/docker", sizes.docker_disk, MountOrigin::DockerDisk), {});
  disks_.add(disk(name.cache_volume(), "/opt/forge/cache", sizes.cache_disk, MountOrigin::CacheDisk), {});
}

void MountPlan::run() {
  if (!worktree()) {
    return;
  }
  git();
  project();
  tool_output();
  tmp();
  for (const MountEntry& entry : out_.config.mounts) {
    listed(entry);
  }
  git_findings();
  out_.plan.mounts = std::move(table_).take();
  const auto& disks = disks_.mounts();
  out_.plan.mounts.insert(out_.plan.mounts.end(), disks.begin(), disks.end());
  std::sort(out_.plan.git.hooks.begin(), out_.plan.git.hooks.end());
}

void MountPlan::drop(const Candidate& candidate, DiagnosticId id, std::string message, std::string help,
                     const Mount* conflict) {
  const std::string against = conflict == nullptr ? std::string() : conflict->guest.text();
  out_.plan.dropped.push_back(
      {policy::escape_for_display(candidate.path), candidate.label, id, against, candidate.span});
  out_.report(id, std::move(message), std::move(help), candidate.span, candidate.pointer);
}

bool MountPlan::worktree() {
  const std::string& path = out_.request.context.worktree;
  const Candidate candidate{path, Access::ReadWrite, MountOrigin::Worktree, "worktree", {}, std::nullopt};
  const auto place = place_of(candidate);
  if (!place) {
    stop(DiagnosticId::WorktreeUnusable,
         fmt::format("the worktree cannot be mounted: {}", place.error().message),
         "name an existing directory of the project with --worktree");
    return false;
  }
  if (const auto why = forbidden(candidate, *place)) {
    stop(DiagnosticId::WorktreeUnusable, fmt::format("the worktree cannot be mounted: {}", why->message),
         why->help);
    return false;
  }
  if (const Mount* other = overlap(*place)) {
    stop(DiagnosticId::WorktreeUnusable,
         fmt::format("the worktree {} overlaps {}, where the sandbox keeps a disk", quoted_path(path),
                     quoted_path(other->guest.text())),
         "use another directory");
    return false;
  }
  accept(candidate, *place);
  for (const policy::ControlPlaneEntry& entry : out_.request.control_plane) {
    const PathFact* fact = out_.facts.find(entry.path);
    const std::string& real = fact == nullptr || fact->real_path.empty() ? entry.path : fact->real_path;
    if (entry.kind == policy::ControlPlaneKind::Config &&
        (policy::path_is_at_or_below(real, place->host.text()) ||
         policy::path_is_at_or_below(entry.path, path))) {
      out_.report(DiagnosticId::ConfigInWorktree,
                  fmt::format("the config {} lies in the worktree, which the sandbox can write",
                              quoted_path(entry.path)),
                  "keep it outside, or compare it before each start");
    }
  }
  return true;
}

void MountPlan::project() {
  const policy::Context& context = out_.request.context;
  if (out_.request.session == policy::Session::Host || context.project == context.worktree) {
    return;
  }
  const Candidate candidate{context.project, Access::ReadOnly, MountOrigin::Project, "project", {},
                            std::nullopt};
  const auto place = place_of(candidate);
  if (!place) {
    stop(DiagnosticId::ContextPathUnusable,
         fmt::format("the project cannot be mounted: {}", place.error().message), place.error().help);
    return;
  }
  if (out_.config.project_mount == ProjectMount::Off) {
    return;
  }
  const auto answer = table_.judge(*place, Access::ReadOnly);
  const Mount* other = answer.verdict == Verdict::Free ? disks_.overlapping(*place) : answer.other;
  if (other != nullptr) {
    drop(candidate, DiagnosticId::ProjectMountDropped,
         fmt::format("the read-only mount of the project overlaps the writable {}",
                     quoted_path(other->guest.text())),
         "", other);
    reserve(candidate, place->host);
    return;
  }
  if (const auto why = forbidden(candidate, *place)) {
    drop(candidate, why->id, fmt::format("the project is left out: {}", why->message), why->help, nullptr);
    reserve(candidate, place->host);
    return;
  }
  accept(candidate, *place);
}

// What the plan would have mounted by itself stays out of reach of the listed mounts:
// they may not open it another way.
void MountPlan::reserve(const Candidate& candidate, const MountPath& host) {
  const auto guest = MountPath::from_canonical(candidate.path);
  if (guest) {
    reserved_.add({policy::PathSource{host, policy::PathMountKind::Directory}, *guest, candidate.access,
                   candidate.origin, std::nullopt},
                  chain_of(out_.facts, host.text()));
  }
}

void MountPlan::tool_output() {
  automatic({out_.request.context.tool_output,
             Access::ReadOnly,
             MountOrigin::ToolOutput,
             "tool-output",
             {},
             std::nullopt});
}

// The temp directory is found by a name that anyone may take first, so it counts only
// when it is a directory of the user's own, under that very name.
void MountPlan::tmp() {
  const std::string& path = out_.request.context.tmp;
  const Candidate candidate{path, Access::ReadWrite, MountOrigin::Tmp, "tmp", {}, std::nullopt};
  const std::string folder = folder_of(path);
  const PathFact* above = out_.facts.find(folder);
  const PathFact* fact = out_.facts.find(path);
  if (fact != nullptr && fact->is_link) {
    left_out(candidate, {DiagnosticId::AutomaticMountDropped,
                         fmt::format("the temp directory {} is a symbolic link", quoted_path(path)),
                         "someone else may have placed it; remove the link"});
    return;
  }
  if (fact != nullptr && fact->kind == PathKind::Missing && above != nullptr &&
      above->kind == PathKind::Directory) {
    create_tmp(candidate, *above);
    return;
  }
  if (fact != nullptr && fact->kind == PathKind::Directory && fact->owner != policy::Owner::Self) {
    left_out(candidate, {DiagnosticId::AutomaticMountDropped,
                         fmt::format("the temp directory {} belongs to another user", quoted_path(path)),
                         "remove it, or name another one with --tmp"});
    return;
  }
  automatic(candidate);
  if (fact != nullptr && fact->others_write && table_.covering(fact->real_path) != nullptr) {
    out_.report(DiagnosticId::TmpShared,
                fmt::format("others may write to the temp directory {}", quoted_path(path)),
                "chmod 700 the directory");
  }
}

// The caller makes the directory, for its owner alone, before the sandbox is created.
void MountPlan::create_tmp(const Candidate& candidate, const PathFact& parent) {
  const std::string name = candidate.path.substr(candidate.path.rfind('/') + 1);
  const auto place = place_at(candidate, join_path(parent.real_path, name));
  if (!place) {
    left_out(candidate,
             {DiagnosticId::AutomaticMountDropped,
              fmt::format("the tmp directory is left out: {}", place.error().message), place.error().help});
    return;
  }
  if (automatic_at(candidate, *place)) {
    out_.plan.actions.emplace_back(policy::EnsureDir{place->host.text(), 0700});
  }
}

void MountPlan::left_out(const Candidate& candidate, const Refusal& why) {
  drop(candidate, why.id, why.message, why.help, nullptr);
  if (!candidate.span && candidate.origin != MountOrigin::GitData) {
    const PathFact* fact = out_.facts.find(candidate.path);
    const auto host = MountPath::from_canonical(fact == nullptr || fact->real_path.empty() ? candidate.path
                                                                                           : fact->real_path);
    if (host) {
      reserve(candidate, *host);
    }
  }
}

void MountPlan::automatic(const Candidate& candidate) {
  const auto place = place_of(candidate);
  if (!place) {
    const bool missing = kind_of(candidate.path) == PathKind::Missing;
    left_out(candidate,
             {missing ? DiagnosticId::AutomaticMountSkipped : DiagnosticId::AutomaticMountDropped,
              fmt::format("the {} directory is left out: {}", candidate.label, place.error().message), ""});
    return;
  }
  static_cast<void>(automatic_at(candidate, *place));
}

bool MountPlan::automatic_at(const Candidate& candidate, const MountPlace& place) {
  const Mount* other = overlap(place);
  if (other != nullptr && !is_island(candidate, place, *other)) {
    skip(candidate, *other);
    reserve(candidate, place.host);
    return false;
  }
  if (const auto why = forbidden(candidate, place)) {
    left_out(candidate,
             {DiagnosticId::AutomaticMountDropped,
              fmt::format("the {} directory is left out: {}", candidate.label, why->message), why->help});
    return false;
  }
  if (const auto why = guard_repository(candidate, place)) {
    left_out(candidate, {DiagnosticId::AutomaticMountDropped, why->message, why->help});
    return false;
  }
  return true;
}

// A read-only directory strictly inside a writable one, which is kept; not in the
// worktree, whose parts need no mount of their own.
bool MountPlan::is_island(const Candidate& candidate, const MountPlace& place, const Mount& other) const {
  return candidate.access == Access::ReadOnly && other.origin != MountOrigin::Worktree &&
         table_.judge(place, candidate.access).verdict == Verdict::Free &&
         disks_.overlapping(place) == nullptr;
}

void MountPlan::skip(const Candidate& candidate, const Mount& other) {
  const auto* host = std::get_if<policy::PathSource>(&other.source);
  const bool served = host != nullptr && policy::path_is_at_or_below(candidate.path, other.guest.text()) &&
                      (candidate.access == Access::ReadOnly || other.access == Access::ReadWrite);
  drop(candidate, served ? DiagnosticId::AutomaticMountSkipped : DiagnosticId::AutomaticMountDropped,
       fmt::format("the {} directory {} {} the mount of {}", candidate.label, quoted_path(candidate.path),
                   served ? "is part of" : "overlaps", quoted_path(other.guest.text())),
       "", &other);
}

void MountPlan::listed(const MountEntry& entry) {
  const bool custom = entry.origin == MountOrigin::Custom;
  const Candidate candidate{
      entry.path.text(),
      entry.access,
      entry.origin,
      fmt::format("{}[{}]", custom ? "mounts" : "allowExternalDirectories", entry.index),
      custom ? fmt::format("/sandbox/mounts/{}/host", entry.index)
             : fmt::format("/loop/allowExternalDirectories/{}", entry.index),
      entry.span};
  const auto place = place_of(candidate);
  if (!place) {
    const bool gone = !custom && place.error().id == DiagnosticId::MountMissing;
    left_out(candidate, {gone ? DiagnosticId::ExternalMissing : place.error().id, place.error().message,
                         place.error().help});
    return;
  }
  if (const auto why = forbidden(candidate, *place)) {
    left_out(candidate, *why);
    return;
  }
  if (listed_overlaps(candidate, *place)) {
    return;
  }
  if (const auto why = guard_repository(candidate, *place)) {
    left_out(candidate, *why);
  }
}

// Listed mounts may not touch one another or what the plan mounts by itself.
bool MountPlan::listed_overlaps(const Candidate& candidate, const MountPlace& place) {
  const bool custom = candidate.origin == MountOrigin::Custom;
  const Mount* other = overlap(place);
  if (other == nullptr) {
    other = reserved_.overlapping(place);
  }
  if (other == nullptr) {
    return false;
  }
  drop(candidate, custom ? DiagnosticId::MountOverlaps : DiagnosticId::ExternalCovered,
       fmt::format("{} overlaps the {} mount of {}", quoted_path(candidate.path), origin_name(*other),
                   quoted_path(other->guest.text())),
       custom ? "remove the entry; mounts may not equal, contain or lie inside one another" : "", other);
  return true;
}

void resolve_mounts(Resolution& out) { MountPlan(out).run(); }

}  // namespace forge::compiler
