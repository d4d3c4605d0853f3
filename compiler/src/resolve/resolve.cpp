#include <fmt/format.h>

#include "forge/compiler/compile.hpp"
#include "forge/compiler/verify.hpp"
#include "forge/grammar/jsonc.hpp"
#include "forge/policy/plan_document.hpp"
#include "forge/policy/utf8.hpp"
#include "forge/seal/digest.hpp"
#include "path_text.hpp"
#include "protection.hpp"
#include "resolution.hpp"

namespace forge::compiler {
namespace {

// Paths reach logs and terminals with the plan, so what cannot be shown is refused.
void check_context(Resolution& out) {
  const policy::Context& context = out.request.context;
  // The worktree is judged as a mount, and with it the project of a host session.
  std::vector<std::string> paths = {context.home, context.data_dir, context.tool_output, context.tmp};
  if (context.project != context.worktree) {
    paths.push_back(context.project);
  }
  for (const policy::ControlPlaneEntry& entry : out.request.control_plane) {
    paths.push_back(entry.path);
  }
  for (const std::string& path : paths) {
    if (!policy::is_shown_as_written(path)) {
      out.report(policy::DiagnosticId::ContextPathUnusable,
                 fmt::format("`{}` holds a control or invisible character", policy::excerpt(path)),
                 "rename the directory");
    }
  }
}

// What was never asked about would be judged by its spelling alone.
void check_facts(Resolution& out) {
  for (const std::string& path : protected_paths(out.request.context, out.request.control_plane)) {
    if (out.facts.find(path) == nullptr) {
      out.report(policy::DiagnosticId::ContextPathUnusable,
                 fmt::format("the facts do not say what `{}` is", policy::excerpt(path)),
                 "take the facts and compile with the same flags, home directory and environment");
      return;
    }
  }
}

void fill_control_plane(Resolution& out) {
  for (policy::ControlPlaneEntry entry : out.request.control_plane) {
    if (const policy::PathFact* fact = out.facts.find(entry.path)) {
      entry.dev = fact->dev;
      entry.ino = fact->ino;
    }
    out.plan.control_plane.push_back(std::move(entry));
  }
}

void resolve_enabled(Resolution& out) {
  const bool off =
      out.config.enabled == policy::Enabled::Off || out.request.overrides.sandbox == policy::Enabled::Off;
  out.plan.enabled = off ? policy::Enabled::Off : policy::Enabled::On;
  if (off && out.config.enabled == policy::Enabled::On) {
    out.report(policy::DiagnosticId::SandboxOff,
               "an override turns the sandbox off: commands run on the host without a boundary");
  }
}

void record_source(Resolution& out) {
  out.plan.config_path = out.request.config_path;
  out.plan.config_sha256 = out.request.config_sha256;
  out.plan.facts = out.facts;
  out.plan.overrides = out.request.overrides;
  out.plan.session = out.request.session;
  out.plan.context = out.request.context;
  out.plan.image = out.config.image;
  out.plan.permissions = out.config.permissions;
  out.plan.dropped = out.config.dropped;
  out.plan.compiler = compiler_info();
}

}  // namespace

Config read_config(const policy::SourceText& source, const LowerOptions& options,
                   policy::DiagnosticSink& sink) {
  const grammar::SyntaxTree tree = grammar::parse_jsonc(source.text(), sink);
  return lower(tree, options, sink);
}

FactQuestions questions_for(const Config& config, const CompileRequest& request) {
  const policy::Context& context = request.context;
  FactQuestions questions;
  questions.paths = protected_paths(context, request.control_plane);
  for (const std::string& path :
       {context.worktree, context.project, context.tool_output, context.tmp, folder_of(context.tmp)}) {
    questions.paths.push_back(path);
  }
  questions.repositories = {context.worktree, context.project, context.tmp};
  for (const MountEntry& mount : config.mounts) {
    questions.paths.push_back(mount.path.text());
    if (mount.access == policy::Access::ReadWrite) {
      questions.repositories.push_back(mount.path.text());
    }
  }
  for (const EnvEntry& entry : config.network.env) {
    questions.env_names.push_back(entry.name);
  }
  for (const SecretEntry& entry : config.network.secrets) {
    questions.env_names.push_back(entry.env);
  }
  return questions;
}

std::optional<policy::Plan> resolve(const Config& config, const policy::HostFacts& facts,
                                    const CompileRequest& request, const policy::SourceText& source,
                                    policy::DiagnosticSink& sink) {
  policy::Plan plan(config.image);
  Resolution out{config, facts, request, sink, plan};
  record_source(out);
  resolve_enabled(out);
  check_context(out);
  check_facts(out);
  resolve_name(out);
  resolve_resources(out);
  resolve_mounts(out);
  resolve_network(out);
  resolve_warnings(out);
  fill_control_plane(out);
  if (sink.stops_plan()) {
    return std::nullopt;
  }
  const auto facts_digest = seal::sha256_hex(policy::encode_facts(facts));
  if (!facts_digest) {
    out.report(policy::DiagnosticId::DigestUnavailable, facts_digest.error().detail);
    return std::nullopt;
  }
  plan.facts_sha256 = *facts_digest;
  verify(plan, sink);
  if (sink.stops_plan()) {
    return std::nullopt;
  }
  for (const policy::Diagnostic& diagnostic : sink.sorted()) {
    plan.diagnostics.push_back(policy::place(diagnostic, source));
  }
  return plan;
}

}  // namespace forge::compiler
