// What the tool's exit status says.
#pragma once

namespace forge::cli {

enum class ExitStatus : int {
  Ok = 0,        ///< nothing wrong
  Findings = 1,  ///< the input has findings
  Failed = 2,    ///< the command itself could not be carried out
};

}  // namespace forge::cli
