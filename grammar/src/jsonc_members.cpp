// Going on after a fault inside an array or object.
#include "jsonc_members.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "forge/policy/utf8.hpp"
#include "jsonc_actions.hpp"
#include "jsonc_rules.hpp"
#include "jsonc_slips.hpp"

namespace forge::grammar::jsonc {
namespace {

using policy::DiagnosticId;

template <typename Rule>
bool take(Input& in, Reader& reader) {
  return pegtl::parse<Rule, action, control>(in, reader);
}

// Up to the `,` or the bracket at this level, over strings, comments and nested
// brackets. Only depth is counted, so the nesting of what is skipped costs nothing.
void skip_member(Input& in, Reader& reader) {
  std::size_t depth = 0;
  while (take<rules::skipped_gap>(in, reader) && !in.empty()) {
    const char c = in.peek_char();
    const bool closing = c == ']' || c == '}';
    if (depth == 0 && (closing || c == ',')) {
      return;
    }
    if (take<rules::skipped_string>(in, reader)) {
      continue;
    }
    depth += c == '[' || c == '{' ? 1 : 0;
    depth -= closing ? 1 : 0;
    in.bump(1);
  }
}

void skip_and_resume(Input& in, Reader& reader) {
  skip_member(in, reader);
  reader.resumed(in.current());
}

// The innermost open container that `bracket` can close.
std::optional<std::size_t> level_closed_by(const Reader& reader, char bracket) {
  for (std::size_t level = reader.depth(); level > 0; --level) {
    if (closing_of(reader.kind_at(level - 1)) == bracket) {
      return level - 1;
    }
  }
  return std::nullopt;
}

bool only_gap_follows(const char* at, const Reader& reader) {
  const auto rest = std::string_view(at, static_cast<std::size_t>(reader.text_end() - at));
  SyntaxTree scratch{rest, {}, true};
  policy::DiagnosticSink unheard;
  Reader nobody(scratch, unheard);
  Input in(at, reader.text_end(), "");
  try {
    return take<rules::gap>(in, nobody) && in.empty();
  } catch (const Stop&) {
    return false;
  }
}

// `{ "a": [1 }`: either the `]` was forgotten, or the bracket is of the wrong
// kind. It is forgotten where the bracket fits a container further out, unless
// that would end the document with more to come.
bool was_forgotten(const Reader& reader, const char* at) {
  const std::optional<std::size_t> level = level_closed_by(reader, *at);
  return level.has_value() && (*level > 0 || only_gap_follows(at + 1, reader));
}

void report_bracket(Reader& reader, const char* at, std::string message, std::string help) {
  reader.doubt_brackets();
  reader.fault(reader.span(at, at + 1), {DiagnosticId::SyntaxError, std::move(message), std::move(help)},
               {{"opened here", reader.bracket_at(reader.depth() - 1)}});
}

Next after_wrong_bracket(Input& in, Reader& reader) {
  const char* at = in.current();
  const char own = closing_of(reader.kind());
  if (reader.is_closing_several(at) || was_forgotten(reader, at)) {
    if (!reader.is_closing_several(at)) {
      report_bracket(reader, at, fmt::format("`{}` is missing before this", own),
                     fmt::format("write `{}`", own));
      reader.closes_several(at);
    }
    reader.close(at);
    return Next::Closed;
  }
  report_bracket(reader, at, fmt::format("expected `{}`, not `{}`", own, *at),
                 fmt::format("write `{}`", own));
  in.bump(1);
  reader.close(in.current());
  return Next::Closed;
}

// What can only be the next member, so that a comma was forgotten. Not a word:
// that is more often the rest of a text whose quotes are wrong.
bool begins_member(NodeKind container, char c) {
  constexpr std::string_view kBeginnings = "\"{[-0123456789";
  return c == '"' || (container == NodeKind::Array && kBeginnings.find(c) != std::string_view::npos);
}

}  // namespace

void resume(Input& in, Reader& reader, const Slip& slip) {
  in.bump(static_cast<std::size_t>(slip.resume - in.current()));
  if (slip.then == Slip::Then::ReadOn) {
    (void)take<rules::gap>(in, reader);
    reader.resumed(in.current());
  } else {
    skip_and_resume(in, reader);
  }
}

Next after_member(Input& in, Reader& reader) {
  while (true) {
    if (in.empty()) {
      stop_at_text_end(reader);
    }
    const char* at = in.current();
    if (is_wrong_bracket(reader, at)) {
      return after_wrong_bracket(in, reader);
    }
    const bool known = reader.just_resumed(at);
    if (begins_member(reader.kind(), *at)) {
      if (!known) {
        report_syntax(reader, at, at + 1, "a comma is missing before this",
                      "put a comma between two members");
      }
      return Next::Member;
    }
    if (!known) {
      const bool object = reader.kind() == NodeKind::Object;
      const char* end =
          report_unexpected(reader, at, object ? Wanted::ObjectSeparator : Wanted::ArraySeparator);
      in.bump(static_cast<std::size_t>(end - at));
    }
    skip_and_resume(in, reader);
    if (take<rules::separator>(in, reader) || (!in.empty() && *in.current() == closing_of(reader.kind()))) {
      return Next::Member;
    }
  }
}

bool missing_colon(Input& in, Reader& reader) {
  const char* at = in.current();
  const Node key = reader.last_node();
  if (in.empty()) {
    stop_at_text_end(reader);
  }
  if (is_wrong_bracket(reader, at)) {
    throw Slip{at, Slip::Then::SkipMember};
  }
  const std::string_view shown = reader.text(key);
  if (*at == ',' || *at == '}') {
    reader.fault(key.span, {DiagnosticId::SyntaxError,
                            policy::is_plain_word(shown.substr(1, shown.size() - 2))
                                ? fmt::format("the key `{}` has no value", shown.substr(1, shown.size() - 2))
                                : std::string("this key has no value"),
                            "write a colon and a value after it"});
    throw Slip{at, Slip::Then::SkipMember};
  }
  if (*at == '{' || *at == '[') {
    report_syntax(reader, at, at + 1, "a colon is missing before this",
                  "write a colon between the key and its value");
    return true;
  }
  throw Slip{report_unexpected(reader, at, Wanted::Colon), Slip::Then::SkipMember};
}

}  // namespace forge::grammar::jsonc
