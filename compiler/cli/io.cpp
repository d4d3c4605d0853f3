#include "io.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "forge/enforce/checked_files.hpp"
#include "forge/grammar/jsonc.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::cli {
namespace {

constexpr mode_t kOutputMode = 0600;

}  // namespace

policy::Result<std::string> read_input(const std::string& path, std::size_t limit) {
  return path == "-" ? enforce::read_stdin_bounded(limit) : enforce::read_bounded(path, limit);
}

policy::Result<policy::SourceText> read_config_source(const std::string& path) {
  auto text = read_input(path, grammar::kMaxConfigBytes);
  if (!text && text.error().kind != policy::ErrorKind::TooLarge) {
    return tl::unexpected(text.error());
  }
  // One byte past the limit is all the parser needs to see that it is too large.
  return policy::SourceText(path == "-" ? "<stdin>" : path,
                            text ? std::move(*text) : std::string(grammar::kMaxConfigBytes + 1, ' '));
}

policy::Result<void> write_output(const std::string& path, std::string_view bytes) {
  return path.empty() ? enforce::write_stdout(bytes)
                      : enforce::write_file_atomically(path, bytes, kOutputMode);
}

ExitStatus complain(const policy::Error& error) {
  // A reader that went away (`| head`) needs no words, only the status.
  if (error.errno_value != EPIPE) {
    return complain(policy::escape_for_display(fmt::format("{}: {}", error.operation, error.detail)));
  }
  return ExitStatus::Failed;
}

ExitStatus complain(std::string_view message) {
  say(fmt::format("forge-policy: {}\n", message));
  return ExitStatus::Failed;
}

void say(std::string_view text) {
  // Nothing can be done about a standard error that takes no text; the exit
  // status still tells.
  [[maybe_unused]] const auto written = enforce::write_stderr(text);
}

compiler::Color color_for(ColorChoice choice, Stream stream) {
  switch (choice) {
    case ColorChoice::Always:
      return compiler::Color::On;
    case ColorChoice::Never:
      return compiler::Color::Off;
    case ColorChoice::Auto:
      break;
  }
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused =
      (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string_view(term) == "dumb");
  const bool terminal =
      enforce::is_terminal(stream == Stream::Output ? enforce::Stream::Output : enforce::Stream::Error);
  return terminal && !refused ? compiler::Color::On : compiler::Color::Off;
}

}  // namespace forge::cli
