// What a ReachMap holds.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "address_line.hpp"
#include "forge/policy/reach.hpp"
#include "name_table.hpp"

namespace forge::policy {

inline constexpr std::uint16_t kDnsPort = 53;

/// Addresses of both families. A network of one never meets an address of the other.
struct Lines {
  IntervalMap<LineV4::Key> v4;
  IntervalMap<LineV6::Key> v6;

  [[nodiscard]] RuleIndex find(IpAddress address) const {
    return address.is_ipv4() ? v4.find(LineV4::key(address)) : v6.find(address);
  }
  template <class Line>
  [[nodiscard]] const IntervalMap<typename Line::Key>& of() const {
    if constexpr (Line::kFamily == IpFamily::V4) {
      return v4;
    } else {
      return v6;
    }
  }
};

/// The first rules of those that are about no network.
struct FirstRules {
  RuleIndex any = kNoRule;
  RuleIndex allows_addresses = kNoRule;  ///< of a network or a group other than `host`
  std::array<RuleIndex, kAddressGroups> groups{};

  FirstRules() { groups.fill(kNoRule); }
  [[nodiscard]] RuleIndex group(AddressGroup of) const { return groups.at(static_cast<std::size_t>(of)); }
};

/// The rules that are about the same services.
struct Signature {
  Services services;
  RuleIndex lowest = kNoRule;  ///< the first of them all
  FirstRules first;
  Lines networks;
};

/// A rule about a name, and the number of the next one about the same name.
struct NameRule {
  enum class Holds : std::uint8_t { Name, NameAndBelow };
  static constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();

  RuleIndex rule = kNoRule;
  std::uint32_t signature = 0;
  std::uint32_t next = kLast;
  Holds holds = Holds::Name;
};

struct ReachIndex {
  Direction direction = Direction::Egress;
  std::vector<Signature> signatures;  ///< their lowest rules ascend
  std::vector<char> letters;          ///< of all names; not a string, whose letters may move with it
  NameTable names;
  std::vector<std::uint32_t> first_of_name;  ///< by the name's number, in `name_rules`
  std::vector<NameRule> name_rules;          ///< ascending
  std::vector<Verdict> actions;
  Verdict otherwise = Verdict::Deny;
  Floor floor = Floor::None;
  std::array<IpNetwork, 2> gateway_pools{};
  std::vector<IpAddress> gateways;  ///< one of each stretch of the pools that the rules tell apart
  std::array<RuleIndex, 2> lookups{kNoRule, kNoRule};  ///< the first, for UDP and TCP, that is about no name

  [[nodiscard]] static ReachIndex of(const NetPolicy& policy, Direction direction);

  [[nodiscard]] Verdict verdict(RuleIndex rule) const { return rule == kNoRule ? otherwise : actions[rule]; }

  [[nodiscard]] Decision decide(RuleIndex rule) const {
    if (rule == kNoRule) {
      return {otherwise, Decision::By::Default, std::nullopt};
    }
    return {actions[rule], Decision::By::Rule, rule};
  }

  /// Calls `see` with the rules about just this name, in their order, for as long as it
  /// gives true.
  template <class See>
  void each_rule_of(NameTable::Number name, See see) const {
    for (std::uint32_t at = first_of_name[name]; at != NameRule::kLast; at = name_rules[at].next) {
      if (!see(name_rules[at])) {
        return;
      }
    }
  }

  /// The rule that decides a lookup: the one that lets it pass, should UDP and TCP differ.
  [[nodiscard]] RuleIndex lookup_rule(RuleIndex first_about_name) const {
    const RuleIndex by_udp = std::min(first_about_name, lookups[0]);
    return verdict(by_udp) == Verdict::Allow ? by_udp : std::min(first_about_name, lookups[1]);
  }
};

}  // namespace forge::policy
