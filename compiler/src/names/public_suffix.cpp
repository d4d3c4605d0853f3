#include "public_suffix.hpp"

#include <fmt/format.h>
#include <libpsl.h>

namespace forge::compiler {

bool is_public_suffix(const std::string& name) {
  // Without a built-in list nothing is known, so everything counts as public.
  const psl_ctx_t* list = psl_builtin();
  return list == nullptr || psl_is_public_suffix(list, name.c_str()) != 0;
}

std::string public_suffix_version() {
  // The Public Suffix List carries no version of its own; the digest of the
  // compiled-in source names it exactly.
  return fmt::format("libpsl {}, list {}", PSL_VERSION, psl_builtin_sha1sum());
}

}  // namespace forge::compiler
