// The words for each fault of a host entry.
#pragma once

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

/// Code, sentence and way out for `problem` of the entry `text`; `shown` is what
/// of it may be printed.
[[nodiscard]] HostFaultText describe_host_fault(std::string_view shown, std::string_view text,
                                                const grammar::HostProblem& problem);

}  // namespace forge::compiler
