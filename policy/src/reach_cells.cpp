#include "reach_cells.hpp"

#include <algorithm>
#include <array>

namespace forge::policy {
namespace {

// Up to so many blocks are cut along their edges; more at the middle, or all at once.
constexpr std::size_t kFewBlocks = 8;

Stretch common(const Stretch& a, const Stretch& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

bool same(BlockRange a, BlockRange b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Block& x, const Block& y) {
    return x.verdict == y.verdict && x.places == y.places && x.services == y.services;
  });
}

bool any_of(BlockRange blocks, Verdict verdict) {
  return std::any_of(blocks.begin(), blocks.end(), [&](const Block& at) { return at.verdict == verdict; });
}

// How the blocks of a cell lie in it.
struct Lying {
  std::size_t count = 0;      // without those that cover the cell
  bool cut_places = false;    // some block covers not all places
  bool cut_services = false;  // some block covers not all services
  bool all_slabs = true;
};

// Which slabs a cell has already, by where they begin. Forgets by counting on.
class Met {
 public:
  explicit Met(Stretch whole) : begin_(whole.begin), ends_(whole.size()) {}

  void forget() { ++round_; }

  // False when an earlier one holds it.
  bool is_new(const Stretch& slab) {
    End& end = ends_[slab.begin - begin_];
    if (end.round == round_ && end.end >= slab.end) {
      return false;
    }
    end = {round_, slab.end};
    return true;
  }

 private:
  struct End {
    std::uint64_t round = 0;
    std::uint32_t end = 0;
  };
  std::uint32_t begin_;
  std::vector<End> ends_;
  std::uint64_t round_ = 0;
};

class Search {
 public:
  Search(Blocks a, Blocks b, const Board& board)
      : lists_{std::move(a), std::move(b)}, met_places_(board.places), met_services_(board.services) {}

  // The blocks of the cell are the ends of the lists, clipped to it; the last one of each
  // covers it and no other one does.
  std::optional<BoardPoint> in(const Board& cell, std::array<std::size_t, 2> from) {
    const BlockRange a = range(0, from[0]);
    const BlockRange b = range(1, from[1]);
    if (!any_of(a, Verdict::Allow) || !any_of(b, Verdict::Deny) || same(a, b)) {
      return std::nullopt;
    }
    if (a.size() == 1 && b.size() == 1) {
      return BoardPoint{cell.places.begin, cell.services.begin};
    }
    Lying lying;
    look(a, cell, lying);
    look(b, cell, lying);
    if (lying.all_slabs && lying.count > kFewBlocks) {
      return widened_point_of_slabs(a, b, cell);
    }
    // The longer side is halved: so no slab meets too many cells.
    const bool places =
        lying.cut_places && (!lying.cut_services || cell.places.size() >= cell.services.size());
    Stretch Board::*const axis = places ? &Board::places : &Board::services;
    Stretch Block::*const side = places ? &Block::places : &Block::services;
    const Stretch whole = cell.*axis;
    const std::uint32_t cut =
        lying.count > kFewBlocks ? whole.begin + whole.size() / 2 : edge_in(whole, a, b, side);
    for (const Stretch half : {Stretch{whole.begin, cut}, Stretch{cut, whole.end}}) {
      Board part = cell;
      part.*axis = half;
      if (const auto found = in_part(part, from)) {
        return found;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] BlockRange range(std::size_t list, std::size_t from) const {
    const Blocks& blocks = lists_.at(list);
    return {blocks.data() + from, blocks.data() + blocks.size()};
  }

  static void look(BlockRange blocks, const Board& cell, Lying& lying) {
    for (const Block& block : blocks) {
      const bool all_places = block.places == cell.places;
      const bool all_services = block.services == cell.services;
      lying.count += all_places && all_services ? 0 : 1;
      lying.cut_places = lying.cut_places || !all_places;
      lying.cut_services = lying.cut_services || !all_services;
      lying.all_slabs = lying.all_slabs && (all_places || all_services);
    }
  }

  // An edge of a block within the stretch; there is one.
  static std::uint32_t edge_in(const Stretch& whole, BlockRange a, BlockRange b, Stretch Block::*side) {
    for (const BlockRange blocks : {a, b}) {
      for (const Block& block : blocks) {
        const Stretch& stretch = block.*side;
        if (stretch.begin != whole.begin) {
          return stretch.begin;
        }
        if (stretch.end != whole.end) {
          return stretch.end;
        }
      }
    }
    return whole.begin + whole.size() / 2;
  }

  std::optional<BoardPoint> in_part(const Board& part, std::array<std::size_t, 2> from) {
    std::array<std::size_t, 2> ends{};
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      ends.at(list) = lists_.at(list).size();
      clip(lists_.at(list), from.at(list), part);
    }
    const auto found = in(part, ends);
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      lists_.at(list).resize(ends.at(list));
    }
    return found;
  }

  // Adds the blocks from `from` on, as far as they lie in the part and up to the first one
  // that covers it; without slabs that an earlier one holds, for of those there can be many.
  void clip(Blocks& blocks, std::size_t from, const Board& part) {
    met_places_.forget();
    met_services_.forget();
    const std::size_t end = blocks.size();
    for (std::size_t i = from; i < end; ++i) {
      Block block = blocks[i];
      block.places = common(block.places, part.places);
      block.services = common(block.services, part.services);
      if (block.places.begin >= block.places.end || block.services.begin >= block.services.end) {
        continue;
      }
      const bool all_places = block.places == part.places;
      const bool all_services = block.services == part.services;
      if ((all_services && !met_places_.is_new(block.places)) ||
          (all_places && !met_services_.is_new(block.services))) {
        continue;
      }
      blocks.push_back(block);
      if (all_places && all_services) {
        return;
      }
    }
  }

  std::array<Blocks, 2> lists_;
  Met met_places_;
  Met met_services_;
};

}  // namespace

std::optional<BoardPoint> widened_point(Blocks a, Blocks b, const Board& board) {
  for (Blocks* blocks : {&a, &b}) {
    std::sort(blocks->begin(), blocks->end(), [](const auto& x, const auto& y) { return x.order < y.order; });
    const auto covers = std::find_if(blocks->begin(), blocks->end(), [&](const Block& block) {
      return block.places == board.places && block.services == board.services;
    });
    blocks->erase(covers == blocks->end() ? covers : covers + 1, blocks->end());
  }
  return Search(std::move(a), std::move(b), board).in(board, {0, 0});
}

}  // namespace forge::policy
