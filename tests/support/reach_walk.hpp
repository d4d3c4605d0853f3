// What a network policy means, computed rule by rule and point by point: slow, and written
// without the index that it is compared with, nor what the vocabulary says of networks,
// groups and services.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "forge/policy/reach.hpp"

namespace forge::policy::by_hand {

struct Service {
  Protocol protocol = Protocol::Tcp;
  std::uint16_t port = 0;
  friend auto operator<=>(const Service&, const Service&) = default;
};

inline bool fits(const Services& services, Service service) {
  const bool is_icmp = service.protocol == Protocol::IcmpV4 || service.protocol == Protocol::IcmpV6;
  if (((services.protocols >> static_cast<unsigned>(service.protocol)) & 1U) == 0) {
    return false;
  }
  return !services.ports ||
         (!is_icmp && service.port >= services.ports->first && service.port <= services.ports->last);
}

inline bool holds(const IpNetwork& network, IpAddress address) {
  if (address.is_ipv4() != (network.family == IpFamily::V4)) {
    return false;
  }
  const unsigned prefix = network.prefix + (network.family == IpFamily::V4 ? 96U : 0U);
  const auto agree = [](std::uint64_t x, std::uint64_t y, unsigned bits) {
    return bits == 0 || (x ^ y) >> (64U - bits) == 0;
  };
  return agree(address.high, network.base.high, std::min(prefix, 64U)) &&
         agree(address.low, network.base.low, prefix > 64 ? prefix - 64 : 0);
}

inline std::optional<AddressGroup> group(IpAddress address) {
  const auto low = static_cast<std::uint32_t>(address.low);
  if (!address.is_ipv4()) {
    if (address.high == 0 && address.low <= 1) {
      return address.low == 0 ? std::nullopt : std::optional(AddressGroup::Loopback);
    }
    const std::uint64_t top = address.high >> 48U;
    return (top & 0xFE00U) == 0xFC00U   ? AddressGroup::Private
           : (top & 0xFFC0U) == 0xFE80U ? AddressGroup::LinkLocal
           : (top & 0xFF00U) == 0xFF00U ? AddressGroup::Multicast
                                        : AddressGroup::Public;
  }
  if (low == 0) {
    return std::nullopt;
  }
  const std::uint32_t first = low >> 24U;
  const std::uint32_t second = (low >> 16U) & 0xFFU;
  if (first == 169 && second == 254) {
    return (low & 0xFFFFU) == 0xA9FEU ? AddressGroup::Metadata : AddressGroup::LinkLocal;
  }
  const bool is_private = first == 10 || (first == 172 && second / 16 == 1) ||
                          (first == 192 && second == 168) || (first == 100 && second / 64 == 1);
  return first == 127       ? AddressGroup::Loopback
         : is_private       ? AddressGroup::Private
         : first / 16 == 14 ? AddressGroup::Multicast
                            : AddressGroup::Public;
}

inline bool names(const NetRule& rule, const std::string& name) {
  if (const auto* exact = std::get_if<NameDestination>(&rule.to)) {
    return exact->name == name;
  }
  const auto* suffix = std::get_if<SuffixDestination>(&rule.to);
  return suffix != nullptr && (name == suffix->name || name.ends_with('.' + suffix->name));
}

inline bool is_any(const NetRule& rule) { return std::holds_alternative<AnyDestination>(rule.to); }

inline bool is_host(const NetRule& rule) {
  const auto* to = std::get_if<GroupDestination>(&rule.to);
  return to != nullptr && to->group == AddressGroup::Host;
}

inline bool is_mapped(const IpNetwork& network) {
  return network.family == IpFamily::V6 && network.prefix >= 96 && network.base.is_ipv4();
}

// Some address can be in it that is no gateway.
inline bool is_about_addresses(const NetRule& rule) {
  const auto* network = std::get_if<NetworkDestination>(&rule.to);
  return network != nullptr ? !is_mapped(network->network)
                            : std::holds_alternative<GroupDestination>(rule.to) && !is_host(rule);
}

inline bool is_about(const NetRule& rule, IpAddress address) {
  if (const auto* network = std::get_if<NetworkDestination>(&rule.to)) {
    return holds(network->network, address);
  }
  const auto* to = std::get_if<GroupDestination>(&rule.to);
  return is_any(rule) || (to != nullptr && group(address) == to->group);
}

inline bool is_about_gateway(const NetRule& rule, IpAddress address) {
  const auto* network = std::get_if<NetworkDestination>(&rule.to);
  return is_any(rule) || is_host(rule) || (network != nullptr && holds(network->network, address));
}

inline bool can_be_gateway(const IpNetwork& pool, IpAddress address) {
  const bool v4 = pool.family == IpFamily::V4;
  return holds(pool, address) && (v4 ? address.low % 4 == 1 : address.low == 1);
}

inline IpAddress after(IpAddress address) {
  ++address.low;
  return {address.high + (address.low == 0 ? 1 : 0), address.low};
}

// At least one place for a gateway of each part of the pools that networks of the rules
// tell apart.
inline std::set<IpAddress> gateways(const std::vector<NetRule>& rules, const std::vector<IpNetwork>& pools) {
  std::vector<IpAddress> edges;
  edges.reserve(pools.size() + 2 * rules.size());
  for (const IpNetwork& pool : pools) {
    edges.push_back(pool.base);
  }
  for (const NetRule& rule : rules) {
    if (const auto* to = std::get_if<NetworkDestination>(&rule.to)) {
      edges.insert(edges.end(), {to->network.base, after(to->network.last())});
    }
  }
  std::set<IpAddress> out;
  for (const IpNetwork& pool : pools) {
    for (const IpAddress& edge : edges) {
      for (unsigned i = 0; i < 4; ++i) {
        for (const IpAddress& at : {IpAddress{edge.high, edge.low + i}, IpAddress{edge.high + i, 1}}) {
          if (can_be_gateway(pool, at)) {
            out.insert(at);
          }
        }
      }
    }
  }
  return out;
}

class Walk {
 public:
  Walk(const NetPolicy& policy, Direction direction) : policy_(policy), direction_(direction) {}

  [[nodiscard]] Decision address(IpAddress at, Service service) const {
    const Decision found =
        first([&](const NetRule& rule) { return fits(rule.services, service) && is_about(rule, at); });
    return group(at) == AddressGroup::Public ? found : floored(found);
  }

  [[nodiscard]] Decision gateway(IpAddress at, Service service) const {
    return floored(first(
        [&](const NetRule& rule) { return fits(rule.services, service) && is_about_gateway(rule, at); }));
  }

  [[nodiscard]] Decision lookup(const std::string& name) const {
    const auto by = [&](Protocol protocol) {
      return first([&](const NetRule& rule) {
        return is_named(rule, name) ||
               ((is_any(rule) || is_host(rule)) && fits(rule.services, {protocol, 53}));
      });
    };
    const Decision udp = by(Protocol::Udp);
    return udp.verdict == Verdict::Allow ? udp : by(Protocol::Tcp);
  }

  /// Of the gateway's name only the verdict is to be compared.
  [[nodiscard]] Decision name(const std::string& name, Service service) const {
    const Decision asked = lookup(name);
    if (asked.verdict == Verdict::Deny) {
      return {Verdict::Deny, Decision::By::Lookup, asked.rule};
    }
    if (name == kGatewayName) {
      for (const IpAddress& at :
           gateways(policy_.rules, {policy_.gateway_pool_v4, policy_.gateway_pool_v6})) {
        if (const Decision found = gateway(at, service); found.verdict == Verdict::Allow) {
          return found;
        }
      }
      return {};
    }
    return first([&](const NetRule& rule) {
      const bool may_lead_there = is_about_addresses(rule) && rule.action == Verdict::Allow;
      return fits(rule.services, service) && (is_named(rule, name) || is_any(rule) || may_lead_there);
    });
  }

 private:
  [[nodiscard]] bool is_named(const NetRule& rule, const std::string& name) const {
    return direction_ == Direction::Egress && names(rule, name);
  }

  [[nodiscard]] Decision floored(Decision found) const {
    const bool closes = policy_.floor == Floor::PublicOnly && found.verdict == Verdict::Allow;
    return closes ? Decision{Verdict::Deny, Decision::By::Floor, found.rule} : found;
  }

  template <class Fits>
  [[nodiscard]] Decision first(Fits fits_rule) const {
    const RuleDirection other =
        direction_ == Direction::Egress ? RuleDirection::Ingress : RuleDirection::Egress;
    for (std::size_t i = 0; i < policy_.rules.size(); ++i) {
      if (policy_.rules[i].direction != other && fits_rule(policy_.rules[i])) {
        return {policy_.rules[i].action, Decision::By::Rule, i};
      }
    }
    return {direction_ == Direction::Egress ? policy_.egress : policy_.ingress, Decision::By::Default,
            std::nullopt};
  }

  const NetPolicy& policy_;
  Direction direction_;
};

}  // namespace forge::policy::by_hand
