#include "jsonc_slips.hpp"

#include <fmt/format.h>

#include <utility>

#include "forge/policy/utf8.hpp"
#include "jsonc_text.hpp"

namespace forge::grammar::jsonc {
namespace {

using policy::DiagnosticId;

[[noreturn]] void skip_from(const char* at) { throw Slip{at, Slip::Then::SkipMember}; }

std::string_view rest_of(const Reader& reader, const char* at) {
  return {at, static_cast<std::size_t>(reader.text_end() - at)};
}

// A bracket here belongs to the container, not to the member: after_member judges it.
void leave_to_container(const Reader& reader, const char* at) {
  if (is_wrong_bracket(reader, at)) {
    throw Slip{at, Slip::Then::SkipMember};
  }
}

// `{ "a": }`, `{ "a": , }` and a key left out before its colon: at one of the
// `followers` it is clear that what comes before them is missing.
void slip_if_missing(Reader& reader, const char* at, std::string_view what, std::string_view followers) {
  if (followers.find(*at) != std::string_view::npos) {
    report_syntax(reader, at, at + 1, fmt::format("{} is missing before this", what),
                  fmt::format("write {}", what));
    skip_from(at);
  }
}

// Most lines that lost a quote end in what was meant to follow the string: commas
// and closing brackets, which then still count, or an opening bracket, whose
// content belongs to the lost member.
Slip slip_behind(const char* quote, const char* end) {
  const char* tail = end;
  while (tail - 1 != quote && std::string_view(" \t,]}").find(tail[-1]) != std::string_view::npos) {
    --tail;
  }
  if (tail - 1 != quote && (tail[-1] == '{' || tail[-1] == '[')) {
    return {tail - 1, Slip::Then::SkipMember};
  }
  return {tail, Slip::Then::ReadOn};
}

}  // namespace

char closing_of(NodeKind kind) { return kind == NodeKind::Object ? '}' : ']'; }

void report_syntax(Reader& reader, const char* begin, const char* end, std::string message,
                   std::string help) {
  reader.fault(reader.span(begin, end), {DiagnosticId::SyntaxError, std::move(message), std::move(help)});
}

bool is_wrong_bracket(const Reader& reader, const char* at) {
  return reader.depth() > 0 && (*at == '}' || *at == ']') && *at != closing_of(reader.kind());
}

void slip_at_value(Reader& reader, const char* at) {
  if (at == reader.text_end()) {
    if (reader.depth() > 0) {
      stop_at_text_end(reader);
    }
    if (reader.errors() == 0) {
      reader.fault({0, 0},
                   {DiagnosticId::EmptyFile, "the file holds no value", "write {} to ask for the defaults"});
    }
    throw Stop{};
  }
  leave_to_container(reader, at);
  slip_if_missing(reader, at, "a value", reader.depth() > 0 ? ",}]" : "");
  skip_from(report_unexpected(reader, at, Wanted::Value));
}

void slip_at_key(Reader& reader, const char* at) {
  if (at == reader.text_end()) {
    stop_at_text_end(reader);
  }
  leave_to_container(reader, at);
  slip_if_missing(reader, at, "a key", ":");
  skip_from(report_unexpected(reader, at, Wanted::Key));
}

void slip_in_string(Reader& reader, const char* /*at*/) {
  const char* quote = reader.string_begin();
  const char* end = line_end(quote, reader.text_end());
  reader.fault(reader.span(quote, end), {DiagnosticId::UnterminatedString,
                                         "this string has no end on its line", "close it with a quote"});
  reader.doubt_brackets();
  throw slip_behind(quote, end);
}

void slip_after_document(Reader& reader, const char* at) {
  if (reader.brackets_in_doubt()) {
    throw Stop{};
  }
  if (*at == '}' || *at == ']') {
    report_syntax(reader, at, at + 1, fmt::format("`{}` closes nothing", *at),
                  "remove it, or write its opening bracket");
  } else {
    report_unexpected(reader, at, Wanted::DocumentEnd);
  }
  throw Stop{};
}

void stop_at_text_end(Reader& reader) {
  const char* end = reader.text_end();
  if (!reader.just_resumed(end) && !reader.brackets_in_doubt()) {
    const std::size_t innermost = reader.depth() - 1;
    const char closing = closing_of(reader.kind());
    reader.fault(reader.span(end, end),
                 {DiagnosticId::SyntaxError, fmt::format("`{}` is missing at the end of the file", closing),
                  fmt::format("write `{}` where the {} ends", closing, closing == '}' ? "object" : "array")},
                 {{"opened here", reader.bracket_at(innermost)}});
  }
  throw Stop{};
}

void report_stray_comma(Reader& reader, const char* at) {
  reader.fault(reader.span(at, at + 1), {DiagnosticId::ExtraComma, "this comma has no value before it",
                                         "remove it; one comma after the last value is fine"});
}

const char* report_unexpected(Reader& reader, const char* at, Wanted wanted) {
  if (const char* end = skip_invalid_utf8(at, reader.text_end()); end != at) {
    report_invalid_utf8(reader, at, end);
    return end;
  }
  Unexpected found = explain_unexpected(rest_of(reader, at), wanted);
  const char* end = at + found.length;
  report_syntax(reader, at, end, std::move(found.message), std::move(found.help));
  return *at == '[' || *at == '{' ? at : end;
}

}  // namespace forge::grammar::jsonc
