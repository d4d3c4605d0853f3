#include "forge/policy/reach.hpp"

#include "forge/policy/overloaded.hpp"
#include "reach_index.hpp"

namespace forge::policy {
namespace {

// Of the signatures that are about this service the lowest that `first_of` tells.
template <class FirstOf>
RuleIndex lowest(const ReachIndex& index, Protocol protocol, std::uint16_t port, RuleIndex first,
                 FirstOf first_of) {
  for (const Signature& signature : index.signatures) {
    if (signature.lowest >= first) {
      break;
    }
    if (signature.services.contains(protocol, port)) {
      first = std::min({first, signature.first.any, first_of(signature)});
    }
  }
  return first;
}

// Calls `see` with each rule about `name`: those of one name in their order, for as long as
// it gives true.
template <class See>
void each_name_rule(const ReachIndex& index, std::string_view name, See see) {
  for (std::string_view rest = name;;) {
    if (const NameTable::Number known = index.names.find(rest); known != NameTable::kNone) {
      const bool is_whole = rest.size() == name.size();
      index.each_rule_of(known, [&](const NameRule& rule) {
        return (rule.holds == NameRule::Holds::Name && !is_whole) || see(rule);
      });
    }
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos) {
      return;
    }
    rest.remove_prefix(dot + 1);
  }
}

// `floor_group`: what the address is to the floor.
Decision above_floor(const ReachIndex& index, Decision decision, std::optional<AddressGroup> floor_group) {
  if (index.floor == Floor::PublicOnly && decision.verdict == Verdict::Allow &&
      floor_group != AddressGroup::Public) {
    return {Verdict::Deny, Decision::By::Floor, decision.rule};
  }
  return decision;
}

}  // namespace

ReachMap::ReachMap(ReachMap&&) noexcept = default;
ReachMap& ReachMap::operator=(ReachMap&&) noexcept = default;
ReachMap::~ReachMap() = default;

ReachMap::ReachMap(const NetPolicy& policy, Direction direction)
    : index_(std::make_unique<const ReachIndex>(ReachIndex::of(policy, direction))) {}

Decision ReachMap::address(IpAddress address, Protocol protocol, std::uint16_t port) const {
  const std::optional<AddressGroup> group = group_of(address);
  const RuleIndex first = lowest(*index_, protocol, port, kNoRule, [&](const Signature& signature) {
    const RuleIndex of_group = group ? signature.first.group(*group) : kNoRule;
    return std::min(of_group, signature.networks.find(address));
  });
  return above_floor(*index_, index_->decide(first), group);
}

Decision ReachMap::gateway(IpAddress address, Protocol protocol, std::uint16_t port) const {
  const RuleIndex first = lowest(*index_, protocol, port, kNoRule, [&](const Signature& signature) {
    return std::min(signature.first.group(AddressGroup::Host), signature.networks.find(address));
  });
  return above_floor(*index_, index_->decide(first), AddressGroup::Host);
}

Decision ReachMap::lookup(std::string_view name) const {
  RuleIndex first = kNoRule;
  each_name_rule(*index_, name, [&](const NameRule& rule) {
    first = std::min(first, rule.rule);
    return false;
  });
  return index_->decide(index_->lookup_rule(first));
}

Decision ReachMap::name(std::string_view name, Protocol protocol, std::uint16_t port) const {
  RuleIndex about_name = kNoRule;
  RuleIndex fits = kNoRule;
  each_name_rule(*index_, name, [&](const NameRule& rule) {
    about_name = std::min(about_name, rule.rule);
    if (rule.rule < fits && index_->signatures[rule.signature].services.contains(protocol, port)) {
      fits = rule.rule;
    }
    return rule.rule < fits;
  });
  const Decision asked = index_->decide(index_->lookup_rule(about_name));
  if (asked.verdict == Verdict::Deny) {
    return {Verdict::Deny, Decision::By::Lookup, asked.rule};
  }
  if (name == kGatewayName) {
    Decision last;
    for (const IpAddress& slot : index_->gateways) {
      last = gateway(slot, protocol, port);
      if (last.verdict == Verdict::Allow) {
        break;
      }
    }
    return last;
  }
  return index_->decide(lowest(*index_, protocol, port, fits,
                               [](const Signature& signature) { return signature.first.allows_addresses; }));
}

Decision ReachMap::decide(const ReachQuestion& question) const {
  return std::visit(
      overloaded{[&](const AddressQuestion& of) { return address(of.address, of.protocol, of.port); },
                 [&](const GatewayQuestion& of) { return gateway(of.address, of.protocol, of.port); },
                 [&](const LookupQuestion& of) { return lookup(of.name); },
                 [&](const NameQuestion& of) { return name(of.name, of.protocol, of.port); }},
      question);
}

}  // namespace forge::policy
