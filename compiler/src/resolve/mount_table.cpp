#include "mount_table.hpp"

namespace forge::compiler {

void MountTable::add(policy::Mount mount) {
  const std::size_t place = mounts_.size();
  if (const auto* source = std::get_if<policy::PathSource>(&mount.source)) {
    by_host_.emplace(source->host.text(), place);
  }
  by_guest_.emplace(mount.guest.text(), place);
  mounts_.push_back(std::move(mount));
}

const policy::Mount* MountTable::find(const Index& index, const policy::MountPath& path) const {
  // Below: in byte order the descendants of `/a` start at `/a/`.
  const std::string below = path.text() + '/';
  if (const auto next = index.lower_bound(below); next != index.end() && next->first.starts_with(below)) {
    return &mounts_[next->second];
  }
  // Equal or above: the path itself and each of its ancestors.
  for (std::string_view up = path.text(); !up.empty(); up = up.substr(0, up.rfind('/'))) {
    if (const auto hit = index.find(up); hit != index.end()) {
      return &mounts_[hit->second];
    }
  }
  return nullptr;
}

const policy::Mount* MountTable::overlapping(const policy::MountPath& host,
                                             const policy::MountPath& guest) const {
  const policy::Mount* hit = find(by_host_, host);
  return hit != nullptr ? hit : find(by_guest_, guest);
}

}  // namespace forge::compiler
