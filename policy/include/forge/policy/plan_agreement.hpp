// Whether the parts of a plan agree with one another.
#pragma once

#include <optional>
#include <string>

#include "forge/policy/plan.hpp"

namespace forge::policy {

/// The first thing in `plan` that contradicts another part of it: mounts against context,
/// facts and origins, resources against overrides, rules against mode and secrets.
/// Nothing when all agrees. The text names the place and is safe to show; decode_plan
/// refuses a document for the same reasons.
[[nodiscard]] std::optional<std::string> find_contradiction(const Plan& plan);

}  // namespace forge::policy
