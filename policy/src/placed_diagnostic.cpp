#include "forge/policy/placed_diagnostic.hpp"

#include "forge/policy/utf8.hpp"

namespace forge::policy {
namespace {

PlacedRange place_span(const Span& span, const SourceText& source) {
  return {source.position(span.begin), source.position(span.end)};
}

void write_position(JsonWriter& writer, const Position& position) {
  writer.begin_object();
  writer.member("column", std::int64_t{position.column});
  writer.member("line", std::int64_t{position.line});
  writer.member("offset", std::int64_t{position.offset});
  writer.end_object();
}

void write_range(JsonWriter& writer, const PlacedRange& range) {
  writer.begin_object();
  writer.key("end");
  write_position(writer, range.end);
  writer.key("start");
  write_position(writer, range.start);
  writer.end_object();
}

void write_text_or_null(JsonWriter& writer, std::string_view name, const std::string& text) {
  writer.key(name);
  if (text.empty()) {
    writer.null();
  } else {
    writer.string(text);
  }
}

}  // namespace

PlacedDiagnostic place(const Diagnostic& diagnostic, const SourceText& source) {
  PlacedDiagnostic out{diagnostic.id,
                       diagnostic.message,
                       escape_for_display(source.name()),
                       std::nullopt,
                       diagnostic.pointer,
                       diagnostic.help,
                       {}};
  if (diagnostic.span) {
    out.range = place_span(*diagnostic.span, source);
  }
  for (const Related& related : diagnostic.related) {
    out.related.push_back({related.message, place_span(related.span, source)});
  }
  return out;
}

void write_diagnostic(JsonWriter& writer, const PlacedDiagnostic& diagnostic) {
  writer.begin_object();
  writer.member("code", code_text(diagnostic.id));
  writer.member("file", diagnostic.file);
  write_text_or_null(writer, "help", diagnostic.help);
  writer.member("message", diagnostic.message);
  // The empty pointer names the whole document (RFC 6901), so a finding without
  // a place in the document is told apart by its missing range.
  writer.key("pointer");
  if (diagnostic.range) {
    writer.string(diagnostic.pointer);
  } else {
    writer.null();
  }
  writer.key("range");
  if (diagnostic.range) {
    write_range(writer, *diagnostic.range);
  } else {
    writer.null();
  }
  writer.key("related");
  writer.begin_array();
  for (const PlacedRelated& related : diagnostic.related) {
    writer.begin_object();
    writer.member("file", diagnostic.file);
    writer.member("message", related.message);
    writer.key("range");
    write_range(writer, related.range);
    writer.end_object();
  }
  writer.end_array();
  writer.member("severity", to_string(info(diagnostic.id).severity));
  writer.end_object();
}

}  // namespace forge::policy
