// Every vector, read back by the target's own reader, must mean the plan.
#include "forge/compiler/targets.hpp"
#include "passes.hpp"

namespace forge::compiler {

void verify_vector_meaning(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  const Target& runtime = target(plan.target);
  const auto meaning = runtime.reparse(runtime.create(plan));
  if (!meaning || !(*meaning == meaning_of(plan))) {
    sink.report({policy::DiagnosticId::VectorMeansOther,
                 meaning ? "the vector read back means something else than the plan"
                         : "the emitted vector cannot be read back",
                 std::nullopt,
                 {},
                 "this is a defect of forge-policy; report it with the config",
                 {}});
  }
}

}  // namespace forge::compiler
