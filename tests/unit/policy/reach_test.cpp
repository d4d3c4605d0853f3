#include "forge/policy/reach.hpp"

#include <gtest/gtest.h>

#include <random>

#include "forge/policy/overloaded.hpp"

namespace {

using namespace forge::policy;
using By = Decision::By;

IpAddress ip(std::string_view text) { return IpAddress::from_canonical(text).value(); }
NetDestination net(std::string_view text) {
  return NetworkDestination{IpNetwork::from_canonical(text).value()};
}
NetDestination group(AddressGroup of) { return GroupDestination{of}; }

Services ports(std::uint8_t protocols, std::uint16_t port) {
  Services out;
  out.protocols = protocols;
  out.ports = {port, port};
  return out;
}
const Services kHttps = ports(Services::of(Protocol::Tcp).protocols, 443);
const Services kAnyDns = ports(Services::kAllProtocols, 53);

NetRule allow(NetDestination to, Services services = {}) {
  return {Verdict::Allow, RuleDirection::Egress, std::move(to), services};
}
NetRule deny(NetDestination to, Services services = {}) {
  return {Verdict::Deny, RuleDirection::Egress, std::move(to), services};
}
NetPolicy listed(std::vector<NetRule> rules) {
  NetPolicy policy;
  policy.rules = std::move(rules);
  return policy;
}
Decision by_rule(Verdict verdict, std::size_t rule) { return {verdict, By::Rule, rule}; }

TEST(Reach, FirstRuleThatFitsDecides) {
  const ReachMap map(listed({deny(net("10.1.0.0/16")), allow(net("10.0.0.0/8")), deny(net("10.2.0.0/16"))}));
  EXPECT_EQ(map.address(ip("10.1.2.3"), Protocol::Tcp, 1), by_rule(Verdict::Deny, 0));
  EXPECT_EQ(map.address(ip("10.2.2.3"), Protocol::Tcp, 1), by_rule(Verdict::Allow, 1));
  EXPECT_EQ(map.address(ip("11.0.0.0"), Protocol::Tcp, 1), (Decision{Verdict::Deny, By::Default, {}}));
}

TEST(Reach, FamiliesAreApart) {
  const ReachMap map(listed({allow(net("::/0")), allow(net("::ffff:0.0.0.0/96"))}));
  EXPECT_EQ(map.address(ip("2001:db8::1"), Protocol::Udp, 1).verdict, Verdict::Allow);
  EXPECT_EQ(map.address(ip("8.8.8.8"), Protocol::Udp, 1).verdict, Verdict::Deny);
  EXPECT_EQ(map.gateway(ip("172.16.0.1"), Protocol::Udp, 1).verdict, Verdict::Deny);
  EXPECT_EQ(map.gateway(ip("fd42:6d73:62::1"), Protocol::Udp, 1).verdict, Verdict::Allow);
}

TEST(Reach, GroupsOfAddressesDoNotHoldTheGateway) {
  const ReachMap map(listed({allow(group(AddressGroup::Private))}));
  EXPECT_EQ(map.address(ip("172.16.0.1"), Protocol::Tcp, 1).verdict, Verdict::Allow);
  EXPECT_EQ(map.gateway(ip("172.16.0.1"), Protocol::Tcp, 1).verdict, Verdict::Deny);
  const ReachMap wide(listed({allow(net("172.16.0.0/12"))}));
  EXPECT_EQ(wide.gateway(ip("172.16.0.1"), Protocol::Tcp, 1).verdict, Verdict::Allow);
}

TEST(Reach, ExactlyTheAllowedNamesAreLookedUp) {
  const ReachMap map(
      listed({allow(NameDestination{"a.example"}, kHttps), allow(SuffixDestination{"b.example"})}));
  EXPECT_EQ(map.lookup("a.example").verdict, Verdict::Allow) << "a rule's ports do not count";
  EXPECT_EQ(map.lookup("b.example").verdict, Verdict::Allow) << "a suffix holds its apex";
  EXPECT_EQ(map.lookup("x.y.b.example").verdict, Verdict::Allow);
  EXPECT_EQ(map.lookup("xb.example").verdict, Verdict::Deny);
  EXPECT_EQ(map.lookup("x.a.example").verdict, Verdict::Deny);
  EXPECT_EQ(map.name("a.example", Protocol::Tcp, 443).verdict, Verdict::Allow);
  EXPECT_EQ(map.name("a.example", Protocol::Tcp, 22).by, By::Default);
  EXPECT_EQ(map.name("evil.example", Protocol::Tcp, 443).by, By::Lookup);
}

TEST(Reach, ANameMayLeadToAnAddressThatIsAllowed) {
  const ReachMap map(listed({deny(net("10.0.0.0/8")), allow(group(AddressGroup::Public), kHttps),
                             allow(group(AddressGroup::Host), kAnyDns)}));
  EXPECT_EQ(map.name("a.example", Protocol::Tcp, 443), by_rule(Verdict::Allow, 1));
  EXPECT_EQ(map.name("a.example", Protocol::Tcp, 80).verdict, Verdict::Deny);
}

TEST(Reach, ANameRuleDoesNotOpenTheGateway) {
  const ReachMap named(listed({allow(NameDestination{std::string(kGatewayName)})}));
  EXPECT_EQ(named.lookup(kGatewayName).verdict, Verdict::Allow);
  EXPECT_EQ(named.name(kGatewayName, Protocol::Tcp, 80).verdict, Verdict::Deny);
  const ReachMap opened(
      listed({allow(NameDestination{std::string(kGatewayName)}), allow(net("172.20.0.0/16"))}));
  EXPECT_EQ(opened.name(kGatewayName, Protocol::Tcp, 80).verdict, Verdict::Allow);
}

TEST(Reach, TheFloorIsNotWidenedByAnyRule) {
  NetPolicy policy = listed({allow(AnyDestination{})});
  policy.floor = Floor::PublicOnly;
  const ReachMap map(policy);
  EXPECT_EQ(map.address(ip("8.8.8.8"), Protocol::Tcp, 1).verdict, Verdict::Allow);
  for (const char* closed : {"10.0.0.1", "127.0.0.1", "169.254.169.254", "fd00:ec2::254", "0.0.0.0"}) {
    EXPECT_EQ(map.address(ip(closed), Protocol::Tcp, 1).by, By::Floor) << closed;
  }
  EXPECT_EQ(map.gateway(ip("172.16.0.1"), Protocol::Tcp, 1).by, By::Floor);
  EXPECT_EQ(map.lookup("a.example").verdict, Verdict::Allow);
}

// ---- small worlds, against a plain walk over the rules ----

bool fits_address(const NetRule& rule, IpAddress address, bool gateway) {
  return std::visit(
      overloaded{[](const AnyDestination&) { return true; }, [](const NameDestination&) { return false; },
                 [](const SuffixDestination&) { return false; },
                 [&](const NetworkDestination& to) { return to.network.contains(address); },
                 [&](const GroupDestination& to) {
                   return gateway ? to.group == AddressGroup::Host
                                  : to.group != AddressGroup::Host && group_of(address) == to.group;
                 }},
      rule.to);
}

bool names(const NetRule& rule, const std::string& name) {
  const auto* exact = std::get_if<NameDestination>(&rule.to);
  const auto* suffix = std::get_if<SuffixDestination>(&rule.to);
  return (exact != nullptr && exact->name == name) ||
         (suffix != nullptr && (name == suffix->name || name.ends_with('.' + suffix->name)));
}

bool is_group(const NetRule& rule, AddressGroup group) {
  const auto* to = std::get_if<GroupDestination>(&rule.to);
  return to != nullptr && to->group == group;
}

bool is_any(const NetRule& rule) { return std::holds_alternative<AnyDestination>(rule.to); }

struct World {
  const NetPolicy& policy;
  Direction direction;

  template <class Fits>
  [[nodiscard]] Verdict walk(Fits fits) const {
    for (const NetRule& rule : policy.rules) {
      const bool egress = direction == Direction::Egress;
      const bool takes_part =
          egress ? rule.direction != RuleDirection::Ingress : rule.direction != RuleDirection::Egress;
      if (takes_part && fits(rule)) {
        return rule.action;
      }
    }
    return direction == Direction::Egress ? policy.egress : policy.ingress;
  }

  [[nodiscard]] Verdict address(IpAddress at, bool gateway, Protocol protocol, std::uint16_t port) const {
    const Verdict verdict = walk([&](const NetRule& rule) {
      return rule.services.contains(protocol, port) && fits_address(rule, at, gateway);
    });
    const bool open = policy.floor == Floor::None || (!gateway && group_of(at) == AddressGroup::Public);
    return open ? verdict : Verdict::Deny;
  }

  [[nodiscard]] Verdict lookup(const std::string& name) const {
    Verdict best = Verdict::Deny;
    for (const Protocol protocol : {Protocol::Udp, Protocol::Tcp}) {
      best = std::max(best, walk([&](const NetRule& rule) {
                        return names(rule, name) || ((is_any(rule) || is_group(rule, AddressGroup::Host)) &&
                                                     rule.services.contains(protocol, 53));
                      }));
    }
    return best;
  }

  [[nodiscard]] Verdict name(const std::string& name, Protocol protocol, std::uint16_t port) const {
    return lookup(name) == Verdict::Deny ? Verdict::Deny : walk([&](const NetRule& rule) {
      const bool network = std::holds_alternative<NetworkDestination>(rule.to);
      const bool meets_nothing = network && std::get<NetworkDestination>(rule.to).network ==
                                                IpNetwork::from_canonical("::ffff:0.0.0.0/96");
      const bool addresses =
          (network && !meets_nothing) ||
          (std::holds_alternative<GroupDestination>(rule.to) && !is_group(rule, AddressGroup::Host));
      return rule.services.contains(protocol, port) &&
             (names(rule, name) || is_any(rule) || (addresses && rule.action == Verdict::Allow));
    });
  }
};

std::vector<NetDestination> destinations() {
  std::vector<NetDestination> out = {AnyDestination{}, NameDestination{"a.b"}, NameDestination{"x.a.b"},
                                     SuffixDestination{"a.b"}, SuffixDestination{"b"}};
  for (const char* text : {"10.0.0.0/8", "10.1.0.0/16", "172.16.0.0/12", "169.254.0.0/16", "0.0.0.0/0",
                           "::/0", "fd42:6d73:62::/48", "::ffff:0.0.0.0/96", "8.8.8.8/32"}) {
    out.push_back(net(text));
  }
  for (const AddressGroup of :
       {AddressGroup::Public, AddressGroup::Private, AddressGroup::Loopback, AddressGroup::LinkLocal,
        AddressGroup::Metadata, AddressGroup::Multicast, AddressGroup::Host}) {
    out.push_back(group(of));
  }
  return out;
}

std::vector<NetRule> rules(const std::vector<Services>& services,
                           const std::vector<RuleDirection>& directions) {
  std::vector<NetRule> out;
  for (const NetDestination& to : destinations()) {
    for (const Services& service : services) {
      for (const RuleDirection direction : directions) {
        out.push_back({Verdict::Allow, direction, to, service});
        out.push_back({Verdict::Deny, direction, to, service});
      }
    }
  }
  return out;
}

// The first point where map and walk differ, as text; empty when there is none.
std::string difference(const NetPolicy& policy, Direction direction) {
  static const std::vector<IpAddress> addresses = {ip("0.0.0.0"),
                                                   ip("8.8.8.8"),
                                                   ip("8.8.8.9"),
                                                   ip("10.0.0.0"),
                                                   ip("10.1.255.255"),
                                                   ip("10.255.255.255"),
                                                   ip("11.0.0.0"),
                                                   ip("127.0.0.1"),
                                                   ip("169.254.169.254"),
                                                   ip("169.254.0.1"),
                                                   ip("172.16.0.1"),
                                                   ip("172.31.255.253"),
                                                   ip("224.0.0.1"),
                                                   ip("255.255.255.255"),
                                                   ip("::"),
                                                   ip("::1"),
                                                   ip("2001:db8::1"),
                                                   ip("fd42:6d73:62::1"),
                                                   ip("fd00:ec2::254"),
                                                   ip("fe80::1"),
                                                   ip("ff02::1"),
                                                   ip("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")};
  static const std::vector<std::pair<Protocol, std::uint16_t>> services = {
      {Protocol::Tcp, 443}, {Protocol::Tcp, 53},   {Protocol::Udp, 53},
      {Protocol::Udp, 443}, {Protocol::IcmpV4, 0}, {Protocol::IcmpV6, 53}};
  const ReachMap map(policy, direction);
  const World world{policy, direction};
  for (const auto& [protocol, port] : services) {
    for (const IpAddress& at : addresses) {
      if (map.address(at, protocol, port).verdict != world.address(at, false, protocol, port)) {
        return at.text();
      }
    }
    for (const char* slot : {"172.16.0.1", "172.31.255.253", "fd42:6d73:62::1"}) {
      if (map.gateway(ip(slot), protocol, port).verdict != world.address(ip(slot), true, protocol, port)) {
        return std::string("gateway ") + slot;
      }
    }
    for (const char* name : {"a.b", "x.a.b", "y.x.a.b", "b", "c", "za.b"}) {
      if (map.lookup(name).verdict != world.lookup(name) ||
          map.name(name, protocol, port).verdict != world.name(name, protocol, port)) {
        return name;
      }
    }
  }
  return {};
}

TEST(ReachWorld, EveryListOfTwoRules) {
  const std::vector<NetRule> all = rules({{}, kHttps, kAnyDns}, {RuleDirection::Egress});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      NetPolicy policy = listed({all[i], all[j]});
      policy.egress = (i + j) % 2 == 0 ? Verdict::Deny : Verdict::Allow;
      policy.floor = (i / 2 + j) % 2 == 0 ? Floor::None : Floor::PublicOnly;
      ASSERT_EQ(difference(policy, Direction::Egress), "") << "rules " << i << " and " << j;
    }
  }
}

TEST(ReachWorld, ManyListsOfThreeRules) {
  const unsigned seed = std::random_device{}();
  std::mt19937 chance(seed);
  const std::vector<NetRule> all = rules(
      {{}, kHttps, kAnyDns, Services::of(Protocol::IcmpV4), ports(Services::of(Protocol::Udp).protocols, 53)},
      {RuleDirection::Egress, RuleDirection::Ingress, RuleDirection::Any});
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(chance);
  };
  for (int i = 0; i < 20'000; ++i) {
    NetPolicy policy = listed({all[pick(all.size())], all[pick(all.size())], all[pick(all.size())]});
    policy.egress = pick(2) == 0 ? Verdict::Deny : Verdict::Allow;
    policy.ingress = pick(2) == 0 ? Verdict::Deny : Verdict::Allow;
    policy.floor = pick(2) == 0 ? Floor::None : Floor::PublicOnly;
    ASSERT_EQ(difference(policy, pick(2) == 0 ? Direction::Egress : Direction::Ingress), "")
        << "seed " << seed << ", list " << i;
  }
}

}  // namespace
