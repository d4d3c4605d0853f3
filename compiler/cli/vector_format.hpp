// Argument vectors as text: for programs, shells and xargs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/compiler/targets.hpp"

namespace forge::cli {

enum class VectorFormat { Json, Shell, Nul };

/// One vector. Json: an array of strings. Shell: `program` and the arguments,
/// quoted so that a POSIX shell reads back exactly them. Nul: NUL after each.
[[nodiscard]] std::string format_vector(const compiler::Argv& argv, std::string_view program,
                                        VectorFormat format);

/// Several commands. Json: `forge-policy/steps/v1`. Shell: one command a line;
/// the next line runs only if the one before succeeded or may fail. Nothing for
/// Nul, where the end of a command could not be told.
[[nodiscard]] std::optional<std::string> format_steps(const std::vector<compiler::Step>& steps,
                                                      std::string_view program, VectorFormat format);

}  // namespace forge::cli
