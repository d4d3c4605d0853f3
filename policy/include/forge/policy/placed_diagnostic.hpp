// A finding with its places counted in lines and columns, as machines read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/policy/diagnostic.hpp"
#include "forge/policy/json.hpp"
#include "forge/policy/source_text.hpp"

namespace forge::policy {

struct PlacedRange {
  Position start;
  Position end;

  friend bool operator==(const PlacedRange&, const PlacedRange&) = default;
};

struct PlacedRelated {
  std::string message;
  PlacedRange range;

  friend bool operator==(const PlacedRelated&, const PlacedRelated&) = default;
};

/// A Diagnostic that no longer needs its source text.
struct PlacedDiagnostic {
  DiagnosticId id;
  std::string message;
  std::string file;
  std::optional<PlacedRange> range;
  std::string pointer;
  std::string help;
  std::vector<PlacedRelated> related;

  friend bool operator==(const PlacedDiagnostic&, const PlacedDiagnostic&) = default;
};

/// Counts the places of `diagnostic` in `source`.
[[nodiscard]] PlacedDiagnostic place(const Diagnostic& diagnostic, const SourceText& source);

/// Writes the machine form: every key always there, absent values null.
void write_diagnostic(JsonWriter& writer, const PlacedDiagnostic& diagnostic);

}  // namespace forge::policy
