// Compiles a text against a small host made of a table.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "forge/compiler/compile.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace forge::compiler::test {

struct Compiled {
  std::optional<policy::Plan> plan;
  std::vector<policy::Diagnostic> findings;
  std::size_t errors = 0;

  [[nodiscard]] std::vector<std::string> codes() const {
    std::vector<std::string> out;
    for (const policy::Diagnostic& finding : findings) {
      out.push_back(policy::code_text(finding.id));
    }
    return out;
  }
  [[nodiscard]] const policy::Diagnostic* find(policy::DiagnosticId id) const {
    for (const policy::Diagnostic& finding : findings) {
      if (finding.id == id) {
        return &finding;
      }
    }
    return nullptr;
  }
};

/// `host:guest` of every mount of a directory, with `:ro` where it is read-only.
inline std::vector<std::string> mounts_of(const Compiled& result) {
  std::vector<std::string> out;
  if (!result.plan) {
    return out;
  }
  for (const policy::Mount& mount : result.plan->mounts) {
    if (const auto* source = std::get_if<policy::PathSource>(&mount.source)) {
      out.push_back(source->host.text() + ":" + mount.guest.text() +
                    (mount.access == policy::Access::ReadOnly ? ":ro" : ""));
    }
  }
  return out;
}

/// A config with these entries under `sandbox.mounts`.
inline std::string mounts(const std::string& entries) {
  return R"({"sandbox":{"mounts":[)" + entries + "]}}";
}
inline std::string read_only(const std::string& path) { return R"({"host":")" + path + R"("})"; }
inline std::string writable(const std::string& path) {
  return R"({"host":")" + path + R"(","readonly":false})";
}

class TestHost {
 public:
  TestHost() {
    for (const char* path : {"/w", "/p", "/tmp", "/tmp/opencode", "/home/u/out", "/srv", "/srv/a", "/srv/a/b",
                             "/srv/c", "/proc"}) {
      files.add_directory(path);
    }
    request.config_path = "test.jsonc";
    request.config_sha256 = std::string(64, '0');
    request.context = {"/w", "/w", "/home/u", "/home/u/data", "/home/u/out", "/tmp/opencode"};
    request.session = policy::Session::Host;
    request.name = "test";
  }

  [[nodiscard]] Compiled compile(const std::string& text) const { return compile_on(files, text); }

  /// The same against another file system.
  [[nodiscard]] Compiled compile_on(const HostFiles& host, const std::string& text) const {
    const policy::SourceText source("test.jsonc", text);
    policy::DiagnosticSink sink;
    const Config config = read_config(source, {request.overrides.lan}, sink);
    const auto facts =
        collect_facts(questions_for(config, request), host,
                      [this](const policy::EnvName& name) { return env.contains(name.text()); });
    Compiled out;
    out.plan = resolve(config, facts, request, source, sink);
    out.findings = sink.sorted();
    out.errors = sink.errors();
    return out;
  }

  InMemoryHostFiles files;
  CompileRequest request;
  std::set<std::string> env;
};

}  // namespace forge::compiler::test
