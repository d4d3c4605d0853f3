#include "jsonc_keys.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>

namespace forge::grammar::jsonc {
namespace {

struct NamedKey {
  std::string_view name;
  std::uint32_t node = 0;
};

std::string_view between_quotes(const SyntaxTree& tree, const Node& key) {
  const std::string_view text = source_text(tree, key);
  return text.substr(1, text.size() - 2);
}

std::uint32_t next_key(const SyntaxTree& tree, std::uint32_t key) {
  return tree.nodes[tree.nodes[key].next].next;
}

// The usual object has a handful of keys without escapes, all different: no
// memory is taken to see that. False says nothing.
bool few_and_distinct(const SyntaxTree& tree, std::uint32_t begin) {
  std::array<std::string_view, 8> seen;
  std::size_t count = 0;
  for (std::uint32_t key = begin; key < tree.nodes.size(); key = next_key(tree, key)) {
    if (count == seen.size() || tree.nodes[key].escaped) {
      return false;
    }
    const std::string_view name = between_quotes(tree, tree.nodes[key]);
    const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(seen.begin(), end, name) != end) {
      return false;
    }
    seen[count++] = name;
  }
  return true;
}

}  // namespace

std::vector<KeyPair> repeated_keys(const SyntaxTree& tree, std::uint32_t begin) {
  if (few_and_distinct(tree, begin)) {
    return {};
  }
  std::deque<std::string> decoded;  // a deque: the names below point into it
  std::vector<NamedKey> keys;
  for (std::uint32_t key = begin; key < tree.nodes.size(); key = next_key(tree, key)) {
    const Node& node = tree.nodes[key];
    keys.push_back(
        {node.escaped ? decoded.emplace_back(string_value(tree, node)) : between_quotes(tree, node), key});
  }
  std::sort(keys.begin(), keys.end(), [](const NamedKey& a, const NamedKey& b) {
    const int order = a.name.compare(b.name);
    return order != 0 ? order < 0 : a.node < b.node;
  });
  std::vector<KeyPair> repeats;
  std::size_t first = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].name == keys[first].name) {
      repeats.push_back({keys[first].node, keys[i].node});
    } else {
      first = i;
    }
  }
  std::sort(repeats.begin(), repeats.end(),
            [](const KeyPair& a, const KeyPair& b) { return a.again < b.again; });
  return repeats;
}

}  // namespace forge::grammar::jsonc
