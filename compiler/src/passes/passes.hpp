// The verify passes; each takes the plan and reports what it cannot prove.
#pragma once

#include <string>

#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/plan.hpp"

namespace forge::compiler {

#define FORGE_PASS(name) void verify_##name(const policy::Plan& plan, policy::DiagnosticSink& sink);
#include "passes.def"
#undef FORGE_PASS

/// Says that a proof failed, with the help that its code has in the table.
void refute(policy::DiagnosticSink& sink, policy::DiagnosticId id, std::string message);

}  // namespace forge::compiler
