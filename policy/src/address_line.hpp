// The addresses of one family as a line, and the groups as stretches of it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "forge/policy/net_policy.hpp"
#include "interval_map.hpp"

namespace forge::policy {

/// What a family's addresses are to an IntervalMap: numbers of 32 bits, or of 128.
struct LineV4 {
  using Key = std::uint32_t;
  static constexpr IpFamily kFamily = IpFamily::V4;
  static constexpr Key kHighest = std::numeric_limits<Key>::max();
  static constexpr Key key(IpAddress address) { return static_cast<Key>(address.low); }
  static constexpr IpAddress address(Key key) { return IpAddress::from_ipv4({key}); }
  static constexpr Key next(Key key) { return key + 1; }
  static constexpr Key previous(Key key) { return key - 1; }
};

struct LineV6 {
  using Key = IpAddress;
  static constexpr IpFamily kFamily = IpFamily::V6;
  static constexpr Key kHighest{std::numeric_limits<std::uint64_t>::max(),
                                std::numeric_limits<std::uint64_t>::max()};
  static constexpr Key key(IpAddress address) { return address; }
  static constexpr IpAddress address(Key key) { return key; }
  static constexpr Key next(Key key) { return {key.high + (key.low + 1 == 0 ? 1 : 0), key.low + 1}; }
  static constexpr Key previous(Key key) { return {key.high - (key.low == 0 ? 1 : 0), key.low - 1}; }
};

/// The addresses of the line of IPv6 that are those of IPv4.
inline IpNetwork mapped_addresses() {
  constexpr unsigned kMappedPrefix = 96;
  return IpNetwork::around(IpFamily::V6, IpAddress::from_ipv4({}), kMappedPrefix);
}

/// True for a network of IPv6 that holds nothing else.
inline bool is_mapped(const IpNetwork& network) {
  return network.family == IpFamily::V6 && network.prefix >= mapped_addresses().prefix &&
         network.base.is_ipv4();
}

/// The first place for a gateway at or above `address`: the first usable address of a /30,
/// or `::1` of a /64; nothing where the pool ends before.
inline std::optional<IpAddress> gateway_from(const IpNetwork& pool, IpAddress address) {
  const std::uint64_t mask = pool.family == IpFamily::V4 ? 3 : ~std::uint64_t{0};
  IpAddress slot = std::max(address, pool.base);
  if ((slot.low & mask) > 1) {
    slot.low |= mask;
    slot = LineV6::next(slot);
  }
  slot.low = (slot.low & ~mask) | 1U;
  return slot < address || !pool.contains(slot) ? std::nullopt : std::optional(slot);
}

template <class Line>
IntervalMap<typename Line::Key> make_map(std::vector<Interval<typename Line::Key>> intervals) {
  return {std::move(intervals), Line::kHighest, Line::next};
}

/// A group as a stretch: `rule` is the group.
template <class Line>
std::vector<Interval<typename Line::Key>> group_stretches() {
  using Key = typename Line::Key;
  const std::vector<GroupRange>& ranges = group_ranges();
  std::vector<Interval<Key>> rows;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].network.family == Line::kFamily) {
      rows.push_back({Line::key(ranges[i].network.base), Line::key(ranges[i].network.last()),
                      static_cast<RuleIndex>(i)});
    }
  }
  const IntervalMap<Key> first = make_map<Line>(rows);
  const auto group = [&](RuleIndex row) {
    return static_cast<RuleIndex>(row == kNoRule ? AddressGroup::Public : ranges[row].group);
  };
  // The lowest address of a family, 0.0.0.0 or ::, is of no group.
  std::vector<Interval<Key>> out;
  Key begin = Line::next(Key{});
  RuleIndex row = kNoRule;
  for (std::size_t i = 0; i < first.starts().size(); ++i) {
    if (begin < first.starts()[i]) {
      out.push_back({begin, Line::previous(first.starts()[i]), group(row)});
    }
    begin = std::max(begin, first.starts()[i]);
    row = first.rule(i);
  }
  out.push_back({begin, Line::kHighest, group(row)});
  return out;
}

}  // namespace forge::policy
