#include "mount_table.hpp"

namespace forge::compiler {
namespace {

using policy::Access;
using policy::Mount;

const policy::MountPath* host_of(const Mount& mount) {
  const auto* source = std::get_if<policy::PathSource>(&mount.source);
  return source == nullptr ? nullptr : &source->host;
}

/// True when `host` and `guest` lie strictly inside `outer_host` and `outer_guest`, and
/// at the same place of both.
bool is_part_of(const policy::MountPath& host, const policy::MountPath& guest,
                const policy::MountPath& outer_host, const policy::MountPath& outer_guest) {
  if (host == outer_host || !host.is_at_or_below(outer_host) || !guest.is_at_or_below(outer_guest)) {
    return false;
  }
  return std::string_view(host.text()).substr(outer_host.text().size()) ==
         std::string_view(guest.text()).substr(outer_guest.text().size());
}

bool is_part_of(const MountPlace& place, const Mount& outer) {
  const policy::MountPath* host = host_of(outer);
  return host != nullptr && is_part_of(place.host, place.guest, *host, outer.guest);
}

bool is_part_of(const Mount& inner, const MountPlace& place) {
  const policy::MountPath* host = host_of(inner);
  return host != nullptr && is_part_of(*host, inner.guest, place.host, place.guest);
}

}  // namespace

const Mount* MountTable::Met::any() const {
  if (by_host != nullptr) {
    return by_host;
  }
  return by_guest != nullptr ? by_guest : by_identity;
}

void MountTable::Paths::add(const std::string& path, std::size_t mount) {
  exact.emplace(path, mount);
  sorted.emplace(path, mount);
}

void MountTable::add(Mount mount, const std::vector<Identity>& chain) {
  const std::size_t place = mounts_.size();
  Side& into = sides_[static_cast<std::size_t>(mount.access)];
  if (const auto* source = std::get_if<policy::PathSource>(&mount.source)) {
    into.by_host.add(source->host.text(), place);
  }
  into.by_guest.add(mount.guest.text(), place);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (chain[i] != kUnknownIdentity) {
      (i == 0 ? into.by_identity : into.above).emplace(chain[i], place);
    }
  }
  mounts_.push_back(std::move(mount));
}

// The path itself, then each directory above it: the deepest mount comes first.
const Mount* MountTable::at_or_above(const Paths& paths, std::string_view path) const {
  for (std::string_view up = path; !up.empty(); up = up.substr(0, up.rfind('/'))) {
    if (const auto hit = paths.exact.find(up); hit != paths.exact.end()) {
      return mount(hit->second);
    }
  }
  return nullptr;
}

// In byte order the descendants of `/a` start at `/a/`.
const Mount* MountTable::below(const Paths& paths, std::string_view path) const {
  const std::string prefix = std::string(path) + '/';
  const auto next = paths.sorted.lower_bound(prefix);
  return next != paths.sorted.end() && next->first.starts_with(prefix) ? mount(next->second) : nullptr;
}

MountTable::Met MountTable::around(const Side& side, const MountPlace& place) const {
  Met met{at_or_above(side.by_host, place.host.text()), at_or_above(side.by_guest, place.guest.text()),
          nullptr};
  for (const Identity& identity : place.chain) {
    if (const auto hit = side.by_identity.find(identity); hit != side.by_identity.end()) {
      met.by_identity = mount(hit->second);
      break;
    }
  }
  return met;
}

MountTable::Met MountTable::inside(const Side& side, const MountPlace& place) const {
  Met met{below(side.by_host, place.host.text()), below(side.by_guest, place.guest.text()), nullptr};
  if (!place.chain.empty()) {
    if (const auto hit = side.above.find(place.chain.front()); hit != side.above.end()) {
      met.by_identity = mount(hit->second);
    }
  }
  return met;
}

// One that lies inside the place on one side only, or at another place of it: it would
// hide a part of the new mount, or be shown by it a second time.
const Mount* MountTable::shifted_inside(const Side& side, const MountPlace& place) const {
  for (const auto& [paths, path] : {std::pair(&side.by_host, &place.host), {&side.by_guest, &place.guest}}) {
    const std::string prefix = path->text() + '/';
    for (auto at = paths->sorted.lower_bound(prefix);
         at != paths->sorted.end() && at->first.starts_with(prefix); ++at) {
      if (!is_part_of(mounts_[at->second], place)) {
        return mount(at->second);
      }
    }
  }
  const Mount* met = inside(side, place).by_identity;
  return met == nullptr || is_part_of(*met, place) ? nullptr : met;
}

MountTable::Answer MountTable::judge(const MountPlace& place, Access access) const {
  const Side& others = side(access == Access::ReadOnly ? Access::ReadWrite : Access::ReadOnly);
  if (const Mount* other = inside(others, place).any()) {
    return {Verdict::Conflict, other};
  }
  const Met outer = around(others, place);
  if (const Mount* other = outer.any()) {
    const bool straight = outer.by_host == outer.by_guest &&
                          (outer.by_identity == nullptr || outer.by_identity == outer.by_host);
    if (access == Access::ReadWrite || !straight || !is_part_of(place, *other)) {
      return {Verdict::Conflict, other};
    }
  }
  const Met same = around(side(access), place);
  if (same.by_host != nullptr) {
    return {Verdict::Redundant, same.by_host};
  }
  // Shown by its place in the guest alone, or a second way to the same directory.
  const Mount* other = same.any();
  if (other == nullptr) {
    other = shifted_inside(side(access), place);
  }
  return {other == nullptr ? Verdict::Free : Verdict::Conflict, other};
}

const Mount* MountTable::overlapping(const MountPlace& place) const {
  for (const Access access : {Access::ReadOnly, Access::ReadWrite}) {
    const Mount* other = around(side(access), place).any();
    if (other == nullptr) {
      other = inside(side(access), place).any();
    }
    if (other != nullptr) {
      return other;
    }
  }
  return nullptr;
}

const Mount* MountTable::covering(std::string_view host_path) const {
  const Mount* found = nullptr;
  std::size_t deepest = 0;
  for (const Access access : {Access::ReadOnly, Access::ReadWrite}) {
    const Mount* candidate = at_or_above(side(access).by_host, host_path);
    if (candidate == nullptr) {
      continue;
    }
    const std::size_t depth = std::get<policy::PathSource>(candidate->source).host.text().size();
    // Of two at the same place the read-only one counts, which comes first here.
    if (found == nullptr || depth > deepest) {
      found = candidate;
      deepest = depth;
    }
  }
  return found;
}

}  // namespace forge::compiler
