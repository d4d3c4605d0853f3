// Network policies of 1,000 and 100,000 rules: what a decision, the index and the difference
// of two policies cost. The rivals of the same run: a walk over the rules to the first that
// fits, and, for the difference, the same walk over both policies at a sample of points.
// The worst cases come last: as many different services as rules, and networks that cross
// ranges of ports.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "forge/policy/reach.hpp"
#include "reach_walk.hpp"

namespace {

using namespace forge::policy;

constexpr std::size_t kSmall = 1'000;
constexpr std::size_t kLarge = 100'000;
constexpr unsigned kSeed = 20'240'501;

Services tcp(std::uint16_t first, std::uint16_t last) {
  return Services::of(Protocol::Tcp, PortRange{first, last});
}

NetDestination network_v4(std::size_t bits, std::size_t prefix) {
  const IpAddress address = IpAddress::from_ipv4({static_cast<std::uint32_t>(bits)});
  return NetworkDestination{IpNetwork::around(IpFamily::V4, address, static_cast<unsigned>(prefix))};
}

// Of ten rules six name a host, one a suffix, two a network of IPv4 and one of IPv6, most
// for TCP 443. `family` keeps two policies apart.
NetRule rule(std::size_t i, unsigned family) {
  static const std::array<Services, 4> services = {tcp(443, 443), tcp(443, 443), Services{}, tcp(22, 22)};
  const std::uint32_t mixed = static_cast<std::uint32_t>(i + 1) * 2654435761U + family * 40503U;
  NetRule out;
  out.action = i % 50 == 0 ? Verdict::Deny : Verdict::Allow;
  out.services = services.at(i / 10 % services.size());
  switch (i % 10) {
    case 0:
      out.to = SuffixDestination{fmt::format("zone-{}.region-{}.example{}.com", i, i % 97, family)};
      break;
    case 1:
    case 2:
      out.to = network_v4(mixed, 16 + i / 10 % 17);
      break;
    case 3:
      out.to = NetworkDestination{
          IpNetwork::around(IpFamily::V6, {0x2001'0000'0000'0000U + (std::uint64_t{mixed} << 16U), i},
                            static_cast<unsigned>(32 + i / 10 % 65))};
      break;
    default:
      out.to = NameDestination{fmt::format("host-{}.region-{}.example{}.com", i, i % 97, family)};
  }
  return out;
}

NetPolicy policy(std::size_t count, unsigned family = 0) {
  NetPolicy out;
  for (std::size_t i = 0; i < count; ++i) {
    out.rules.push_back(rule(i, family));
  }
  return out;
}

// ---- decisions ----

// Half of the questions are about what some rule names.
struct Questions {
  std::vector<std::string> names;
  std::vector<IpAddress> addresses;

  explicit Questions(const NetPolicy& policy) {
    std::mt19937 chance(kSeed);
    constexpr std::size_t kCount = 4'096;
    while (names.size() < kCount || addresses.size() < kCount) {
      const NetRule& rule = policy.rules[chance() % policy.rules.size()];
      if (const auto* name = std::get_if<NameDestination>(&rule.to)) {
        names.push_back(name->name);
        names.push_back("not-" + name->name);
      } else if (const auto* suffix = std::get_if<SuffixDestination>(&rule.to)) {
        names.push_back("www." + suffix->name);
      } else if (const auto* network = std::get_if<NetworkDestination>(&rule.to)) {
        addresses.push_back(network->network.base);
        addresses.push_back(IpAddress::from_ipv4({static_cast<std::uint32_t>(chance())}));
      }
    }
  }
};

template <class Ask>
void ask_all(benchmark::State& state, std::size_t count, Ask ask) {
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ask(i));
    i = i + 1 == count ? 0 : i + 1;
  }
}

void decide_address(benchmark::State& state) {
  const NetPolicy of = policy(static_cast<std::size_t>(state.range(0)));
  const Questions questions(of);
  const ReachMap map(of);
  ask_all(state, questions.addresses.size(),
          [&](std::size_t i) { return map.address(questions.addresses[i], Protocol::Tcp, 443); });
}
BENCHMARK(decide_address)->Arg(kSmall)->Arg(kLarge);

void decide_address_by_walk(benchmark::State& state) {
  const NetPolicy of = policy(static_cast<std::size_t>(state.range(0)));
  const Questions questions(of);
  const by_hand::Walk walk(of, Direction::Egress);
  ask_all(state, questions.addresses.size(), [&](std::size_t i) {
    return walk.address(questions.addresses[i], {Protocol::Tcp, 443});
  });
}
BENCHMARK(decide_address_by_walk)->Arg(kSmall)->Arg(kLarge);

void decide_name(benchmark::State& state) {
  const NetPolicy of = policy(static_cast<std::size_t>(state.range(0)));
  const Questions questions(of);
  const ReachMap map(of);
  ask_all(state, questions.names.size(),
          [&](std::size_t i) { return map.name(questions.names[i], Protocol::Tcp, 443); });
}
BENCHMARK(decide_name)->Arg(kSmall)->Arg(kLarge);

void decide_name_by_walk(benchmark::State& state) {
  const NetPolicy of = policy(static_cast<std::size_t>(state.range(0)));
  const Questions questions(of);
  const by_hand::Walk walk(of, Direction::Egress);
  ask_all(state, questions.names.size(), [&](std::size_t i) {
    return walk.name(questions.names[i], {Protocol::Tcp, 443});
  });
}
BENCHMARK(decide_name_by_walk)->Arg(kSmall)->Arg(kLarge);

void decide_gateway_name(benchmark::State& state) {
  const ReachMap map(policy(static_cast<std::size_t>(state.range(0))));
  ask_all(state, 1, [&](std::size_t) { return map.name(kGatewayName, Protocol::Tcp, 443); });
}
BENCHMARK(decide_gateway_name)->Arg(kSmall)->Arg(kLarge);

void make_index(benchmark::State& state) {
  const NetPolicy of = policy(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(ReachMap(of));
  }
}
BENCHMARK(make_index)->Arg(kSmall)->Arg(kLarge)->Unit(benchmark::kMillisecond);

// ---- differences ----

enum class Other : std::uint8_t { Equal, OneMore, Shuffled, Part, Apart };

// The policy that is compared, and the one that it is compared with.
std::pair<NetPolicy, NetPolicy> pair_of(Other other, std::size_t count) {
  NetPolicy a = policy(count);
  for (NetRule& rule : a.rules) {
    rule.action = Verdict::Allow;  // so that their order does not matter
  }
  NetPolicy b = a;
  switch (other) {
    case Other::Equal:
      break;
    case Other::OneMore:
      a.rules.push_back(
          {Verdict::Allow, RuleDirection::Egress, NameDestination{"one.more.example"}, tcp(443, 443)});
      break;
    case Other::Shuffled:
      std::shuffle(b.rules.begin(), b.rules.end(), std::mt19937(kSeed));
      break;
    case Other::Part:
      a.rules.clear();
      for (std::size_t i = 0; i < b.rules.size(); ++i) {
        if (i % 5 != 0) {
          a.rules.push_back(b.rules[i]);
        }
      }
      break;
    case Other::Apart:
      b = policy(count, 1);
      break;
  }
  return {std::move(a), std::move(b)};
}

void differ(benchmark::State& state, Other other) {
  const auto [a, b] = pair_of(other, static_cast<std::size_t>(state.range(0)));
  const ReachMap of_a(a);
  const ReachMap of_b(b);
  for (auto _ : state) {
    benchmark::DoNotOptimize(reach_widening(of_a, of_b));
  }
}
void make_and_differ(benchmark::State& state, Other other) {
  const auto [a, b] = pair_of(other, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(reach_widening(ReachMap(a), ReachMap(b)));
  }
}
#define FORGE_DIFFERENCE(bench, other) \
  BENCHMARK_CAPTURE(bench, other, Other::other)->Arg(kSmall)->Arg(kLarge)->Unit(benchmark::kMillisecond)
FORGE_DIFFERENCE(differ, Equal);
FORGE_DIFFERENCE(differ, OneMore);
FORGE_DIFFERENCE(differ, Shuffled);
FORGE_DIFFERENCE(differ, Part);
FORGE_DIFFERENCE(differ, Apart);
FORGE_DIFFERENCE(make_and_differ, Equal);
FORGE_DIFFERENCE(make_and_differ, OneMore);
FORGE_DIFFERENCE(make_and_differ, Shuffled);
FORGE_DIFFERENCE(make_and_differ, Part);
FORGE_DIFFERENCE(make_and_differ, Apart);
#undef FORGE_DIFFERENCE

// The same by walks over both lists, at one point for each of a hundred rules: no proof, and
// a hundredth, or less, of the points that a proof by walks would take.
void differ_by_walks_at_100_points(benchmark::State& state) {
  const auto [a, b] = pair_of(Other::Shuffled, static_cast<std::size_t>(state.range(0)));
  const Questions questions(a);
  const by_hand::Walk of_a(a, Direction::Egress);
  const by_hand::Walk of_b(b, Direction::Egress);
  constexpr std::size_t kHalf = 50;
  const auto wider = [](const Decision& x, const Decision& y) { return x.verdict > y.verdict; };
  for (auto _ : state) {
    bool any = false;
    for (std::size_t i = 0; i < kHalf; ++i) {
      const by_hand::Service https{Protocol::Tcp, 443};
      any = any || wider(of_a.name(questions.names[i], https), of_b.name(questions.names[i], https));
      any = any ||
            wider(of_a.address(questions.addresses[i], https), of_b.address(questions.addresses[i], https));
    }
    benchmark::DoNotOptimize(any);
  }
}
BENCHMARK(differ_by_walks_at_100_points)->Arg(kSmall)->Arg(kLarge)->Unit(benchmark::kMillisecond);

// ---- worst cases ----

enum class Worst : std::uint8_t {
  RangesOfPublic,  // each rule another range of ports of all public addresses
  RangesOfFewNetworks,
  PortsAndAddresses,  // half of the rules are ports of everything, half are all ports of an address
  Random,             // a network and a range of ports, both random
};

NetPolicy worst(Worst kind, std::size_t count) {
  std::mt19937 chance(kSeed);
  NetPolicy out;
  for (std::size_t i = 0; i < count; ++i) {
    auto first = static_cast<std::uint16_t>(chance());
    auto last = static_cast<std::uint16_t>(chance());
    NetRule rule;
    rule.action = i % 3 == 0 ? Verdict::Deny : Verdict::Allow;
    rule.services = tcp(std::min(first, last), std::max(first, last));
    rule.to = GroupDestination{AddressGroup::Public};
    if (kind == Worst::RangesOfFewNetworks) {
      rule.to = network_v4(0x0B00'0000U + (i % 10 << 20U), 12);
    } else if (kind == Worst::Random) {
      rule.to = network_v4(chance(), 4 + i % 29);
    } else if (kind == Worst::PortsAndAddresses && i % 2 == 0) {
      rule.services = tcp(static_cast<std::uint16_t>(i / 2), static_cast<std::uint16_t>(i / 2));
      rule.to = AnyDestination{};
    } else if (kind == Worst::PortsAndAddresses) {
      rule.services = Services{};
      rule.to = network_v4(0x0B00'0000U + i * 8, 32);
    }
    out.rules.push_back(rule);
  }
  return out;
}

void worst_index(benchmark::State& state, Worst kind) {
  const NetPolicy of = worst(kind, kLarge);
  for (auto _ : state) {
    benchmark::DoNotOptimize(ReachMap(of));
  }
}
void worst_decision(benchmark::State& state, Worst kind) {
  const ReachMap map(worst(kind, kLarge));
  std::mt19937 chance(kSeed);
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.address(IpAddress::from_ipv4({static_cast<std::uint32_t>(chance())}),
                                         Protocol::Tcp, static_cast<std::uint16_t>(chance())));
  }
}
// One verdict less at the end, so that the lists are not equal, and a proof where there is
// nothing to find.
void worst_difference(benchmark::State& state, Worst kind) {
  const NetPolicy b = worst(kind, static_cast<std::size_t>(state.range(0)));
  NetPolicy a = b;
  a.rules.insert(a.rules.begin(), {Verdict::Deny, RuleDirection::Egress, AnyDestination{},
                                   Services::of(Protocol::Tcp, PortRange{7, 7})});
  const ReachMap of_a(a);
  const ReachMap of_b(b);
  for (auto _ : state) {
    benchmark::DoNotOptimize(reach_widening(of_a, of_b));
  }
}
// The other order of the same rules: nothing is equal to anything in most parts.
void worst_shuffled(benchmark::State& state, Worst kind) {
  NetPolicy a = worst(kind, static_cast<std::size_t>(state.range(0)));
  for (NetRule& rule : a.rules) {
    rule.action = Verdict::Allow;
  }
  NetPolicy b = a;
  std::shuffle(b.rules.begin(), b.rules.end(), std::mt19937(kSeed));
  const ReachMap of_a(a);
  const ReachMap of_b(b);
  for (auto _ : state) {
    benchmark::DoNotOptimize(reach_widening(of_a, of_b));
  }
}
#define FORGE_WORST(kind)                                                           \
  BENCHMARK_CAPTURE(worst_index, kind, Worst::kind)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(worst_decision, kind, Worst::kind);                             \
  BENCHMARK_CAPTURE(worst_difference, kind, Worst::kind)                            \
      ->Arg(25'000)                                                                 \
      ->Arg(kLarge)                                                                 \
      ->Unit(benchmark::kMillisecond);                                              \
  BENCHMARK_CAPTURE(worst_shuffled, kind, Worst::kind)                              \
      ->Arg(25'000)                                                                 \
      ->Arg(kLarge)                                                                 \
      ->Unit(benchmark::kMillisecond)
FORGE_WORST(RangesOfPublic);
FORGE_WORST(RangesOfFewNetworks);
FORGE_WORST(PortsAndAddresses);
FORGE_WORST(Random);
#undef FORGE_WORST

}  // namespace
