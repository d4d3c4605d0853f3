// Every vector must fit what the operating system can start.
#include <fmt/format.h>

#include "forge/compiler/targets.hpp"
#include "passes.hpp"

namespace forge::compiler {

void verify_vector_limits(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  const Argv argv = target(plan.target).create(plan);
  std::size_t total = 0;
  std::size_t longest = 0;
  for (const std::string& argument : argv) {
    total += argument.size() + 1;
    longest = std::max(longest, argument.size() + 1);
  }
  if (longest > kMaxArgumentBytes) {
    sink.report({policy::DiagnosticId::VectorTooLong,
                 fmt::format("one argument has {} bytes, more than {}", longest, kMaxArgumentBytes),
                 std::nullopt,
                 {},
                 "shorten the longest list of hosts of a secret",
                 {}});
  }
  if (total > kMaxVectorBytes) {
    sink.report({policy::DiagnosticId::VectorTooLong,
                 fmt::format("the vector has {} bytes, more than {}", total, kMaxVectorBytes),
                 std::nullopt,
                 {},
                 "shorten the lists; a suffix rule replaces many names",
                 {}});
  }
}

}  // namespace forge::compiler
