// Which rule comes first at each point of a line of addresses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace forge::policy {

using RuleIndex = std::uint32_t;
inline constexpr RuleIndex kNoRule = std::numeric_limits<RuleIndex>::max();

/// One rule's stretch of the line, both ends in it.
template <class Key>
struct Interval {
  Key first;
  Key last;
  RuleIndex rule = kNoRule;
};

/// INVARIANT: `starts_` ascends; the rule at `starts_[i]` holds up to the next start.
/// Before the first start there is none. Memory is O(intervals).
template <class Key>
class IntervalMap {
 public:
  IntervalMap() = default;

  /// `next(key)` is the point behind `key`; never asked of `highest`.
  template <class Next>
  IntervalMap(std::vector<Interval<Key>> intervals, Key highest, Next next) {
    std::vector<Key> points;
    for (const Interval<Key>& interval : intervals) {
      points.push_back(interval.first);
      if (interval.last != highest) {
        points.push_back(next(interval.last));
      }
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::sort(intervals.begin(), intervals.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    sweep(intervals, points);
  }

  [[nodiscard]] RuleIndex find(const Key& key) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), key);
    return after == starts_.begin() ? kNoRule : rules_[static_cast<std::size_t>(after - starts_.begin()) - 1];
  }

  [[nodiscard]] const std::vector<Key>& starts() const { return starts_; }
  [[nodiscard]] RuleIndex rule(std::size_t at) const { return rules_[at]; }

 private:
  // The open intervals by rule; those that have ended are thrown out when they surface.
  void sweep(const std::vector<Interval<Key>>& intervals, const std::vector<Key>& points) {
    using Open = std::pair<RuleIndex, std::size_t>;
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
    std::size_t next = 0;
    for (const Key& point : points) {
      for (; next < intervals.size() && intervals[next].first == point; ++next) {
        open.emplace(intervals[next].rule, next);
      }
      while (!open.empty() && intervals[open.top().second].last < point) {
        open.pop();
      }
      const RuleIndex rule = open.empty() ? kNoRule : open.top().first;
      if (rules_.empty() ? rule != kNoRule : rule != rules_.back()) {
        starts_.push_back(point);
        rules_.push_back(rule);
      }
    }
  }

  std::vector<Key> starts_;
  std::vector<RuleIndex> rules_;
};

}  // namespace forge::policy
