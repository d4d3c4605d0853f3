#include "forge/compiler/schema.hpp"

#include <algorithm>
#include <array>

namespace forge::compiler {
namespace {

constexpr std::array kRows = {
#define FORGE_KEY(path, type, minimum, maximum, default_value, doc) \
  KeyRow{path, KeyType::type, minimum, maximum, default_value, doc},
#define FORGE_LEGACY(path, doc) KeyRow{path, KeyType::Legacy, 0, 0, "", doc},
#define FORGE_KEY_HINT(path, doc) KeyRow{path, KeyType::Hint, 0, 0, "", doc},
#include "forge/compiler/schema.def"
#undef FORGE_KEY
#undef FORGE_LEGACY
#undef FORGE_KEY_HINT
};

constexpr bool sorted() {
  for (std::size_t i = 1; i < kRows.size(); ++i) {
    if (kRows[i - 1].path >= kRows[i].path) {
      return false;
    }
  }
  return true;
}
static_assert(sorted(), "schema.def must be sorted by path, each path once");

}  // namespace

std::span<const KeyRow> schema_table() { return kRows; }

const KeyRow* find_key(std::string_view path) {
  const auto row = std::lower_bound(kRows.begin(), kRows.end(), path,
                                    [](const KeyRow& a, std::string_view wanted) { return a.path < wanted; });
  return row != kRows.end() && row->path == path ? &*row : nullptr;
}

}  // namespace forge::compiler
