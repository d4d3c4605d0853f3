// Which git directory a directory belongs to, and whether to believe it.
#pragma once

#include <optional>
#include <string>

#include "forge/compiler/facts.hpp"
#include "forge/policy/diagnostic.hpp"
#include "forge/policy/plan.hpp"

namespace forge::compiler {

/// Why no plan is made for a repository.
struct GitProblem {
  policy::DiagnosticId id;
  std::string message;
  std::string help;
};

/// How sure it is that a git directory outside of the worktree is the worktree's.
enum class Vouched : std::uint8_t {
  ByBothEnds,  ///< each names the other, or the git directory lies inside
  ByOneEnd,    ///< only the worktree names the git directory
};

/// What git would find from a directory. Paths are real; empty with layout None.
struct GitRepository {
  policy::GitLayout layout = policy::GitLayout::None;
  std::string top;               ///< the directory with `.git`, or the bare repository
  std::string git_dir;           ///< as `git rev-parse --git-dir`
  std::string common_dir;        ///< as `git rev-parse --git-common-dir`
  std::string named_common_dir;  ///< the spelling by which git comes to it
  Vouched vouched = Vouched::ByBothEnds;
  std::string foreign;                ///< what of it belongs to another user; empty when nothing does
  std::optional<GitProblem> problem;  ///< git or we would not go on from what was found
};

/// Looks upwards from `directory` as git does: at each step `.git`, then a bare
/// repository. A `.git` file is followed, and believed only when the other end
/// names the worktree, too.
[[nodiscard]] GitRepository find_repository(HostAnswers& host, const std::string& directory);

/// True of whatever is there, even if nobody may look at it.
[[nodiscard]] bool is_there(const policy::PathFact& fact);
/// True when git takes `directory` for a git directory whose shared part is `common`.
[[nodiscard]] bool is_git_directory(HostAnswers& host, const std::string& directory,
                                    const std::string& common);

}  // namespace forge::compiler
