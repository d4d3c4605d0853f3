// Shared by the parts of the lowering.
#pragma once

#include <string>
#include <string_view>

#include "forge/compiler/config.hpp"
#include "forge/compiler/lower.hpp"
#include "forge/compiler/schema.hpp"
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
  std::string shown;   ///< what of the text may be printed and stored (reveal.hpp)
};

/// How the entries of a list may be shown: shown_host, shown_name or shown_path.
using ShowText = std::string (*)(std::string_view);

/// What the parts of the lowering write to.
struct Lowering {
  Config& config;
  policy::DiagnosticSink& sink;

  /// Reports a finding at an entry; `where` narrows its span to a part of the
  /// text when the text is written without escapes. An error is listed in `dropped`.
  void report(policy::DiagnosticId id, const Entry& entry, std::string message, std::string help = {},
              std::optional<policy::Span> where = std::nullopt);
};

/// Calls f(entry) for every text of the list at `key` of `section`, up to the
/// limit that the shape check reports.
template <class F>
void for_each_text(const std::optional<NodeRef>& section, std::string_view key, std::string_view pointer,
                   ShowText show, F f);

void lower_network(const std::optional<NodeRef>& sandbox, const LowerOptions& options, Lowering& out);
void lower_env(const std::optional<NodeRef>& network, Lowering& out);
/// The notes about the variables that are passed, once it is known which are.
void note_env(Lowering& out);
void lower_secrets(const std::optional<NodeRef>& network, policy::Lan lan, Lowering& out);
void lower_mounts(const std::optional<NodeRef>& root, Lowering& out);
void lower_resources(const std::optional<NodeRef>& sandbox, Lowering& out);
void lower_permissions(const std::optional<NodeRef>& root, Lowering& out);

/// The span of a part of a string node's value, `where` counted from the value's
/// first byte; the whole node when escapes make the two differ.
[[nodiscard]] policy::Span part_of(const NodeRef& node, policy::Span where);

template <class F>
void for_each_text(const std::optional<NodeRef>& section, std::string_view key, std::string_view pointer,
                   ShowText show, F f) {
  const auto list = section ? section->member(key) : std::nullopt;
  if (!list || !list->is(grammar::NodeKind::Array)) {
    return;
  }
  std::size_t index = 0;
  list->for_each_element([&](const NodeRef& element) {
    if (index < kMaxListEntries && element.is(grammar::NodeKind::String)) {
      std::string text = element.text();
      std::string shown = show(text);
      f(Entry{element, std::move(text), index, pointer_to(pointer, index),
              std::string(key) + '[' + std::to_string(index) + ']', std::move(shown)});
    }
    ++index;
  });
}

}  // namespace forge::compiler
