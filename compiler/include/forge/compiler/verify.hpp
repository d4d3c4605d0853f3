// Proofs on a finished plan. Each pass sees the plan only.
#pragma once

#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/plan.hpp"

namespace forge::compiler {

/// Runs every pass of passes.def; a failed proof is an error (FP6xxx).
void verify(const policy::Plan& plan, policy::DiagnosticSink& sink);

}  // namespace forge::compiler
