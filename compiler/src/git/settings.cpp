#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "forge/grammar/git_files.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::DiagnosticId;
using policy::GitFileFact;
using policy::GitFileKind;
using policy::GitFileState;
using policy::PathFact;

// The real path, or where it would come to be.
GitHooksPath followed(HostAnswers& host, const std::string& path) {
  GitHooksPath out{path, {}, false};
  for (std::string up = path; up != "/"; up = folder_of(up)) {
    const PathFact there = host.look(up);
    out.is_chain = out.is_chain || there.is_chain;
    if (out.real.empty() && !there.real_path.empty()) {
      out.real = there.real_path + path.substr(up.size());
    }
  }
  out.real = out.real.empty() ? path : out.real;
  return out;
}

// Relative to where hooks run: the top of the worktree, or a bare git directory.
void read_hooks_path(HostAnswers& host, const std::string& top, const GitFileFact& config, GitSettings& out) {
  const std::string* value = config.find("core.hookspath");
  if (value == nullptr) {
    return;
  }
  const auto path = grammar::parse_git_pointer(grammar::GitPointer::GitDir, *value, top);
  // Also one that cannot be shown, which is kept as an empty one.
  if (!path || value->front() == '~') {
    out.remarks.push_back(
        {DiagnosticId::HooksInTree,
         fmt::format("core.hooksPath in {} is no path that can be followed here", quoted_path(config.path)),
         "write an absolute path; if the sandbox can write it, review it before git runs"});
    return;
  }
  out.hooks_paths.push_back(followed(host, *path));
}

}  // namespace

std::vector<GitFileFact> configs_of(HostAnswers& host, const std::string& git_dir,
                                    const std::string& common_dir) {
  std::vector<GitFileFact> configs = {host.git_file(join_path(common_dir, "config"), GitFileKind::Config)};
  const std::string* extension = configs.front().find("extensions.worktreeconfig");
  if (extension != nullptr && !is_git_false(*extension)) {
    configs.push_back(host.git_file(join_path(git_dir, "config.worktree"), GitFileKind::Config));
  }
  return configs;
}

bool is_git_false(std::string_view value) {
  std::string lower(value);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower.empty() || lower == "false" || lower == "no" || lower == "off" || lower == "0";
}

const std::string* find_setting(const std::vector<GitFileFact>& configs, std::string_view key) {
  const std::string* last = nullptr;
  for (const GitFileFact& config : configs) {
    if (const std::string* value = config.find(key)) {
      last = value;
    }
  }
  return last;
}

GitSettings read_settings(HostAnswers& host, const std::string& git_dir, const std::string& common_dir,
                          const std::string& top) {
  GitSettings out;
  for (const GitFileFact& config : configs_of(host, git_dir, common_dir)) {
    if (config.state == GitFileState::Malformed || config.state == GitFileState::Unreadable) {
      out.remarks.push_back({DiagnosticId::GitConfigUnread,
                             fmt::format("{} cannot be read{}{}", quoted_path(config.path),
                                         config.problem.empty() ? "" : ": ", config.problem),
                             "repair it; whether hooks lie in the tree is not known"});
    }
    if (config.find("include.path") != nullptr) {
      out.remarks.push_back(
          {DiagnosticId::GitConfigUnread,
           fmt::format("{} includes other files, which are not read here", quoted_path(config.path)),
           "look there for core.hooksPath; whether hooks lie in the tree is not known"});
    }
    read_hooks_path(host, top, config, out);
  }
  return out;
}

}  // namespace forge::compiler
