#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "context_flags.hpp"
#include "finding_flags.hpp"
#include "forge/compiler/host_paths.hpp"
#include "verb.hpp"

namespace forge::cli {
namespace {

using compiler::FileReport;
using policy::DiagnosticSink;

class Check {
 public:
  void add(CLI::App& verb) {
    // One value for the option and the rest as extras: CLI11 takes a word `[a,b]`
    // in a list for two values.
    verb.add_option("CONFIG...", first_,
                    "config files, folders to search, `-` for standard input; default: your own")
        ->type_name("");
    verb.allow_extras();
    findings_.add(verb);
    context_.add(verb);
    verb_ = &verb;
  }

  ExitStatus run(const Operands& behind_dashes) {
    const std::vector<std::string> inputs = operands(behind_dashes);
    if (std::count(inputs.begin(), inputs.end(), kStandardStream) +
            (context_.env_file == kStandardStream ? 1 : 0) + (context_.facts == kStandardStream ? 1 : 0) >
        1) {
      return complain("standard input can be read only once");
    }
    auto settings = read_settings(context_, PlanWanted::IfAsked);
    if (!settings) {
      return complain(settings.error());
    }
    settings_ = std::move(*settings);
    auto env = env_source(context_);
    const auto own = inputs.empty() ? default_config_path() : std::string();
    if (!env || !own) {
      return complain(env ? own.error() : env.error());
    }
    env_is_set_ = std::move(*env);
    color_ = color_for(findings_.color, Stream::Error);
    for (const std::string& input : inputs.empty() ? std::vector<std::string>{*own} : inputs) {
      check_argument(input);
    }
    return finish();
  }

 private:
  [[nodiscard]] std::vector<std::string> operands(const Operands& behind_dashes) const {
    std::vector<std::string> all;
    if (verb_->get_option("CONFIG...")->count() > 0) {
      all.push_back(first_);
    }
    for (const std::vector<std::string>& more : {verb_->remaining(), behind_dashes}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  // One argument's failure hides no other argument.
  void check_argument(const std::string& input) {
    if (input == kStandardStream || !compiler::is_directory(input)) {
      check_file(input);
      return;
    }
    const compiler::FoundConfigs found = compiler::find_configs(input);
    for (const std::string& path : found.configs) {
      check_file(path);
    }
    for (const compiler::Unsearched& place : found.unsearched) {
      unreadable(place.path, reason_of(place.error));
    }
    if (found.configs.empty() && found.unsearched.empty()) {
      unreadable(input, "no forge-config.jsonc below this folder");
    }
  }

  void check_file(const std::string& path) {
    if (const auto done = check(path); !done) {
      unreadable(path, reason_of(done.error()));
    }
  }

  policy::Result<void> check(const std::string& path) {
    const auto read = read_config_source(path);
    if (!read) {
      return tl::unexpected(read.error());
    }
    const policy::SourceText& source = *read;
    const policy::Overrides& overrides = settings_.overrides;
    DiagnosticSink sink;
    const compiler::Config config = compiler::read_config(source, {overrides.lan}, sink);
    if (settings_.context) {
      const auto request = make_request(context_, settings_, path, config.data_dir, source.text());
      if (!request) {
        return tl::unexpected(request.error());
      }
      const auto facts = facts_for(context_, compiler::questions_for(config, *request), env_is_set_);
      if (!facts) {
        return tl::unexpected(facts.error());
      }
      [[maybe_unused]] const auto plan = compiler::resolve(config, *facts, *request, source, sink);
    } else {
      report_env(config, sink);
    }
    const bool off = config.enabled == policy::Enabled::Off || overrides.sandbox == policy::Enabled::Off;
    reports_.push_back(compiler::make_report(source, sink, off, color_));
    return {};
  }

  void report_env(const compiler::Config& config, DiagnosticSink& sink) const {
    compiler::FactQuestions questions = compiler::questions_for(config, {});
    questions.paths.clear();
    questions.repositories.clear();
    compiler::report_unset(
        config, compiler::collect_facts(questions, compiler::InMemoryHostFiles(), env_is_set_), sink);
  }

  void unreadable(const std::string& path, std::string_view reason) {
    failed_ = true;
    reports_.push_back(unreadable_report(path, reason, color_));
  }

  ExitStatus finish() const {
    // Findings in text are diagnostics and go to standard error; the verdict is
    // the output. In a machine format the findings are the output.
    const bool json = findings_.format == Format::Json;
    if (!json) {
      say(compiler::render_findings(reports_, color_));
    }
    const auto written =
        write_output({}, json ? compiler::render_json(reports_)
                              : compiler::render_summary(reports_, findings_.strictness(),
                                                         color_for(findings_.color, Stream::Output)));
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

  const CLI::App* verb_ = nullptr;
  std::string first_;
  FindingFlags findings_;
  ContextFlags context_;
  Settings settings_;
  compiler::EnvIsSet env_is_set_;
  compiler::Color color_ = compiler::Color::Off;
  std::vector<FileReport> reports_;
  bool failed_ = false;
};

}  // namespace

Run add_check(CLI::App& verb) {
  const auto command = std::make_shared<Check>();
  command->add(verb);
  return [command](const Operands& behind_dashes) { return command->run(behind_dashes); };
}

}  // namespace forge::cli
