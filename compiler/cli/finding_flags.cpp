#include "finding_flags.hpp"

#include <fmt/format.h>

#include "choice.hpp"
#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::cli {

void FindingFlags::add(CLI::App& verb) {
  add_choice<Format>(verb, "--format", format, {{"text", Format::Text}, {"json", Format::Json}},
                     "how findings are written")
      ->type_name("FORMAT");
  add_choice<ColorChoice>(
      verb, "--color", color,
      {{"auto", ColorChoice::Auto}, {"always", ColorChoice::Always}, {"never", ColorChoice::Never}}, "colour")
      ->type_name("WHEN");
  verb.add_flag("--strict", strict, "fail on warnings too")->disable_flag_override();
}

compiler::FileReport unreadable_report(const std::string& path, std::string_view reason,
                                       compiler::Color color) {
  const policy::SourceText nothing(shown_input(path), "");
  policy::DiagnosticSink sink;
  sink.report(
      {policy::DiagnosticId::ConfigUnreadable, policy::escape_for_display(reason), std::nullopt, {}, {}, {}});
  return compiler::make_report(nothing, sink, false, color);
}

std::string reason_of(const policy::Error& error) {
  return fmt::format("cannot {}: {}", error.operation, error.detail);
}

}  // namespace forge::cli
