// What a verb is to the tool.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "exit_status.hpp"

namespace forge::cli {

/// What stands behind the first `--`, byte for byte. The flag reader never sees
/// it: it takes `[a,b]` in a list for two values.
using Operands = std::vector<std::string>;

/// Runs a verb whose flags have been read.
using Run = std::function<ExitStatus(const Operands& behind_dashes)>;

#define FORGE_VERB(name, summary) Run add_##name(CLI::App& verb);
#include "verbs.def"
#undef FORGE_VERB

}  // namespace forge::cli
