// What is said about variable names.
#pragma once

#include <string>
#include <string_view>

#include "forge/grammar/values.hpp"

namespace forge::compiler {

/// `shown` is what of the name may be repeated.
[[nodiscard]] std::string describe_env_fault(std::string_view shown, grammar::EnvNameFault fault);

/// Why the name is never passed nor bound; empty when it may be (env_names.def).
[[nodiscard]] std::string_view why_env_is_forbidden(const policy::EnvName& name);

}  // namespace forge::compiler
