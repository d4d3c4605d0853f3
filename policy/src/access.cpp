#include "forge/policy/access.hpp"

#include <algorithm>
#include <set>

namespace forge::policy {
namespace {

PathAccess granted(Access access) {
  return access == Access::ReadWrite ? PathAccess::ReadWrite : PathAccess::ReadOnly;
}

std::string_view folder_above(std::string_view path) { return path.substr(0, path.rfind('/')); }

}  // namespace

AccessMap::AccessMap(const std::vector<Mount>& mounts) {
  mounts_.reserve(mounts.size());
  for (const Mount& mount : mounts) {
    const auto* source = std::get_if<PathSource>(&mount.source);
    mounts_.push_back(
        {source == nullptr ? std::string() : source->host.text(), mount.guest.text(), mount.access});
    by_guest_[mount.guest.text()] = mounts_.size() - 1;
    if (source != nullptr) {
      by_host_[source->host.text()].push_back(mounts_.size() - 1);
    }
  }
  std::set<std::string> host_edges;
  std::set<std::string> guest_edges;
  for (const Shown& inner : mounts_) {
    guest_edges.insert(inner.guest);
    if (!inner.host.empty()) {
      host_edges.insert(inner.host);
    }
    // What the mounts around this one would show at its place.
    for (std::string_view up = folder_above(inner.guest); !up.empty(); up = folder_above(up)) {
      const auto hit = by_guest_.find(up);
      if (hit != by_guest_.end() && !mounts_[hit->second].host.empty()) {
        host_edges.insert(mounts_[hit->second].host + inner.guest.substr(up.size()));
      }
    }
  }
  host_edges_.assign(host_edges.begin(), host_edges.end());
  guest_edges_.assign(guest_edges.begin(), guest_edges.end());
}

const AccessMap::Shown* AccessMap::deepest(std::string_view guest) const {
  for (std::string_view up = guest; !up.empty(); up = folder_above(up)) {
    if (const auto hit = by_guest_.find(up); hit != by_guest_.end()) {
      return &mounts_[hit->second];
    }
  }
  return nullptr;
}

PathAccess AccessMap::access_of(const Shown& shown, std::string_view guest, MountModel model) const {
  if (model == MountModel::OutermostReadOnly) {
    for (std::string_view up = guest; !up.empty(); up = folder_above(up)) {
      const auto hit = by_guest_.find(up);
      if (hit != by_guest_.end() && mounts_[hit->second].access == Access::ReadOnly) {
        return PathAccess::ReadOnly;
      }
    }
  }
  return granted(shown.access);
}

PathAccess AccessMap::guest(std::string_view path, MountModel model) const {
  const Shown* shown = deepest(path);
  return shown == nullptr ? PathAccess::None : access_of(*shown, path, model);
}

template <class See>
void AccessMap::each_place(std::string_view path, See see) const {
  for (std::string_view up = path; !up.empty(); up = folder_above(up)) {
    const auto hit = by_host_.find(up);
    if (hit == by_host_.end()) {
      continue;
    }
    for (const std::size_t at : hit->second) {
      std::string place = mounts_[at].guest + std::string(path.substr(up.size()));
      if (deepest(place) == &mounts_[at]) {
        see(mounts_[at], std::move(place));
      }
    }
  }
}

PathAccess AccessMap::host(std::string_view path, MountModel model) const {
  PathAccess most = PathAccess::None;
  each_place(path, [&](const Shown& shown, const std::string& place) {
    most = std::max(most, access_of(shown, place, model));
  });
  return most;
}

std::vector<std::string> AccessMap::places(std::string_view path) const {
  std::vector<std::string> out;
  each_place(path, [&](const Shown&, std::string place) { out.push_back(std::move(place)); });
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<AccessWitness> access_widening(const AccessMap& a, MountModel model_of_a, const AccessMap& b,
                                             MountModel model_of_b) {
  using Side = AccessWitness::Side;
  const auto access = [](const AccessMap& map, Side side, const std::string& path, MountModel model) {
    return side == Side::Host ? map.host(path, model) : map.guest(path, model);
  };
  for (const Side side : {Side::Host, Side::Guest}) {
    const auto& of_a = side == Side::Host ? a.host_edges() : a.guest_edges();
    const auto& of_b = side == Side::Host ? b.host_edges() : b.guest_edges();
    std::set<std::string> edges(of_a.begin(), of_a.end());
    edges.insert(of_b.begin(), of_b.end());
    for (const std::string& path : edges) {
      const PathAccess more = access(a, side, path, model_of_a);
      const PathAccess less = access(b, side, path, model_of_b);
      if (more > less) {
        return AccessWitness{side, path, more, less};
      }
    }
  }
  return std::nullopt;
}

}  // namespace forge::policy
