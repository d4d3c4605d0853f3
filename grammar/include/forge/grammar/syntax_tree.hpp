// A JSONC document as it was written: a flat list of nodes with byte spans.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/span.hpp"

namespace forge::grammar {

enum class NodeKind : std::uint8_t { Object, Array, String, Number, True, False, Null };

/// One value or key. Nodes stand in document order; the first child of node `i`
/// is `i + 1`, and `next` is the index behind the whole subtree, so the
/// children of `i` are `i + 1`, `nodes[i + 1].next`, … up to `nodes[i].next`.
/// The children of an object are its keys and values in turn.
struct Node {
  policy::Span span;  ///< of a string: with its quotes
  std::uint32_t next = 0;
  NodeKind kind = NodeKind::Null;
  bool escaped = false;  ///< of a string: holds a backslash, so its value is not its text
};

/// A parsed text. Refers to the text it was parsed from, which must outlive it.
/// After syntax errors it holds what could be read; `complete` is then false.
struct SyntaxTree {
  std::string_view text;
  std::vector<Node> nodes;  ///< empty when there is no value at all
  bool complete = true;
};

/// The value of a string node: without quotes, escapes decoded, as UTF-8.
[[nodiscard]] std::string string_value(const SyntaxTree& tree, const Node& node);

/// The text of any node as written.
[[nodiscard]] std::string_view source_text(const SyntaxTree& tree, const Node& node);

}  // namespace forge::grammar
