// Why an entry is no host rule. Explains only: the grammar in host_rule.cpp decides.
#pragma once

#include "forge/grammar/host_rule.hpp"
#include "value_text.hpp"

namespace forge::grammar::host_rules {

/// The first fault of `core`, which is neither blank nor accepted, in the order of HostFault.
[[nodiscard]] HostProblem explain(const value_text::Part& core);

}  // namespace forge::grammar::host_rules
