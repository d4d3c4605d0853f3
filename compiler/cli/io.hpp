// The tool's way to files and streams.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "exit_status.hpp"
#include "forge/compiler/render.hpp"
#include "forge/policy/result.hpp"
#include "forge/policy/source_text.hpp"

namespace forge::cli {

/// The file argument that stands for standard input, or output.
inline constexpr std::string_view kStandardStream = "-";

/// A file argument as messages name it.
[[nodiscard]] std::string shown_input(const std::string& path);

/// The bytes of a file argument; `-` is standard input.
[[nodiscard]] policy::Result<std::string> read_input(const std::string& path, std::size_t limit);

/// A config as source text, named as findings show it. A file beyond the size
/// limit is read no further; the parser reports it as a finding.
[[nodiscard]] policy::Result<policy::SourceText> read_config_source(const std::string& path);

/// True when writing `output` would replace the file that `input` names.
[[nodiscard]] bool is_same_file(const std::string& output, const std::string& input);

/// Writes to `path` atomically, or to standard output when it is empty or `-`.
/// The operation of an error names the file.
[[nodiscard]] policy::Result<void> write_output(const std::string& path, std::string_view bytes);

/// Says on standard error why the command could not be carried out. `message` is
/// escaped here, `hint` is ours and shown on a line of its own.
ExitStatus complain(const policy::Error& error);
ExitStatus complain(std::string_view message, std::string_view hint = {});

/// The same of reading the file argument `input`.
ExitStatus complain_of_input(const std::string& input, const policy::Error& error);

/// Standard error, for findings beside an output.
void say(std::string_view text);

/// `--color auto|always|never` for the stream findings go to, with NO_COLOR.
enum class ColorChoice { Auto, Always, Never };
enum class Stream { Output, Error };
[[nodiscard]] compiler::Color color_for(ColorChoice choice, Stream stream);

}  // namespace forge::cli
