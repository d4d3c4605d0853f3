#include "forge/compiler/compile.hpp"
#include "names/idna.hpp"
#include "names/public_suffix.hpp"

namespace forge::compiler {

policy::CompilerInfo compiler_info() {
  return {"forge-policy", FORGE_POLICY_VERSION, idna_version(), public_suffix_version()};
}

}  // namespace forge::compiler
