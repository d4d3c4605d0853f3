// Shared by the parts of the lowering.
#pragma once

#include <string>
#include <string_view>

#include "forge/compiler/config.hpp"
#include "forge/compiler/lower.hpp"
#include "forge/compiler/tree_walk.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace forge::compiler {

/// One entry of a list, with what a finding about it needs.
struct Entry {
  NodeRef node;
  std::string text;
  std::size_t index = 0;
  std::string pointer;
  std::string origin;  ///< `allow[2]`, as the plan names it
};

/// What the parts of the lowering write to.
struct Lowering {
  Config& config;
  policy::DiagnosticSink& sink;

  /// Reports a finding at an entry; `where` narrows its span to a part of the
  /// text when the text is written without escapes. An error is listed in `dropped`.
  void report(policy::DiagnosticId id, const Entry& entry, std::string message, std::string help = {},
              std::optional<policy::Span> where = std::nullopt);
};

/// What of an entry may be printed and stored: people write `NAME=value` and
/// `user:password@host` where only a name belongs, and the value must not
/// travel on. The part that may be one is replaced by `...`.
[[nodiscard]] std::string without_value(std::string_view text);

/// Calls f(entry) for every text of the list at `key` of `section`.
template <class F>
void for_each_text(const std::optional<NodeRef>& section, std::string_view key, std::string_view pointer,
                   F f);

void lower_network(const std::optional<NodeRef>& sandbox, const LowerOptions& options, Lowering& out);
void lower_env(const std::optional<NodeRef>& network, Lowering& out);
void lower_secrets(const std::optional<NodeRef>& network, policy::Lan lan, Lowering& out);
void lower_mounts(const std::optional<NodeRef>& root, Lowering& out);
void lower_resources(const std::optional<NodeRef>& sandbox, Lowering& out);
void lower_permissions(const std::optional<NodeRef>& root, Lowering& out);

/// The span of a part of a string node's value, `where` counted from the value's
/// first byte; the whole node when escapes make the two differ.
[[nodiscard]] policy::Span part_of(const NodeRef& node, policy::Span where);

template <class F>
void for_each_text(const std::optional<NodeRef>& section, std::string_view key, std::string_view pointer,
                   F f) {
  const auto list = section ? section->member(key) : std::nullopt;
  if (!list || !list->is(grammar::NodeKind::Array)) {
    return;
  }
  std::size_t index = 0;
  list->for_each_element([&](const NodeRef& element) {
    if (element.is(grammar::NodeKind::String)) {
      f(Entry{element, element.text(), index, pointer_to(pointer, index),
              std::string(key) + '[' + std::to_string(index) + ']'});
    }
    ++index;
  });
}

}  // namespace forge::compiler
