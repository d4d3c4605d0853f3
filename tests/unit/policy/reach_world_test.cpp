// Network policies against a walk over their rules, over every list of a few rules in a
// small world, and the difference of two policies against every point of that world.
#include <gtest/gtest.h>

#include <random>

#include "reach_points.hpp"

namespace forge::policy::test {
namespace {

using by_hand::Points;

NetDestination net(std::string_view text) {
  return NetworkDestination{IpNetwork::from_canonical(text).value()};
}
NetDestination group(AddressGroup of) { return GroupDestination{of}; }

Services services(std::uint8_t protocols, std::uint16_t port) { return {protocols, PortRange{port, port}}; }
const Services kHttps = services(Services::of(Protocol::Tcp).protocols, 443);
const Services kUdpDns = services(Services::of(Protocol::Udp).protocols, 53);
const Services kAnyDns = services(Services::kAllProtocols, 53);
const Services kIcmp = Services::of(Protocol::IcmpV4);

std::vector<NetDestination> destinations() {
  return {AnyDestination{},
          NameDestination{"a.b"},
          NameDestination{"x.a.b"},
          SuffixDestination{"a.b"},
          NameDestination{std::string(kGatewayName)},
          net("10.0.0.0/8"),
          net("10.1.0.0/16"),
          net("172.16.0.0/13"),
          net("0.0.0.0/0"),
          net("::/0"),
          net("::ffff:0.0.0.0/96"),
          net("fd42:6d73:62:8::/61"),
          group(AddressGroup::Public),
          group(AddressGroup::Private),
          group(AddressGroup::Metadata),
          group(AddressGroup::Host)};
}

std::vector<NetRule> rules(const std::vector<NetDestination>& to, const std::vector<Services>& services,
                           const std::vector<RuleDirection>& directions) {
  std::vector<NetRule> out;
  for (const NetDestination& destination : to) {
    for (const Services& service : services) {
      for (const RuleDirection direction : directions) {
        out.push_back({Verdict::Allow, direction, destination, service});
        out.push_back({Verdict::Deny, direction, destination, service});
      }
    }
  }
  return out;
}

const std::vector<IpNetwork> kPools = {NetPolicy{}.gateway_pool_v4, NetPolicy{}.gateway_pool_v6};

// Defaults and floor by the bits of a number.
constexpr unsigned kBases = 4;
NetPolicy listed(std::vector<NetRule> rules, unsigned base) {
  NetPolicy policy;
  policy.rules = std::move(rules);
  policy.egress = policy.ingress = (base & 1U) == 0 ? Verdict::Deny : Verdict::Allow;
  policy.floor = (base & 2U) == 0 ? Floor::None : Floor::PublicOnly;
  return policy;
}

void check(const NetPolicy& policy, Direction direction, const Points& points) {
  const auto wrong = by_hand::misjudged(ReachMap(policy, direction), policy, direction, points);
  ASSERT_FALSE(wrong) << by_hand::text(*wrong);
}

TEST(ReachWorld, EveryListOfTwoRules) {
  const auto all = rules(destinations(), {{}, kHttps, kAnyDns}, {RuleDirection::Egress});
  const Points points(all, kPools);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      for (unsigned base = 0; base < kBases; ++base) {
        ASSERT_NO_FATAL_FAILURE(check(listed({all[i], all[j]}, base), Direction::Egress, points))
            << "rules " << i << " and " << j << ", base " << base;
      }
    }
  }
}

TEST(ReachWorld, EveryListOfThreeRulesOfFewKinds) {
  const auto all = rules({AnyDestination{}, NameDestination{"x.a.b"}, SuffixDestination{"a.b"},
                          net("10.0.0.0/8"), group(AddressGroup::Host)},
                         {{}, kUdpDns}, {RuleDirection::Egress});
  const Points points(all, kPools);
  const std::size_t count = all.size();
  for (std::size_t list = 0; list < count * count * count; ++list) {
    for (unsigned base = 0; base < kBases; ++base) {
      const NetPolicy policy =
          listed({all[list % count], all[list / count % count], all[list / count / count]}, base);
      ASSERT_NO_FATAL_FAILURE(check(policy, Direction::Egress, points))
          << "list " << list << ", base " << base;
    }
  }
}

TEST(ReachWorld, EveryListOfTwoRulesInBothDirections) {
  const auto all =
      rules({AnyDestination{}, SuffixDestination{"a.b"}, net("10.0.0.0/8"), group(AddressGroup::Private)},
            {{}, kHttps}, {RuleDirection::Egress, RuleDirection::Ingress, RuleDirection::Any});
  const Points points(all, kPools);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      NetPolicy policy = listed({all[i], all[j]}, 0);
      policy.ingress = Verdict::Allow;
      for (const Direction direction : {Direction::Egress, Direction::Ingress}) {
        ASSERT_NO_FATAL_FAILURE(check(policy, direction, points)) << "rules " << i << " and " << j;
      }
    }
  }
}

// ---- differences ----

struct World {
  std::vector<NetPolicy> policies;
  std::vector<ReachMap> maps;
  std::vector<std::vector<std::pair<ReachQuestion, Verdict>>> answers;

  void add(NetPolicy policy, Direction direction, const Points& points) {
    maps.emplace_back(policy, direction);
    answers.push_back(by_hand::answers(policy, direction, points));
    policies.push_back(std::move(policy));
  }
};

void check_widening(const World& world, std::size_t a, std::size_t b, Direction direction) {
  const auto& of_a = world.answers[a];
  const auto& of_b = world.answers[b];
  const auto wider = std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), [](const auto& x, const auto& y) {
                       return !(x.second == Verdict::Allow && y.second == Verdict::Deny);
                     }).first;
  const auto told = reach_widening(world.maps[a], world.maps[b]);
  if (!told) {
    ASSERT_TRUE(wider == of_a.end()) << "not told: " << by_hand::text(wider->first);
    return;
  }
  ASSERT_TRUE(wider != of_a.end()) << "told: " << by_hand::text(told->question);
  ASSERT_EQ(told->more.verdict, Verdict::Allow);
  ASSERT_EQ(told->less.verdict, Verdict::Deny);
  ASSERT_EQ(by_hand::verdict(world.policies[a], direction, told->question), Verdict::Allow)
      << by_hand::text(told->question);
  ASSERT_EQ(by_hand::verdict(world.policies[b], direction, told->question), Verdict::Deny)
      << by_hand::text(told->question);
}

void check_all_pairs(const World& world, Direction direction) {
  for (std::size_t a = 0; a < world.policies.size(); ++a) {
    for (std::size_t b = 0; b < world.policies.size(); ++b) {
      ASSERT_NO_FATAL_FAILURE(check_widening(world, a, b, direction)) << "policies " << a << " and " << b;
    }
  }
}

TEST(ReachWidening, IsFoundExactlyWhereSomePointOfTwoListsOfOneRuleShowsIt) {
  const auto all = rules(destinations(), {{}, kHttps, kUdpDns}, {RuleDirection::Egress});
  const Points points(all, kPools);
  World world;
  for (unsigned base = 0; base < kBases; ++base) {
    world.add(listed({}, base), Direction::Egress, points);
    for (const NetRule& rule : all) {
      world.add(listed({rule}, base), Direction::Egress, points);
    }
  }
  check_all_pairs(world, Direction::Egress);
}

TEST(ReachWidening, OfIngressIsAboutPeersOnly) {
  const auto all =
      rules({AnyDestination{}, SuffixDestination{"a.b"}, net("10.0.0.0/8"), group(AddressGroup::Host)},
            {{}, kHttps}, {RuleDirection::Ingress, RuleDirection::Egress});
  const Points points(all, kPools);
  World world;
  for (const NetRule& first : all) {
    for (unsigned base = 0; base < kBases; ++base) {
      world.add(listed({first}, base), Direction::Ingress, points);
    }
  }
  check_all_pairs(world, Direction::Ingress);
}

TEST(ReachWidening, IsFoundExactlyWhereSomePointOfManyRandomListsShowsIt) {
  const unsigned seed = std::random_device{}();
  std::mt19937 chance(seed);
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(chance);
  };
  const auto all = rules(destinations(), {{}, kHttps, kUdpDns, kAnyDns, kIcmp},
                         {RuleDirection::Egress, RuleDirection::Any});
  const Points points(all, kPools);
  World world;
  for (int i = 0; i < 600; ++i) {
    std::vector<NetRule> list;
    for (std::size_t left = 2 + below(11); left > 0; --left) {
      list.push_back(all[below(all.size())]);
    }
    world.add(listed(std::move(list), static_cast<unsigned>(below(kBases))), Direction::Egress, points);
    if (i > 0 && i % 2 == 1) {  // one like the one before, but for the order of two rules
      NetPolicy like = world.policies[world.policies.size() - 2];
      std::swap(like.rules.front(), like.rules[below(like.rules.size())]);
      world.add(std::move(like), Direction::Egress, points);
    }
  }
  for (int i = 0; i < 30'000; ++i) {
    const std::size_t a = below(world.policies.size());
    const std::size_t b = i % 3 == 0 ? (a + 1) % world.policies.size() : below(world.policies.size());
    ASSERT_NO_FATAL_FAILURE(check_widening(world, a, b, Direction::Egress))
        << "seed " << seed << ", pair " << i;
  }
}

}  // namespace
}  // namespace forge::policy::test
