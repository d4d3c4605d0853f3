// Shared by the parts of the resolution.
#pragma once

#include <optional>
#include <string>

#include "forge/compiler/compile.hpp"

namespace forge::compiler {

/// What the parts read and write.
struct Resolution {
  const Config& config;
  const policy::HostFacts& facts;
  const CompileRequest& request;
  policy::DiagnosticSink& sink;
  policy::Plan& plan;

  void report(policy::DiagnosticId id, std::string message, std::string help = {},
              std::optional<policy::Span> span = std::nullopt, std::string pointer = {}) {
    sink.report({id, std::move(message), span, std::move(pointer), std::move(help), {}});
  }
};

void resolve_name(Resolution& out);
void resolve_resources(Resolution& out);
void resolve_mounts(Resolution& out);
void resolve_network(Resolution& out);
void resolve_warnings(Resolution& out);

}  // namespace forge::compiler
