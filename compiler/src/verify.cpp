#include "forge/compiler/verify.hpp"

#include "passes/passes.hpp"

namespace forge::compiler {

void verify(const policy::Plan& plan, policy::DiagnosticSink& sink) {
#define FORGE_PASS(name) verify_##name(plan, sink);
#include "passes/passes.def"
#undef FORGE_PASS
}

void refute(policy::DiagnosticSink& sink, policy::DiagnosticId id, std::string message) {
  sink.report({id, std::move(message), std::nullopt, {}, std::string(policy::info(id).fix), {}});
}

}  // namespace forge::compiler
