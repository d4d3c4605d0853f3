// Walks a syntax tree by keys and indexes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/syntax_tree.hpp"

namespace forge::compiler {

/// A node of a tree, by index. Cheap to copy; valid as long as the tree.
class NodeRef {
 public:
  NodeRef(const grammar::SyntaxTree& tree, std::uint32_t index) : tree_(&tree), index_(index) {}

  [[nodiscard]] grammar::NodeKind kind() const { return node().kind; }
  [[nodiscard]] policy::Span span() const { return node().span; }
  [[nodiscard]] std::string text() const { return grammar::string_value(*tree_, node()); }
  [[nodiscard]] std::string_view source() const { return grammar::source_text(*tree_, node()); }
  [[nodiscard]] bool is(grammar::NodeKind wanted) const { return kind() == wanted; }
  [[nodiscard]] bool is_boolean() const {
    return is(grammar::NodeKind::True) || is(grammar::NodeKind::False);
  }

  struct Member;
  /// Calls f(key, value) for each member of an object, f(value) for each element of an array.
  template <class F>
  void for_each_member(F f) const {
    for (std::uint32_t at = index_ + 1; at < node().next;) {
      const NodeRef key(*tree_, at);
      const NodeRef value(*tree_, key.node().next);
      f(key, value);
      at = value.node().next;
    }
  }
  template <class F>
  void for_each_element(F f) const {
    for (std::uint32_t at = index_ + 1; at < node().next; at = NodeRef(*tree_, at).node().next) {
      f(NodeRef(*tree_, at));
    }
  }

  /// The value of the first member called `key`; nothing when this is no object or has none.
  [[nodiscard]] std::optional<NodeRef> member(std::string_view key) const;

 private:
  [[nodiscard]] const grammar::Node& node() const { return tree_->nodes[index_]; }

  const grammar::SyntaxTree* tree_;
  std::uint32_t index_;
};

/// The document's value, if there is one.
[[nodiscard]] std::optional<NodeRef> root_of(const grammar::SyntaxTree& tree);

/// `base/key` with the key escaped as RFC 6901 asks.
[[nodiscard]] std::string pointer_to(std::string_view base, std::string_view key);
[[nodiscard]] std::string pointer_to(std::string_view base, std::size_t index);

/// A quick text comparison that avoids decoding where no escape is used.
[[nodiscard]] bool key_equals(const NodeRef& key, std::string_view name);

}  // namespace forge::compiler
