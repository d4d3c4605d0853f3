#include "contents.hpp"

#include <fmt/format.h>

#include <set>

#include "forge/grammar/git_files.hpp"
#include "forge/policy/mount_path.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::compiler {
namespace {

using policy::DiagnosticId;
using policy::GitFileFact;
using policy::GitFileKind;
using policy::GitFileState;
using policy::ListingFact;
using policy::ListingState;
using policy::PathFact;
using policy::PathKind;

// Where a link would make git read or write elsewhere.
constexpr const char* kReliedOn[] = {"HEAD",    "config",  "index", "info",        "logs",
                                     "modules", "objects", "refs",  "packed-refs", "worktrees"};

std::string shown(std::string_view path) {
  return fmt::format("`{}`", policy::excerpt(path, policy::kMaxPathBytes));
}

class Reading {
 public:
  Reading(HostAnswers& host, const GitRepository& repository) : host_(host), repository_(repository) {}

  GitContents run() && {
    directory(repository_.common_dir, 0);
    for (const char* name : kReliedOn) {
      link(join_path(repository_.common_dir, name));
    }
    alternates(host_.look(join_path(repository_.common_dir, "objects")).real_path, 0);
    hooks_path();
    return std::move(out_);
  }

 private:
  void too_many(const std::string& where) {
    out_.problems.push_back(
        {DiagnosticId::TooManyGitDirectories,
         fmt::format("{} holds too many or too deep directories to protect the hooks of each", shown(where)),
         "remove what is no longer used; the limits are 1000 git directories, 10000 entries "
         "and 32 levels"});
  }

  // Hooks of a git directory, of its submodules and of its worktrees' submodules.
  void directory(const std::string& path, int depth) {
    if (out_.directories.size() >= kMaxGitDirectories) {
      too_many(repository_.common_dir);
      return;
    }
    out_.directories.push_back({path, host_.look(join_path(path, "hooks"))});
    modules(join_path(path, "modules"), depth + 1);
    const std::string worktrees = join_path(path, "worktrees");
    for (const std::string& entry : entries_of(worktrees)) {
      modules(join_path(join_path(worktrees, entry), "modules"), depth + 1);
      if (!out_.problems.empty()) {
        return;
      }
    }
  }

  // The name of a submodule may have slashes, so what is no git directory may hold some.
  void modules(const std::string& folder, int depth) {
    if (depth > kMaxModuleDepth) {
      too_many(folder);
      return;
    }
    for (const std::string& name : entries_of(folder)) {
      const std::string path = join_path(folder, name);
      if (is_git_directory(host_, path, path)) {
        directory(path, depth);
      } else {
        modules(path, depth + 1);
      }
      if (!out_.problems.empty()) {
        return;
      }
    }
  }

  // Names of the directories in a folder; a link in it is told, and not followed.
  std::vector<std::string> entries_of(const std::string& folder) {
    std::vector<std::string> names;
    if (++folders_ > kMaxGitFolders) {
      too_many(folder);
      return names;
    }
    const ListingFact listing = host_.list(folder);
    if (listing.state == ListingState::Truncated) {
      too_many(folder);
    } else if (listing.state == ListingState::Unreadable) {
      out_.problems.push_back(
          {DiagnosticId::GitDirectoryUnreadable,
           fmt::format("{} cannot be listed, so the hooks below it cannot be protected", shown(folder)),
           "check its permissions and the names in it"});
    }
    for (const policy::ListedEntry& entry : listing.entries) {
      if (entry.is_link) {
        link(join_path(folder, entry.name));
      } else {
        names.push_back(entry.name);
      }
    }
    return names;
  }

  void link(const std::string& path) {
    const PathFact fact = host_.look(path);
    if (fact.is_link && !policy::path_is_at_or_below(fact.real_path, repository_.common_dir)) {
      out_.links.push_back({path, fact.real_path});
    }
  }

  void alternates(const std::string& objects, int depth) {
    if (objects.empty() || !seen_objects_.insert(objects).second) {
      return;
    }
    const GitFileFact file = host_.git_file(join_path(objects, "info/alternates"), GitFileKind::Alternates);
    if (file.state == GitFileState::Malformed || file.state == GitFileState::Unreadable) {
      out_.remarks.push_back({DiagnosticId::AlternateNotVisible,
                              fmt::format("{} cannot be read: {}", shown(file.path), file.problem),
                              "write one absolute path a line"});
    }
    for (const policy::GitFileValue& value : file.values) {
      const PathFact there = host_.look(value.value);
      const std::string& path = there.kind == PathKind::Directory ? there.real_path : value.value;
      out_.alternates.push_back(path);
      if (depth + 1 < kMaxAlternateDepth) {
        alternates(there.real_path, depth + 1);
      }
    }
  }

  // Relative to where hooks run: the top of the worktree, or a bare git directory.
  void hooks_path() {
    const GitFileFact config =
        host_.git_file(join_path(repository_.common_dir, "config"), GitFileKind::Config);
    if (config.state != GitFileState::Read) {
      out_.remarks.push_back({DiagnosticId::GitConfigUnread,
                              fmt::format("{} cannot be read{}{}", shown(config.path),
                                          config.problem.empty() ? "" : ": ", config.problem),
                              "repair it; whether hooks lie in the tree is not known"});
      return;
    }
    const std::string* value = config.find("core.hookspath");
    if (value == nullptr || value->empty() || value->front() == '~') {
      return;  // a home directory is nothing the sandbox writes
    }
    const auto path = grammar::parse_git_pointer(grammar::GitPointer::GitDir, *value, repository_.top);
    if (!path) {
      out_.remarks.push_back({DiagnosticId::HooksInTree,
                              fmt::format("core.hooksPath in {} is no path that can be followed: {}",
                                          shown(config.path), grammar::describe(path.error())),
                              "write an absolute path"});
      return;
    }
    const PathFact there = host_.look(*path);
    out_.hooks_path = there.real_path.empty() ? *path : there.real_path;
  }

  HostAnswers& host_;
  const GitRepository& repository_;
  GitContents out_;
  std::size_t folders_ = 0;
  std::set<std::string> seen_objects_;
};

}  // namespace

GitContents read_contents(HostAnswers& host, const GitRepository& repository) {
  if (repository.layout == policy::GitLayout::None || repository.problem) {
    return {};
  }
  return Reading(host, repository).run();
}

}  // namespace forge::compiler
