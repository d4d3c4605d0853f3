// Findings for people and for machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/placed_diagnostic.hpp"
#include "forge/policy/source_text.hpp"

namespace forge::compiler {

enum class Color : std::uint8_t { Off, On };

/// The findings of one file, ready to show.
struct FileReport {
  std::string path;  ///< as shown, escaped
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t omitted = 0;  ///< findings beyond the ones listed
  bool sandbox_off = false;
  std::vector<policy::PlacedDiagnostic> diagnostics;
  std::string text;  ///< the findings with their source lines, for people
};

/// Takes the findings of `sink`, placed in `source`.
[[nodiscard]] FileReport make_report(const policy::SourceText& source, const policy::DiagnosticSink& sink,
                                     bool sandbox_off, Color color);

/// One finding with its source line, the exact span underlined (wide and
/// combining characters aligned), help and related places. Of the source, only
/// punctuation and what lies in `revealed` (ascending) is shown.
[[nodiscard]] std::string render_finding(const policy::Diagnostic& diagnostic,
                                         const policy::SourceText& source,
                                         const std::vector<policy::Span>& revealed, Color color);

/// All findings in the order of the files; empty when there are none. A sandbox
/// that is off is said in the first line.
[[nodiscard]] std::string render_findings(const std::vector<FileReport>& files, Color color);

/// Whether warnings fail the run.
enum class Strictness : std::uint8_t { ErrorsOnly, WarningsToo };

/// A verdict for each file, one line each; a sandbox that is off is said first.
[[nodiscard]] std::string render_summary(const std::vector<FileReport>& files, Strictness strictness,
                                         Color color);

/// The machine form of a check: `forge-policy/diagnostics/v1`.
[[nodiscard]] std::string render_json(const std::vector<FileReport>& files);

}  // namespace forge::compiler
