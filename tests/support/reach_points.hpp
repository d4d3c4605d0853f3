// The points at which a network policy is compared with the walk over its rules.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "forge/policy/overloaded.hpp"
#include "forge/policy/reach.hpp"
#include "reach_walk.hpp"

namespace forge::policy::by_hand {

/// Points of which at least one lies in each part of everything that can be asked which
/// these rules, the groups and the pools tell apart.
struct Points {
  std::set<IpAddress> addresses;
  std::set<IpAddress> gateways;
  std::set<std::string> names;
  std::set<Service> services;

  Points(const std::vector<NetRule>& rules, const std::vector<IpNetwork>& pools)
      : gateways(by_hand::gateways(rules, pools)) {
    add_network(IpNetwork::around(IpFamily::V4, IpAddress::from_ipv4({}), 32));
    add_network(IpNetwork::around(IpFamily::V6, {}, 128));
    for (const GroupRange& range : group_ranges()) {
      add_network(range.network);
    }
    names = {"q", std::string(kGatewayName), "q." + std::string(kGatewayName)};
    add_services({});
    add_services({Services::kAllProtocols, PortRange{53, 53}});
    for (const NetRule& rule : rules) {
      add_services(rule.services);
      add_destination(rule.to);
    }
  }

 private:
  void add_network(const IpNetwork& network) {
    const bool ends_line = network.last() == IpAddress{~std::uint64_t{0}, ~std::uint64_t{0}} ||
                           network.last() == IpAddress::from_ipv4({0xFFFFFFFF});
    addresses.insert(network.base);
    addresses.insert(network.last());
    if (!ends_line) {
      addresses.insert(after(network.last()));
    }
  }
  void add_services(const Services& of) {
    const PortRange ports = of.ports.value_or(PortRange{});
    for (const Protocol protocol : {Protocol::Tcp, Protocol::Udp}) {
      services_at(protocol, ports.first);
      services_at(protocol, ports.last);
      services_at(protocol, static_cast<std::uint16_t>(ports.last + 1U));
    }
    services_at(Protocol::IcmpV4, 0);
    services_at(Protocol::IcmpV6, 0);
  }
  void services_at(Protocol protocol, std::uint16_t port) { services.insert({protocol, port}); }

  void add_destination(const NetDestination& to) {
    if (const auto* network = std::get_if<NetworkDestination>(&to)) {
      add_network(network->network);
    } else if (const auto* exact = std::get_if<NameDestination>(&to)) {
      add_name(exact->name);
    } else if (const auto* suffix = std::get_if<SuffixDestination>(&to)) {
      add_name(suffix->name);
    }
  }
  // And all names above it, and one below each that no rule here names.
  void add_name(const std::string& name) {
    for (std::string at = name;; at.erase(0, at.find('.') + 1)) {
      names.insert({at, "q." + at});
      if (at.find('.') == std::string::npos) {
        return;
      }
    }
  }
};

/// The answers at all points, in a fixed order.
inline std::vector<std::pair<ReachQuestion, Verdict>> answers(const NetPolicy& policy, Direction direction,
                                                              const Points& points) {
  const Walk walk(policy, direction);
  std::vector<std::pair<ReachQuestion, Verdict>> out;
  for (const Service& service : points.services) {
    for (const IpAddress& at : points.addresses) {
      out.emplace_back(AddressQuestion{at, service.protocol, service.port},
                       walk.address(at, service).verdict);
    }
    for (const IpAddress& at : points.gateways) {
      out.emplace_back(GatewayQuestion{at, service.protocol, service.port},
                       walk.gateway(at, service).verdict);
    }
  }
  if (direction == Direction::Ingress) {
    return out;
  }
  for (const std::string& name : points.names) {
    out.emplace_back(LookupQuestion{name}, walk.lookup(name).verdict);
    for (const Service& service : points.services) {
      out.emplace_back(NameQuestion{name, service.protocol, service.port}, walk.name(name, service).verdict);
    }
  }
  return out;
}

/// The first question of these points that the map answers otherwise than the walk.
inline std::optional<ReachQuestion> misjudged(const ReachMap& map, const NetPolicy& policy,
                                              Direction direction, const Points& points) {
  const Walk walk(policy, direction);
  for (const std::string& name : points.names) {
    if (map.lookup(name) != walk.lookup(name)) {
      return LookupQuestion{name};
    }
    for (const Service& service : points.services) {
      const Decision told = map.name(name, service.protocol, service.port);
      const Decision by_hand = walk.name(name, service);
      if (name == kGatewayName ? told.verdict != by_hand.verdict : told != by_hand) {
        return NameQuestion{name, service.protocol, service.port};
      }
    }
  }
  for (const Service& service : points.services) {
    for (const IpAddress& at : points.addresses) {
      if (map.address(at, service.protocol, service.port) != walk.address(at, service)) {
        return AddressQuestion{at, service.protocol, service.port};
      }
    }
    for (const IpAddress& at : points.gateways) {
      if (map.gateway(at, service.protocol, service.port) != walk.gateway(at, service)) {
        return GatewayQuestion{at, service.protocol, service.port};
      }
    }
  }
  return std::nullopt;
}

/// The verdict of the walk on any question.
inline Verdict verdict(const NetPolicy& policy, Direction direction, const ReachQuestion& question) {
  const Walk walk(policy, direction);
  return std::visit(overloaded{[&](const AddressQuestion& of) {
                                 return walk.address(of.address, {of.protocol, of.port}).verdict;
                               },
                               [&](const GatewayQuestion& of) {
                                 return walk.gateway(of.address, {of.protocol, of.port}).verdict;
                               },
                               [&](const LookupQuestion& of) { return walk.lookup(of.name).verdict; },
                               [&](const NameQuestion& of) {
                                 return walk.name(of.name, {of.protocol, of.port}).verdict;
                               }},
                    question);
}

/// For messages.
inline std::string text(const ReachQuestion& question) {
  const auto service = [](Protocol protocol, std::uint16_t port) {
    return " protocol " + std::to_string(static_cast<unsigned>(protocol)) + " port " + std::to_string(port);
  };
  return std::visit(
      overloaded{[&](const AddressQuestion& of) {
                   return "address " + of.address.text() + service(of.protocol, of.port);
                 },
                 [&](const GatewayQuestion& of) {
                   return "gateway " + of.address.text() + service(of.protocol, of.port);
                 },
                 [&](const LookupQuestion& of) { return "lookup " + of.name; },
                 [&](const NameQuestion& of) { return "name " + of.name + service(of.protocol, of.port); }},
      question);
}

}  // namespace forge::policy::by_hand
