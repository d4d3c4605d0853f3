// The accepted mounts, found by path: who covers a path, who lies below it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/plan.hpp"

namespace forge::compiler {

/// Looks up by real host path and by guest path, by whole components. Both
/// questions cost O(depth + log n).
class MountTable {
 public:
  void add(policy::Mount mount);

  /// An accepted mount that equals, contains or lies inside one of the two paths,
  /// on its side of the boundary; null when there is none.
  [[nodiscard]] const policy::Mount* overlapping(const policy::MountPath& host,
                                                 const policy::MountPath& guest) const;

  [[nodiscard]] const std::vector<policy::Mount>& mounts() const { return mounts_; }
  [[nodiscard]] std::vector<policy::Mount> take() && { return std::move(mounts_); }

 private:
  using Index = std::map<std::string, std::size_t, std::less<>>;
  [[nodiscard]] const policy::Mount* find(const Index& index, const policy::MountPath& path) const;

  std::vector<policy::Mount> mounts_;
  Index by_host_;
  Index by_guest_;
};

}  // namespace forge::compiler
