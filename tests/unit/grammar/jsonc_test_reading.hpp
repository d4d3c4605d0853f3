// Reads a text and writes down what came of it, for the tests of the JSONC grammar.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/jsonc.hpp"
#include "forge/grammar/syntax_tree.hpp"
#include "forge/policy/diagnostic.hpp"
#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::grammar::test {

using policy::Diagnostic;
using policy::DiagnosticId;
using policy::Span;

struct Reading {
  SyntaxTree tree;
  std::vector<Diagnostic> findings;
  std::size_t errors = 0;
};

/// `text` must outlive the reading.
inline Reading read(std::string_view text) {
  policy::DiagnosticSink sink;
  SyntaxTree tree = parse_jsonc(text, sink);
  return {std::move(tree), sink.sorted(), sink.errors()};
}

inline std::string span_text(Span span) {
  return std::to_string(span.begin) + "-" + std::to_string(span.end);
}

/// Kind and span of every node in order: `O0-9 S1-4 N6-7`.
inline std::string spans_of(const SyntaxTree& tree) {
  constexpr std::string_view kLetters = "OASNTFZ";
  std::string out;
  for (const Node& node : tree.nodes) {
    out += out.empty() ? "" : " ";
    out += kLetters[static_cast<std::size_t>(node.kind)];
    out += span_text(node.span);
  }
  return out;
}

inline void write_shape(const SyntaxTree& tree, std::uint32_t index, std::string& out) {
  const Node& node = tree.nodes[index];
  const bool object = node.kind == NodeKind::Object;
  if (node.kind == NodeKind::String) {
    out += '<' + string_value(tree, node) + '>';
  } else if (!object && node.kind != NodeKind::Array) {
    out += source_text(tree, node);
  } else {
    out += object ? '{' : '[';
    std::size_t count = 0;
    for (std::uint32_t child = index + 1; child < node.next; child = tree.nodes[child].next) {
      out += count == 0 ? "" : (object && count % 2 == 1 ? ":" : ",");
      write_shape(tree, child, out);
      ++count;
    }
    out += object ? '}' : ']';
  }
}

/// The values without anything between them, strings decoded: `{<a>:[1,<b>]}`.
inline std::string shape_of(const SyntaxTree& tree) {
  std::string out;
  if (!tree.nodes.empty()) {
    write_shape(tree, 0, out);
  }
  return out;
}

/// Code and place of every finding: `FP1001@3-4 FP1012@9-10`.
inline std::string codes_of(const Reading& reading) {
  std::string out;
  for (const Diagnostic& finding : reading.findings) {
    out += (out.empty() ? "" : " ") + policy::code_text(finding.id) + "@" +
           span_text(finding.span.value_or(Span{}));
  }
  return out;
}

inline std::string printable(std::string_view text) {
  return policy::escape_for_display(text.substr(0, 200));
}

}  // namespace forge::grammar::test
