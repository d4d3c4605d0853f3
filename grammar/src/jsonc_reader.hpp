// What the grammar's rules write to: the nodes, the open containers, the findings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tao/pegtl/memory_input.hpp>
#include <vector>

#include "forge/grammar/jsonc.hpp"
#include "forge/grammar/syntax_tree.hpp"
#include "forge/policy/diagnostic.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace forge::grammar::jsonc {

/// Lazy positions: counting lines while reading would cost several times the reading.
using Input =
    tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy, tao::pegtl::eol::lf_crlf, const char*>;

/// Thrown when a member cannot be read on. What went wrong has been reported.
struct Slip {
  enum class Then : std::uint8_t {
    SkipMember,  ///< go on at the next `,` or bracket of this level
    ReadOn,      ///< go on at `resume`, as if the member ended there
  };
  const char* resume = nullptr;
  Then then = Then::SkipMember;
};

/// Thrown to end the reading of the text. The reason has been reported.
struct Stop {};

/// Everything but the message's place.
struct Finding {
  policy::DiagnosticId id{};
  std::string message;
  std::string help;
};

/// An array or object whose closing bracket has not been read yet.
struct OpenContainer {
  std::uint32_t node = 0;
  std::uint32_t members = 0;      ///< read in full
  std::uint32_t members_end = 0;  ///< how many nodes there were after the last of them
};

class Reader {
 public:
  Reader(SyntaxTree& tree, policy::DiagnosticSink& sink)
      : tree_(tree), sink_(sink), base_(tree.text.data()) {}

  [[nodiscard]] std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - base_); }
  [[nodiscard]] policy::Span span(const char* begin, const char* end) const {
    return {offset(begin), offset(end)};
  }
  [[nodiscard]] const char* text_end() const { return base_ + tree_.text.size(); }

  void add(NodeKind kind, const char* begin, const char* end) {
    tree_.nodes.push_back({span(begin, end), node_count() + 1, kind, false});
  }

  void begin_string(const char* quote) { string_ = {quote, false, false}; }
  void note_escape() { string_.escaped = true; }
  void end_string(const char* end) {
    tree_.nodes.push_back({span(string_.begin, end), node_count() + 1, NodeKind::String, string_.escaped});
  }
  [[nodiscard]] const char* string_begin() const { return string_.begin; }

  void open(NodeKind kind, const char* bracket) {
    if (depth_ == kMaxNesting) {
      stop_at_depth(bracket);
    }
    const std::uint32_t node = node_count();
    tree_.nodes.push_back({span(bracket, bracket + 1), 0, kind, false});
    open_[depth_++] = {node, 0, node + 1};
  }
  void close(const char* end) {
    const OpenContainer& top = open_[depth_ - 1];
    Node& node = tree_.nodes[top.node];
    if (node.kind == NodeKind::Object && top.members > 1) {
      check_keys();
    }
    node.span.end = offset(end);
    node.next = node_count();
    --depth_;
  }
  void end_member() {
    OpenContainer& top = open_[depth_ - 1];
    ++top.members;
    top.members_end = node_count();
  }
  /// Takes back what was read of a member that turned out faulty.
  void drop_member() { tree_.nodes.resize(open_[depth_ - 1].members_end); }

  [[nodiscard]] std::size_t depth() const { return depth_; }
  /// The kind and the opening bracket of an open container; 0 is the outermost.
  [[nodiscard]] NodeKind kind_at(std::size_t level) const { return tree_.nodes[open_[level].node].kind; }
  [[nodiscard]] policy::Span bracket_at(std::size_t level) const;
  [[nodiscard]] NodeKind kind() const { return kind_at(depth_ - 1); }
  [[nodiscard]] const Node& last_node() const { return tree_.nodes.back(); }
  [[nodiscard]] std::string_view text(const Node& node) const { return source_text(tree_, node); }

  /// Reports an error; throws Stop when it was the last one allowed.
  void fault(policy::Span where, Finding finding, std::vector<policy::Related> related = {});
  /// Warns of an invisible character in a comment or string.
  void warn_invisible(policy::Span where, char32_t character, std::string_view place);
  void warn_invisible_in_string(policy::Span where, char32_t character);

  /// Where the reading went on after the latest slip: what is missing right
  /// there is part of that slip and no finding of its own.
  void resumed(const char* at) { resumed_at_ = at; }
  [[nodiscard]] bool just_resumed(const char* at) const { return at == resumed_at_; }

  /// From here on brackets that do not fit in the end are no news.
  void doubt_brackets() { brackets_in_doubt_ = true; }
  [[nodiscard]] bool brackets_in_doubt() const { return brackets_in_doubt_; }

  /// A bracket at `at` ends more than one container; the inner ones lack theirs.
  void closes_several(const char* at) { closing_at_ = at; }
  [[nodiscard]] bool is_closing_several(const char* at) const { return at == closing_at_; }

  [[nodiscard]] std::size_t errors() const { return errors_; }

  /// Closes what is still open when the reading ended early.
  void finish();

 private:
  struct OpenString {
    const char* begin = nullptr;
    bool escaped = false;
    bool warned = false;
  };

  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(tree_.nodes.size()); }
  [[noreturn]] void stop_at_depth(const char* bracket);
  void check_keys();
  void duplicate_key(const Node& key, const Node& first);
  [[nodiscard]] std::string pointer_to(const Node& key) const;
  void count_error();

  SyntaxTree& tree_;
  policy::DiagnosticSink& sink_;
  const char* base_;
  std::size_t depth_ = 0;
  OpenString string_;
  std::array<OpenContainer, kMaxNesting> open_{};
  const char* resumed_at_ = nullptr;
  const char* closing_at_ = nullptr;
  std::size_t errors_ = 0;
  bool brackets_in_doubt_ = false;
};

}  // namespace forge::grammar::jsonc
