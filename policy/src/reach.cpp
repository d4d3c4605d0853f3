#include "forge/policy/reach.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "address_line.hpp"
#include "forge/policy/overloaded.hpp"

namespace forge::policy {
namespace {

constexpr std::uint16_t kDnsPort = 53;

// Addresses of both families. A network of one never meets an address of the other.
struct Lines {
  IntervalMap<LineV4::Key> v4;
  IntervalMap<LineV6::Key> v6;

  [[nodiscard]] RuleIndex find(IpAddress address) const {
    return address.is_ipv4() ? v4.find(LineV4::key(address)) : v6.find(address);
  }
};

// The same while it is made.
struct Stretches {
  std::vector<Interval<LineV4::Key>> v4;
  std::vector<Interval<LineV6::Key>> v6;

  [[nodiscard]] Lines lines() && {
    return {make_map<LineV4>(std::move(v4)), make_map<LineV6>(std::move(v6))};
  }
};

// The first rules of those that are about no stretch of addresses.
struct FirstRules {
  RuleIndex any = kNoRule;
  RuleIndex host_group = kNoRule;
  RuleIndex allows_addresses = kNoRule;
};

// The rules that are about the same services.
struct Signature {
  Services services;
  FirstRules first;
  Lines ordinary;
  Lines gateway;  // networks only
};

struct Draft {
  Services services;
  FirstRules first;
  Stretches ordinary;
  Stretches gateway;
};

struct NameRule {
  std::uint32_t signature = 0;
  RuleIndex rule = kNoRule;
  bool is_suffix = false;
};

struct NameHash : std::hash<std::string_view> {
  using is_transparent = void;
};
using Names = std::unordered_map<std::string, std::vector<NameRule>, NameHash, std::equal_to<>>;

bool takes_part(RuleDirection of, Direction direction) {
  return of == RuleDirection::Any || (of == RuleDirection::Egress) == (direction == Direction::Egress);
}

class Indexer {
 public:
  Indexer(const NetPolicy& policy, Direction direction) {
    for (std::size_t i = 0; i < policy.rules.size(); ++i) {
      if (takes_part(policy.rules[i].direction, direction)) {
        add(policy.rules[i], static_cast<RuleIndex>(i));
      }
    }
  }

  [[nodiscard]] std::vector<Signature> take_signatures() {
    std::vector<Signature> out;
    out.reserve(drafts_.size());
    for (Draft& draft : drafts_) {
      out.push_back(
          {draft.services, draft.first, std::move(draft.ordinary).lines(), std::move(draft.gateway).lines()});
    }
    drafts_.clear();
    return out;
  }
  [[nodiscard]] Names take_names() { return std::move(names_); }

 private:
  std::uint32_t signature_of(const Services& services) {
    const auto [at, is_new] = numbers_.emplace(services, static_cast<std::uint32_t>(drafts_.size()));
    if (is_new) {
      drafts_.emplace_back().services = services;
    }
    return at->second;
  }

  static void lower(RuleIndex& first, RuleIndex rule) { first = std::min(first, rule); }

  void add(const NetRule& rule, RuleIndex index) {
    const std::uint32_t number = signature_of(rule.services);
    Draft& draft = drafts_[number];
    const bool allows = rule.action == Verdict::Allow;
    std::visit(
        overloaded{[&](const AnyDestination&) { lower(draft.first.any, index); },
                   [&](const NameDestination& to) {
                     names_[to.name].push_back({number, index, false});
                   },
                   [&](const SuffixDestination& to) {
                     names_[to.name].push_back({number, index, true});
                   },
                   [&](const NetworkDestination& to) { add_network(draft, to.network, index, allows); },
                   [&](const GroupDestination& to) { add_group(draft, to.group, index, allows); }},
        rule.to);
  }

  static void add_network(Draft& draft, const IpNetwork& network, RuleIndex index, bool allows) {
    const IpNetwork mapped = IpNetwork::around(IpFamily::V6, IpAddress::from_ipv4({}), 96);
    const bool v4 = network.family == IpFamily::V4;
    if (!v4 && network.prefix >= mapped.prefix && network.base.is_ipv4()) {
      return;  // the runtime meets such an address as IPv4 only
    }
    for (Stretches* line : {&draft.ordinary, &draft.gateway}) {
      if (v4) {
        line->v4.push_back({LineV4::key(network.base), LineV4::key(network.last()), index});
      } else {
        line->v6.push_back({network.base, network.last(), index});
      }
    }
    if (allows) {
      lower(draft.first.allows_addresses, index);
    }
  }

  static void add_group(Draft& draft, AddressGroup group, RuleIndex index, bool allows) {
    if (group == AddressGroup::Host) {
      lower(draft.first.host_group, index);
      return;
    }
    static const auto v4 = group_stretches<LineV4>();
    static const auto v6 = group_stretches<LineV6>();
    const auto number = static_cast<RuleIndex>(group);
    for (const auto& stretch : v4) {
      if (stretch.rule == number) {
        draft.ordinary.v4.push_back({stretch.first, stretch.last, index});
      }
    }
    for (const auto& stretch : v6) {
      if (stretch.rule == number) {
        draft.ordinary.v6.push_back({stretch.first, stretch.last, index});
      }
    }
    if (allows) {
      lower(draft.first.allows_addresses, index);
    }
  }

  std::map<Services, std::uint32_t> numbers_;
  std::vector<Draft> drafts_;
  Names names_;
};

// The first slot for a gateway at or above `address`; nothing where the pool ends before.
std::optional<IpAddress> slot_from(const IpNetwork& pool, IpAddress address) {
  const bool v4 = pool.family == IpFamily::V4;
  const std::uint64_t mask = v4 ? 3 : ~std::uint64_t{0};
  IpAddress slot = std::max(address, pool.base);
  if ((slot.low & mask) > 1) {
    slot.low |= mask;
    slot = LineV6::next(slot);
  }
  slot.low = (slot.low & ~mask) | 1U;
  return slot < address || slot > pool.last() ? std::nullopt : std::optional(slot);
}

}  // namespace

struct ReachMap::Index {
  std::vector<Signature> signatures;
  Names names;
  std::vector<IpAddress> gateways;  // one of each stretch that the rules tell apart
  std::vector<Verdict> actions;
  Verdict otherwise = Verdict::Deny;
  Floor floor = Floor::None;

  [[nodiscard]] Decision decide(RuleIndex rule) const {
    if (rule == kNoRule) {
      return {otherwise, Decision::By::Default, std::nullopt};
    }
    return {actions[rule], Decision::By::Rule, rule};
  }

  // `is_open`: what the floor leaves open.
  [[nodiscard]] Decision above_floor(Decision decision, bool is_open) const {
    if (floor == Floor::PublicOnly && decision.verdict == Verdict::Allow && !is_open) {
      return {Verdict::Deny, Decision::By::Floor, decision.rule};
    }
    return decision;
  }

  template <class See>
  void each_name_rule(std::string_view name, See see) const {
    for (std::string_view rest = name;;) {
      if (const auto hit = names.find(rest); hit != names.end()) {
        for (const NameRule& rule : hit->second) {
          if (rule.is_suffix || rest.size() == name.size()) {
            see(rule);
          }
        }
      }
      const std::size_t dot = rest.find('.');
      if (dot == std::string_view::npos) {
        return;
      }
      rest.remove_prefix(dot + 1);
    }
  }

  [[nodiscard]] Decision lookup_by(Protocol protocol, RuleIndex of_names) const {
    RuleIndex first = of_names;
    for (const Signature& signature : signatures) {
      if (signature.services.contains(protocol, kDnsPort)) {
        first = std::min({first, signature.first.any, signature.first.host_group});
      }
    }
    return decide(first);
  }
};

ReachMap::ReachMap(ReachMap&&) noexcept = default;
ReachMap& ReachMap::operator=(ReachMap&&) noexcept = default;
ReachMap::~ReachMap() = default;

ReachMap::ReachMap(const NetPolicy& policy, Direction direction) {
  Index index;
  Indexer indexer(policy, direction);
  index.names = indexer.take_names();
  index.signatures = indexer.take_signatures();
  for (const NetRule& rule : policy.rules) {
    index.actions.push_back(rule.action);
  }
  index.otherwise = direction == Direction::Egress ? policy.egress : policy.ingress;
  index.floor = policy.floor;
  for (const IpNetwork& pool : {policy.gateway_pool_v4, policy.gateway_pool_v6}) {
    std::vector<IpAddress> from = {pool.base};
    for (const Signature& signature : index.signatures) {
      for (const LineV4::Key start : signature.gateway.v4.starts()) {
        from.push_back(IpAddress::from_ipv4({start}));
      }
      const auto& starts = signature.gateway.v6.starts();
      from.insert(from.end(), starts.begin(), starts.end());
    }
    for (const IpAddress& address : from) {
      if (const auto slot = slot_from(pool, address)) {
        index.gateways.push_back(*slot);
      }
    }
  }
  std::sort(index.gateways.begin(), index.gateways.end());
  index.gateways.erase(std::unique(index.gateways.begin(), index.gateways.end()), index.gateways.end());
  index_ = std::make_unique<const Index>(std::move(index));
}

Decision ReachMap::address(IpAddress address, Protocol protocol, std::uint16_t port) const {
  RuleIndex first = kNoRule;
  for (const Signature& signature : index_->signatures) {
    if (signature.services.contains(protocol, port)) {
      first = std::min({first, signature.first.any, signature.ordinary.find(address)});
    }
  }
  return index_->above_floor(index_->decide(first), group_of(address) == AddressGroup::Public);
}

Decision ReachMap::gateway(IpAddress address, Protocol protocol, std::uint16_t port) const {
  RuleIndex first = kNoRule;
  for (const Signature& signature : index_->signatures) {
    if (signature.services.contains(protocol, port)) {
      first =
          std::min({first, signature.first.any, signature.first.host_group, signature.gateway.find(address)});
    }
  }
  return index_->above_floor(index_->decide(first), false);
}

Decision ReachMap::lookup(std::string_view name) const {
  RuleIndex of_names = kNoRule;
  index_->each_name_rule(name, [&](const NameRule& rule) { of_names = std::min(of_names, rule.rule); });
  const Decision by_udp = index_->lookup_by(Protocol::Udp, of_names);
  return by_udp.verdict == Verdict::Allow ? by_udp : index_->lookup_by(Protocol::Tcp, of_names);
}

Decision ReachMap::name(std::string_view name, Protocol protocol, std::uint16_t port) const {
  const Decision asked = lookup(name);
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
  RuleIndex first = kNoRule;
  index_->each_name_rule(name, [&](const NameRule& rule) {
    if (index_->signatures[rule.signature].services.contains(protocol, port)) {
      first = std::min(first, rule.rule);
    }
  });
  for (const Signature& signature : index_->signatures) {
    if (signature.services.contains(protocol, port)) {
      first = std::min({first, signature.first.any, signature.first.allows_addresses});
    }
  }
  return index_->decide(first);
}

}  // namespace forge::policy
