#include "forge/policy/plan_agreement.hpp"

#include "plan_decode_checks.hpp"

namespace forge::policy {

std::optional<std::string> find_contradiction(const Plan& plan) {
  DecodeProblem problem;
  for (const auto check :
       {check_paths, check_overrides, check_git, check_mounts, check_egress, check_names}) {
    check(plan, problem);
    if (problem.any()) {
      return problem.text;
    }
  }
  return std::nullopt;
}

}  // namespace forge::policy
