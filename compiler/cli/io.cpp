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

std::string shown_input(const std::string& path) { return path == kStandardStream ? "<stdin>" : path; }

policy::Result<std::string> read_input(const std::string& path, std::size_t limit) {
  return path == kStandardStream ? enforce::read_stdin_bounded(limit) : enforce::read_bounded(path, limit);
}

policy::Result<policy::SourceText> read_config_source(const std::string& path) {
  auto text = read_input(path, grammar::kMaxConfigBytes);
  if (!text && text.error().kind != policy::ErrorKind::TooLarge) {
    return tl::unexpected(text.error());
  }
  // One byte past the limit is all the parser needs to see that it is too large.
  return policy::SourceText(shown_input(path),
                            text ? std::move(*text) : std::string(grammar::kMaxConfigBytes + 1, ' '));
}

bool is_same_file(const std::string& output, const std::string& input) {
  if (output.empty() || output == kStandardStream || input == kStandardStream) {
    return false;
  }
  const auto written = enforce::identity_of(output);
  const auto read = enforce::identity_of(input);
  return written && read && *written == *read;
}

policy::Result<void> write_output(const std::string& path, std::string_view bytes) {
  if (path.empty() || path == kStandardStream) {
    return enforce::write_stdout(bytes);
  }
  return enforce::write_file_atomically(path, bytes, kOutputMode).map_error([&](policy::Error error) {
    error.operation = fmt::format("{}: {}", path, error.operation);
    return error;
  });
}

ExitStatus complain(const policy::Error& error) {
  // A reader that went away (`| head`) needs no words, only the status.
  if (error.errno_value != EPIPE) {
    return complain(fmt::format("{}: {}", error.operation, error.detail));
  }
  return ExitStatus::Failed;
}

ExitStatus complain(std::string_view message, std::string_view hint) {
  say(fmt::format("forge-policy: {}\n{}{}", policy::escape_for_display(message), hint,
                  hint.empty() ? "" : "\n"));
  return ExitStatus::Failed;
}

ExitStatus complain_of_input(const std::string& input, const policy::Error& error) {
  return complain(fmt::format("{}: {}: {}", shown_input(input), error.operation, error.detail));
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
