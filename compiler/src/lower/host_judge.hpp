// From one written host to a rule, or to the reason why not.
#pragma once

#include <optional>

#include "forge/policy/host_rule.hpp"
#include "lowering.hpp"

namespace forge::compiler {

/// What a host is written for; a secret's destinations are judged more strictly.
enum class HostUse { Allow, Secret };

struct JudgedHost {
  std::optional<policy::HostRule> rule;  ///< absent when refused, and for `everything`
  bool everything = false;               ///< `*` or `**`; only for HostUse::Allow
};

/// Judges `entry` and reports all there is to say about it.
[[nodiscard]] JudgedHost judge_host(const Entry& entry, HostUse use, policy::Lan lan, Lowering& out);

}  // namespace forge::compiler
