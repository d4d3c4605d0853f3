#include <fmt/format.h>

#include <memory>

#include "../context_flags.hpp"
#include "../finding_flags.hpp"
#include "../verb.hpp"
#include "forge/compiler/host_paths.hpp"

namespace forge::cli {
namespace {

using compiler::FileReport;
using policy::DiagnosticSink;

class Check {
 public:
  void add(CLI::App& verb) {
    verb.add_option("CONFIG", inputs_,
                    "config files, folders to search, `-` for standard input; default: your own")
        ->type_name("");
    findings_.add(verb);
    context_.add(verb);
  }

  ExitStatus run() {
    const auto paths = files();
    const auto env = env_source(context_);
    if (!paths || !env) {
      return complain(paths ? env.error() : paths.error());
    }
    env_is_set_ = *env;
    color_ = color_for(findings_.color, Stream::Error);
    for (const std::string& path : *paths) {
      if (const auto done = check(path); !done) {
        unreadable(path, done.error());
      }
    }
    return finish();
  }

 private:
  policy::Result<std::vector<std::string>> files() const {
    if (inputs_.empty()) {
      return default_config_path().map(
          [](const std::string& path) { return std::vector<std::string>{path}; });
    }
    std::vector<std::string> paths;
    for (const std::string& input : inputs_) {
      if (input == "-" || !compiler::is_directory(input)) {
        paths.push_back(input);
        continue;
      }
      const auto found = compiler::find_configs(input);
      if (!found) {
        return tl::unexpected(found.error());
      }
      if (found->empty()) {
        return policy::fail(policy::ErrorKind::NotFound, "search " + input,
                            "no forge-config.jsonc below this folder");
      }
      paths.insert(paths.end(), found->begin(), found->end());
    }
    return paths;
  }

  policy::Result<void> check(const std::string& path) {
    const auto read = read_config_source(path);
    if (!read) {
      return tl::unexpected(read.error());
    }
    const policy::SourceText& source = *read;
    const auto overrides = context_.overrides();
    if (!overrides) {
      return tl::unexpected(overrides.error());
    }
    DiagnosticSink sink;
    const compiler::Config config = compiler::read_config(source, {overrides->lan}, sink);
    if (context_.ask_for_plan()) {
      const auto request = make_request(context_, path, config.data_dir, source.text());
      if (!request) {
        return tl::unexpected(request.error());
      }
      const auto facts =
          compiler::collect_facts(compiler::questions_for(config, *request), system_files(), env_is_set_);
      [[maybe_unused]] const auto plan = compiler::resolve(config, facts, *request, source, sink);
    } else {
      report_env(config, sink);
    }
    const bool off = config.enabled == policy::Enabled::Off || overrides->sandbox == policy::Enabled::Off;
    reports_.push_back(compiler::make_report(source, sink, off, color_));
    return {};
  }

  void report_env(const compiler::Config& config, DiagnosticSink& sink) const {
    compiler::FactQuestions questions = compiler::questions_for(config, {});
    questions.paths.clear();
    compiler::report_unset(
        config, compiler::collect_facts(questions, compiler::InMemoryHostFiles(), env_is_set_), sink);
  }

  void unreadable(const std::string& path, const policy::Error& error) {
    failed_ = true;
    const policy::SourceText nothing(path == "-" ? "<stdin>" : path, "");
    DiagnosticSink sink;
    sink.report({policy::DiagnosticId::ConfigUnreadable,
                 fmt::format("cannot {}: {}", error.operation, error.detail),
                 std::nullopt,
                 {},
                 {},
                 {}});
    reports_.push_back(compiler::make_report(nothing, sink, false, color_));
  }

  ExitStatus finish() const {
    // Findings in text are diagnostics and go to standard error; the verdict is
    // the output. In a machine format the findings are the output.
    const bool json = findings_.format == Format::Json;
    if (!json) {
      say(compiler::render_findings(reports_, color_));
    }
    const auto written = write_output(
        {}, json ? compiler::render_json(reports_)
                 : compiler::render_summary(reports_, color_for(findings_.color, Stream::Output)));
    if (!written) {
      return complain(written.error());
    }
    if (failed_) {
      return ExitStatus::Failed;
    }
    for (const FileReport& report : reports_) {
      if (report.errors > 0 || (findings_.strict && report.warnings > 0)) {
        return ExitStatus::Findings;
      }
    }
    return ExitStatus::Ok;
  }

  std::vector<std::string> inputs_;
  FindingFlags findings_;
  ContextFlags context_;
  compiler::EnvIsSet env_is_set_;
  compiler::Color color_ = compiler::Color::Off;
  std::vector<FileReport> reports_;
  bool failed_ = false;
};

}  // namespace

Run add_check(CLI::App& verb) {
  const auto command = std::make_shared<Check>();
  command->add(verb);
  return [command] { return command->run(); };
}

}  // namespace forge::cli
