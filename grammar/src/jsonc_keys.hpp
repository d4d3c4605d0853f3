// Keys that an object has more than once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "forge/grammar/syntax_tree.hpp"

namespace forge::grammar::jsonc {

/// Indices of two key nodes with the same value: the first one, and a later one.
struct KeyPair {
  std::uint32_t first = 0;
  std::uint32_t again = 0;
};

/// Every repeated key among the children of an object that begin at node
/// `begin` and reach up to the end of the nodes, by place. Costs n log n at worst,
/// whatever the keys are: a hash table could be attacked with chosen keys.
[[nodiscard]] std::vector<KeyPair> repeated_keys(const SyntaxTree& tree, std::uint32_t begin);

}  // namespace forge::grammar::jsonc
