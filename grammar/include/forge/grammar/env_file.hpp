// A file of variable names that count as set: `NAME` or `NAME=VALUE` lines.
#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "forge/policy/env_name.hpp"

namespace forge::grammar {

struct EnvFileProblem {
  std::uint32_t line = 1;  ///< counted from 1
};

/// The names of all lines; blank lines and lines that begin with `#` are passed
/// over, a leading `export ` is allowed. Values are skipped, never kept.
[[nodiscard]] tl::expected<std::vector<policy::EnvName>, EnvFileProblem> parse_env_file(
    std::string_view text);

}  // namespace forge::grammar
