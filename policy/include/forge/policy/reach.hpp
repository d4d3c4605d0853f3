// What a network policy lets through: the runtime's own semantics, made quick to ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "forge/policy/net_policy.hpp"

namespace forge::policy {

/// An answer with its reason.
struct Decision {
  enum class By : std::uint8_t {
    Rule,     ///< the first rule that fits
    Default,  ///< no rule fits
    Lookup,   ///< the name cannot be looked up, so nobody connects to it
    Floor,    ///< a rule or the default allows it, and the floor does not
  };
  Verdict verdict = Verdict::Deny;
  By by = By::Default;
  /// Index in NetPolicy::rules of the rule that decided; of a Lookup and of the Floor the
  /// one that was met before. Nothing where that was the default.
  std::optional<std::size_t> rule;

  friend bool operator==(const Decision&, const Decision&) = default;
};

/// The meaning of a policy in one direction. Of the rules that take part the first that
/// fits decides. An address costs O(K log n) for K different services among n rules, a
/// name one step a label. Ports are the destination's, and the guest's own for ingress.
class ReachMap {
 public:
  explicit ReachMap(const NetPolicy& policy, Direction direction = Direction::Egress);
  ReachMap(ReachMap&&) noexcept;
  ReachMap& operator=(ReachMap&&) noexcept;
  ~ReachMap();

  /// An address that is not the sandbox's gateway. Rules that name hosts never fit.
  [[nodiscard]] Decision address(IpAddress address, Protocol protocol, std::uint16_t port) const;

  /// `address` as this sandbox's gateway, which is the host's loopback: a rule for any
  /// destination, the group `host` and networks fit, the groups of addresses do not.
  [[nodiscard]] Decision gateway(IpAddress address, Protocol protocol, std::uint16_t port) const;

  /// Whether the guest's resolver answers for `name` (lower case, no final dot): the rules
  /// about names count whatever their services; those for any destination and for the
  /// group `host` as connections to port 53, by UDP or TCP; no other rule does.
  [[nodiscard]] Decision lookup(std::string_view name) const;

  /// A connection to `name`, which must be looked up first. A rule about addresses counts
  /// where it allows, since the name may lead there, and is passed over where it denies:
  /// the answer is never narrower than what happens. The gateway's own name is judged as
  /// the gateway, for which no rule about names counts.
  [[nodiscard]] Decision name(std::string_view name, Protocol protocol, std::uint16_t port) const;

 private:
  struct Index;
  std::unique_ptr<const Index> index_;
};

}  // namespace forge::policy
