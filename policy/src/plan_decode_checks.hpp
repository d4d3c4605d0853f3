// What a plan says in more than one place must be the same everywhere. A digest
// proves only that nobody edited the file afterwards, and whoever edits a plan
// can compute it again; these checks refuse the edits that leave a contradiction.
#pragma once

#include <string>
#include <string_view>

#include "field_reader.hpp"
#include "forge/policy/plan.hpp"

namespace forge::policy {

/// True for an absolute path in normal form (`/` too) that can be shown as it is.
[[nodiscard]] bool is_normal_path(std::string_view path);

/// The only pattern a git-exclude action has: the scratch directory in the worktree.
inline constexpr std::string_view kExcludedPattern = ".forge/";

[[nodiscard]] DiagnosticId to_code(FieldReader& fields, std::string_view key);
/// Empty for null; a problem for an empty text.
[[nodiscard]] std::string string_or_null(FieldReader& fields, std::string_view key);
[[nodiscard]] PlacedDiagnostic read_diagnostic(const Json& json, const std::string& where,
                                               DecodeProblem& problem);
[[nodiscard]] EnvName to_env(const Json& json, const std::string& where, DecodeProblem& problem);
[[nodiscard]] std::vector<EnvName> read_env_names(FieldReader& fields, std::string_view key);
[[nodiscard]] HostFacts read_facts(const Json& json, const std::string& where, DecodeProblem& problem);

// Each notes the first contradiction it finds.
void check_paths(const Plan& plan, DecodeProblem& problem);
void check_overrides(const Plan& plan, DecodeProblem& problem);
void check_git(const Plan& plan, DecodeProblem& problem);
void check_mounts(const Plan& plan, DecodeProblem& problem);
void check_names(const Plan& plan, DecodeProblem& problem);
void check_egress(const Plan& plan, DecodeProblem& problem);

}  // namespace forge::policy
