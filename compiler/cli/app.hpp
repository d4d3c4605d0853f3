// The command line as a whole.
#pragma once

#include "exit_status.hpp"

namespace forge::cli {

/// Reads the arguments and runs the verb they name. Never throws.
[[nodiscard]] ExitStatus run_tool(int argc, const char* const* argv);

}  // namespace forge::cli
