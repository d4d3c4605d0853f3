#include "vector_format.hpp"

#include "forge/policy/json.hpp"

namespace forge::cli {
namespace {

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+";

// POSIX single quotes keep every byte but the quote itself.
std::string shell_word(std::string_view text) {
  // A leading `~` or `NAME=` means something only unquoted; `=` inside an option does not.
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string shell_line(const compiler::Argv& argv, std::string_view program) {
  std::string out(program);
  for (const std::string& argument : argv) {
    out += ' ';
    out += shell_word(argument);
  }
  return out;
}

void write_argv(policy::JsonWriter& out, const compiler::Argv& argv) {
  out.begin_array();
  for (const std::string& argument : argv) {
    out.string(argument);
  }
  out.end_array();
}

}  // namespace

std::string format_vector(const compiler::Argv& argv, std::string_view program, VectorFormat format) {
  switch (format) {
    case VectorFormat::Json: {
      policy::JsonWriter out;
      write_argv(out, argv);
      return std::move(out).take() + '\n';
    }
    case VectorFormat::Shell:
      return shell_line(argv, program) + '\n';
    case VectorFormat::Nul: {
      std::string out;
      for (const std::string& argument : argv) {
        out += argument;
        out += '\0';
      }
      return out;
    }
  }
  return {};
}

std::optional<std::string> format_steps(const std::vector<compiler::Step>& steps, std::string_view program,
                                        VectorFormat format) {
  switch (format) {
    case VectorFormat::Nul:
      return std::nullopt;
    case VectorFormat::Shell: {
      std::string out;
      for (const compiler::Step& step : steps) {
        out += shell_line(step.argv, program) + (step.may_fail ? " || :\n" : " || exit\n");
      }
      return out;
    }
    case VectorFormat::Json:
      break;
  }
  policy::JsonWriter out;
  out.begin_object();
  out.member("schema", "forge-policy/steps/v1");
  out.key("steps");
  out.begin_array();
  for (const compiler::Step& step : steps) {
    out.begin_object();
    out.key("argv");
    write_argv(out, step.argv);
    out.member("may_fail", step.may_fail);
    out.member("timeout_s", std::int64_t{step.timeout_s});
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return std::move(out).take() + '\n';
}

}  // namespace forge::cli
