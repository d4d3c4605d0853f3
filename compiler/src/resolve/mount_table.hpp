// The accepted mounts, found by path and by device and inode: who covers a path,
// who lies below it, and who may stand beside whom.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "forge/policy/plan.hpp"

namespace forge::compiler {

/// Device and inode of a directory.
using Identity = std::pair<std::uint64_t, std::uint64_t>;
/// Of a directory that is not there yet, or that the host said nothing about.
inline constexpr Identity kUnknownIdentity{0, 0};

/// A mount's place: where its files are on the host, and where the guest sees them.
/// `chain`: the host directory's identity and those of the directories above it,
/// as far as they are known; it finds what two real paths do not, like a second
/// mount of the same directory on the host.
struct MountPlace {
  policy::MountPath host;
  policy::MountPath guest;
  std::vector<Identity> chain;
};

/// Every question costs O(depth * log n).
class MountTable {
 public:
  enum class Verdict : std::uint8_t {
    Free,       ///< stands beside all others, or is a read-only part of a writable one
    Redundant,  ///< a mount with the same access shows it already
    Conflict,   ///< with it, a mount would not have the access that it declares
  };
  struct Answer {
    Verdict verdict = Verdict::Free;
    const policy::Mount* other = nullptr;
  };

  /// The rules for mounts that may nest. A read-only mount strictly inside a
  /// writable one is free when it lies there on both sides; a wider mount after
  /// narrower ones of the same access is free when each of those is a part of it on
  /// both sides; everything else that overlaps is a conflict. Costs one step more for
  /// each mount inside the new one.
  [[nodiscard]] Answer judge(const MountPlace& place, policy::Access access) const;

  /// An accepted mount that overlaps at all: equals, contains or lies inside one
  /// of the two paths, or does by identity. Null when there is none.
  [[nodiscard]] const policy::Mount* overlapping(const MountPlace& place) const;

  /// The deepest accepted mount whose host directory is `path` or above it.
  [[nodiscard]] const policy::Mount* covering(std::string_view host_path) const;

  void add(policy::Mount mount, const std::vector<Identity>& chain);

  [[nodiscard]] const std::vector<policy::Mount>& mounts() const { return mounts_; }
  [[nodiscard]] std::vector<policy::Mount> take() && { return std::move(mounts_); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  /// Mounts by path: hashed for the directories above a path, sorted for those below.
  struct Paths {
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> exact;
    std::map<std::string, std::size_t, std::less<>> sorted;
    void add(const std::string& path, std::size_t mount);
  };

  /// The mounts of one access.
  struct Side {
    Paths by_host;
    Paths by_guest;
    std::map<Identity, std::size_t> by_identity;
    std::map<Identity, std::size_t> above;  ///< directories above a mount
  };
  /// Mounts of one side that a place meets, by each of the three ways.
  struct Met {
    const policy::Mount* by_host = nullptr;
    const policy::Mount* by_guest = nullptr;
    const policy::Mount* by_identity = nullptr;
    [[nodiscard]] const policy::Mount* any() const;
  };

  [[nodiscard]] const Side& side(policy::Access access) const {
    return sides_[static_cast<std::size_t>(access)];
  }
  [[nodiscard]] const policy::Mount* mount(std::size_t at) const { return &mounts_[at]; }
  [[nodiscard]] const policy::Mount* at_or_above(const Paths& paths, std::string_view path) const;
  [[nodiscard]] const policy::Mount* below(const Paths& paths, std::string_view path) const;
  [[nodiscard]] const policy::Mount* shifted_inside(const Side& side, const MountPlace& place) const;
  [[nodiscard]] Met around(const Side& side, const MountPlace& place) const;  ///< at or above the place
  [[nodiscard]] Met inside(const Side& side, const MountPlace& place) const;  ///< strictly below it

  std::vector<policy::Mount> mounts_;
  std::array<Side, 2> sides_;
};

}  // namespace forge::compiler
