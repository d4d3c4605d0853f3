#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "forge/compiler/render.hpp"
#include "forge/policy/utf8.hpp"
#include "source_line.hpp"

namespace forge::compiler {
namespace {

using policy::Severity;

std::string paint(std::string_view text, std::string_view code, Color color) {
  return color == Color::On ? fmt::format("\x1B[{}m{}\x1B[0m", code, text) : std::string(text);
}

std::string_view severity_code(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "1;31";
    case Severity::Warning:
      return "1;33";
    case Severity::Note:
      return "1;36";
  }
  return "0";
}

std::string shown_path(const policy::SourceText& source) { return policy::escape_for_display(source.name()); }

std::string place_of(const policy::SourceText& source, std::size_t offset) {
  const policy::Position at = source.position(offset);
  return fmt::format("{}:{}:{}", shown_path(source), at.line, at.column);
}

// Punctuation of JSON and of its comments; holds no value by itself.
bool is_structure(char c) { return std::string_view("{}[]:,\"/* \t").find(c) != std::string_view::npos; }

bool lies_in(const std::vector<policy::Span>& ascending, std::size_t offset) {
  const auto behind =
      std::upper_bound(ascending.begin(), ascending.end(), offset,
                       [](std::size_t wanted, const policy::Span& span) { return wanted < span.begin; });
  return behind != ascending.begin() && offset < std::prev(behind)->end;
}

std::string render_source(const policy::Diagnostic& diagnostic, const policy::SourceText& source,
                          const std::vector<policy::Span>& revealed, Color color) {
  const policy::Position start = source.position(diagnostic.span->begin);
  const std::string_view line = source.line(start.line);
  const auto line_begin = static_cast<std::size_t>(line.data() - source.text().data());
  const std::size_t begin = diagnostic.span->begin > line_begin ? diagnostic.span->begin - line_begin : 0;
  const std::size_t end = diagnostic.span->end > line_begin ? diagnostic.span->end - line_begin : 0;
  const ShownLine shown = show_line(line, begin, end, [&](std::size_t at) {
    return !is_structure(line[at]) && !lies_in(revealed, line_begin + at);
  });
  const std::string number = fmt::format("{}", start.line);
  const std::string gutter(number.size(), ' ');
  return fmt::format(" {} |\n {} | {}\n {} | {}\n", gutter, number, shown.text, gutter,
                     paint(shown.marks, severity_code(diagnostic.severity()), color));
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string summary(const FileReport& file, Strictness strictness) {
  const std::size_t total = file.errors + file.warnings + file.notes;
  const bool failed = file.errors > 0 || (strictness == Strictness::WarningsToo && file.warnings > 0);
  const std::string counts = fmt::format("{}, {}, {}", plural(file.errors, "error"),
                                         plural(file.warnings, "warning"), plural(file.notes, "note"));
  std::string line = fmt::format("{}: {}", file.path,
                                 failed      ? counts
                                 : total > 0 ? "ok, " + counts
                                             : std::string("ok"));
  if (file.omitted > 0) {
    line += fmt::format(" ({} more not shown)", file.omitted);
  }
  return line + '\n';
}

std::string off_lines(const std::vector<FileReport>& files, Color color) {
  std::string out;
  for (const FileReport& file : files) {
    if (file.sandbox_off) {
      out +=
          paint(fmt::format("{}: the sandbox is off: commands run on the host without a boundary", file.path),
                "1;33", color) +
          '\n';
    }
  }
  return out;
}

}  // namespace

std::string render_finding(const policy::Diagnostic& diagnostic, const policy::SourceText& source,
                           const std::vector<policy::Span>& revealed, Color color) {
  const std::string place = diagnostic.span ? place_of(source, diagnostic.span->begin) : shown_path(source);
  const std::string head =
      fmt::format("{}[{}]", policy::to_string(diagnostic.severity()), policy::code_text(diagnostic.id));
  std::string out = fmt::format("{}: {}: {}\n", paint(place, "1", color),
                                paint(head, severity_code(diagnostic.severity()), color), diagnostic.message);
  if (diagnostic.span) {
    out += render_source(diagnostic, source, revealed, color);
  }
  if (!diagnostic.help.empty()) {
    out += fmt::format("   = help: {}\n", diagnostic.help);
  }
  for (const policy::Related& related : diagnostic.related) {
    out += fmt::format("   = note: {}: {}\n", related.message, place_of(source, related.span.begin));
  }
  return out;
}

FileReport make_report(const policy::SourceText& source, const policy::DiagnosticSink& sink, bool sandbox_off,
                       Color color) {
  FileReport report;
  report.path = shown_path(source);
  report.errors = sink.errors();
  report.warnings = sink.warnings();
  report.notes = sink.notes();
  report.omitted = sink.omitted();
  report.sandbox_off = sandbox_off;
  for (const policy::Diagnostic& diagnostic : sink.sorted()) {
    report.diagnostics.push_back(policy::place(diagnostic, source));
    report.text += render_finding(diagnostic, source, sink.revealed(), color);
  }
  return report;
}

std::string render_findings(const std::vector<FileReport>& files, Color color) {
  std::string out;
  for (const FileReport& file : files) {
    out += file.text;
  }
  return out.empty() ? out : off_lines(files, color) + out;
}

std::string render_summary(const std::vector<FileReport>& files, Strictness strictness, Color color) {
  std::string out = off_lines(files, color);
  for (const FileReport& file : files) {
    out += summary(file, strictness);
  }
  return out;
}

}  // namespace forge::compiler
