// Public suffixes, by libpsl's built-in list.
#pragma once

#include <string>

namespace forge::compiler {

/// True when anyone can register names directly below `name` (`co.uk`,
/// `github.io`); `name` in A-labels, lower case.
[[nodiscard]] bool is_public_suffix(const std::string& name);

/// The version of the library and the digest of its list.
[[nodiscard]] std::string public_suffix_version();

}  // namespace forge::compiler
