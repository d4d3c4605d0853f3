// The pipeline: text to config, config and facts to a plan. Nothing here reads a
// file, a clock or the environment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/compiler/config.hpp"
#include "forge/compiler/facts.hpp"
#include "forge/compiler/lower.hpp"
#include "forge/policy/diagnostic_sink.hpp"
#include "forge/policy/plan.hpp"
#include "forge/policy/source_text.hpp"

namespace forge::compiler {

/// What a plan is made for, beside the config and the host.
struct CompileRequest {
  std::string config_path;    ///< as given; recorded, decides nothing
  std::string config_sha256;  ///< of the config's bytes
  policy::Context context;
  policy::Session session = policy::Session::Loop;
  std::string name;  ///< loop or session name
  policy::Overrides overrides;
  policy::GitMode git_mode = policy::GitMode::Compatible;
  /// Paths that must stay closed to the sandbox, with the reason (dev and ino are filled in).
  std::vector<policy::ControlPlaneEntry> control_plane;
};

/// Parses and lowers `source`; everything wrong goes to `sink`.
[[nodiscard]] Config read_config(const policy::SourceText& source, const LowerOptions& options,
                                 policy::DiagnosticSink& sink);

/// What has to be known about the host to resolve `config`.
[[nodiscard]] FactQuestions questions_for(const Config& config, const CompileRequest& request);

/// Reports which variables that the config names are not set on the host
/// (FP2034, FP2045); part of resolve, and of a check without a context.
void report_unset(const Config& config, const policy::HostFacts& facts, policy::DiagnosticSink& sink);

/// Config and facts to a plan, verified. Nothing when `sink.stops_plan()`:
/// a finding that stops it may have been reported before or be found here.
/// `source` places the findings that the plan records.
[[nodiscard]] std::optional<policy::Plan> resolve(const Config& config, const policy::HostFacts& facts,
                                                  const CompileRequest& request,
                                                  const policy::SourceText& source,
                                                  policy::DiagnosticSink& sink);

/// Name and versions of this compiler and of the data it decides by.
[[nodiscard]] policy::CompilerInfo compiler_info();

}  // namespace forge::compiler
