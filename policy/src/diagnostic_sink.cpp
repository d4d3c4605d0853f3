#include "forge/policy/diagnostic_sink.hpp"

#include <algorithm>
#include <utility>

namespace forge::policy {
namespace {

bool comes_before(const Diagnostic& a, const Diagnostic& b) {
  if (a.span.has_value() != b.span.has_value()) {
    return !a.span.has_value();
  }
  return a.span.has_value() && a.span->begin < b.span->begin;
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

void DiagnosticSink::prune() {
  std::stable_sort(kept_.begin(), kept_.end(), comes_before);
  kept_.resize(std::min(kept_.size(), kMaxDiagnostics), kept_.front());
}

std::vector<Diagnostic> DiagnosticSink::sorted() const {
  std::vector<Diagnostic> out = kept_;
  std::stable_sort(out.begin(), out.end(), comes_before);
  if (out.size() > kMaxDiagnostics) {
    out.resize(kMaxDiagnostics, out.front());
  }
  return out;
}

std::size_t DiagnosticSink::omitted() const {
  const std::size_t total = errors_ + warnings_ + notes_;
  return total - std::min(kept_.size(), kMaxDiagnostics);
}

}  // namespace forge::policy
