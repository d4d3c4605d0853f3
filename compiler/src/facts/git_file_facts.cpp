#include "git_file_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "forge/grammar/git_files.hpp"
#include "forge/policy/utf8.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::GitFileFact;
using policy::GitFileKind;
using policy::GitFileState;
using policy::GitFileValue;

// The keys that decide anything here; no other part of a config is kept.
constexpr std::array<std::string_view, 4> kKeptKeys = {"core.bare", "core.hookspath", "core.worktree",
                                                       "extensions.worktreeconfig"};

GitFileFact malformed(GitFileFact fact, std::string_view problem) {
  fact.state = GitFileState::Malformed;
  fact.problem = problem;
  return fact;
}

GitFileFact of_pointer(GitFileFact fact, grammar::GitPointer kind, const std::string& text) {
  auto target = grammar::parse_git_pointer(kind, text, folder_of(fact.path));
  if (!target) {
    return malformed(std::move(fact), grammar::describe(target.error()));
  }
  fact.values.push_back({"path", *std::move(target)});
  return fact;
}

GitFileFact of_alternates(GitFileFact fact, const std::string& text) {
  // The file is `<objects>/info/alternates`, and its paths are relative to `<objects>`.
  auto targets = grammar::parse_git_alternates(text, folder_of(folder_of(fact.path)));
  if (!targets) {
    return malformed(std::move(fact), grammar::describe(targets.error()));
  }
  for (std::string& target : *targets) {
    fact.values.push_back({"path", std::move(target)});
  }
  return fact;
}

// A worktree path is kept as the absolute path it means, empty where that is not
// clear; the others as they stand, empty where they cannot be shown.
std::string kept_value(const std::string& key, const std::string& value, const std::string& folder) {
  if (key == "core.worktree") {
    return grammar::parse_git_pointer(grammar::GitPointer::GitDir, value, folder).value_or("");
  }
  return policy::is_shown_as_written(value) ? value : "";
}

GitFileFact of_config(GitFileFact fact, const std::string& text) {
  const auto entries = grammar::parse_git_config(text);
  if (!entries) {
    return malformed(std::move(fact), fmt::format("line {} is not git's syntax", entries.error().line));
  }
  for (const grammar::GitConfigEntry& entry : *entries) {
    if (entry.section == "include" || entry.section == "includeif") {
      fact.values.push_back({"include.path", ""});  // that there is one, not which
      continue;
    }
    const std::string key = entry.subsection.empty() ? entry.section + '.' + entry.key : std::string();
    if (std::find(kKeptKeys.begin(), kKeptKeys.end(), key) != kKeptKeys.end()) {
      // A key without a value is `true` in git.
      fact.values.push_back({key, kept_value(key, entry.value.value_or("true"), folder_of(fact.path))});
    }
  }
  return fact;
}

std::size_t limit_of(GitFileKind kind) {
  switch (kind) {
    case GitFileKind::GitFile:
    case GitFileKind::CommonDir:
    case GitFileKind::GitDir:
      return grammar::kMaxGitPointerBytes;
    case GitFileKind::Alternates:
      return grammar::kMaxAlternatesBytes;
    case GitFileKind::Config:
      return grammar::kMaxGitConfigBytes;
  }
  return 0;
}

GitFileFact understood(GitFileFact fact, const std::string& text) {
  switch (fact.kind) {
    case GitFileKind::GitFile:
      return of_pointer(std::move(fact), grammar::GitPointer::GitFile, text);
    case GitFileKind::CommonDir:
      return of_pointer(std::move(fact), grammar::GitPointer::CommonDir, text);
    case GitFileKind::GitDir:
      return of_pointer(std::move(fact), grammar::GitPointer::GitDir, text);
    case GitFileKind::Alternates:
      return of_alternates(std::move(fact), text);
    case GitFileKind::Config:
      return of_config(std::move(fact), text);
  }
  return fact;
}

}  // namespace

GitFileFact read_git_file_fact(const HostFiles& files, const std::string& path, GitFileKind kind) {
  GitFileFact fact{path, kind, GitFileState::Read, {}, {}};
  const auto text = files.read(path, limit_of(kind));
  if (text) {
    return understood(std::move(fact), *text);
  }
  switch (text.error().kind) {
    case policy::ErrorKind::NotFound:
      fact.state = GitFileState::Missing;
      return fact;
    case policy::ErrorKind::TooLarge:
      return malformed(std::move(fact), fmt::format("it is larger than {} bytes", limit_of(kind)));
    default:  // the errors of the file system, an open list
      fact.state = GitFileState::Unreadable;
      fact.problem = text.error().detail;
      return fact;
  }
}

}  // namespace forge::compiler
