// What a runtime is told about the network: a list of rules, of which the first that fits
// decides, and a default for what none fits. The vocabulary is msb's own (its `--net*`
// flags), so that any command line of it can be judged, also one we would never write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "forge/policy/ip.hpp"

namespace forge::policy {

enum class Verdict : std::uint8_t { Deny, Allow };

enum class Protocol : std::uint8_t { Tcp, Udp, IcmpV4, IcmpV6 };
inline constexpr unsigned kProtocols = 4;

struct PortRange {
  std::uint16_t first = 0;
  std::uint16_t last = 65535;
  friend auto operator<=>(const PortRange&, const PortRange&) = default;
};

/// The services that a rule is about. No ports: every port, and protocols without ports
/// too. With ports a protocol that has none is never met.
struct Services {
  static constexpr std::uint8_t kAllProtocols = (1U << kProtocols) - 1;

  std::uint8_t protocols = kAllProtocols;  ///< bit `1 << Protocol`; never empty
  std::optional<PortRange> ports;

  [[nodiscard]] static Services of(Protocol protocol, std::optional<PortRange> ports = std::nullopt) {
    return {static_cast<std::uint8_t>(1U << static_cast<unsigned>(protocol)), ports};
  }
  [[nodiscard]] bool contains(Protocol protocol, std::uint16_t port) const;

  friend auto operator<=>(const Services&, const Services&) = default;
};

/// The runtime's named groups of addresses; address_groups.def says what lies in them.
enum class AddressGroup : std::uint8_t { Public, Private, Loopback, LinkLocal, Metadata, Multicast, Host };
inline constexpr unsigned kAddressGroups = 7;

/// A row of the table.
struct GroupRange {
  AddressGroup group = AddressGroup::Public;
  IpNetwork network;
};
/// All rows; the first that holds an address decides its group.
[[nodiscard]] const std::vector<GroupRange>& group_ranges();

/// The group of an ordinary address; nothing for `0.0.0.0` and `::`. Never `Host`, which is
/// a matter of the sandbox and not of the address.
[[nodiscard]] std::optional<AddressGroup> group_of(IpAddress address);

struct AnyDestination {
  friend auto operator<=>(const AnyDestination&, const AnyDestination&) = default;
};
/// Exactly this name, in lower case and without a final dot; not always a valid name.
struct NameDestination {
  std::string name;
  friend auto operator<=>(const NameDestination&, const NameDestination&) = default;
};
/// This name and all names below it, on label boundaries.
struct SuffixDestination {
  std::string name;
  friend auto operator<=>(const SuffixDestination&, const SuffixDestination&) = default;
};
struct NetworkDestination {
  IpNetwork network;
  friend auto operator<=>(const NetworkDestination&, const NetworkDestination&) = default;
};
struct GroupDestination {
  AddressGroup group = AddressGroup::Public;
  friend auto operator<=>(const GroupDestination&, const GroupDestination&) = default;
};
using NetDestination =
    std::variant<AnyDestination, NameDestination, SuffixDestination, NetworkDestination, GroupDestination>;

enum class Direction : std::uint8_t { Egress, Ingress };
/// Which directions a rule takes part in.
enum class RuleDirection : std::uint8_t { Egress, Ingress, Any };

struct NetRule {
  Verdict action = Verdict::Allow;
  RuleDirection direction = RuleDirection::Egress;
  NetDestination to;
  Services services;  ///< egress: the destination's port; ingress: the guest's

  friend auto operator<=>(const NetRule&, const NetRule&) = default;
};

/// A second decision that no rule can widen.
enum class Floor : std::uint8_t {
  None,
  PublicOnly,  ///< msb's multi-tenant profile: only addresses of the public group
};

struct NetPolicy {
  Verdict egress = Verdict::Deny;  ///< where no rule fits
  Verdict ingress = Verdict::Deny;
  std::vector<NetRule> rules;
  Floor floor = Floor::None;
  /// Where the sandbox's gateway lies, which is the host's loopback: the first usable
  /// address of a /30 in the one pool, `::1` of a /64 in the other (msb's defaults).
  IpNetwork gateway_pool_v4 = IpNetwork::from_ipv4({Ipv4Address{0xAC100000}, 12});
  IpNetwork gateway_pool_v6{IpFamily::V6, IpAddress{0xFD426D7300620000, 0}, 48};

  friend bool operator==(const NetPolicy&, const NetPolicy&) = default;
};

/// The name by which a guest asks for its gateway.
inline constexpr std::string_view kGatewayName = "host.microsandbox.internal";

}  // namespace forge::policy
