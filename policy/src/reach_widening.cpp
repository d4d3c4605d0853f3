#include <algorithm>
#include <utility>
#include <vector>

#include "reach_cells.hpp"
#include "reach_index.hpp"
#include "reach_names.hpp"
#include "reach_services.hpp"

namespace forge::policy {
namespace {

// The order of a block: guards come before every rule, the default after.
constexpr RuleIndex kGuard = 0;
constexpr RuleIndex kAfterAll = kNoRule;

// The blocks of one policy on one board.
class Painter {
 public:
  Painter(const ReachIndex& index, const ServiceLine& services, Stretch places)
      : index_(index), all_services_(services.whole()), places_(places) {
    pieces_.reserve(index.signatures.size());
    for (const Signature& signature : index.signatures) {
      pieces_.push_back(services.of(signature.services));
    }
    blocks_.push_back({places, all_services_, kAfterAll, index.otherwise});
  }

  void rule(RuleIndex rule, std::size_t signature, Stretch places) {
    if (rule == kNoRule || places.begin >= places.end) {
      return;
    }
    for (const Stretch& services : pieces_[signature]) {
      blocks_.push_back({places, services, rule + 1, index_.actions[rule]});
    }
  }
  void rule_everywhere(RuleIndex number, std::size_t signature) { rule(number, signature, places_); }

  void deny(Stretch places) {
    if (places.begin < places.end) {
      blocks_.push_back({places, all_services_, kGuard, Verdict::Deny});
    }
  }

  [[nodiscard]] Blocks take() { return std::move(blocks_); }

 private:
  const ReachIndex& index_;
  Stretch all_services_;
  Stretch places_;
  std::vector<std::vector<Stretch>> pieces_;
  Blocks blocks_;
};

// The places of a board of addresses: those that no rule tells apart are one. `Snap` says
// which address of the board is the first at or above a key; nothing behind the last one.
template <class Line, class Snap>
class AddressBoard {
 public:
  using Key = typename Line::Key;

  AddressBoard(std::vector<Key> cuts, Snap snap) : snap_(snap) {
    for (const Key& cut : cuts) {
      if (const auto at = snap_(cut)) {
        places_.push_back(*at);
      }
    }
    std::sort(places_.begin(), places_.end());
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  }

  [[nodiscard]] Stretch whole() const { return {0, static_cast<std::uint32_t>(places_.size())}; }
  [[nodiscard]] IpAddress address(std::uint32_t place) const { return Line::address(places_[place]); }

  // From the one key to the other, which is in it.
  [[nodiscard]] Stretch stretch(Key first, Key last) const {
    return {place(first), last == Line::kHighest ? whole().end : place(Line::next(last))};
  }

  void paint_networks(const ReachIndex& index, Painter& painter) const {
    for (std::size_t i = 0; i < index.signatures.size(); ++i) {
      const auto& map = index.signatures[i].networks.template of<Line>();
      for (std::size_t at = 0; at < map.starts().size(); ++at) {
        const bool is_last = at + 1 == map.starts().size();
        painter.rule(map.rule(at), i,
                     {place(map.starts()[at]), is_last ? whole().end : place(map.starts()[at + 1])});
      }
    }
  }

 private:
  [[nodiscard]] std::uint32_t place(Key key) const {
    const auto snapped = snap_(key);
    const auto at = snapped ? std::lower_bound(places_.begin(), places_.end(), *snapped) : places_.end();
    return static_cast<std::uint32_t>(at - places_.begin());
  }

  Snap snap_;
  std::vector<Key> places_;
};

// Where networks begin and end in either policy.
template <class Line>
std::vector<typename Line::Key> network_cuts(const ReachIndex& a, const ReachIndex& b) {
  std::vector<typename Line::Key> cuts;
  for (const ReachIndex* index : {&a, &b}) {
    for (const Signature& signature : index->signatures) {
      const auto& starts = signature.networks.template of<Line>().starts();
      cuts.insert(cuts.end(), starts.begin(), starts.end());
    }
  }
  return cuts;
}

class Widening {
 public:
  Widening(const ReachIndex& a, const ReachIndex& b) : a_(a), b_(b), services_(a, b) {}

  template <class Line>
  [[nodiscard]] std::optional<ReachQuestion> address() const {
    using Key = typename Line::Key;
    static const std::vector<Interval<Key>> groups = group_stretches<Line>();
    std::vector<Key> cuts = network_cuts<Line>(a_, b_);
    cuts.push_back({});
    for (const auto& group : groups) {
      cuts.push_back(group.first);
    }
    if constexpr (Line::kFamily == IpFamily::V6) {
      cuts.push_back(mapped_addresses().base);
      cuts.push_back(Line::next(mapped_addresses().last()));
    }
    const AddressBoard<Line, std::optional<Key> (*)(Key)> board(std::move(cuts),
                                                                [](Key key) { return std::optional(key); });
    const auto painted = [&](const ReachIndex& index) {
      Painter painter(index, services_, board.whole());
      paint_addresses<Line>(index, groups, board, painter);
      return painter.take();
    };
    const auto point = widened_point(painted(a_), painted(b_), {board.whole(), services_.whole()});
    return point ? std::optional(about<AddressQuestion>(board.address(point->place), *point)) : std::nullopt;
  }

  template <class Line>
  [[nodiscard]] std::optional<ReachQuestion> gateway(const IpNetwork& pool) const {
    using Key = typename Line::Key;
    const auto snap = [&pool](Key key) -> std::optional<Key> {
      const auto slot = gateway_from(pool, Line::address(key));
      return slot ? std::optional(Line::key(*slot)) : std::nullopt;
    };
    std::vector<Key> cuts = network_cuts<Line>(a_, b_);
    cuts.push_back(Line::key(pool.base));
    const AddressBoard<Line, decltype(snap)> board(std::move(cuts), snap);
    if (board.whole().size() == 0) {
      return std::nullopt;  // no place for a gateway
    }
    const auto painted = [&](const ReachIndex& index) {
      Painter painter(index, services_, board.whole());
      if (index.floor == Floor::PublicOnly) {
        painter.deny(board.whole());
      }
      for (std::size_t i = 0; i < index.signatures.size(); ++i) {
        const FirstRules& first = index.signatures[i].first;
        painter.rule_everywhere(std::min(first.any, first.group(AddressGroup::Host)), i);
      }
      board.paint_networks(index, painter);
      return painter.take();
    };
    const auto point = widened_point(painted(a_), painted(b_), {board.whole(), services_.whole()});
    return point ? std::optional(about<GatewayQuestion>(board.address(point->place), *point)) : std::nullopt;
  }

  // Lookups first: where none of them is wider, a name that the first lets pass to the
  // lookup passes there in the second, too.
  [[nodiscard]] std::optional<ReachQuestion> name() const {
    const NameLine line(a_, b_);
    const auto of_a = line.first_rules(NameLine::Of::A, a_);
    const auto of_b = line.first_rules(NameLine::Of::B, b_);
    const auto answers = [](const ReachIndex& index, RuleIndex first) {
      return index.verdict(index.lookup_rule(first)) == Verdict::Allow;
    };
    Painter painter(a_, services_, line.whole());
    for (std::uint32_t place = 0; place < line.whole().end; ++place) {
      if (!answers(a_, of_a[place])) {
        std::uint32_t end = place + 1;
        for (; end < line.whole().end && !answers(a_, of_a[end]); ++end) {
        }
        painter.deny({place, end});
        place = end;  // which is answered, and has to be looked at
      }
      if (place < line.whole().end && !answers(b_, of_b[place])) {
        return LookupQuestion{line.name_at(place)};
      }
    }
    // Judged as the gateway, and not as a name.
    painter.deny(line.gateway_name());
    paint_names(NameLine::Of::A, a_, line, painter);
    Painter painter_b(b_, services_, line.whole());
    paint_names(NameLine::Of::B, b_, line, painter_b);
    const auto point = widened_point(painter.take(), painter_b.take(), {line.whole(), services_.whole()});
    if (!point) {
      return std::nullopt;
    }
    const auto [protocol, port] = services_.at(point->service);
    return NameQuestion{line.name_at(point->place), protocol, port};
  }

  // The gateway's name where the pools differ. Where they do not, what opens it in the one
  // policy is a gateway that the other closes.
  [[nodiscard]] std::optional<ReachQuestion> gateway_name(const ReachMap& a, const ReachMap& b) const {
    for (std::uint32_t place = 0; place < services_.whole().end; ++place) {
      const auto [protocol, port] = services_.at(place);
      if (a.name(kGatewayName, protocol, port).verdict == Verdict::Allow &&
          b.name(kGatewayName, protocol, port).verdict == Verdict::Deny) {
        return NameQuestion{std::string(kGatewayName), protocol, port};
      }
    }
    return std::nullopt;
  }

 private:
  template <class Question>
  [[nodiscard]] ReachQuestion about(IpAddress address, const BoardPoint& point) const {
    const auto [protocol, port] = services_.at(point.service);
    return Question{address, protocol, port};
  }

  template <class Line, class Groups, class Places>
  static void paint_addresses(const ReachIndex& index, const Groups& groups, const Places& places,
                              Painter& painter) {
    using Key = typename Line::Key;
    if constexpr (Line::kFamily == IpFamily::V6) {  // these are no addresses of this line
      painter.deny(places.stretch(mapped_addresses().base, mapped_addresses().last()));
    }
    for (const Interval<Key>& group : groups) {
      const auto of = static_cast<AddressGroup>(group.rule);
      const Stretch stretch = places.stretch(group.first, group.last);
      if (index.floor == Floor::PublicOnly && of != AddressGroup::Public) {
        painter.deny(stretch);
      }
      for (std::size_t i = 0; i < index.signatures.size(); ++i) {
        painter.rule(index.signatures[i].first.group(of), i, stretch);
      }
    }
    if (index.floor == Floor::PublicOnly) {
      painter.deny(places.stretch(Key{}, Key{}));  // of no group
    }
    for (std::size_t i = 0; i < index.signatures.size(); ++i) {
      painter.rule_everywhere(index.signatures[i].first.any, i);
    }
    places.paint_networks(index, painter);
  }

  static void paint_names(NameLine::Of policy, const ReachIndex& index, const NameLine& line,
                          Painter& painter) {
    for (NameTable::Number name = 0; name < index.names.size(); ++name) {
      index.each_rule_of(name, [&](const NameRule& rule) {
        if (const auto stretch = line.stretch(policy, name, rule.holds)) {
          painter.rule(rule.rule, rule.signature, *stretch);
        }
        return true;
      });
    }
    for (std::size_t i = 0; i < index.signatures.size(); ++i) {
      const FirstRules& first = index.signatures[i].first;
      painter.rule_everywhere(std::min(first.any, first.allows_addresses), i);
    }
  }

  const ReachIndex& a_;
  const ReachIndex& b_;
  ServiceLine services_;
};

std::optional<ReachQuestion> widened_question(const ReachIndex& a, const ReachIndex& b, const ReachMap& map_a,
                                              const ReachMap& map_b) {
  const Widening widening(a, b);
  auto found = widening.address<LineV4>();
  if (!found) {
    found = widening.address<LineV6>();
  }
  std::vector<IpNetwork> pools(a.gateway_pools.begin(), a.gateway_pools.end());
  if (a.gateway_pools != b.gateway_pools) {
    pools.insert(pools.end(), b.gateway_pools.begin(), b.gateway_pools.end());
  }
  for (std::size_t i = 0; !found && i < pools.size(); ++i) {
    found = pools[i].family == IpFamily::V4 ? widening.gateway<LineV4>(pools[i])
                                            : widening.gateway<LineV6>(pools[i]);
  }
  const bool asked_by_name = a.direction == Direction::Egress || b.direction == Direction::Egress;
  if (!found && asked_by_name) {
    found = widening.name();
  }
  if (!found && asked_by_name && a.gateway_pools != b.gateway_pools) {
    found = widening.gateway_name(map_a, map_b);
  }
  return found;
}

}  // namespace

std::optional<ReachWitness> reach_widening(const ReachMap& a, const ReachMap& b) {
  auto question = widened_question(*a.index_, *b.index_, a, b);
  if (!question) {
    return std::nullopt;
  }
  const Decision more = a.decide(*question);
  const Decision less = b.decide(*question);
  return ReachWitness{std::move(*question), more, less};
}

}  // namespace forge::policy
