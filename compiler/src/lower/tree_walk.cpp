#include "forge/compiler/tree_walk.hpp"

#include <fmt/format.h>

namespace forge::compiler {

std::optional<NodeRef> NodeRef::member(std::string_view key) const {
  std::optional<NodeRef> found;
  if (is(grammar::NodeKind::Object)) {
    for_each_member([&](const NodeRef& name, const NodeRef& value) {
      if (!found && key_equals(name, key)) {
        found = value;
      }
    });
  }
  return found;
}

std::optional<NodeRef> root_of(const grammar::SyntaxTree& tree) {
  return tree.nodes.empty() ? std::nullopt : std::optional(NodeRef(tree, 0));
}

std::string pointer_to(std::string_view base, std::string_view key) {
  std::string out(base);
  out += '/';
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string pointer_to(std::string_view base, std::size_t index) { return fmt::format("{}/{}", base, index); }

bool key_equals(const NodeRef& key, std::string_view name) { return key.text() == name; }

}  // namespace forge::compiler
