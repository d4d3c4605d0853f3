// Two lists of rules as blocks over a board of places and services, of which the first that
// covers a point decides, and the search for a point that one allows and the other denies.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forge/policy/net_policy.hpp"
#include "interval_map.hpp"

namespace forge::policy {

/// Neighbouring numbers, of places or of services; the end is not one of them.
struct Stretch {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

struct Block {
  Stretch places;
  Stretch services;
  RuleIndex order = 0;  ///< of two blocks at a point the lower one decides
  Verdict verdict = Verdict::Deny;
};

struct Board {
  Stretch places;
  Stretch services;
};

struct BoardPoint {
  std::uint32_t place = 0;
  std::uint32_t service = 0;
};

/// By order; a block that covers the whole board decides where no earlier one does, and
/// each list has one.
using Blocks = std::vector<Block>;

/// A point of the board that `a` allows and `b` denies; nothing where there is none. The
/// board is cut in halves until one block decides in each list, both say the same, or the
/// blocks are slabs.
[[nodiscard]] std::optional<BoardPoint> widened_point(Blocks a, Blocks b, const Board& board);

/// A stretch of blocks, all of one list, lowest order first.
struct BlockRange {
  const Block* first = nullptr;
  const Block* last = nullptr;

  [[nodiscard]] const Block* begin() const { return first; }
  [[nodiscard]] const Block* end() const { return last; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last - first); }
};

/// The same where each block is a slab: it covers all places or all services of the board.
/// O(n log n), however many points the slabs tell apart.
[[nodiscard]] std::optional<BoardPoint> widened_point_of_slabs(BlockRange a, BlockRange b,
                                                               const Board& board);

}  // namespace forge::policy
