// What the user wrote wrong: stable codes, one table row each (diagnostics.def).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/span.hpp"

namespace forge::policy {

enum class Severity : std::uint8_t { Error, Warning, Note };

/// What a finding means for `compile`. `StopsPlan`: reading on could widen what
/// the sandbox may do, so no plan is made. `DropsEntry`: the entry is left out
/// of the plan, which grants less. `Informs`: the plan is as written. `LeadsReport`:
/// the same, and the finding stands before all others, wherever its place is.
enum class Effect : std::uint8_t { StopsPlan, DropsEntry, Informs, LeadsReport };

enum class DiagnosticId : std::uint16_t {
#define FORGE_DIAGNOSTIC(code, name, severity, effect, title, why, example, fix) name = code,
#include "forge/policy/diagnostics.def"
#undef FORGE_DIAGNOSTIC
};

/// One row of the table. All texts are plain ASCII English.
struct DiagnosticInfo {
  DiagnosticId id;
  std::string_view name;
  Severity severity;
  Effect effect;
  std::string_view title;
  std::string_view why;
  std::string_view example;
  std::string_view fix;
};

/// All rows in ascending order of their codes.
[[nodiscard]] std::span<const DiagnosticInfo> diagnostic_table();

/// The row of `id`.
[[nodiscard]] const DiagnosticInfo& info(DiagnosticId id);

/// The stable code as text, `FP2001`.
[[nodiscard]] std::string code_text(DiagnosticId id);

/// The id of a code given as text (`FP2001`); nothing for an unknown one.
[[nodiscard]] std::optional<DiagnosticId> diagnostic_from_code(std::string_view code);

[[nodiscard]] std::string_view to_string(Severity severity);

/// Another place that belongs to a finding ("first defined here").
struct Related {
  std::string message;
  Span span;

  friend bool operator==(const Related&, const Related&) = default;
};

/// One finding. `message` is one line without a full stop, user text in
/// backticks; `pointer` is an RFC 6901 JSON Pointer or empty; a finding without
/// a place in the source (a command-line override, a host fact) has no span.
struct Diagnostic {
  DiagnosticId id;
  std::string message;
  std::optional<Span> span;
  std::string pointer;
  std::string help;
  std::vector<Related> related;

  [[nodiscard]] Severity severity() const { return info(id).severity; }
  [[nodiscard]] Effect effect() const { return info(id).effect; }

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

}  // namespace forge::policy
