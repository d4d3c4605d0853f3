#include "jsonc_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "forge/policy/utf8.hpp"
#include "jsonc_scan.hpp"

namespace forge::grammar::jsonc {
namespace {

using policy::CodePoint;
using policy::DiagnosticId;

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool starts_with(const Input& in, std::string_view token) {
  return between(in.current(), in.end()).starts_with(token);
}

void go_to(Input& in, const char* at) { in.bump(static_cast<std::size_t>(at - in.current())); }

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_above_ascii(char c) { return static_cast<unsigned char>(c) >= 0x7F; }

void check_non_ascii_comment(Reader& reader, const char* begin, const char* end) {
  bool warned = false;
  for (const char* at = begin; at != end;) {
    const CodePoint point = policy::decode_utf8(between(at, end));
    if (point.length == 0) {
      const char* after = skip_invalid_utf8(at, end);
      report_invalid_utf8(reader, at, after);
      at = after;
      continue;
    }
    if (point.value >= 0x80 && !warned && policy::is_unsafe_to_show(point.value)) {
      reader.warn_invisible(reader.span(at, at + point.length), point.value, "comment");
      warned = true;
    }
    at += point.length;
  }
}

void check_comment(Reader& reader, const char* begin, const char* end) {
  if (!is_ascii(between(begin, end))) {
    check_non_ascii_comment(reader, begin, end);
  }
}

// An editor shows what follows a lone carriage return on a line of its own, and
// many readers of JSONC take it for a part of the comment.
void check_line_end(Reader& reader, const char* at, const char* end) {
  if (at != end && *at == '\r' && (at + 1 == end || at[1] != '\n')) {
    reader.fault(reader.span(at, at + 1),
                 {DiagnosticId::ControlCharacter, "a carriage return without a line feed ends this comment",
                  "end lines with a line feed, or both; readers disagree about a carriage return alone"});
  }
}

// The end of the hexadecimal digits from `at` on, at most four.
const char* hex_end(const char* at, const char* end) {
  const char* limit = end - at > 4 ? at + 4 : end;
  return std::find_if_not(at, limit, is_hex);
}

void report_lone_surrogate(Reader& reader, const char* begin, const char* end) {
  reader.fault(
      reader.span(begin, end),
      {DiagnosticId::LoneSurrogate, fmt::format("the escape `{}` is half a character", between(begin, end)),
       "write the character itself, or both halves of its pair"});
}

std::string escape_help(char name) {
  switch (name) {
    case 'u':
      return "`\\u` takes four hexadecimal digits";
    case 'x':
      return "write `\\u00` and the two hexadecimal digits";
    case '\'':
      return "a single quote needs no backslash";
    default:
      return "write `\\\\` for a backslash";
  }
}

void report_escape(Reader& reader, const char* begin, const char* end) {
  reader.fault(reader.span(begin, end),
               {DiagnosticId::InvalidEscape,
                fmt::format("`{}` is no escape of JSON", policy::excerpt(between(begin, end))),
                escape_help(begin[1])});
}

// INVARIANT: the escape at the front is none of the grammar, so `\u` with four
// digits can only be a surrogate without its partner.
bool take_faulty_escape(Input& in, Reader& reader) {
  const char* begin = in.current();
  const char* name = begin + 1;
  reader.note_escape();
  if (name == in.end() || *name == '\n' || *name == '\r') {
    in.bump(1);  // the string's missing end is the fault here
    return true;
  }
  if (*name == 'u') {
    const char* end = hex_end(name + 1, in.end());
    const bool whole = end - name == 5;
    (whole ? report_lone_surrogate : report_escape)(reader, begin, end);
    go_to(in, end);
    return true;
  }
  const CodePoint point = policy::decode_utf8(between(name, in.end()));
  const char* end = name + point.length;
  if (point.length != 0) {
    report_escape(reader, begin, end);
  }
  go_to(in, end);  // bytes that are no UTF-8 are the next finding
  return true;
}

std::string control_help(char control) {
  switch (control) {
    case '\t':
      return "write `\\t`, or spaces";
    case '\b':
      return "write `\\b`, or remove it";
    case '\f':
      return "write `\\f`, or remove it";
    default:
      return fmt::format("write `\\u{:04x}`, or remove it", static_cast<unsigned>(control));
  }
}

// A run of the same character is one finding.
bool take_controls(Input& in, Reader& reader) {
  const char control = in.peek_char();
  const char* begin = in.current();
  const char* end = std::find_if(begin, in.end(), [control](char c) { return c != control; });
  reader.fault(reader.span(begin, end),
               {DiagnosticId::ControlCharacter,
                fmt::format("the raw control character U+{:04X} in a string", static_cast<unsigned>(control)),
                control_help(control)});
  go_to(in, end);
  return true;
}

}  // namespace

const char* line_end(const char* at, const char* end) {
  const std::string_view rest = between(at, end);
  const void* feed = rest.empty() ? nullptr : std::memchr(at, '\n', rest.size());
  const char* line = feed == nullptr ? end : static_cast<const char*>(feed);
  const void* carriage = line == at ? nullptr : std::memchr(at, '\r', static_cast<std::size_t>(line - at));
  return carriage == nullptr ? line : static_cast<const char*>(carriage);
}

const char* skip_invalid_utf8(const char* at, const char* end) {
  while (at != end && policy::decode_utf8(between(at, end)).length == 0) {
    ++at;
  }
  return at;
}

void report_invalid_utf8(Reader& reader, const char* begin, const char* end) {
  reader.fault(
      reader.span(begin, end),
      {DiagnosticId::InvalidUtf8, fmt::format("`{}` is not UTF-8", policy::excerpt(between(begin, end), 16)),
       "save the file as UTF-8"});
}

bool take_line_comment(Input& in, Reader& reader) {
  if (!starts_with(in, "//")) {
    return false;
  }
  const char* end = line_end(in.current(), in.end());
  check_comment(reader, in.current(), end);
  check_line_end(reader, end, in.end());
  go_to(in, end);
  return true;
}

bool take_block_comment(Input& in, Reader& reader) {
  if (!starts_with(in, "/*")) {
    return false;
  }
  const std::string_view rest = between(in.current(), in.end());
  const std::size_t close = rest.find("*/", 2);
  if (close == std::string_view::npos) {
    reader.fault(reader.span(in.current(), in.current() + 2),
                 {DiagnosticId::UnterminatedComment, "this comment has no end", "close it with `*/`"});
    throw Stop{};
  }
  const char* end = in.current() + close + 2;
  check_comment(reader, in.current(), end);
  go_to(in, end);
  return true;
}

bool take_hash_comment(Input& in, Reader& reader) {
  if (in.empty() || in.peek_char() != '#') {
    return false;
  }
  reader.fault(reader.span(in.current(), in.current() + 1),
               {DiagnosticId::SyntaxError, "`#` does not begin a comment", "begin the comment with `//`"});
  go_to(in, line_end(in.current(), in.end()));
  return true;
}

bool take_non_ascii(Input& in, Reader& reader) {
  const char* at = in.current();
  while (at != in.end() && is_above_ascii(*at)) {
    const CodePoint point = policy::decode_utf8(between(at, in.end()));
    if (point.length == 0) {
      const char* after = skip_invalid_utf8(at, in.end());
      report_invalid_utf8(reader, at, after);
      at = after;
      continue;
    }
    if (policy::is_unsafe_to_show(point.value)) {
      reader.warn_invisible_in_string(reader.span(at, at + point.length), point.value);
    }
    at += point.length;
  }
  const bool taken = at != in.current();
  go_to(in, at);
  return taken;
}

bool take_faulty_text(Input& in, Reader& reader) {
  if (in.empty()) {
    return false;
  }
  const char c = in.peek_char();
  if (c == '\\') {
    return take_faulty_escape(in, reader);
  }
  const bool control = c >= 0 && c < 0x20 && c != '\n' && c != '\r';
  return control && take_controls(in, reader);
}

}  // namespace forge::grammar::jsonc
