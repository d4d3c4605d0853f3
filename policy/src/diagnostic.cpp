#include "forge/policy/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace forge::policy {
namespace {

constexpr std::array kTable = {
#define FORGE_DIAGNOSTIC(code, name, severity, effect, title, why, example, fix) \
  DiagnosticInfo{DiagnosticId::name, #name, Severity::severity, Effect::effect, title, why, example, fix},
#include "forge/policy/diagnostics.def"
#undef FORGE_DIAGNOSTIC
};

constexpr bool ascending() {
  for (std::size_t i = 1; i < kTable.size(); ++i) {
    if (kTable[i - 1].id >= kTable[i].id) {
      return false;
    }
  }
  return true;
}
static_assert(ascending(), "diagnostics.def must be sorted by code, each code once");

// An error either stops the plan or drops an entry, a note or warning does neither.
constexpr bool effects_fit() {
  return std::all_of(kTable.begin(), kTable.end(), [](const DiagnosticInfo& row) {
    const bool informs = row.effect == Effect::Informs || row.effect == Effect::LeadsReport;
    return (row.severity == Severity::Error) != informs;
  });
}
static_assert(effects_fit(), "an error must stop the plan or drop an entry; nothing else may");

}  // namespace

std::span<const DiagnosticInfo> diagnostic_table() { return kTable; }

const DiagnosticInfo& info(DiagnosticId id) {
  // INVARIANT: every DiagnosticId comes from the table, so the row exists.
  return *std::lower_bound(kTable.begin(), kTable.end(), id,
                           [](const DiagnosticInfo& row, DiagnosticId wanted) { return row.id < wanted; });
}

std::string code_text(DiagnosticId id) { return fmt::format("FP{:04}", static_cast<unsigned>(id)); }

std::optional<DiagnosticId> diagnostic_from_code(std::string_view code) {
  if (code.size() != 6 || !code.starts_with("FP")) {
    return std::nullopt;
  }
  unsigned number = 0;
  const auto [end, error] = std::from_chars(code.data() + 2, code.data() + code.size(), number);
  if (error != std::errc{} || end != code.data() + code.size()) {
    return std::nullopt;
  }
  const auto row = std::find_if(kTable.begin(), kTable.end(), [number](const DiagnosticInfo& candidate) {
    return static_cast<unsigned>(candidate.id) == number;
  });
  return row == kTable.end() ? std::nullopt : std::optional(row->id);
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "error";
}

}  // namespace forge::policy
