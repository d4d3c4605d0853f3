#include "contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "forge/grammar/git_files.hpp"
#include "forge/policy/mount_path.hpp"
#include "path_text.hpp"

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

// What makes a folder a git directory, or will once the rest is there.
constexpr const char* kParts[] = {"objects", "hooks", "commondir", "config", "HEAD", "refs"};
// Folders of a whole git directory that hold nothing but data, by the ten thousand.
constexpr const char* kStores[] = {"objects", "refs", "logs", "lfs", "annex"};

class Reading {
 public:
  Reading(HostAnswers& host, const GitRepository& repository) : host_(host), repository_(repository) {}

  GitContents run() && {
    directory(repository_.common_dir, 0);
    for (const char* name : kReliedOn) {
      link(join_path(repository_.common_dir, name));
    }
    alternates(host_.look(join_path(repository_.common_dir, "objects")).real_path, 0);
    exclude();
    settings();
    return std::move(out_);
  }

 private:
  enum class Links : std::uint8_t {
    Guarded,  ///< one that leaves the git directory stops the plan
    OfHooks   ///< it is a hook
  };

  void too_many(const std::string& where) {
    out_.problems.push_back(
        {DiagnosticId::TooManyGitDirectories,
         fmt::format("{} holds too many or too deep directories to protect the hooks of each",
                     quoted_path(where)),
         "remove what is no longer used; the limits are 1000 git directories, 10000 entries, "
         "10000 hooks that are links, and 32 levels"});
  }

  // Hooks of a git directory, of its submodules and of its worktrees' submodules.
  // INVARIANT: `path` is real.
  void directory(const std::string& path, int depth) {
    if (!seen_directories_.insert(path).second) {
      return;
    }
    if (out_.directories.size() >= kMaxGitDirectories) {
      too_many(repository_.common_dir);
      return;
    }
    const GitFileFact common = host_.git_file(join_path(path, "commondir"), GitFileKind::CommonDir);
    if (common.state != GitFileState::Missing) {
      out_.problems.push_back({DiagnosticId::GitCommondirInMain,
                               fmt::format("{} takes config and hooks of {} from elsewhere",
                                           quoted_path(common.path), quoted_path(path)),
                               "remove the file"});
      return;
    }
    const PathFact hooks = host_.look(join_path(path, "hooks"));
    if (hooks.is_link && !hooks.real_path.empty()) {
      static_cast<void>(host_.look(hooks.real_path));  // what is mounted in its place is a fact of its own
    }
    out_.directories.push_back({path, hooks});
    linked_hooks(hooks);
    modules(join_path(path, "modules"), depth + 1);
    for (const std::string& entry : folders_in(join_path(path, "worktrees"), Links::Guarded)) {
      if (path == repository_.common_dir) {
        entries_.push_back(entry);
      }
      modules(join_path(entry, "modules"), depth + 1);
      if (!out_.problems.empty()) {
        return;
      }
    }
  }

  // A read-only directory does not protect what its links lead to.
  void linked_hooks(const PathFact& hooks) {
    if (hooks.kind != PathKind::Directory || !seen_hooks_.insert(hooks.real_path).second) {
      return;
    }
    const ListingFact listing = host_.list(hooks.real_path);
    if (listing.state != ListingState::Listed) {
      out_.remarks.push_back({DiagnosticId::HooksInTree,
                              fmt::format("{} cannot be listed, so nobody knows where links in it lead",
                                          quoted_path(hooks.path)),
                              "check its permissions and the names in it"});
    }
    for (const policy::ListedEntry& entry : listing.entries) {
      if (!entry.is_link) {
        continue;
      }
      if (out_.hook_links.size() >= kMaxHookLinks) {
        too_many(hooks.path);
        return;
      }
      out_.hook_links.push_back(host_.look(join_path(hooks.real_path, entry.name)));
    }
  }

  void exclude() {
    const std::string info = join_path(repository_.common_dir, "info");
    out_.exclude_is_link = host_.look(info).is_link || host_.look(join_path(info, "exclude")).is_link;
  }

  // The name of a submodule may have slashes, and what looks like a git directory on
  // the way to another one may have been put there to hide it: every folder is looked
  // through, whatever it is, and everything with a part of a git directory counts as one.
  void modules(const std::string& folder, int depth) {
    if (depth > kMaxModuleDepth) {
      too_many(folder);
      return;
    }
    const PathFact at = host_.look(folder);
    const std::string& real = at.real_path;
    const bool whole = at.kind == PathKind::Directory && !leaves(at) && is_git_directory(host_, real, real);
    if (whole) {
      directory(real, depth);  // also where nobody would look for one, like `modules` itself
    }
    const bool is_hooks = is_hooks_of_git(folder);
    for (const std::string& path : folders_in(folder, is_hooks ? Links::OfHooks : Links::Guarded)) {
      const bool is_store = std::any_of(std::begin(kStores), std::end(kStores),
                                        [&](const char* name) { return path == join_path(real, name); });
      if (whole && is_store) {
        continue;
      }
      if (has_part_of_git(path)) {
        directory(path, depth);
      }
      if (out_.problems.empty()) {
        modules(path, depth + 1);
      }
      if (!out_.problems.empty()) {
        return;
      }
    }
  }

  bool is_hooks_of_git(const std::string& folder) {
    const std::string above = folder_of(folder);
    return folder == join_path(above, "hooks") && is_git_directory(host_, above, above);
  }

  bool has_part_of_git(const std::string& path) {
    return std::any_of(std::begin(kParts), std::end(kParts),
                       [&](const char* part) { return is_there(host_.look(join_path(path, part))); });
  }

  // The real paths of the directories in a folder, each looked through once. A link
  // is followed inside of the git directory, and told where it leaves it.
  std::vector<std::string> folders_in(const std::string& folder, Links links) {
    const auto real = folder_inside(folder);
    if (!real) {
      return {};
    }
    const ListingFact listing = host_.list(*real);
    if (listing.state == ListingState::Truncated) {
      too_many(folder);
    } else if (listing.state == ListingState::Unreadable) {
      out_.problems.push_back(
          {DiagnosticId::GitDirectoryUnreadable,
           fmt::format("{} cannot be listed, so the hooks below it cannot be protected", quoted_path(folder)),
           "check its permissions and the names in it"});
    }
    std::vector<std::string> folders;
    for (const policy::ListedEntry& entry : listing.entries) {
      const std::string path = join_path(*real, entry.name);
      if (!entry.is_link) {
        folders.push_back(path);
      } else if (const PathFact fact = host_.look(path);
                 fact.kind == PathKind::File || (links == Links::OfHooks && leaves(fact))) {
        continue;  // holds no git directory, or lies in a read-only one and is told where hooks are read
      } else if (is_there(fact) && leaves(fact)) {
        if (is_relied_on(entry.name)) {
          link(path);
        } else {
          stray(fact);
        }
      } else if (fact.kind == PathKind::Directory) {
        folders.push_back(fact.real_path);
      }
    }
    return folders;
  }

  static bool is_relied_on(const std::string& name) {
    return name == "hooks" ||
           std::find(std::begin(kReliedOn), std::end(kReliedOn), name) != std::end(kReliedOn);
  }

  // A git directory that lies elsewhere, or nobody knows where, cannot be guarded.
  void stray(const PathFact& link) {
    if (out_.problems.empty()) {
      out_.problems.push_back(
          {DiagnosticId::GitDirectoryUnreadable,
           fmt::format("{} is a link that leaves the git directory, so hooks behind it cannot "
                       "be protected",
                       quoted_path(link.path)),
           "make it a directory, or remove it"});
    }
  }

  // Where a folder really is; nothing when it is not there, was seen, or lies elsewhere.
  std::optional<std::string> folder_inside(const std::string& folder) {
    const PathFact fact = host_.look(folder);
    if (fact.kind == PathKind::Missing && !fact.is_link) {
      return std::nullopt;
    }
    if (fact.kind == PathKind::Unreadable || fact.kind == PathKind::Unnameable) {
      out_.problems.push_back(
          {DiagnosticId::GitDirectoryUnreadable,
           fmt::format("{} cannot be looked at, so the hooks below it cannot be protected",
                       quoted_path(folder)),
           "check the permissions on the way to it"});
      return std::nullopt;
    }
    if (fact.kind != PathKind::Directory || leaves(fact)) {
      if (fact.is_link) {
        stray(fact);
      }
      return std::nullopt;
    }
    if (++folders_ > kMaxGitFolders) {
      too_many(folder);
      return std::nullopt;
    }
    return seen_folders_.insert(fact.real_path).second ? std::optional(fact.real_path) : std::nullopt;
  }

  [[nodiscard]] bool leaves(const PathFact& fact) const {
    return !policy::path_is_at_or_below(fact.real_path, repository_.common_dir);
  }

  void link(const std::string& path) {
    const PathFact fact = host_.look(path);
    if (fact.is_link && leaves(fact) && seen_links_.insert(path).second) {
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
                              fmt::format("{} cannot be read: {}", quoted_path(file.path), file.problem),
                              "write one absolute path a line"});
    }
    for (const policy::GitFileValue& value : file.values) {
      if (out_.alternates.size() >= kMaxAlternates) {
        if (out_.alternates.size() == kMaxAlternates) {
          out_.remarks.push_back(
              {DiagnosticId::AlternateNotVisible,
               fmt::format("more than {} directories of borrowed objects; the rest is not looked at",
                           kMaxAlternates),
               "remove alternates that are no longer used"});
          out_.alternates.push_back(value.value);
        }
        return;
      }
      const PathFact there = host_.look(value.value);
      const std::string& path = there.kind == PathKind::Directory ? there.real_path : value.value;
      out_.alternates.push_back(path);
      if (depth + 1 < kMaxAlternateDepth) {
        alternates(there.real_path, depth + 1);
      }
    }
  }

  // Of the repository, of its other worktrees and of every submodule: git on the host
  // runs in all of them.
  void settings() {
    settings_of(repository_.git_dir, repository_.common_dir, repository_.top);
    settings_of(repository_.common_dir, repository_.common_dir, repository_.top);
    for (const std::string& entry : entries_) {
      const GitFileFact back = host_.git_file(join_path(entry, "gitdir"), GitFileKind::GitDir);
      const bool read = back.state == GitFileState::Read && back.values.size() == 1;
      settings_of(entry, repository_.common_dir, read ? folder_of(back.values.front().value) : entry);
    }
    for (std::size_t i = 1; i < out_.directories.size(); ++i) {
      const std::string& path = out_.directories[i].path;
      const auto configs = configs_of(host_, path, path);
      const std::string* top = find_setting(configs, "core.worktree");
      settings_of(path, path, top == nullptr || top->empty() ? path : *top);
    }
  }

  // Links in a directory that is named count too: what lies outside of every mount can
  // still lead into one.
  void settings_of(const std::string& git_dir, const std::string& common_dir, const std::string& top) {
    GitSettings read = read_settings(host_, git_dir, common_dir, top);
    for (GitHooksPath& path : read.hooks_paths) {
      linked_hooks(host_.look(path.real));
      if (seen_paths_.insert(path.named).second) {
        out_.hooks_paths.push_back(std::move(path));
      }
    }
    for (GitProblem& remark : read.remarks) {
      if (seen_remarks_.insert(remark.message).second) {
        out_.remarks.push_back(std::move(remark));
      }
    }
  }

  HostAnswers& host_;
  const GitRepository& repository_;
  GitContents out_;
  std::size_t folders_ = 0;
  std::set<std::string> seen_folders_;
  std::set<std::string> seen_objects_;
  std::set<std::string> seen_hooks_;
  std::set<std::string> seen_paths_;
  std::set<std::string> seen_remarks_;
  std::vector<std::string> entries_;  ///< of worktrees
  std::set<std::string> seen_links_;
  std::set<std::string> seen_directories_;
};

}  // namespace

GitContents read_contents(HostAnswers& host, const GitRepository& repository) {
  if (repository.layout == policy::GitLayout::None || repository.problem) {
    return {};
  }
  return Reading(host, repository).run();
}

}  // namespace forge::compiler
