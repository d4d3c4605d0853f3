#include <algorithm>
#include <vector>

#include "reach_cells.hpp"

namespace forge::policy {
namespace {

// Neighbouring places (or services) at which the same slabs lie, by their number in each
// list. Where a strip of places and a strip of services cross, the lower number decides.
struct Strip {
  std::uint32_t at = 0;
  RuleIndex of_a = kNoRule;
  RuleIndex of_b = kNoRule;
};

enum class Side : std::uint8_t { Places, Services };

Stretch side_of(const Block& block, Side side) {
  return side == Side::Places ? block.places : block.services;
}

// A block that covers the board counts as a slab of places.
bool is_slab_of(const Block& block, Side side, const Board& board) {
  const bool of_places = block.services == board.services;
  return of_places == (side == Side::Places);
}

IntervalMap<std::uint32_t> painted(BlockRange blocks, Side side, const Board& board) {
  std::vector<Interval<std::uint32_t>> intervals;
  for (const Block& block : blocks) {
    if (is_slab_of(block, side, board)) {
      const Stretch stretch = side_of(block, side);
      intervals.push_back({stretch.begin, stretch.end - 1, static_cast<RuleIndex>(&block - blocks.first)});
    }
  }
  constexpr auto kHighest = std::numeric_limits<std::uint32_t>::max();
  return {std::move(intervals), kHighest, [](std::uint32_t key) { return key + 1; }};
}

std::vector<Strip> strips(BlockRange a, BlockRange b, Side side, const Board& board) {
  const auto of_a = painted(a, side, board);
  const auto of_b = painted(b, side, board);
  const Stretch whole = side == Side::Places ? board.places : board.services;
  std::vector<std::uint32_t> starts = {whole.begin};
  std::merge(of_a.starts().begin(), of_a.starts().end(), of_b.starts().begin(), of_b.starts().end(),
             std::back_inserter(starts));
  std::vector<Strip> out;
  for (const std::uint32_t start : starts) {
    if (start < whole.end && (out.empty() || out.back().at != start)) {
      out.push_back({start, of_a.find(start), of_b.find(start)});
    }
  }
  return out;
}

// A strip as a point; of two that cross the one in `above` has more of both.
struct Corner {
  RuleIndex of_a = 0;
  RuleIndex of_b = 0;
  std::uint32_t at = 0;
};
struct Crossing {
  std::uint32_t below = 0;
  std::uint32_t above = 0;
};

// One of `below` and one of `above` that has more of both; nothing where there are none.
std::optional<Crossing> crossing(std::vector<Corner> below, std::vector<Corner> above) {
  const auto falling = [](const Corner& x, const Corner& y) { return x.of_a > y.of_a; };
  std::sort(below.begin(), below.end(), falling);
  std::sort(above.begin(), above.end(), falling);
  const Corner* most = nullptr;
  auto next = above.begin();
  for (const Corner& corner : below) {
    for (; next != above.end() && next->of_a > corner.of_a; ++next) {
      most = most == nullptr || next->of_b > most->of_b ? &*next : most;
    }
    if (most != nullptr && most->of_b > corner.of_b) {
      return Crossing{corner.at, most->at};
    }
  }
  return std::nullopt;
}

class Slabs {
 public:
  Slabs(BlockRange a, BlockRange b) : a_(a), b_(b) {}

  // Where a strip of `deciding` decides for both lists.
  [[nodiscard]] std::optional<Crossing> by_one(const std::vector<Strip>& deciding,
                                               const std::vector<Strip>& other) const {
    std::vector<Corner> below;
    std::vector<Corner> above;
    for (const Strip& strip : deciding) {
      if (allows(strip) && denies(strip)) {
        below.push_back({strip.of_a, strip.of_b, strip.at});
      }
    }
    above.reserve(other.size());
    for (const Strip& strip : other) {
      above.push_back({strip.of_a, strip.of_b, strip.at});
    }
    return crossing(std::move(below), std::move(above));
  }

  // Where a strip of `of_a` decides for the first list and one of `of_b` for the second.
  [[nodiscard]] std::optional<Crossing> by_both(const std::vector<Strip>& of_a,
                                                const std::vector<Strip>& of_b) const {
    std::vector<Corner> below;
    std::vector<Corner> above;
    for (const Strip& strip : of_a) {
      if (allows(strip)) {
        below.push_back({strip.of_a, ~strip.of_b, strip.at});  // ~ turns the order round
      }
    }
    for (const Strip& strip : of_b) {
      if (denies(strip)) {
        above.push_back({strip.of_a, ~strip.of_b, strip.at});
      }
    }
    return crossing(std::move(below), std::move(above));
  }

 private:
  [[nodiscard]] bool allows(const Strip& strip) const {
    return strip.of_a != kNoRule && a_.first[strip.of_a].verdict == Verdict::Allow;
  }
  [[nodiscard]] bool denies(const Strip& strip) const {
    return strip.of_b != kNoRule && b_.first[strip.of_b].verdict == Verdict::Deny;
  }

  BlockRange a_;
  BlockRange b_;
};

}  // namespace

std::optional<BoardPoint> widened_point_of_slabs(BlockRange a, BlockRange b, const Board& board) {
  const auto places = strips(a, b, Side::Places, board);
  const auto services = strips(a, b, Side::Services, board);
  const Slabs slabs(a, b);
  for (const auto& found : {slabs.by_one(places, services), slabs.by_both(places, services)}) {
    if (found) {
      return BoardPoint{found->below, found->above};
    }
  }
  for (const auto& found : {slabs.by_one(services, places), slabs.by_both(services, places)}) {
    if (found) {
      return BoardPoint{found->above, found->below};
    }
  }
  return std::nullopt;
}

}  // namespace forge::policy
