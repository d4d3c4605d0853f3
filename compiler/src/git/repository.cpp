#include "repository.hpp"

#include <fmt/format.h>

#include "forge/policy/mount_path.hpp"
#include "path_text.hpp"
#include "settings.hpp"

namespace forge::compiler {
namespace {

using policy::DiagnosticId;
using policy::GitFileFact;
using policy::GitFileKind;
using policy::GitFileState;
using policy::GitLayout;
using policy::PathFact;
using policy::PathKind;

class Search {
 public:
  explicit Search(HostAnswers& host) : host_(host) {}

  GitRepository run(const std::string& directory) {
    const PathFact start = host_.look(directory);
    if (start.kind != PathKind::Directory) {
      return {};  // the mount of it is refused
    }
    for (std::string up = start.real_path;; up = folder_of(up)) {
      if (auto found = at(up, start.real_path)) {
        return owned(*std::move(found), up, start.real_path);
      }
      if (up == "/") {
        return {};
      }
    }
  }

 private:
  // Git asks for the owner as well: anyone can put a repository above a worktree that
  // lies in a shared directory. Of a link the facts know the owner of its target only, so
  // the folder must be one where nobody else can make a link.
  GitRepository owned(GitRepository found, const std::string& up, const std::string& start) {
    const PathFact folder = host_.look(up);
    const PathFact dot =
        host_.look(join_path(up, is_there(host_.look(join_path(up, ".git"))) ? ".git" : "HEAD"));
    for (const PathFact& fact : {dot, found.problem ? dot : host_.look(found.git_dir), folder}) {
      if (fact.owner == policy::Owner::Other && found.foreign.empty()) {
        found.foreign = fact.path;
      }
    }
    // Git does not ask for this one; whoever owns it decides about config and hooks all the same.
    if (up == start && !found.problem && found.foreign.empty() &&
        host_.look(found.common_dir).owner == policy::Owner::Other) {
      found.foreign = found.common_dir;
    }
    if (up == start || (found.problem && found.foreign.empty())) {
      return found;
    }
    if (dot.is_link && (folder.others_write || found.vouched == Vouched::ByOneEnd)) {
      return not_believed(fmt::format("{} is a symbolic link above {}, {}", quoted_path(dot.path),
                                      quoted_path(start),
                                      folder.others_write ? "in a folder where others can make one"
                                                          : "and what it leads to does not name its folder"));
    }
    if (found.foreign.empty()) {
      return found;
    }
    return refused(DiagnosticId::GitDirectoryForeign,
                   fmt::format("{} belongs to another user, and to the repository above {}",
                               quoted_path(found.foreign), quoted_path(start)),
                   fmt::format("name {} instead, or remove what the other user made", quoted_path(up)));
  }

  std::optional<GitRepository> at(const std::string& up, const std::string& start) {
    const PathFact dot = host_.look(join_path(up, ".git"));
    switch (dot.kind) {
      case PathKind::Directory:
        if (is_git_directory(host_, dot.real_path, dot.real_path)) {
          return from_directory(up, dot, start);
        }
        if (host_.git_file(join_path(dot.real_path, "commondir"), GitFileKind::CommonDir).state !=
            GitFileState::Missing) {
          return stray_commondir(dot.real_path);
        }
        break;
      case PathKind::File:
        return from_file(up, dot);
      case PathKind::Missing:
        break;
      case PathKind::Other:
      case PathKind::Unreadable:
      case PathKind::Unnameable:
        return refused(DiagnosticId::GitFileUnusable,
                       fmt::format("{} cannot be read as git would", quoted_path(dot.path)),
                       "make it a directory or a file that git wrote");
    }
    if (is_git_directory(host_, up, up)) {
      return bare(up, start);
    }
    return std::nullopt;
  }

  static GitRepository refused(DiagnosticId id, std::string message, std::string help) {
    GitRepository out;
    out.problem = GitProblem{id, std::move(message), std::move(help)};
    return out;
  }

  static GitRepository not_believed(std::string message) {
    return refused(
        DiagnosticId::GitPointerNotBelieved, std::move(message),
        "`git worktree repair` in the project, if the worktree is its own; else look who wrote this");
  }

  static GitRepository stray_commondir(const std::string& git_dir) {
    return refused(DiagnosticId::GitCommondirInMain,
                   fmt::format("{} has a `commondir` file, which only the entry of a linked worktree has",
                               quoted_path(git_dir)),
                   "remove the file; with it git takes its config and hooks from elsewhere");
  }

  static GitRepository made(GitLayout layout, const std::string& top, const std::string& git_dir) {
    return {layout, top, git_dir, git_dir, git_dir, Vouched::ByBothEnds, {}, std::nullopt};
  }

  GitRepository from_directory(const std::string& up, const PathFact& dot, const std::string& start) {
    const std::string& git_dir = dot.real_path;
    if (host_.git_file(join_path(git_dir, "commondir"), GitFileKind::CommonDir).state !=
        GitFileState::Missing) {
      return stray_commondir(git_dir);
    }
    if (dot.is_link) {
      return tied(made(GitLayout::Link, up, git_dir), dot.path);
    }
    return made(up == start ? GitLayout::Checkout : GitLayout::Subdirectory, up, git_dir);
  }

  GitRepository bare(const std::string& up, const std::string& start) {
    if (up != start) {
      return refused(DiagnosticId::InsideGitDirectory,
                     fmt::format("{} lies inside the git directory {}", quoted_path(start), quoted_path(up)),
                     "name a directory that people work in");
    }
    if (host_.git_file(join_path(up, "commondir"), GitFileKind::CommonDir).state != GitFileState::Missing) {
      return stray_commondir(up);
    }
    return made(GitLayout::Bare, up, up);
  }

  GitRepository from_file(const std::string& up, const PathFact& dot) {
    if (dot.is_link) {
      return not_believed(fmt::format("{} is a symbolic link to a file", quoted_path(dot.path)));
    }
    const GitFileFact pointer = host_.git_file(dot.path, GitFileKind::GitFile);
    if (pointer.state != GitFileState::Read || pointer.values.size() != 1) {
      return unusable(pointer);
    }
    const std::string& named = pointer.values.front().value;
    const PathFact target = host_.look(named);
    if (target.kind != PathKind::Directory) {
      return not_believed(
          fmt::format("{} names {}, which is no directory", quoted_path(dot.path), quoted_path(named)));
    }
    const std::string& git_dir = target.real_path;
    const GitFileFact common = host_.git_file(join_path(git_dir, "commondir"), GitFileKind::CommonDir);
    if (common.state != GitFileState::Missing) {
      return linked(up, git_dir, named, common);
    }
    if (!is_git_directory(host_, git_dir, git_dir)) {
      return not_believed(
          fmt::format("{} names {}, which is no git directory", quoted_path(dot.path), quoted_path(named)));
    }
    GitRepository found = made(GitLayout::Separate, up, git_dir);
    found.named_common_dir = named;
    return tied(std::move(found), dot.path);
  }

  static GitRepository unusable(const GitFileFact& file) {
    return refused(DiagnosticId::GitFileUnusable,
                   fmt::format("{} cannot be used: {}", quoted_path(file.path),
                               file.problem.empty() ? "it is not as git writes it" : file.problem),
                   "restore it as git wrote it");
  }

  // A git directory outside of the worktree without a `commondir`: its other end
  // is `core.worktree`, which submodules have and separate git directories may have.
  GitRepository tied(GitRepository found, const std::string& dot) {
    const std::string& git_dir = found.git_dir;
    if (policy::path_is_at_or_below(git_dir, found.top)) {
      return found;
    }
    const std::vector<GitFileFact> configs = configs_of(host_, git_dir, git_dir);
    for (const GitFileFact& config : configs) {
      const bool may_be_missing = &config != &configs.front();
      if (config.state != GitFileState::Read && !(may_be_missing && config.state == GitFileState::Missing)) {
        return not_believed(fmt::format("{} names {}, and {} cannot be read{}{}", quoted_path(dot),
                                        quoted_path(git_dir), quoted_path(config.path),
                                        config.problem.empty() ? "" : ": ", config.problem));
      }
    }
    const bool in_modules = git_dir.find("/modules/") != std::string::npos;
    if (const std::string* worktree = find_setting(configs, "core.worktree")) {
      if (worktree->empty() || host_.look(*worktree).real_path != found.top) {
        return not_believed(fmt::format("{} names {}, whose core.worktree is another directory",
                                        quoted_path(dot), quoted_path(git_dir)));
      }
      if (found.layout == GitLayout::Separate && in_modules) {
        found.layout = GitLayout::Submodule;
      }
      return found;
    }
    if (auto why = why_not_ours(git_dir, configs); !why.empty()) {
      return not_believed(fmt::format("{} names {}, {}", quoted_path(dot), quoted_path(git_dir), why));
    }
    found.vouched = Vouched::ByOneEnd;
    return found;
  }

  // What shows that a git directory is somebody else's, where it does not say whose.
  std::string why_not_ours(const std::string& git_dir, const std::vector<GitFileFact>& configs) {
    if (const std::string* value = find_setting(configs, "core.bare");
        value != nullptr && !is_git_false(*value)) {
      return "which is a bare repository";
    }
    if (git_dir.ends_with("/.git")) {
      return fmt::format("which belongs to the checkout {}", quoted_path(folder_of(git_dir)));
    }
    for (std::string up = folder_of(git_dir); up != "/"; up = folder_of(up)) {
      if (is_git_directory(host_, up, up)) {
        return fmt::format("which lies inside the git directory {} and does not name a worktree",
                           quoted_path(up));
      }
    }
    return {};
  }

  GitRepository linked(const std::string& up, const std::string& entry, const std::string& named,
                       const GitFileFact& common_file) {
    if (common_file.state != GitFileState::Read || common_file.values.size() != 1) {
      return unusable(common_file);
    }
    const std::string dot = join_path(up, ".git");
    const PathFact common = host_.look(common_file.values.front().value);
    if (common.kind != PathKind::Directory || !is_git_directory(host_, common.real_path, common.real_path)) {
      return not_believed(fmt::format("{} leads to {}, which is no git directory", quoted_path(dot),
                                      quoted_path(common_file.values.front().value)));
    }
    if (host_.git_file(join_path(common.real_path, "commondir"), GitFileKind::CommonDir).state !=
        GitFileState::Missing) {
      return stray_commondir(common.real_path);
    }
    if (folder_of(entry) != join_path(common.real_path, "worktrees")) {
      return not_believed(fmt::format("{} names {}, which is no entry in {}", quoted_path(dot),
                                      quoted_path(entry),
                                      quoted_path(join_path(common.real_path, "worktrees"))));
    }
    const GitFileFact back = host_.git_file(join_path(entry, "gitdir"), GitFileKind::GitDir);
    if (back.state != GitFileState::Read || back.values.size() != 1) {
      return unusable(back);
    }
    if (host_.look(back.values.front().value).real_path != dot) {
      return not_believed(fmt::format("{} names {}, which belongs to another worktree", quoted_path(dot),
                                      quoted_path(entry)));
    }
    GitRepository found = made(GitLayout::LinkedWorktree, up, entry);
    found.common_dir = common.real_path;
    const std::string spelled = folder_of(folder_of(named));
    found.named_common_dir = host_.look(spelled).real_path == common.real_path ? spelled : common.real_path;
    return found;
  }

  HostAnswers& host_;
};

}  // namespace

bool is_there(const PathFact& fact) { return fact.kind != PathKind::Missing || fact.is_link; }

bool is_git_directory(HostAnswers& host, const std::string& directory, const std::string& common) {
  return is_there(host.look(join_path(directory, "HEAD"))) &&
         is_there(host.look(join_path(common, "objects"))) && is_there(host.look(join_path(common, "refs")));
}

GitRepository find_repository(HostAnswers& host, const std::string& directory) {
  return Search(host).run(directory);
}

}  // namespace forge::compiler
