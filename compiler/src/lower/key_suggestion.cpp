#include "key_suggestion.hpp"

#include <algorithm>

#include "forge/compiler/schema.hpp"

namespace forge::compiler {
namespace {

// The last component of a path, and the path before it (`a.b[].c` gives `a.b[]` and `c`).
std::string_view last_component(std::string_view path) { return path.substr(path.rfind('.') + 1); }

std::string_view parent_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

bool is_settable(const KeyRow& row) {
  return row.type != KeyType::Legacy && row.type != KeyType::Hint && !row.path.empty();
}

}  // namespace

std::vector<std::string_view> keys_in(std::string_view path) {
  std::vector<std::string_view> keys;
  for (const KeyRow& row : schema_table()) {
    if (is_settable(row) && parent_of(row.path) == path && last_component(row.path) != "*") {
      keys.push_back(last_component(row.path));
    }
  }
  return keys;
}

std::vector<std::string_view> sections_that_know(std::string_view name) {
  std::vector<std::string_view> paths;
  for (const KeyRow& row : schema_table()) {
    if (is_settable(row) && last_component(row.path) == name) {
      paths.push_back(row.path);
    }
  }
  // A name like `enabled` stands in so many sections that naming them helps nobody.
  return paths.size() <= 3 ? paths : std::vector<std::string_view>();
}

}  // namespace forge::compiler
