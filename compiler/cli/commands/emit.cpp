#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "choice.hpp"
#include "forge/compiler/verify.hpp"
#include "forge/enforce/checked_files.hpp"
#include "forge/policy/json.hpp"
#include "forge/policy/utf8.hpp"
#include "forge/seal/digest.hpp"
#include "io.hpp"
#include "vector_format.hpp"
#include "verb.hpp"

namespace forge::cli {
namespace {

enum class What { Create, Exec, Remove };

class Emit {
 public:
  void add(CLI::App& verb) {
    verb.add_option("PLAN", input_, "the plan file, `-` for standard input")
        ->required()
        ->check(not_empty())
        ->type_name("");
    add_choice<What>(verb, "WHAT", what_,
                     {{"create", What::Create}, {"exec", What::Exec}, {"remove", What::Remove}},
                     "what to emit; default create, exec takes `-- COMMAND...`")
        ->type_name("");
    format_option_ = add_choice<VectorFormat>(
        verb, "--format", format_,
        {{"json", VectorFormat::Json}, {"shell", VectorFormat::Shell}, {"nul", VectorFormat::Nul}},
        "how vectors are written; default json, on a terminal shell");
    format_option_->type_name("FORMAT");
    verb.add_option("-o,--output", output_, "write to this file instead of standard output")
        ->check(not_empty())
        ->type_name("FILE");
  }

  ExitStatus run(const Operands& command) {
    command_ = command;
    if (const auto usable = check_usage(); !usable) {
      return complain(usable.error());
    }
    const auto text = read_input(input_, policy::kMaxPlanBytes);
    if (!text) {
      return complain_of_input(input_, text.error());
    }
    const auto plan = seal::read_sealed_plan(*text);
    if (!plan) {
      return complain(fmt::format("{}: {}", shown_input(input_), plan.error().detail));
    }
    if (plan->enabled == policy::Enabled::Off) {
      say("forge-policy: the sandbox is off in this plan (sandbox.enabled is false): there is nothing to "
          "emit\n");
      return ExitStatus::Findings;
    }
    if (!proven(*plan)) {
      return ExitStatus::Findings;
    }
    return emit(*plan);
  }

 private:
  [[nodiscard]] policy::Result<void> check_usage() const {
    using policy::ErrorKind;
    if (what_ != What::Exec && !command_.empty()) {
      return policy::fail(ErrorKind::Malformed, "emit",
                          "only `emit PLAN exec -- COMMAND...` takes a command");
    }
    if (what_ == What::Exec && command_.empty()) {
      return policy::fail(ErrorKind::Malformed, "emit",
                          "exec needs a command: `emit PLAN exec -- COMMAND...`");
    }
    if (is_same_file(output_, input_)) {
      return policy::fail(ErrorKind::Malformed, output_,
                          "this file is the plan, the output would replace it");
    }
    return {};
  }

  // A plan edited by hand may carry a right digest and still not hold.
  static bool proven(const policy::Plan& plan) {
    policy::DiagnosticSink sink;
    compiler::verify(plan, sink);
    for (const policy::Diagnostic& finding : sink.sorted()) {
      say(fmt::format("forge-policy: {}[{}]: {}\n", policy::to_string(finding.severity()),
                      policy::code_text(finding.id), finding.message));
    }
    return !sink.stops_plan();
  }

  [[nodiscard]] VectorFormat format() const {
    if (format_option_->count() > 0) {
      return format_;
    }
    return (output_.empty() || output_ == kStandardStream) && enforce::is_terminal(enforce::Stream::Output)
               ? VectorFormat::Shell
               : VectorFormat::Json;
  }

  ExitStatus emit(const policy::Plan& plan) {
    const compiler::Target& runtime = compiler::target(plan.target);
    switch (what_) {
      case What::Create:
        return write(format_vector(runtime.create(plan), runtime.program, format()));
      case What::Exec:
        return emit_exec(plan, runtime);
      case What::Remove: {
        const auto steps = format_steps(runtime.remove(plan), runtime.program, format());
        return steps ? write(*steps)
                     : complain("several commands cannot be told apart in the nul format; use json");
      }
    }
    return ExitStatus::Failed;
  }

  ExitStatus emit_exec(const policy::Plan& plan, const compiler::Target& runtime) {
    const compiler::Argv argv = runtime.exec(plan, command_);
    // What runs must be what was asked for, whatever read the command line.
    if (argv.size() < command_.size() || !std::equal(command_.rbegin(), command_.rend(), argv.rbegin())) {
      return complain("internal error: the vector does not end in the command");
    }
    std::size_t total = 0;
    for (const std::string& argument : argv) {
      if (!policy::is_valid_utf8(argument)) {
        return complain("an argument of the command is not UTF-8, which the runtime cannot take");
      }
      if (argument.size() >= compiler::kMaxArgumentBytes) {
        return complain(fmt::format("an argument of the command has more than {} bytes",
                                    compiler::kMaxArgumentBytes - 1));
      }
      total += argument.size() + 1;
    }
    if (total > compiler::kMaxVectorBytes) {
      return complain(fmt::format("the command has more than {} bytes", compiler::kMaxVectorBytes));
    }
    return write(format_vector(argv, runtime.program, format()));
  }

  [[nodiscard]] ExitStatus write(std::string_view bytes) const {
    const auto written = write_output(output_, bytes);
    return written ? ExitStatus::Ok : complain(written.error());
  }

  std::string input_;
  std::string output_;
  What what_ = What::Create;
  compiler::Argv command_;
  VectorFormat format_ = VectorFormat::Json;
  CLI::Option* format_option_ = nullptr;
};

}  // namespace

Run add_emit(CLI::App& verb) {
  const auto command = std::make_shared<Emit>();
  command->add(verb);
  return [command](const Operands& behind_dashes) { return command->run(behind_dashes); };
}

}  // namespace forge::cli
