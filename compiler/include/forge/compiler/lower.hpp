// From the syntax tree to the typed config.
#pragma once

#include <optional>

#include "forge/compiler/config.hpp"
#include "forge/grammar/syntax_tree.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace forge::compiler {

/// Settings from outside the file that change how its values are judged.
struct LowerOptions {
  std::optional<policy::Lan> lan;  ///< the override, if one was given
};

/// Checks the shape of the whole file and lowers every value. Wrong values are
/// reported; a wrong entry of a list is left out and listed in `dropped`. The
/// config is meaningful for a plan only if `sink.stops_plan()` is false.
[[nodiscard]] Config lower(const grammar::SyntaxTree& tree, const LowerOptions& options,
                           policy::DiagnosticSink& sink);

}  // namespace forge::compiler
