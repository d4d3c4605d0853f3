#include "forge/high/use.hpp"

#include "forge/low/value.hpp"

namespace forge::high {

#define FORGE_PASS(name) int name();
#include "passes.def"
#undef FORGE_PASS

int use() {
#define FORGE_PASS(name) +name()
  return static_cast<int>(low::value().size())
#include "passes.def"
      ;
#undef FORGE_PASS
}

}  // namespace forge::high
