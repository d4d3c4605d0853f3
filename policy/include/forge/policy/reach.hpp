// What a network policy lets through: the runtime's own semantics, made quick to ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

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

/// What can be asked of a policy; ReachMap says what each means.
struct LookupQuestion {
  std::string name;
  friend bool operator==(const LookupQuestion&, const LookupQuestion&) = default;
};
struct NameQuestion {
  std::string name;
  Protocol protocol = Protocol::Tcp;
  std::uint16_t port = 0;
  friend bool operator==(const NameQuestion&, const NameQuestion&) = default;
};
struct AddressQuestion {
  IpAddress address;
  Protocol protocol = Protocol::Tcp;
  std::uint16_t port = 0;
  friend bool operator==(const AddressQuestion&, const AddressQuestion&) = default;
};
struct GatewayQuestion {
  IpAddress address;
  Protocol protocol = Protocol::Tcp;
  std::uint16_t port = 0;
  friend bool operator==(const GatewayQuestion&, const GatewayQuestion&) = default;
};
using ReachQuestion = std::variant<AddressQuestion, GatewayQuestion, LookupQuestion, NameQuestion>;

struct ReachIndex;
struct ReachWitness;

/// The meaning of a policy in one direction. Of the rules that take part the first that
/// fits decides. An address costs O(K log n) for K different services among n rules, a
/// name one step a label. Ports are the destination's, and the guest's own for ingress.
/// Sources of the rules: the runtime's behaviour, observed where it could be.
class ReachMap {
 public:
  /// O(n log n) time and O(n) memory for n rules, however many services they have.
  explicit ReachMap(const NetPolicy& policy, Direction direction = Direction::Egress);
  ReachMap(ReachMap&&) noexcept;
  ReachMap& operator=(ReachMap&&) noexcept;
  ~ReachMap();

  /// An address that is not the sandbox's gateway; for ingress the peer's. Rules that name
  /// hosts never fit.
  [[nodiscard]] Decision address(IpAddress address, Protocol protocol, std::uint16_t port) const;

  /// `address` as this sandbox's gateway, which is the host's loopback: a rule for any
  /// destination, the group `host` and networks fit, the groups of addresses do not.
  [[nodiscard]] Decision gateway(IpAddress address, Protocol protocol, std::uint16_t port) const;

  /// Whether the guest's resolver answers for `name` (lower case, no final dot): the rules
  /// about names count whatever their services; those for any destination and for the
  /// group `host` as connections to port 53, by UDP or TCP; no other rule does, and no
  /// floor. Of ingress, where nobody is asked by name, no rule about names counts.
  [[nodiscard]] Decision lookup(std::string_view name) const;

  /// A connection to `name`, which must be looked up first. A rule about addresses counts
  /// where it allows, since the name may lead there, and is passed over where it denies:
  /// the answer is never narrower than what happens. The gateway's own name is judged as
  /// the gateway, for which no rule about names counts; it is open when one place where a
  /// gateway may lie is. Of ingress as lookup().
  [[nodiscard]] Decision name(std::string_view name, Protocol protocol, std::uint16_t port) const;

  /// The one of the four that the question is for.
  [[nodiscard]] Decision decide(const ReachQuestion& question) const;

 private:
  friend std::optional<ReachWitness> reach_widening(const ReachMap& a, const ReachMap& b);

  std::unique_ptr<const ReachIndex> index_;
};

/// A question that shows that one policy lets more through than another one.
struct ReachWitness {
  ReachQuestion question;
  Decision more;  ///< of the first, which allows it
  Decision less;  ///< of the second, which denies it

  friend bool operator==(const ReachWitness&, const ReachWitness&) = default;
};

/// Something that `a` allows and `b` denies; both are of one direction. Nothing is a proof
/// that there is none among all addresses, all places where a gateway of either policy may
/// lie, all names (at most 253 bytes in labels of 1 to 63) and all services. Of ingress,
/// where nobody is asked by name, addresses and gateways only. Equal policies give equal
/// witnesses. For n rules O(n log n), unless rules overlap as widely in addresses as in
/// services: then O(n sqrt(n)).
[[nodiscard]] std::optional<ReachWitness> reach_widening(const ReachMap& a, const ReachMap& b);

}  // namespace forge::policy
