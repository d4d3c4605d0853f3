#include "jsonc_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "forge/policy/utf8.hpp"
#include "jsonc_keys.hpp"

namespace forge::grammar::jsonc {
namespace {

using policy::DiagnosticId;

// Beyond this a pointer helps nobody, and a file with long keys around many
// repeated ones would cost time and memory for each repeat.
constexpr std::size_t kMaxPointerBytes = 4096;

// RFC 6901 section 3.
void append_token(std::string& pointer, std::string_view name) {
  pointer += '/';
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

}  // namespace

policy::Span Reader::bracket_at(std::size_t level) const {
  const std::uint32_t begin = tree_.nodes[open_[level].node].span.begin;
  return {begin, begin + 1};
}

void Reader::fault(policy::Span where, Finding finding, std::vector<policy::Related> related) {
  sink_.report(
      {finding.id, std::move(finding.message), where, {}, std::move(finding.help), std::move(related)});
  count_error();
}

void Reader::count_error() {
  tree_.complete = false;
  ++errors_;
  if (errors_ >= kMaxSyntaxErrors) {
    throw Stop{};
  }
}

void Reader::stop_at_depth(const char* bracket) {
  fault(span(bracket, bracket + 1),
        {DiagnosticId::NestingTooDeep, fmt::format("values are nested deeper than {} levels", kMaxNesting),
         "flatten the value; nothing after this place was read"});
  throw Stop{};
}

void Reader::check_keys() {
  for (const KeyPair& pair : repeated_keys(tree_, open_[depth_ - 1].node + 1)) {
    duplicate_key(tree_.nodes[pair.again], tree_.nodes[pair.first]);
  }
}

void Reader::duplicate_key(const Node& key, const Node& first) {
  const std::string name = string_value(tree_, key);
  sink_.report({DiagnosticId::DuplicateKey,
                policy::is_plain_word(name) ? fmt::format("the key `{}` is given twice in one object", name)
                                            : std::string("this key is given twice in one object"),
                key.span,
                pointer_to(key),
                "merge the two values and keep one key",
                {{"first given here", first.span}}});
  count_error();
}

// The key of a container stands right before it; an array's index is how many
// members were read before.
std::string Reader::pointer_to(const Node& key) const {
  std::string pointer;
  for (std::size_t level = 0; level < depth_; ++level) {
    if (kind_at(level) == NodeKind::Array) {
      append_token(pointer, std::to_string(open_[level].members));
      continue;
    }
    const Node& name = level + 1 == depth_ ? key : tree_.nodes[open_[level + 1].node - 1];
    if (pointer.size() + source_text(tree_, name).size() > kMaxPointerBytes) {
      return {};
    }
    append_token(pointer, string_value(tree_, name));
  }
  return pointer;
}

void Reader::warn_invisible(policy::Span where, char32_t character, std::string_view place) {
  sink_.report(
      {DiagnosticId::InvisibleCharacter,
       fmt::format("the invisible character U+{:04X} in a {}", static_cast<std::uint32_t>(character), place),
       where,
       {},
       "remove it, so that the text reads as it is",
       {}});
}

void Reader::warn_invisible_in_string(policy::Span where, char32_t character) {
  if (!std::exchange(string_.warned, true)) {
    warn_invisible(where, character, "string");
  }
}

void Reader::finish() {
  if (depth_ > 0) {
    drop_member();
  }
  while (depth_ > 0) {
    Node& node = tree_.nodes[open_[--depth_].node];
    node.span.end = offset(text_end());
    node.next = node_count();
  }
}

}  // namespace forge::grammar::jsonc
