// Compiling large configs: 10,000 hosts and 500 mounts, 5,000 mounts, and how the cost grows.
// The rival of the same run is nlohmann::json parsing the same text without
// looking at it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "forge/compiler/compile.hpp"
#include "forge/compiler/verify.hpp"
#include "forge/policy/plan_document.hpp"

namespace {

using namespace forge;

std::string config_text(std::size_t hosts, std::size_t mounts) {
  std::string text = R"({"sandbox":{"network":{"allow":[)";
  for (std::size_t i = 0; i < hosts; ++i) {
    text += fmt::format("{}\"{}host-{}.region-{}.example.com\"", i == 0 ? "" : ",\n", i % 10 == 0 ? "*." : "",
                        i, i % 97);
  }
  text += R"(]},"mounts":[)";
  for (std::size_t i = 0; i < mounts; ++i) {
    text += fmt::format("{}{{\"host\":\"/srv/data/{}/set-{}\"}}", i == 0 ? "" : ",\n", i % 23, i);
  }
  return text + "]}}";
}

compiler::CompileRequest request() {
  compiler::CompileRequest out;
  out.config_path = "bench";
  out.config_sha256 = std::string(64, '0');
  out.context = {"/work/tree",      "/work/tree",        "/home/user",
                 "/home/user/data", "/home/user/output", "/tmp/editor"};
  out.name = "bench";
  return out;
}

compiler::InMemoryHostFiles files(std::size_t mounts) {
  compiler::InMemoryHostFiles out;
  for (const char* path : {"/work/tree", "/tmp", "/tmp/editor", "/home/user/output"}) {
    out.add_directory(path);
  }
  for (std::size_t i = 0; i < mounts; ++i) {
    out.add_directory(fmt::format("/srv/data/{}/set-{}", i % 23, i));
  }
  return out;
}

// Text to sealed-ready document: read, resolve, verify, encode.
void compile(benchmark::State& state) {
  const auto hosts = static_cast<std::size_t>(state.range(0));
  const auto mounts = static_cast<std::size_t>(state.range(1));
  const policy::SourceText source("bench", config_text(hosts, mounts));
  const compiler::InMemoryHostFiles host = files(mounts);
  for (auto _ : state) {
    policy::DiagnosticSink sink;
    const compiler::Config config = compiler::read_config(source, {}, sink);
    const auto facts = compiler::collect_facts(compiler::questions_for(config, request()), host,
                                               [](const policy::EnvName&) { return true; });
    const auto plan = compiler::resolve(config, facts, request(), source, sink);
    if (!plan || plan->egress.rules.size() != hosts) {
      state.SkipWithError("the plan is not what was asked for");
      return;
    }
    benchmark::DoNotOptimize(policy::encode_plan(*plan).bytes);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(source.text().size()));
}
BENCHMARK(compile)
    ->Args({1'000, 500})
    ->Args({10'000, 500})
    ->Args({1'000, 0})
    ->Args({10'000, 0})
    ->Args({0, 500})
    ->Args({0, 5'000})
    ->Unit(benchmark::kMillisecond);

// All proofs on one plan.
void verify(benchmark::State& state) {
  const auto hosts = static_cast<std::size_t>(state.range(0));
  const auto mounts = static_cast<std::size_t>(state.range(1));
  const policy::SourceText source("bench", config_text(hosts, mounts));
  policy::DiagnosticSink found;
  const compiler::Config config = compiler::read_config(source, {}, found);
  const auto facts = compiler::collect_facts(compiler::questions_for(config, request()), files(mounts),
                                             [](const policy::EnvName&) { return true; });
  const auto plan = compiler::resolve(config, facts, request(), source, found);
  if (!plan || plan->egress.rules.size() != hosts) {
    state.SkipWithError("the plan is not what was asked for");
    return;
  }
  for (auto _ : state) {
    policy::DiagnosticSink sink;
    compiler::verify(*plan, sink);
    benchmark::DoNotOptimize(sink.errors());
  }
}
BENCHMARK(verify)
    ->Args({10'000, 500})
    ->Args({0, 500})
    ->Args({10'000, 0})
    ->Args({0, 5'000})
    ->Unit(benchmark::kMillisecond);

void nlohmann_parse(benchmark::State& state) {
  const std::string text =
      config_text(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(nlohmann::json::parse(text, nullptr, true, true));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(nlohmann_parse)->Args({10'000, 500})->Args({0, 5'000})->Unit(benchmark::kMillisecond);

}  // namespace
