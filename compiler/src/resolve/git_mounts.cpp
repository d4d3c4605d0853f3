// The git directories of the worktree, and every hooks directory read-only.
#include <algorithm>

#include "forge/policy/plan_words.hpp"
#include "mount_plan.hpp"

namespace forge::compiler {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::GitLayout;
using policy::GitMode;
using policy::Mount;
using policy::MountOrigin;
using policy::MountPath;
using policy::PathFact;
using policy::PathKind;
using Verdict = MountTable::Verdict;

// Where a writable mount shows `host`: the same place below its guest path.
std::string seen_at(const Mount& mount, std::string_view host) {
  const auto& source = std::get<policy::PathSource>(mount.source);
  return mount.guest.text() + std::string(host.substr(source.host.text().size()));
}

Refusal hooks_unusable(const GitDirectory& directory) {
  return {DiagnosticId::HooksUnusable,
          fmt::format("{} is no directory that can be kept read-only", quoted_path(directory.hooks.path)),
          "make it a directory; an empty one will do"};
}

Refusal replaceable(const GitDirectory& directory) {
  return {
      DiagnosticId::HooksLinkReplaceable,
      fmt::format("{} is a symbolic link, and the sandbox could replace it",
                  quoted_path(directory.hooks.path)),
      "use --git-layout split with a linked worktree, make it a directory, or set core.hooksPath instead"};
}

}  // namespace

void MountPlan::git() {
  const GitRepository repository = find_repository(host_, out_.request.context.worktree);
  if (repository.problem) {
    stop(repository.problem->id, repository.problem->message, repository.problem->help);
    return;
  }
  out_.plan.git.mode = out_.request.git_mode;
  if (!belongs_to_project(repository) || repository.layout == GitLayout::None) {
    return;
  }
  GitContents contents = read_contents(host_, repository);
  for (const GitProblem& problem : contents.problems) {
    stop(problem.id, problem.message, problem.help);
  }
  if (!contents.problems.empty()) {
    return;
  }
  tell_owner(repository);
  if (repository.vouched == Vouched::ByOneEnd) {
    out_.report(DiagnosticId::GitDirectoryOneEnded,
                fmt::format("only {} says that {} is its git directory",
                            quoted_path(join_path(repository.top, ".git")), quoted_path(repository.git_dir)),
                "set core.worktree in that directory's config to the worktree, so that both ends agree");
  }
  if (repository.layout == GitLayout::Subdirectory && out_.request.session == policy::Session::Host) {
    out_.report(DiagnosticId::GitDirectoryAbove,
                fmt::format("the worktree belongs to the repository of {}, whose git directory is mounted",
                            quoted_path(repository.top)),
                "name that directory as the worktree; if the worktree had a .git of its own, restore it");
  }
  out_.plan.git.layout = repository.layout;
  out_.plan.git.git_dir = repository.git_dir;
  out_.plan.git.common_dir = repository.common_dir;
  if (contents.exclude_is_link) {
    out_.report(DiagnosticId::GitExcludeSkipped,
                fmt::format("{} is reached through a symbolic link, so nothing is written there",
                            quoted_path(join_path(repository.common_dir, "info/exclude"))));
  } else {
    out_.plan.actions.emplace_back(policy::GitExclude{".forge/"});
  }
  git_directories(repository);
  if (const auto why = add_hooks(contents)) {
    stop(why->id, why->message, why->help);
    return;
  }
  contents_ = std::move(contents);
  const auto& worktree = std::get<policy::PathSource>(table_.mounts().front().source).host.text();
  if (repository.top != worktree && repository.layout != GitLayout::Subdirectory) {
    out_.plan.warnings.push_back(
        fmt::format("{} is not mounted, so git finds no repository in the sandbox; name {} as the worktree",
                    quoted_path(join_path(repository.top, ".git")), quoted_path(repository.top)));
  }
}

void MountPlan::tell_owner(const GitRepository& repository) {
  if (!repository.foreign.empty()) {
    out_.report(DiagnosticId::GitDirectoryOwner,
                fmt::format("{} belongs to another user", quoted_path(repository.foreign)),
                "git refuses it too, unless safe.directory names it or sudo was used");
  }
}

// The project's own pointer is the second opinion on a loop's worktree: the sandbox
// of the loop cannot write it.
bool MountPlan::belongs_to_project(const GitRepository& repository) {
  const policy::Context& context = out_.request.context;
  if (out_.request.session == policy::Session::Host || context.project == context.worktree ||
      kind_of(context.project) != PathKind::Directory) {  // the last is told where the project is mounted
    return true;
  }
  const GitRepository project = find_repository(host_, context.project);
  if (project.problem) {
    stop(project.problem->id, fmt::format("of the project: {}", project.problem->message),
         project.problem->help);
    return false;
  }
  if (repository.layout == GitLayout::None) {
    if (project.layout != GitLayout::None) {
      out_.report(DiagnosticId::WorktreeWithoutGit,
                  fmt::format("{} belongs to no repository, and the project {} does",
                              quoted_path(context.worktree), quoted_path(context.project)),
                  "restore its .git with `git worktree repair`");
    }
    return true;
  }
  if (project.common_dir != repository.common_dir) {
    stop(DiagnosticId::GitPointerNotBelieved,
         fmt::format("the worktree belongs to {}, and the project {}", quoted_path(repository.common_dir),
                     project.layout == GitLayout::None
                         ? "to no repository"
                         : fmt::format("to {}", quoted_path(project.common_dir))),
         "name the project that the worktree was made of, or look who rewrote its .git");
    return false;
  }
  return true;
}

void MountPlan::git_directories(const GitRepository& repository) {
  if (out_.request.git_mode == GitMode::Compatible) {
    compatible(repository);
    return;
  }
  const Mount& worktree = table_.mounts().front();
  const auto& host = std::get<policy::PathSource>(worktree.source).host.text();
  if (policy::path_is_at_or_below(host, repository.common_dir)) {
    stop(DiagnosticId::GitSplitImpossible,
         fmt::format("the worktree {} lies in its shared git directory {}", quoted_path(host),
                     quoted_path(repository.common_dir)),
         "use a linked worktree beside the repository, or --git-layout compatible");
    return;
  }
  split(repository);
}

void MountPlan::compatible(const GitRepository& repository) {
  const std::string& common = repository.common_dir;
  if (table_.covering(common) != nullptr) {
    return;  // inside of the worktree
  }
  add_git(common, Access::ReadWrite, MountOrigin::GitCommonDir, guest_of_common(repository));
}

// Where git in the sandbox looks for it. A spelling that lies in the worktree is one that
// the sandbox can bend, and it leads there by itself.
std::string MountPlan::guest_of_common(const GitRepository& repository) const {
  const Mount& worktree = table_.mounts().front();
  const std::string& host = std::get<policy::PathSource>(worktree.source).host.text();
  const std::string& named = repository.named_common_dir;
  const bool in_worktree =
      policy::path_is_at_or_below(named, worktree.guest.text()) || policy::path_is_at_or_below(named, host);
  return in_worktree ? repository.common_dir : named;
}

// The pairs of a read-only directory and a writable one inside of it are meant: they
// bypass the conflict rule.
void MountPlan::split(const GitRepository& repository) {
  const std::string& common = repository.common_dir;
  const Mount* outer = table_.covering(common);
  const std::string guest = outer != nullptr ? seen_at(*outer, common) : guest_of_common(repository);
  add_git(common, Access::ReadOnly, MountOrigin::GitCommonDir, guest);
  for (const char* name : {"objects", "refs", "logs"}) {
    const std::string host = join_path(common, name);
    const PathFact fact = host_.look(host);
    const bool made = fact.kind == PathKind::Missing && !fact.is_link && std::string_view(name) == "logs";
    if (made) {
      out_.plan.actions.emplace_back(policy::EnsureDir{host, 0700});
    }
    if (made || (fact.kind == PathKind::Directory && !fact.is_link)) {
      add_git(host, Access::ReadWrite, MountOrigin::GitData, join_path(guest, name));
    }
  }
  if (repository.git_dir != common) {
    add_git(repository.git_dir, Access::ReadWrite, MountOrigin::GitDir,
            guest + repository.git_dir.substr(common.size()));
  }
}

void MountPlan::add_git(const std::string& host, Access access, MountOrigin origin,
                        const std::string& guest) {
  const Candidate candidate{guest, access, origin, std::string(policy::word(origin)), {}, std::nullopt};
  const auto place = place_at(candidate, host);
  const auto why = place ? forbidden(candidate, *place) : std::optional(place.error());
  if (why) {
    stop(DiagnosticId::ContextPathUnusable,
         fmt::format("the git directory cannot be mounted: {}", why->message), why->help);
    return;
  }
  const bool meant = out_.request.git_mode == GitMode::Split;
  const auto answer = table_.judge(*place, access);
  const Mount* other = disks_.overlapping(*place);
  if (other == nullptr && answer.verdict == Verdict::Conflict && !meant) {
    other = answer.other;
  }
  if (other != nullptr) {
    stop(DiagnosticId::ContextPathUnusable,
         fmt::format("the git directory {} overlaps {}", quoted_path(host), quoted_path(other->guest.text())),
         "move one of the two");
    return;
  }
  accept(candidate, *place);
}

std::optional<Refusal> MountPlan::add_hooks(const GitContents& contents) {
  for (const GitDirectory& directory : contents.directories) {
    const PathFact& hooks = directory.hooks;
    if (hooks.is_link) {
      const Mount* holder = table_.covering(directory.path);
      if (hooks.is_chain || (holder != nullptr && holder->access == Access::ReadWrite)) {
        return replaceable(directory);
      }
    } else if (hooks.kind == PathKind::Missing) {
      // Made empty, so that there is something to keep read-only.
      out_.plan.actions.emplace_back(policy::EnsureDir{hooks.path, 0700});
      add_island(hooks.path);
    } else if (hooks.kind == PathKind::Directory) {
      add_island(hooks.path);
    } else {
      return hooks_unusable(directory);
    }
    out_.plan.git.hooks.push_back(hooks.path);
  }
  return std::nullopt;
}

// A link is as safe as the directory that holds it, and then what it leads to must be
// safe as well: not replaceable as a whole by renaming a directory above it. Judged
// when all mounts are known.
std::optional<Refusal> MountPlan::add_linked_hooks(const GitDirectory& directory) {
  const std::string& real = directory.hooks.real_path;
  if (directory.hooks.kind != PathKind::Directory) {
    return hooks_unusable(directory);
  }
  const Mount* around = table_.covering(real);
  if (around != nullptr && around->access == Access::ReadWrite) {
    if (folder_of(real) != std::get<policy::PathSource>(around->source).host.text()) {
      return replaceable(directory);
    }
    add_island(real);
  }
  out_.report(DiagnosticId::HooksLinked,
              fmt::format("{} leads to {}, which {}", quoted_path(directory.hooks.path), quoted_path(real),
                          around == nullptr ? "no mount shows" : "is kept read-only in the sandbox"));
  return std::nullopt;
}

void MountPlan::git_linked_hooks() {
  for (const GitDirectory& directory : contents_->directories) {
    if (!directory.hooks.is_link) {
      continue;
    }
    if (const auto why = add_linked_hooks(directory)) {
      stop(why->id, why->message, why->help);
    }
  }
}

// A read-only mount where a writable one would show the directory.
void MountPlan::add_island(const std::string& host) {
  const Mount* around = table_.covering(host);
  if (around == nullptr || around->access == Access::ReadOnly) {
    return;
  }
  const std::string guest = seen_at(*around, host);
  if (!MountPath::from_canonical(host) || !MountPath::from_canonical(guest)) {
    stop(DiagnosticId::HooksUnusable,
         fmt::format("{} cannot be expressed as a mount, so it would stay writable", quoted_path(host)),
         "rename the submodule");
    return;
  }
  table_.add({policy::PathSource{*MountPath::from_canonical(host), policy::PathMountKind::Directory},
              *MountPath::from_canonical(guest), Access::ReadOnly, MountOrigin::GitHooks, std::nullopt},
             chain_of(out_.facts, host));
}

// Accepts a mount that is not the worktree's. A writable one that holds a git directory at its top gets the
// hooks of that read-only, or is refused where that cannot be done.
std::optional<Refusal> MountPlan::guard_repository(const Candidate& candidate, const MountPlace& place) {
  if (candidate.access == Access::ReadOnly) {
    accept(candidate, place);
    return std::nullopt;
  }
  const auto refuse = [&](const std::string& why) {
    return Refusal{DiagnosticId::MountHoldsRepository,
                   fmt::format("{} would be writable, and {}", quoted_path(candidate.path), why),
                   "mount it read-only"};
  };
  const GitRepository repository = find_repository(host_, candidate.path);
  if (repository.problem && repository.problem->id != DiagnosticId::GitDirectoryForeign) {
    return refuse(repository.problem->message);  // a foreign one lies above, and nothing of it in the mount
  }
  if (repository.layout == GitLayout::None ||
      !policy::path_is_at_or_below(repository.common_dir, place.host.text())) {
    accept(candidate, place);
    if (repository.top == place.host.text()) {
      out_.report(
          DiagnosticId::GitPointerWritable,
          fmt::format("{} names {}, and the sandbox could let it name another directory",
                      quoted_path(join_path(candidate.path, ".git")), quoted_path(repository.git_dir)),
          "mount it read-only, or check the file before git runs there", candidate.span, candidate.pointer);
    }
    return std::nullopt;
  }
  GitContents contents = read_contents(host_, repository);
  if (!contents.problems.empty()) {
    return refuse(contents.problems.front().message);
  }
  for (const GitDirectory& directory : contents.directories) {
    const PathFact& hooks = directory.hooks;
    const bool usable = hooks.kind == PathKind::Missing || hooks.kind == PathKind::Directory;
    if (hooks.is_link || !usable || !MountPath::from_canonical(hooks.path)) {
      return refuse(fmt::format("the hooks {} cannot be kept read-only in it", quoted_path(hooks.path)));
    }
  }
  accept(candidate, place);
  tell_owner(repository);
  auto why = add_hooks(contents);
  contents.alternates.clear();  // git need not work in a listed mount
  others_.push_back(std::move(contents));
  return why;
}

}  // namespace forge::compiler
