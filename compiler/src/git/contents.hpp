// What lies in a repository's git directory, as far as a plan must know.
#pragma once

#include <string>
#include <vector>

#include "repository.hpp"
#include "settings.hpp"

namespace forge::compiler {

/// The most git directories (submodules, nested ones, those of worktrees) of one
/// repository, and the most directories looked through to find them.
inline constexpr std::size_t kMaxGitDirectories = 1000;
inline constexpr std::size_t kMaxGitFolders = 10'000;
inline constexpr int kMaxModuleDepth = 32;
inline constexpr std::size_t kMaxHookLinks = 10'000;
/// How far a chain of alternates is followed; git 2.39 stops there, too.
inline constexpr int kMaxAlternateDepth = 6;
/// The most directories of borrowed objects of one repository.
inline constexpr std::size_t kMaxAlternates = 64;

/// One git directory, of the repository itself or of a submodule.
struct GitDirectory {
  std::string path;        ///< real
  policy::PathFact hooks;  ///< `<path>/hooks`
};

/// A symbolic link in the git directory, at a place that git relies on.
struct GitLink {
  std::string path;
  std::string real_path;  ///< empty when it leads nowhere
};

struct GitContents {
  std::vector<GitDirectory> directories;     ///< the repository's own first
  std::vector<GitLink> links;                ///< those that leave the common directory
  std::vector<policy::PathFact> hook_links;  ///< hooks that are links, wherever they lead
  bool exclude_is_link = false;              ///< `info/exclude`, or `info` itself
  std::vector<std::string> alternates;       ///< object directories elsewhere; real where there is one
  std::vector<GitHooksPath> hooks_paths;
  std::vector<GitProblem> problems;  ///< why no plan is made
  std::vector<GitProblem> remarks;   ///< what else somebody should know
};

/// Reads nothing for a repository that was not found or has a problem.
[[nodiscard]] GitContents read_contents(HostAnswers& host, const GitRepository& repository);

}  // namespace forge::compiler
