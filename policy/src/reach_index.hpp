// What a ReachMap holds.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "address_line.hpp"
#include "forge/policy/reach.hpp"

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

struct NameRule {
  enum class Holds : std::uint8_t { Name, NameAndBelow };
  RuleIndex rule = kNoRule;
  std::uint32_t signature = 0;
  Holds holds = Holds::Name;
};

struct NameHash : std::hash<std::string_view> {
  using is_transparent = void;
};

struct ReachIndex {
  using Names = std::unordered_map<std::string, std::vector<NameRule>, NameHash, std::equal_to<>>;

  Direction direction = Direction::Egress;
  std::vector<Signature> signatures;                     ///< their lowest rules ascend
  Names names;                                           ///< the rules of each ascend
  std::vector<const Names::value_type*> names_in_order;  ///< as the policy first has them
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

  /// The rule that decides a lookup: the one that lets it pass, should UDP and TCP differ.
  [[nodiscard]] RuleIndex lookup_rule(RuleIndex first_about_name) const {
    const RuleIndex by_udp = std::min(first_about_name, lookups[0]);
    return verdict(by_udp) == Verdict::Allow ? by_udp : std::min(first_about_name, lookups[1]);
  }
};

}  // namespace forge::policy
