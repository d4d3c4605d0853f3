// What a verb is to the tool.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "exit_status.hpp"

namespace forge::cli {

/// Runs a verb whose flags have been read.
using Run = std::function<ExitStatus()>;

#define FORGE_VERB(name, summary) Run add_##name(CLI::App& verb);
#include "verbs.def"
#undef FORGE_VERB

}  // namespace forge::cli
