// Properties of reading JSONC, beyond not crashing: a tree is complete or an error was
// reported, never both or neither; places nest and stand in order; a complete tree printed
// without all that is between its tokens is read as the same tree.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/jsonc.hpp"
#include "forge/grammar/syntax_tree.hpp"
#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/utf8.hpp"

namespace {

using forge::grammar::Node;
using forge::grammar::NodeKind;
using forge::grammar::SyntaxTree;
using forge::policy::Diagnostic;
using forge::policy::DiagnosticSink;
using forge::policy::Span;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

bool is_container(const Node& node) { return node.kind == NodeKind::Object || node.kind == NodeKind::Array; }

void check_span(Span span, std::size_t size) { require(span.begin <= span.end && span.end <= size); }

void check_finding(const Diagnostic& finding, std::size_t size) {
  require(finding.span.has_value());
  check_span(*finding.span, size);
  for (const auto& related : finding.related) {
    check_span(related.span, size);
  }
  require(!finding.message.empty() && finding.message.find('\n') == std::string::npos);
  require(forge::policy::is_valid_utf8(finding.message));
  require(forge::policy::is_valid_utf8(finding.pointer));
}

void check_findings(const SyntaxTree& tree, const DiagnosticSink& sink) {
  require(tree.complete == (sink.errors() == 0));
  require(tree.complete == !sink.stops_plan());
  require(sink.errors() <= forge::grammar::kMaxSyntaxErrors);
  for (const Diagnostic& finding : sink.sorted()) {
    check_finding(finding, tree.text.size());
  }
}

void check_children(const SyntaxTree& tree, std::uint32_t index) {
  const Node& node = tree.nodes[index];
  std::uint32_t previous_end = node.span.begin + 1;
  std::size_t count = 0;
  for (std::uint32_t child = index + 1; child < node.next; child = tree.nodes[child].next) {
    const Node& inner = tree.nodes[child];
    require(inner.span.begin >= previous_end && inner.span.end <= node.span.end);
    require(inner.next > child && inner.next <= node.next);
    const bool key = node.kind == NodeKind::Object && count % 2 == 0;
    require(!key || inner.kind == NodeKind::String);
    previous_end = inner.span.end;
    ++count;
  }
  require(node.kind != NodeKind::Object || count % 2 == 0);
}

void check_node(const SyntaxTree& tree, std::uint32_t index) {
  const Node& node = tree.nodes[index];
  check_span(node.span, tree.text.size());
  require(node.span.begin < node.span.end);
  if (is_container(node)) {
    check_children(tree, index);
  } else {
    require(node.next == index + 1);
  }
  if (node.kind == NodeKind::String) {
    const std::string_view text = source_text(tree, node);
    require(text.size() >= 2 && text.front() == '"' && text.back() == '"');
    require(node.escaped == (text.find('\\') != std::string_view::npos));
    require(forge::policy::is_valid_utf8(string_value(tree, node)));
  }
}

void check_tree(const SyntaxTree& tree) {
  require(!tree.complete || !tree.nodes.empty());
  require(tree.nodes.empty() || tree.nodes[0].next == tree.nodes.size());
  for (std::uint32_t index = 0; index < tree.nodes.size(); ++index) {
    check_node(tree, index);
  }
}

// Depth is bounded by kMaxNesting.
void print(const SyntaxTree& tree, std::uint32_t index, std::string& out) {
  const Node& node = tree.nodes[index];
  if (!is_container(node)) {
    out += source_text(tree, node);
    return;
  }
  const bool object = node.kind == NodeKind::Object;
  out += object ? '{' : '[';
  std::size_t count = 0;
  for (std::uint32_t child = index + 1; child < node.next; child = tree.nodes[child].next) {
    if (count != 0) {
      out += object && count % 2 == 1 ? ':' : ',';
    }
    print(tree, child, out);
    ++count;
  }
  out += object ? '}' : ']';
}

void check_same(const SyntaxTree& a, const SyntaxTree& b) {
  require(b.complete && a.nodes.size() == b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const Node& left = a.nodes[i];
    const Node& right = b.nodes[i];
    require(left.kind == right.kind && left.next == right.next && left.escaped == right.escaped);
    if (left.kind == NodeKind::String) {
      require(string_value(a, left) == string_value(b, right));
    } else if (!is_container(left)) {
      require(source_text(a, left) == source_text(b, right));
    }
  }
}

void check_reprint(const SyntaxTree& tree) {
  std::string text;
  print(tree, 0, text);
  DiagnosticSink sink;
  const SyntaxTree again = forge::grammar::parse_jsonc(text, sink);
  check_same(tree, again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  DiagnosticSink sink;
  const SyntaxTree tree = forge::grammar::parse_jsonc(text, sink);
  check_findings(tree, sink);
  check_tree(tree);
  if (tree.complete) {
    check_reprint(tree);
  }
  return 0;
}
