// What a plan's egress means, in the words in which reach is asked.
#pragma once

#include "forge/policy/net_policy.hpp"
#include "forge/policy/plan.hpp"

namespace forge::policy {

/// The destination that a rule of a plan names.
[[nodiscard]] NetDestination destination_of(const HostRule& rule);

/// The whole policy: the plan's rules in their order, then what its mode opens. An allow
/// list opens nothing but its rules and has both defaults at deny; a public mode opens
/// lookups, the public group and with it, if so asked, the private one. Nothing can
/// connect to the sandbox in either, since no plan publishes a port. A hardened plan that
/// leaves the private group closed has the runtime's floor of public addresses.
[[nodiscard]] NetPolicy network_of(const Plan& plan);

}  // namespace forge::policy
