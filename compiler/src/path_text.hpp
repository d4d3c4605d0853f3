// Paths as text: absolute and lexically normal, nothing is looked up.
#pragma once

#include <string>
#include <string_view>

namespace forge::compiler {

/// `folder` and `name` as one path; `folder` may be `/`.
[[nodiscard]] std::string join_path(std::string_view folder, std::string_view name);

/// The folder of an absolute path; `/` of `/`.
[[nodiscard]] std::string folder_of(std::string_view path);

/// True when a link's text goes up again after a name: where that leads depends on what
/// the name is, also when it is a directory today.
[[nodiscard]] bool climbs_after_name(std::string_view target);

/// A path in backticks, safe to show.
[[nodiscard]] std::string quoted_path(std::string_view path);

}  // namespace forge::compiler
