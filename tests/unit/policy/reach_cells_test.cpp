// The search for a point of a board that one list of blocks allows and another one denies,
// against a look at every point.
#include "src/reach_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace forge::policy::test {
namespace {

constexpr std::uint32_t kSide = 12;
constexpr Board kBoard{{0, kSide}, {0, kSide}};

Verdict at(const Blocks& blocks, const BoardPoint& point) {
  const auto holds = [](const Stretch& stretch, std::uint32_t number) {
    return stretch.begin <= number && number < stretch.end;
  };
  const Block* first = nullptr;
  for (const Block& block : blocks) {
    if (holds(block.places, point.place) && holds(block.services, point.service) &&
        (first == nullptr || block.order < first->order)) {
      first = &block;
    }
  }
  return first->verdict;
}

bool is_wider(const Blocks& a, const Blocks& b, const BoardPoint& point) {
  return at(a, point) == Verdict::Allow && at(b, point) == Verdict::Deny;
}

bool is_wider_somewhere(const Blocks& a, const Blocks& b) {
  for (std::uint32_t place = 0; place < kSide; ++place) {
    for (std::uint32_t service = 0; service < kSide; ++service) {
      if (is_wider(a, b, {place, service})) {
        return true;
      }
    }
  }
  return false;
}

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}

  std::uint32_t below(std::uint32_t count) {
    return std::uniform_int_distribution<std::uint32_t>(0, count - 1)(engine_);
  }
  Stretch stretch() {
    const std::uint32_t begin = below(kSide);
    return {begin, begin + 1 + below(kSide - begin)};
  }
  Verdict verdict() { return below(2) == 0 ? Verdict::Deny : Verdict::Allow; }

  enum class Shape : std::uint8_t { Any, Slab, SlabOrSmall };
  Block block(Shape shape, RuleIndex order) {
    Block out{stretch(), stretch(), order, verdict()};
    if (shape == Shape::Slab || (shape == Shape::SlabOrSmall && below(4) != 0)) {
      (below(2) == 0 ? out.places : out.services) = {0, kSide};
    }
    return out;
  }
  Blocks blocks(Shape shape, std::uint32_t count) {
    Blocks out;
    for (std::uint32_t i = 0; i < count; ++i) {
      out.push_back(block(shape, i));
    }
    out.push_back({kBoard.places, kBoard.services, count, verdict()});
    return out;
  }

 private:
  std::mt19937 engine_;
};

// As `a`, but for what lies elsewhere in the order without a change, and for one verdict.
Blocks like(const Blocks& a, Chance& chance) {
  Blocks out = a;
  const auto number = [&] { return chance.below(static_cast<std::uint32_t>(out.size()) - 1); };
  std::swap(out[number()].order, out[number()].order);
  if (chance.below(2) == 0) {
    out[number()].verdict = Verdict::Deny;
  }
  return out;
}

struct Counts {
  int wider = 0;
  int not_wider = 0;
};

void check(const Blocks& a, const Blocks& b, Counts& counts) {
  const auto found = widened_point(a, b, kBoard);
  ASSERT_EQ(found.has_value(), is_wider_somewhere(a, b));
  ASSERT_TRUE(!found || is_wider(a, b, *found)) << found->place << ", " << found->service;
  ++(found ? counts.wider : counts.not_wider);
}

void check_many(Chance::Shape shape, std::uint32_t most) {
  const unsigned seed = std::random_device{}();
  Chance chance(seed);
  Counts counts;
  for (int i = 0; i < 20'000; ++i) {
    const Blocks a = chance.blocks(shape, 1 + chance.below(most));
    const Blocks b = i % 2 == 0 ? chance.blocks(shape, 1 + chance.below(most)) : like(a, chance);
    ASSERT_NO_FATAL_FAILURE(check(a, b, counts)) << "seed " << seed << ", pair " << i;
  }
  EXPECT_GT(counts.wider, 1'000) << "seed " << seed;
  EXPECT_GT(counts.not_wider, 1'000) << "seed " << seed;
}

TEST(ReachCells, FindAPointOfFewBlocksWhereThereIsOne) { check_many(Chance::Shape::Any, 5); }
TEST(ReachCells, FindAPointOfManyBlocksWhereThereIsOne) { check_many(Chance::Shape::Any, 40); }
TEST(ReachCells, FindAPointOfSlabsWhereThereIsOne) { check_many(Chance::Shape::Slab, 25); }
TEST(ReachCells, FindAPointOfSlabsAndSmallBlocksWhereThereIsOne) {
  check_many(Chance::Shape::SlabOrSmall, 40);
}

}  // namespace
}  // namespace forge::policy::test
