// What a wrong key was probably meant to be.
#pragma once

#include <string_view>
#include <vector>

namespace forge::compiler {

/// The known keys directly inside the section at `path` (legacy keys and hints left out).
[[nodiscard]] std::vector<std::string_view> keys_in(std::string_view path);

/// Where a key called `name` belongs: full paths, at most three; empty when no
/// section knows it or too many do.
[[nodiscard]] std::vector<std::string_view> sections_that_know(std::string_view name);

}  // namespace forge::compiler
