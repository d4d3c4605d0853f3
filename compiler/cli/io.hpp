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

/// The bytes of a file argument; `-` is standard input.
[[nodiscard]] policy::Result<std::string> read_input(const std::string& path, std::size_t limit);

/// A config as source text, named as findings show it. A file beyond the size
/// limit is read no further; the parser reports it as a finding.
[[nodiscard]] policy::Result<policy::SourceText> read_config_source(const std::string& path);

/// Writes to `path` atomically, or to standard output when it is empty.
[[nodiscard]] policy::Result<void> write_output(const std::string& path, std::string_view bytes);

/// Says on standard error why the command could not be carried out.
ExitStatus complain(const policy::Error& error);
ExitStatus complain(std::string_view message);

/// Standard error, for findings beside an output.
void say(std::string_view text);

/// `--color auto|always|never` for the stream findings go to, with NO_COLOR.
enum class ColorChoice { Auto, Always, Never };
enum class Stream { Output, Error };
[[nodiscard]] compiler::Color color_for(ColorChoice choice, Stream stream);

}  // namespace forge::cli
