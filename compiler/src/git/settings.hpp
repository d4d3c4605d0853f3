// What a repository's own configs say, as far as it decides anything here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repository.hpp"

namespace forge::compiler {

/// The configs that git takes for a git directory, those that count more last:
/// `config` of the shared one and, where extensions.worktreeConfig asks for it, the
/// directory's own `config.worktree`, also when it is not there.
[[nodiscard]] std::vector<policy::GitFileFact> configs_of(HostAnswers& host, const std::string& git_dir,
                                                          const std::string& common_dir);

/// The last value of `key`, as git takes it; null when there is none.
[[nodiscard]] const std::string* find_setting(const std::vector<policy::GitFileFact>& configs,
                                              std::string_view key);

/// True of what git takes for false. (A key without a value is kept as `true`.)
[[nodiscard]] bool is_git_false(std::string_view value);

/// Where a `core.hooksPath` leads.
struct GitHooksPath {
  std::string named;      ///< absolute; a link on the way can be replaced
  std::string real;       ///< or where it would come to be
  bool is_chain = false;  ///< some part of it is a link that leads on through another one
};

struct GitSettings {
  std::vector<GitHooksPath> hooks_paths;  ///< of each config that sets one: any of them can be made to count
  std::vector<GitProblem> remarks;
};
/// `top`: where hooks run, to which a relative path is relative.
[[nodiscard]] GitSettings read_settings(HostAnswers& host, const std::string& git_dir,
                                        const std::string& common_dir, const std::string& top);

}  // namespace forge::compiler
