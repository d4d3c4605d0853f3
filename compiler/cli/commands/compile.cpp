#include <fmt/format.h>

#include <memory>

#include "../context_flags.hpp"
#include "../finding_flags.hpp"
#include "../verb.hpp"
#include "forge/seal/digest.hpp"

namespace forge::cli {
namespace {

class Compile {
 public:
  void add(CLI::App& verb) {
    verb.add_option("CONFIG", input_, "the config file, `-` for standard input")->required()->type_name("");
    verb.add_option("-o,--output", output_, "write the plan to this file instead of standard output")
        ->type_name("FILE");
    findings_.add(verb);
    context_.add(verb);
  }

  ExitStatus run() {
    const auto read = read_config_source(input_);
    const auto env = env_source(context_);
    const auto overrides = context_.overrides();
    if (!read) {
      return complain(read.error());
    }
    if (!env) {
      return complain(env.error());
    }
    if (!overrides) {
      return complain(overrides.error());
    }
    const policy::SourceText& source = *read;
    policy::DiagnosticSink sink;
    const compiler::Config config = compiler::read_config(source, {overrides->lan}, sink);
    const auto request = make_request(context_, input_, config.data_dir, source.text());
    if (!request) {
      return complain(request.error());
    }
    const auto facts =
        compiler::collect_facts(compiler::questions_for(config, *request), system_files(), *env);
    const auto plan = compiler::resolve(config, facts, *request, source, sink);
    const bool off = config.enabled == policy::Enabled::Off || overrides->sandbox == policy::Enabled::Off;
    return finish(source, sink, plan, off);
  }

 private:
  ExitStatus finish(const policy::SourceText& source, const policy::DiagnosticSink& sink,
                    const std::optional<policy::Plan>& plan, bool off) {
    const bool refused = !plan || (findings_.strict && sink.errors() + sink.warnings() > 0);
    const bool json = findings_.format == Format::Json;
    // The findings go to standard output only where the plan does not.
    const bool to_output = json && (refused || !output_.empty());
    const compiler::Color color = color_for(findings_.color, to_output ? Stream::Output : Stream::Error);
    const std::vector<compiler::FileReport> reports = {compiler::make_report(source, sink, off, color)};
    const std::string findings =
        json ? compiler::render_json(reports)
             : compiler::render_findings(reports, color) + compiler::render_summary(reports, color);
    if (to_output) {
      if (const auto written = write_output({}, findings); !written) {
        return complain(written.error());
      }
    } else {
      say(findings);
    }
    if (refused) {
      say("forge-policy: no plan was made\n");
      return ExitStatus::Findings;
    }
    const auto sealed = seal::seal_plan(*plan);
    const auto written = sealed ? write_output(output_, *sealed) : tl::unexpected(sealed.error());
    return written ? ExitStatus::Ok : complain(written.error());
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
  return [command] { return command->run(); };
}

}  // namespace forge::cli
