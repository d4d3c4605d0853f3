// The words a plan document uses for the closed choices of the IR.
#pragma once

#include <optional>
#include <string_view>

#include "forge/policy/plan.hpp"

namespace forge::policy {

// word(x) is the spelling of x; from_word<T>(word(x)) is x, anything else nothing.
#define FORGE_PLAN_WORD(Type) [[nodiscard]] std::string_view word(Type value);
FORGE_PLAN_WORD(Access)
FORGE_PLAN_WORD(Session)
FORGE_PLAN_WORD(TargetId)
FORGE_PLAN_WORD(MountOrigin)
FORGE_PLAN_WORD(PathMountKind)
FORGE_PLAN_WORD(EgressMode)
FORGE_PLAN_WORD(ValueOrigin)
FORGE_PLAN_WORD(PathKind)
FORGE_PLAN_WORD(Owner)
FORGE_PLAN_WORD(GitFileKind)
FORGE_PLAN_WORD(GitFileState)
FORGE_PLAN_WORD(ListingState)
FORGE_PLAN_WORD(GitLayout)
FORGE_PLAN_WORD(GitMode)
FORGE_PLAN_WORD(ControlPlaneKind)
#undef FORGE_PLAN_WORD

template <class T>
[[nodiscard]] std::optional<T> from_word(std::string_view text);

/// The runtime versions a target's vectors were proven on.
[[nodiscard]] std::string_view target_versions(TargetId target);

}  // namespace forge::policy
