#include "forge/compiler/suggestion.hpp"

#include <algorithm>

namespace forge::compiler {
namespace {

constexpr std::size_t kMaxComparedBytes = 64;

char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > kMaxComparedBytes || b.size() > kMaxComparedBytes) {
    return limit + 1;
  }
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = fold(a[i - 1]) == fold(b[j - 1]) ? 0 : 1;
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + cost});
      const bool swapped =
          i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]);
      if (swapped) {
        next[j] = std::min(next[j], before[j - 2] + 1);
      }
    }
    before = row;
    row = next;
  }
  return std::min(row[b.size()], limit + 1);
}

std::string_view nearest(std::string_view text, const std::vector<std::string_view>& candidates) {
  // One edit for short words, one for every three letters of longer ones.
  const std::size_t limit = std::max<std::size_t>(1, text.size() / 3);
  std::string_view best;
  std::size_t best_distance = limit + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate, limit);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace forge::compiler
