// Whether a candidate can be mounted at all, and what is said of it once it is.
#include <algorithm>

#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"
#include "mount_plan.hpp"

namespace forge::compiler {
namespace {

using policy::DiagnosticId;
using policy::Judgement;
using policy::MountPath;
using policy::PathFact;
using policy::PathKind;
using policy::ProtectedKind;

tl::unexpected<Refusal> refuse(DiagnosticId id, std::string message, std::string help) {
  return tl::unexpected(Refusal{id, std::move(message), std::move(help)});
}

// The places of a repository's own mounts follow from that of the repository.
bool is_of_git(policy::MountOrigin origin) {
  using policy::MountOrigin;
  return origin == MountOrigin::GitDir || origin == MountOrigin::GitCommonDir ||
         origin == MountOrigin::GitData || origin == MountOrigin::GitHooks;
}

// The first of a chain stands for the path itself, known or not.
std::vector<Identity> known_of(std::vector<Identity> chain) {
  chain.erase(std::remove(chain.begin(), chain.end(), kUnknownIdentity), chain.end());
  return chain;
}

// Which character of a path the runtime cannot take.
std::string why_inexpressible(const std::string& path) {
  const auto parsed = grammar::parse_mount_path(path);
  if (parsed) {
    return "is not in normal form";
  }
  const policy::Span at = parsed.error().where;
  if (at.end > at.begin && at.end - at.begin <= 4 && at.end <= path.size()) {
    return fmt::format("holds `{}` at byte {}",
                       policy::escape_for_display(path.substr(at.begin, at.end - at.begin)), at.begin);
  }
  return "is `/` or too long";
}

}  // namespace

PathKind MountPlan::kind_of(const std::string& path) const {
  const PathFact* fact = out_.facts.find(path);
  return fact == nullptr ? PathKind::Unreadable : fact->kind;
}

tl::expected<MountPlace, Refusal> MountPlan::place_of(const Candidate& candidate) const {
  const PathFact* fact = out_.facts.find(candidate.path);
  const PathKind kind = fact == nullptr ? PathKind::Unreadable : fact->kind;
  if (kind == PathKind::Directory) {
    return place_at(candidate, fact->real_path);
  }
  const std::string name = quoted_path(candidate.path);
  switch (kind) {
    case PathKind::Missing:
      return refuse(DiagnosticId::MountMissing, fmt::format("{} does not exist", name),
                    "create the directory or remove the entry");
    case PathKind::Unreadable:
      return refuse(DiagnosticId::MountUnreadable, fmt::format("the host did not say what {} is", name),
                    "check the permissions on the way to it");
    case PathKind::Unnameable:
      return refuse(DiagnosticId::MountNotExpressible,
                    fmt::format("{} leads to a path with bytes that are no text to show", name),
                    "rename the directory");
    case PathKind::File:
    case PathKind::Other:
    case PathKind::Directory:
      break;
  }
  return refuse(DiagnosticId::MountNotADirectory, fmt::format("{} is not a directory", name),
                "name the directory that holds it");
}

// Mounts lie side by side by the thousand, and what is above them is the same.
std::vector<Identity> MountPlan::chain_at(const std::string& real_path) const {
  const std::string folder = folder_of(real_path);
  auto above = chains_.find(folder);
  if (above == chains_.end()) {
    above = chains_.emplace(folder, known_of(chain_of(out_.facts, folder))).first;
  }
  std::vector<Identity> chain = {identity_of(out_.facts, real_path)};
  chain.insert(chain.end(), above->second.begin(), above->second.end());
  return chain;
}

tl::expected<MountPlace, Refusal> MountPlan::place_at(const Candidate& candidate,
                                                      const std::string& real_path) const {
  const auto host = MountPath::from_canonical(real_path);
  const auto guest = MountPath::from_canonical(candidate.path);
  if (!host || !guest) {
    const std::string& path = guest ? real_path : candidate.path;
    if (path == "/") {
      return refuse(DiagnosticId::MountForbidden,
                    fmt::format("{} is the root of the host", quoted_path(candidate.path)),
                    "name the directory that is needed");
    }
    return refuse(
        DiagnosticId::MountNotExpressible,
        fmt::format("{} {}, which the runtime cannot express", quoted_path(path), why_inexpressible(path)),
        "rename the directory; `:`, `,`, `;` and control characters separate or hide what is mounted");
  }
  return MountPlace{*host, *guest, chain_at(real_path)};
}

std::optional<Refusal> MountPlan::forbidden(const Candidate& candidate, const MountPlace& place) const {
  const auto host = protection_.judge_host(place, candidate.access, candidate.origin);
  const std::string name = quoted_path(candidate.path);
  if (host.judgement == Judgement::Refused) {
    const bool never = host.kind == ProtectedKind::Kernel || host.kind == ProtectedKind::Root;
    return Refusal{never ? DiagnosticId::MountForbidden : DiagnosticId::MountProtected,
                   fmt::format("{} {}", name, host.message),
                   candidate.access == policy::Access::ReadOnly
                       ? "mount only the directory that is needed"
                       : "mount only the directory that is needed; this may not be written"};
  }
  const auto guest = Protection::judge_guest(place.guest);
  if (guest.judgement == Judgement::Refused) {
    return Refusal{DiagnosticId::GuestPathHidden, fmt::format("{} {}", name, guest.message),
                   "a mount has the same path on both sides; use another directory"};
  }
  return std::nullopt;
}

const policy::Mount* MountPlan::overlap(const MountPlace& place) const {
  const policy::Mount* other = table_.overlapping(place);
  return other != nullptr ? other : disks_.overlapping(place);
}

void MountPlan::accept(const Candidate& candidate, const MountPlace& place) {
  table_.add({policy::PathSource{place.host, policy::PathMountKind::Directory}, place.guest, candidate.access,
              candidate.origin, candidate.span},
             place.chain);
  warn_accepted(candidate, place);
}

void MountPlan::warn_accepted(const Candidate& candidate, const MountPlace& place) {
  const auto host = protection_.judge_host(place, candidate.access, candidate.origin);
  if (host.judgement == Judgement::Warned) {
    const std::string message =
        fmt::format("{} {}: the sandbox can read it", quoted_path(candidate.path), host.message);
    out_.plan.warnings.insert(out_.plan.warnings.begin() + sensitive_++, message);  // before all else
    out_.report(DiagnosticId::MountSensitive, message, "remove the mount unless the sandbox must read this",
                candidate.span, candidate.pointer);
  }
  if (!is_of_git(candidate.origin) && !(place.host == place.guest)) {
    out_.report(DiagnosticId::MountThroughLink,
                fmt::format("{} leads to {}", quoted_path(candidate.path), quoted_path(place.host.text())),
                "write the real path, unless tools use the other one", candidate.span, candidate.pointer);
  }
  const auto guest = Protection::judge_guest(place.guest);
  if (guest.judgement == Judgement::Warned) {
    out_.report(
        DiagnosticId::GuestPathMixed, fmt::format("{} {}", quoted_path(candidate.path), guest.message),
        "mount another directory, unless nothing of the image lies there", candidate.span, candidate.pointer);
  }
}

}  // namespace forge::compiler
