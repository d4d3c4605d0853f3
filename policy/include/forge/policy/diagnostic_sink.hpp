// Collects findings of one file, bounded, and hands them out in source order.
#pragma once

#include <cstddef>
#include <vector>

#include "forge/policy/diagnostic.hpp"

namespace forge::policy {

/// The most findings of one file that are kept; the rest is only counted.
inline constexpr std::size_t kMaxDiagnostics = 200;

/// Keeps `kMaxDiagnostics` findings, the gravest first and then by position, and
/// counts all of them, so that a hostile file costs neither memory nor a wrong
/// verdict, and no crowd of notes hides an error.
class DiagnosticSink {
 public:
  void report(Diagnostic diagnostic);

  /// Marks text that is known to hold no value of a variable, no password and no
  /// token. Whoever shows the source shows nothing else of it than this and the
  /// punctuation. Called in ascending order.
  void reveal(Span span) { revealed_.push_back(span); }
  [[nodiscard]] const std::vector<Span>& revealed() const { return revealed_; }

  /// The kept findings, sorted by position; findings without one come first, and
  /// before them those that lead the report.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;

  [[nodiscard]] std::size_t errors() const { return errors_; }
  [[nodiscard]] std::size_t warnings() const { return warnings_; }
  [[nodiscard]] std::size_t notes() const { return notes_; }

  /// How many findings `sorted()` does not show.
  [[nodiscard]] std::size_t omitted() const;

  /// True when a finding was reported that forbids making a plan.
  [[nodiscard]] bool stops_plan() const { return stops_plan_; }

 private:
  void prune();

  std::vector<Diagnostic> kept_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::size_t notes_ = 0;
  bool stops_plan_ = false;
  std::vector<Span> revealed_;
};

}  // namespace forge::policy
