// The runtimes, one function each.
#pragma once

#include "forge/compiler/targets.hpp"

namespace forge::compiler {

#define FORGE_TARGET(name, Id) [[nodiscard]] const Target& target_##name();
#include "targets.def"
#undef FORGE_TARGET

}  // namespace forge::compiler
