// No part of a plan contradicts another one.
#include <fmt/format.h>

#include "forge/policy/plan_agreement.hpp"
#include "passes.hpp"

namespace forge::compiler {

void verify_agreement(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  if (const auto contradiction = policy::find_contradiction(plan)) {
    refute(sink, policy::DiagnosticId::PlanContradictsItself,
           fmt::format("the plan contradicts itself: {}", *contradiction));
  }
}

}  // namespace forge::compiler
