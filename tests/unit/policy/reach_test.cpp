#include "forge/policy/reach.hpp"

#include <gtest/gtest.h>

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

}  // namespace
