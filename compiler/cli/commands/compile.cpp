#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "context_flags.hpp"
#include "finding_flags.hpp"
#include "forge/policy/json.hpp"
#include "forge/seal/digest.hpp"
#include "verb.hpp"

namespace forge::cli {
namespace {

class Compile {
 public:
  void add(CLI::App& verb) {
    verb.add_option("CONFIG", input_, "the config file, `-` for standard input")
        ->check(not_empty())
        ->type_name("");
    verb.add_option("-o,--output", output_, "write the plan to this file instead of standard output")
        ->check(not_empty())
        ->type_name("FILE");
    findings_.add(verb);
    context_.add(verb);
  }

  ExitStatus run(const Operands& behind_dashes) {
    // The config may stand behind `--`, too.
    const bool is_behind = input_.empty() && behind_dashes.size() == 1;
    if (is_behind) {
      input_ = behind_dashes.front();
    }
    if (input_.empty()) {
      return complain("CONFIG is required", "(see `forge-policy compile --help`)");
    }
    if (const auto usable = check_usage(is_behind ? Operands{} : behind_dashes); !usable) {
      return complain(usable.error());
    }
    if (output_ == kStandardStream) {
      output_.clear();
    }
    const auto settings = read_settings(context_, PlanWanted::Yes);
    if (!settings) {
      return complain(settings.error());
    }
    const auto env = env_source(context_);
    if (!env) {
      return complain(env.error());
    }
    const auto source = read_config_source(input_);
    return source ? compile(*source, *settings, *env) : unreadable(source.error());
  }

 private:
  [[nodiscard]] policy::Result<void> check_usage(const Operands& behind_dashes) const {
    using policy::ErrorKind;
    if (!behind_dashes.empty()) {
      return policy::fail(ErrorKind::Malformed, "compile", "one config is taken, before or behind `--`");
    }
    for (const auto& [flag, file] :
         {std::pair{"--env-file", &context_.env_file}, std::pair{"--facts", &context_.facts}}) {
      if (input_ == kStandardStream && *file == kStandardStream) {
        return policy::fail(ErrorKind::Malformed, flag, "standard input is the config already");
      }
    }
    if (is_same_file(output_, input_) || is_same_file(output_, context_.env_file) ||
        is_same_file(output_, context_.facts)) {
      return policy::fail(ErrorKind::Malformed, output_,
                          "this file is an input, the output would replace it");
    }
    return {};
  }

  ExitStatus compile(const policy::SourceText& source, const Settings& settings,
                     const compiler::EnvIsSet& env) {
    policy::DiagnosticSink sink;
    const compiler::Config config = compiler::read_config(source, {settings.overrides.lan}, sink);
    const auto request = make_request(context_, settings, input_, config.data_dir, source.text());
    if (!request) {
      return complain(request.error());
    }
    const auto facts = facts_for(context_, compiler::questions_for(config, *request), env);
    if (!facts) {
      return complain(facts.error());
    }
    const auto plan = compiler::resolve(config, *facts, *request, source, sink);
    const bool off =
        config.enabled == policy::Enabled::Off || settings.overrides.sandbox == policy::Enabled::Off;
    return finish(source, sink, plan, off);
  }

  // In text a message is enough; a program that reads findings gets a finding.
  [[nodiscard]] ExitStatus unreadable(const policy::Error& error) const {
    if (findings_.format == Format::Json) {
      const auto report = unreadable_report(input_, reason_of(error), compiler::Color::Off);
      const auto written = write_output({}, compiler::render_json({report}));
      return written ? ExitStatus::Failed : complain(written.error());
    }
    return complain_of_input(input_, error);
  }

  ExitStatus finish(const policy::SourceText& source, const policy::DiagnosticSink& sink,
                    const std::optional<policy::Plan>& plan, bool off) const {
    std::optional<std::string> sealed;
    if (plan && !(findings_.strict && sink.errors() + sink.warnings() > 0)) {
      auto bytes = seal::seal_plan(*plan);
      if (!bytes) {
        return complain(bytes.error());
      }
      sealed = std::move(*bytes);
    }
    const bool too_large = sealed && sealed->size() > policy::kMaxPlanBytes;
    const bool refused = !sealed || too_large;
    if (const auto shown = show(source, sink, off, refused); !shown) {
      return complain(shown.error());
    }
    if (too_large) {
      say(fmt::format("forge-policy: the plan would have {} bytes, and a plan may have {}\n", sealed->size(),
                      policy::kMaxPlanBytes));
    }
    if (refused) {
      say("forge-policy: no plan was made\n");
      return ExitStatus::Findings;
    }
    const auto written = write_output(output_, *sealed);
    return written ? ExitStatus::Ok : complain(written.error());
  }

  [[nodiscard]] policy::Result<void> show(const policy::SourceText& source,
                                          const policy::DiagnosticSink& sink, bool off, bool refused) const {
    const bool json = findings_.format == Format::Json;
    // The findings go to standard output only where the plan does not.
    const bool to_output = json && (refused || !output_.empty());
    const compiler::Color color = color_for(findings_.color, to_output ? Stream::Output : Stream::Error);
    const std::vector<compiler::FileReport> reports = {compiler::make_report(source, sink, off, color)};
    const std::string findings = json ? compiler::render_json(reports)
                                      : compiler::render_findings(reports, color) +
                                            compiler::render_summary(reports, findings_.strictness(), color);
    if (to_output) {
      return write_output({}, findings);
    }
    say(findings);
    return {};
  }

  std::string input_;
  std::string output_;
  FindingFlags findings_;
  ContextFlags context_;
};

}  // namespace

Run add_compile(CLI::App& verb) {
  const auto command = std::make_shared<Compile>();
  command->add(verb);
  return [command](const Operands& behind_dashes) { return command->run(behind_dashes); };
}

}  // namespace forge::cli
