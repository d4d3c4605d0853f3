#include "forge/policy/diagnostic_sink.hpp"

#include <algorithm>
#include <utility>

namespace forge::policy {
namespace {

bool leads(const Diagnostic& diagnostic) { return diagnostic.effect() == Effect::LeadsReport; }

bool comes_before(const Diagnostic& a, const Diagnostic& b) {
  if (leads(a) != leads(b)) {
    return leads(a);
  }
  if (a.span.has_value() != b.span.has_value()) {
    return !a.span.has_value();
  }
  return a.span.has_value() && a.span->begin < b.span->begin;
}

// What leads the report is kept, then what stops the plan, then other errors, those
// before warnings and notes.
int gravity(const Diagnostic& diagnostic) {
  if (leads(diagnostic)) {
    return -2;
  }
  return diagnostic.effect() == Effect::StopsPlan ? -1 : static_cast<int>(diagnostic.severity());
}

bool is_kept_before(const Diagnostic& a, const Diagnostic& b) {
  return gravity(a) != gravity(b) ? gravity(a) < gravity(b) : comes_before(a, b);
}

void keep_gravest(std::vector<Diagnostic>& findings) {
  std::stable_sort(findings.begin(), findings.end(), is_kept_before);
  if (findings.size() > kMaxDiagnostics) {
    findings.resize(kMaxDiagnostics, findings.front());
  }
}

}  // namespace

void DiagnosticSink::report(Diagnostic diagnostic) {
  switch (diagnostic.severity()) {
    case Severity::Error:
      ++errors_;
      break;
    case Severity::Warning:
      ++warnings_;
      break;
    case Severity::Note:
      ++notes_;
      break;
  }
  stops_plan_ = stops_plan_ || diagnostic.effect() == Effect::StopsPlan;
  kept_.push_back(std::move(diagnostic));
  if (kept_.size() >= 4 * kMaxDiagnostics) {
    prune();
  }
}

void DiagnosticSink::prune() { keep_gravest(kept_); }

std::vector<Diagnostic> DiagnosticSink::sorted() const {
  std::vector<Diagnostic> out = kept_;
  keep_gravest(out);
  std::stable_sort(out.begin(), out.end(), comes_before);
  return out;
}

std::size_t DiagnosticSink::omitted() const {
  const std::size_t total = errors_ + warnings_ + notes_;
  return total - std::min(kept_.size(), kMaxDiagnostics);
}

}  // namespace forge::policy
