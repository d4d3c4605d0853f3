#include "forge/compiler/verify.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "choice.hpp"
#include "finding_flags.hpp"
#include "forge/policy/json.hpp"
#include "forge/seal/digest.hpp"
#include "io.hpp"
#include "verb.hpp"

namespace forge::cli {
namespace {

class Verify {
 public:
  void add(CLI::App& verb) {
    verb.add_option("PLAN", input_, "the plan file, `-` for standard input")
        ->required()
        ->check(not_empty())
        ->type_name("");
    findings_.add(verb);
  }

  ExitStatus run(const Operands& behind_dashes) const {
    if (!behind_dashes.empty()) {
      return complain("verify takes one plan, and nothing behind `--`");
    }
    auto text = read_input(input_, policy::kMaxPlanBytes);
    if (!text) {
      return complain_of_input(input_, text.error());
    }
    const auto plan = seal::read_sealed_plan(*text);
    if (!plan) {
      return complain(fmt::format("{}: {}", shown_input(input_), plan.error().detail));
    }
    policy::DiagnosticSink sink;
    compiler::verify(*plan, sink);
    return show(policy::SourceText(shown_input(input_), std::move(*text)), sink,
                plan->enabled == policy::Enabled::Off);
  }

 private:
  // As with `check`: the verdict is the output, in a machine format the findings are.
  [[nodiscard]] ExitStatus show(const policy::SourceText& source, const policy::DiagnosticSink& sink,
                                bool off) const {
    const compiler::Color color = color_for(findings_.color, Stream::Error);
    const std::vector<compiler::FileReport> reports = {compiler::make_report(source, sink, off, color)};
    const bool json = findings_.format == Format::Json;
    if (!json) {
      say(compiler::render_findings(reports, color));
    }
    const auto written =
        write_output({}, json ? compiler::render_json(reports)
                              : compiler::render_summary(reports, findings_.strictness(),
                                                         color_for(findings_.color, Stream::Output)));
    if (!written) {
      return complain(written.error());
    }
    const bool failed = sink.errors() > 0 || (findings_.strict && sink.warnings() > 0);
    return failed ? ExitStatus::Findings : ExitStatus::Ok;
  }

  std::string input_;
  FindingFlags findings_;
};

}  // namespace

Run add_verify(CLI::App& verb) {
  const auto command = std::make_shared<Verify>();
  command->add(verb);
  return [command](const Operands& behind_dashes) { return command->run(behind_dashes); };
}

}  // namespace forge::cli
