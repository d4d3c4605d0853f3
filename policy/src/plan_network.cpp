#include "forge/policy/plan_network.hpp"

#include "forge/policy/overloaded.hpp"

namespace forge::policy {
namespace {

NetRule allow(AddressGroup group) {
  return {Verdict::Allow, RuleDirection::Egress, GroupDestination{group}, {}};
}

// The runtime's own "DNS" rule: its gateway is the resolver.
NetRule allow_lookups() {
  NetRule rule = allow(AddressGroup::Host);
  rule.services.protocols = Services::of(Protocol::Tcp).protocols | Services::of(Protocol::Udp).protocols;
  rule.services.ports = {53, 53};
  return rule;
}

IpNetwork network_of_address(IpAddress address) {
  return address.is_ipv4() ? IpNetwork::around(IpFamily::V4, address, 32)
                           : IpNetwork::around(IpFamily::V6, address, 128);
}

}  // namespace

NetDestination destination_of(const HostRule& rule) {
  return std::visit(
      overloaded{[](const ExactHost& host) -> NetDestination { return NameDestination{host.name.text()}; },
                 [](const SuffixHost& host) -> NetDestination { return SuffixDestination{host.name.text()}; },
                 [](const AddressHost& host) -> NetDestination {
                   return NetworkDestination{network_of_address(host.address)};
                 },
                 [](const NetworkHost& host) -> NetDestination {
                   return NetworkDestination{IpNetwork::from_ipv4(host.network)};
                 },
                 [](const GroupHost& host) -> NetDestination {
                   switch (host.group) {
                     case Group::Private:
                       return GroupDestination{AddressGroup::Private};
                   }
                   return GroupDestination{AddressGroup::Private};
                 }},
      rule);
}

NetPolicy network_of(const Plan& plan) {
  NetPolicy network;
  network.rules.reserve(plan.egress.rules.size() + 3);
  for (const EgressRule& rule : plan.egress.rules) {
    network.rules.push_back({rule.action, RuleDirection::Egress, destination_of(rule.to), rule.services});
  }
  const EgressMode mode = plan.egress.mode;
  const bool open = mode == EgressMode::Public || mode == EgressMode::PublicAndPrivate;
  const bool lan = mode == EgressMode::PublicAndPrivate || mode == EgressMode::AllowListAndPrivate;
  if (open) {
    network.ingress = Verdict::Allow;
    network.rules.push_back(allow_lookups());
    network.rules.push_back(allow(AddressGroup::Public));
    if (lan) {
      network.rules.push_back(allow(AddressGroup::Private));
    }
  }
  if (plan.hardening == Hardening::On && !lan) {
    network.floor = Floor::PublicOnly;
  }
  return network;
}

}  // namespace forge::policy
