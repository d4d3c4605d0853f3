// The words for each fault of a variable name.
#pragma once

#include <string>
#include <string_view>

#include "forge/grammar/values.hpp"

namespace forge::compiler {

[[nodiscard]] std::string describe_env_fault(std::string_view text,
                                             const grammar::ValueProblem<grammar::EnvNameFault>& problem);

}  // namespace forge::compiler
