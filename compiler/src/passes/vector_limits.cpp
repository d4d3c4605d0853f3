// Every vector must fit what the operating system can start.
#include <fmt/format.h>

#include <algorithm>

#include "forge/compiler/targets.hpp"
#include "passes.hpp"

namespace forge::compiler {
namespace {

constexpr const char* kManyHelp = "shorten the lists; a suffix rule replaces many names";

void report(policy::DiagnosticSink& sink, std::string message, std::string help) {
  sink.report(
      {policy::DiagnosticId::VectorTooLong, std::move(message), std::nullopt, {}, std::move(help), {}});
}

}  // namespace

void verify_vector_limits(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  const Argv argv = target(plan.target).create(plan);
  std::size_t total = 0;
  std::size_t longest = 0;
  for (const std::string& argument : argv) {
    total += argument.size() + 1;
    longest = std::max(longest, argument.size() + 1);
  }
  if (longest > kMaxArgumentBytes) {
    report(sink, fmt::format("one argument has {} bytes, more than {}", longest, kMaxArgumentBytes),
           "shorten the longest list of hosts of a secret");
  }
  // execve counts the pointers too, and the environment needs room: a vector of
  // many short arguments fails to start long before its text is too long.
  const std::size_t space = vector_space(argv);
  if (total > kMaxVectorBytes) {
    report(sink, fmt::format("the vector has {} bytes, more than {}", total, kMaxVectorBytes), kManyHelp);
  } else if (space > kMaxVectorSpace) {
    report(sink,
           fmt::format("the vector needs {} bytes with a pointer for each argument, more than {}", space,
                       kMaxVectorSpace),
           kManyHelp);
  }
}

}  // namespace forge::compiler
