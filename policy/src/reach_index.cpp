#include "reach_index.hpp"

#include <map>
#include <utility>

#include "forge/policy/overloaded.hpp"

namespace forge::policy {
namespace {

// A signature while it is made.
struct Draft {
  Signature made;
  std::vector<Interval<LineV4::Key>> v4;
  std::vector<Interval<LineV6::Key>> v6;
};

bool takes_part(RuleDirection of, Direction direction) {
  return of == RuleDirection::Any || (of == RuleDirection::Egress) == (direction == Direction::Egress);
}

void lower(RuleIndex& first, RuleIndex rule) { first = std::min(first, rule); }

class Indexer {
 public:
  Indexer(ReachIndex& index, const std::vector<NetRule>& rules) : index_(index) {
    index.letters.reserve(letters_of(rules));
  }

  void add(const NetRule& rule, RuleIndex number) {
    const bool allows = rule.action == Verdict::Allow;
    std::visit(
        overloaded{[&](const AnyDestination&) { lower(draft(rule, number).made.first.any, number); },
                   [&](const NameDestination& to) { add_name(to.name, rule, number, NameRule::Holds::Name); },
                   [&](const SuffixDestination& to) {
                     add_name(to.name, rule, number, NameRule::Holds::NameAndBelow);
                   },
                   [&](const NetworkDestination& to) {
                     add_network(draft(rule, number), to.network, number, allows);
                   },
                   [&](const GroupDestination& to) {
                     add_group(draft(rule, number).made.first, to.group, number, allows);
                   }},
        rule.to);
  }

  void finish() {
    index_.signatures.reserve(drafts_.size());
    for (Draft& draft : drafts_) {
      draft.made.networks = {make_map<LineV4>(std::move(draft.v4)), make_map<LineV6>(std::move(draft.v6))};
      index_.signatures.push_back(std::move(draft.made));
    }
  }

 private:
  std::uint32_t signature_of(const NetRule& rule, RuleIndex number) {
    const auto [at, is_new] = numbers_.emplace(rule.services, static_cast<std::uint32_t>(drafts_.size()));
    if (is_new) {
      Draft& made = drafts_.emplace_back();
      made.made.services = rule.services;
      made.made.lowest = number;
    }
    return at->second;
  }
  Draft& draft(const NetRule& rule, RuleIndex number) { return drafts_[signature_of(rule, number)]; }

  void add_name(const std::string& name, const NetRule& rule, RuleIndex number, NameRule::Holds holds) {
    if (index_.direction == Direction::Ingress) {
      return;
    }
    const auto at = static_cast<std::uint32_t>(index_.name_rules.size());
    index_.name_rules.push_back({number, signature_of(rule, number), NameRule::kLast, holds});
    if (const NameTable::Number known = index_.names.find(name); known != NameTable::kNone) {
      index_.name_rules[last_of_name_[known]].next = at;
      last_of_name_[known] = at;
      return;
    }
    const std::size_t begin = index_.letters.size();
    index_.letters.insert(index_.letters.end(), name.begin(), name.end());
    index_.names.add({index_.letters.data() + begin, name.size()});
    index_.first_of_name.push_back(at);
    last_of_name_.push_back(at);
  }

  static void add_network(Draft& draft, const IpNetwork& network, RuleIndex number, bool allows) {
    if (network.family == IpFamily::V4) {
      draft.v4.push_back({LineV4::key(network.base), LineV4::key(network.last()), number});
    } else if (is_mapped(network)) {
      return;  // the runtime meets such an address as IPv4 only
    } else {
      draft.v6.push_back({network.base, network.last(), number});
    }
    if (allows) {
      lower(draft.made.first.allows_addresses, number);
    }
  }

  static void add_group(FirstRules& first, AddressGroup group, RuleIndex number, bool allows) {
    lower(first.groups.at(static_cast<std::size_t>(group)), number);
    if (allows && group != AddressGroup::Host) {
      lower(first.allows_addresses, number);
    }
  }

  // The letters must not move, for the table of names looks at them.
  static std::size_t letters_of(const std::vector<NetRule>& rules) {
    std::size_t count = 0;
    for (const NetRule& rule : rules) {
      const auto* name = std::get_if<NameDestination>(&rule.to);
      const auto* suffix = std::get_if<SuffixDestination>(&rule.to);
      count += name != nullptr ? name->name.size() : suffix != nullptr ? suffix->name.size() : 0;
    }
    return count;
  }

  ReachIndex& index_;
  std::vector<std::uint32_t> last_of_name_;
  std::map<Services, std::uint32_t> numbers_;
  std::vector<Draft> drafts_;
};

// One place of each stretch of the pools that the rules tell apart.
std::vector<IpAddress> gateways_of(const ReachIndex& index) {
  std::vector<IpAddress> out;
  for (const IpNetwork& pool : index.gateway_pools) {
    const auto add = [&](IpAddress address) {
      const auto slot = pool.contains(address) ? gateway_from(pool, address) : std::nullopt;
      if (slot) {
        out.push_back(*slot);
      }
    };
    add(pool.base);
    for (const Signature& signature : index.signatures) {
      for (const LineV4::Key start : signature.networks.v4.starts()) {
        add(LineV4::address(start));
      }
      for (const IpAddress& start : signature.networks.v6.starts()) {
        add(start);
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

ReachIndex ReachIndex::of(const NetPolicy& policy, Direction direction) {
  ReachIndex index;
  index.direction = direction;
  index.otherwise = direction == Direction::Egress ? policy.egress : policy.ingress;
  index.floor = policy.floor;
  index.gateway_pools = {policy.gateway_pool_v4, policy.gateway_pool_v6};
  index.actions.reserve(policy.rules.size());
  Indexer indexer(index, policy.rules);
  for (const NetRule& rule : policy.rules) {
    if (takes_part(rule.direction, direction)) {
      indexer.add(rule, static_cast<RuleIndex>(index.actions.size()));
    }
    index.actions.push_back(rule.action);
  }
  indexer.finish();
  index.gateways = gateways_of(index);
  for (const Signature& signature : index.signatures) {
    const RuleIndex first = std::min(signature.first.any, signature.first.group(AddressGroup::Host));
    for (const Protocol protocol : {Protocol::Udp, Protocol::Tcp}) {
      if (signature.services.contains(protocol, kDnsPort)) {
        lower(index.lookups.at(protocol == Protocol::Udp ? 0 : 1), first);
      }
    }
  }
  return index;
}

}  // namespace forge::policy
