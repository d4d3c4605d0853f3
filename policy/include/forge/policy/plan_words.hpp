// The words a plan document uses for the closed choices of the IR.
#pragma once

#include <optional>
#include <string_view>

#include "forge/policy/plan.hpp"

namespace forge::policy {

// Every closed choice that has words in a document.
#define FORGE_PLAN_WORDS(X) \
  X(Access)                 \
  X(Session)                \
  X(TargetId)               \
  X(MountOrigin)            \
  X(PathMountKind)          \
  X(EgressMode)             \
  X(ValueOrigin)            \
  X(PathKind)               \
  X(Owner)                  \
  X(GitFileKind)            \
  X(GitFileState)           \
  X(ListingState)           \
  X(GitLayout)              \
  X(GitMode)                \
  X(ControlPlaneKind)

// word(x) is the spelling of x; from_word<T>(word(x)) is x, anything else nothing.
#define FORGE_PLAN_WORD(Type) [[nodiscard]] std::string_view word(Type value);
FORGE_PLAN_WORDS(FORGE_PLAN_WORD)
#undef FORGE_PLAN_WORD

template <class T>
[[nodiscard]] std::optional<T> from_word(std::string_view text);

/// The runtime versions a target's vectors were proven on.
[[nodiscard]] std::string_view target_versions(TargetId target);

}  // namespace forge::policy
