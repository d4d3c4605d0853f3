// What a list of mounts means: what the guest may do at a path, and to a path of the host.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "forge/policy/plan.hpp"

namespace forge::policy {

/// What may be done at a path. `None`: no mount shows it.
enum class PathAccess : std::uint8_t { None, ReadOnly, ReadWrite };

/// How nested mounts are taken.
enum class MountModel : std::uint8_t {
  PerMount,           ///< the deepest mount around a path decides; so does msb
  OutermostReadOnly,  ///< nothing inside a read-only mount is writable; so says the user's document
};

/// The meaning of the mounts of one plan. A question costs O(depth of the path), and one
/// about the host that times the number of mounts of the same host directory.
///
/// Paths are absolute and normal. Mounts do not outlive the map, which keeps none of them.
class AccessMap {
 public:
  /// Of two mounts with one guest path the later hides the earlier one.
  explicit AccessMap(const std::vector<Mount>& mounts);

  /// What the guest may do at `path`.
  [[nodiscard]] PathAccess guest(std::string_view path, MountModel model) const;

  /// The most that the guest may do to `path` of the host, over all places that show it.
  [[nodiscard]] PathAccess host(std::string_view path, MountModel model) const;

  /// The guest's paths that show `path` of the host, unless another mount hides it there.
  [[nodiscard]] std::vector<std::string> places(std::string_view path) const;

  /// Where the answer about the host may change: every host directory of a mount, and
  /// every part of one that another mount hides. Between two such paths it is the same
  /// as at the one above.
  [[nodiscard]] const std::vector<std::string>& host_edges() const { return host_edges_; }
  [[nodiscard]] const std::vector<std::string>& guest_edges() const { return guest_edges_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <class Value>
  using ByPath = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;

  struct Shown {
    std::string host;  ///< empty of a disk, which shows nothing of the host
    std::string guest;
    Access access;
  };

  [[nodiscard]] const Shown* deepest(std::string_view guest) const;
  [[nodiscard]] PathAccess access_of(const Shown& shown, std::string_view guest, MountModel model) const;
  /// Calls `see` with each mount that shows the host's path, and where.
  template <class See>
  void each_place(std::string_view path, See see) const;

  std::vector<Shown> mounts_;
  ByPath<std::size_t> by_guest_;
  ByPath<std::vector<std::size_t>> by_host_;
  std::vector<std::string> host_edges_;
  std::vector<std::string> guest_edges_;
};

/// A path that shows that one list of mounts grants more than another one.
struct AccessWitness {
  enum class Side : std::uint8_t { Guest, Host };
  Side side = Side::Guest;
  std::string path;
  PathAccess more = PathAccess::None;  ///< what the first grants there
  PathAccess less = PathAccess::None;  ///< what the second grants there

  friend bool operator==(const AccessWitness&, const AccessWitness&) = default;
};

/// The first path, the host's before the guest's, in byte order, where `a` under
/// `model_of_a` grants more than `b` under `model_of_b`. Nothing is a proof that there is
/// none: only finitely many paths can make a difference, and each was tried.
[[nodiscard]] std::optional<AccessWitness> access_widening(const AccessMap& a, MountModel model_of_a,
                                                           const AccessMap& b, MountModel model_of_b);

}  // namespace forge::policy
