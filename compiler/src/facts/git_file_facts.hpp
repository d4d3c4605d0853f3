// One of git's small files as a fact.
#pragma once

#include <string>

#include "forge/compiler/facts.hpp"

namespace forge::compiler {

/// Reads `path` as a file of `kind`, by its grammar.
[[nodiscard]] policy::GitFileFact read_git_file_fact(const HostFiles& files, const std::string& path,
                                                     policy::GitFileKind kind);

}  // namespace forge::compiler
