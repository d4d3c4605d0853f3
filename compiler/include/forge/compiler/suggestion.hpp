// What a misspelt word was probably meant to be.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace forge::compiler {

/// The number of edits between two texts (insert, delete, replace, swap of
/// neighbours), ignoring ASCII case; at most `limit` + 1.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The candidate nearest to `text`, or empty when none is near enough.
[[nodiscard]] std::string_view nearest(std::string_view text,
                                       const std::vector<std::string_view>& candidates);

}  // namespace forge::compiler
