// Any text as a config, all the way to a vector and back. Properties: a plan is
// made exactly when nothing stops it; the plan's document reads back equal; its
// vector reads back to its meaning; a config with any restriction never gives a
// plan with open egress.
#include <cstdint>
#include <string>

#include "forge/compiler/compile.hpp"
#include "forge/compiler/targets.hpp"
#include "forge/policy/plan_document.hpp"
#include "forge/seal/digest.hpp"

namespace {

using namespace forge;

void require(bool holds) {
  if (!holds) {
    __builtin_trap();
  }
}

compiler::CompileRequest request() {
  compiler::CompileRequest out;
  out.config_path = "fuzz";
  out.config_sha256 = std::string(64, '0');
  out.context = {"/work/tree",      "/work/tree",        "/home/user",
                 "/home/user/data", "/home/user/output", "/tmp/editor"};
  out.name = "fuzz";
  return out;
}

compiler::InMemoryHostFiles files() {
  compiler::InMemoryHostFiles out;
  for (const char* path :
       {"/work/tree", "/tmp", "/home/user/output", "/srv", "/srv/a", "/srv/b", "/opt/tools"}) {
    out.add_directory(path);
  }
  out.add_link("/srv/link", "/srv/a");
  out.add_link("/srv/root", "/proc");
  out.add_directory("/proc");
  out.add_file("/srv/file");
  return out;
}

void check_spans(const policy::DiagnosticSink& sink, std::size_t size) {
  for (const policy::Diagnostic& finding : sink.sorted()) {
    require(!finding.message.empty() && finding.message.find('\n') == std::string::npos);
    if (finding.span) {
      require(finding.span->begin <= finding.span->end && finding.span->end <= size);
    }
  }
}

void check_plan(const policy::Plan& plan, const compiler::Config& config) {
  const auto sealed = seal::seal_plan(plan);
  require(sealed.has_value());
  const auto again = seal::read_sealed_plan(*sealed);
  require(again.has_value() && *again == plan);
  const auto meaning = compiler::parse_msb_create(compiler::target(plan.target).create(plan));
  require(meaning.has_value() && *meaning == compiler::meaning_of(plan));
  const bool restricted = plan.egress.mode == policy::EgressMode::AllowList ||
                          plan.egress.mode == policy::EgressMode::AllowListAndPrivate;
  require(restricted == (config.network.intent == compiler::EgressIntent::Restricted));
  require(restricted || plan.egress.rules.empty());
  require(!plan.mounts.empty() && plan.mounts.front().origin == policy::MountOrigin::Worktree);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const policy::SourceText source("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  policy::DiagnosticSink sink;
  const compiler::Config config = compiler::read_config(source, {}, sink);
  const auto facts =
      compiler::collect_facts(compiler::questions_for(config, request()), files(),
                              [](const policy::EnvName& name) { return name.text().size() % 2 == 0; });
  const auto plan = compiler::resolve(config, facts, request(), source, sink);
  check_spans(sink, size);
  require(plan.has_value() != sink.stops_plan());
  if (plan) {
    check_plan(*plan, config);
  }
  return 0;
}
