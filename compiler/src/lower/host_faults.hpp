// The words for each fault of a host entry.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "forge/grammar/host_rule.hpp"
#include "forge/policy/diagnostic.hpp"

namespace forge::compiler {

struct HostFaultText {
  policy::DiagnosticId id;
  std::string message;
  std::string help;
};

/// A host that was written wrong.
struct WrittenHost {
  std::string_view shown;  ///< what of it may be printed
  std::string_view text;
  /// Whether another spelling would be taken in its place.
  std::function<bool(std::string_view)> would_pass;
};

/// Code, sentence and way out for `problem` of `host`.
[[nodiscard]] HostFaultText describe_host_fault(const WrittenHost& host, const grammar::HostProblem& problem);

}  // namespace forge::compiler
