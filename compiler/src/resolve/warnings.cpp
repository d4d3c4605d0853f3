#include <fmt/format.h>

#include <algorithm>

#include "forge/policy/mount_path.hpp"
#include "resolution.hpp"

namespace forge::compiler {
namespace {

using policy::EgressMode;
using policy::HostRule;

bool names_a_host(const policy::EgressRule& rule) {
  return std::holds_alternative<policy::ExactHost>(rule.to) ||
         std::holds_alternative<policy::SuffixHost>(rule.to);
}

void warn_egress(const policy::Egress& egress, std::vector<std::string>& warnings) {
  const bool open = egress.mode == EgressMode::Public || egress.mode == EgressMode::PublicAndPrivate;
  const bool lan =
      egress.mode == EgressMode::PublicAndPrivate || egress.mode == EgressMode::AllowListAndPrivate;
  if (open) {
    warnings.emplace_back(
        "every public address is reachable, among them 168.63.129.16, which Azure answers on");
  }
  if (lan) {
    warnings.emplace_back(
        "the private group is reachable as a whole, among it 100.100.100.200 and fd00:ec2::254, which answer "
        "with cloud "
        "metadata on some clouds");
  }
  if (!open && std::any_of(egress.rules.begin(), egress.rules.end(), names_a_host)) {
    warnings.emplace_back(
        "a host is allowed by the addresses its name resolves to: without TLS, other sites on the same "
        "address are "
        "reachable too, and so is every port");
    warnings.emplace_back(
        "exactly the allowed names can be looked up, and a looked-up name can carry data to its owner");
  }
}

bool holds(const policy::Plan& plan, const std::string& path) {
  const auto& worktree = std::get<policy::PathSource>(plan.mounts.front().source);
  return policy::path_is_at_or_below(path, worktree.host.text());
}

void warn_compatible(const policy::GitPlan& git, std::vector<std::string>& warnings) {
  warnings.push_back(fmt::format(
      "executable git surface writable from the sandbox: in {} everything but hooks, among it config "
      "and info/attributes, which name programs that git on the host runs",
      git.common_dir));
  warnings.emplace_back(
      "hooks are read-only in the guest only: root there (the image has passwordless sudo) reaches them "
      "through "
      "the writable directory around them, and a directory above the hooks of a submodule can be renamed; "
      "with "
      "--git-layout split the host keeps the shared directory read-only");
}

void warn_split(const policy::GitPlan& git, std::vector<std::string>& warnings) {
  warnings.emplace_back(
      "objects, refs, logs and the worktree's own git directory are writable inside the read-only shared "
      "one: "
      "meant so, and where the outermost read-only mount decides they would merely be read-only");
  if (git.git_dir == git.common_dir) {
    warnings.emplace_back(
        "index and HEAD lie in the read-only git directory: git reads in this sandbox, and add, commit, "
        "switch "
        "and merge fail; use a linked worktree (git worktree add)");
  } else {
    warnings.emplace_back(
        "commit, merge, stash push, tag and fetch work in the sandbox; rebase and cherry-pick make their "
        "commits, but leave "
        "CHERRY_PICK_HEAD behind, which has to be removed by hand; deleting refs (the last stash is one), "
        "pack-refs, gc "
        "and writing config fail");
  }
}

// Consequences of the git directories for whoever works in the sandbox or on the host.
void warn_git(const policy::Plan& plan, std::vector<std::string>& warnings) {
  const policy::GitPlan& git = plan.git;
  if (plan.mounts.empty()) {
    return;  // nothing could be mounted, and there will be no plan
  }
  if (git.layout == policy::GitLayout::None) {
    warnings.emplace_back(
        "the worktree belongs to no git repository: one that is made in the sandbox has hooks and a config "
        "of its own, "
        "which git on the host would obey");
    return;
  }
  const bool split = git.mode == policy::GitMode::Split;
  if (split) {
    warn_split(git, warnings);
  } else {
    warn_compatible(git, warnings);
  }
  if (holds(plan, git.common_dir)) {
    warnings.emplace_back(
        "the git directory lies in the writable worktree: what runs in the sandbox can rename it and put "
        "another "
        "in its place, hooks included");
  }
  warnings.emplace_back(
      "the worktree's .git and, in its own git directory, commondir, gitdir, config.worktree and the state "
      "of a "
      "rebase stay writable: before git runs on the host, check with `git verify` or run it with `git run`");
  const char* work = split ? "work if core.hooksPath was set before" : "work";
  warnings.push_back(
      fmt::format("tools that write into .git/hooks (pre-commit install, Husky 4) fail in the sandbox; hook "
                  "managers that keep "
                  "hooks in the tree {}",
                  work));
}

}  // namespace

// What the runtime cannot express or promise, for whoever reads the plan.
void resolve_warnings(Resolution& out) {
  std::vector<std::string>& warnings = out.plan.warnings;
  if (out.plan.enabled == policy::Enabled::Off) {
    warnings.emplace_back("the sandbox is off: commands run on the host without a boundary");
  }
  warn_git(out.plan, warnings);
  warn_egress(out.plan.egress, warnings);
  for (const policy::EnvName& name : out.plan.env) {
    warnings.push_back(
        fmt::format("{} is readable in the guest, and the runtime stores its value in clear", name.text()));
  }
  if (!out.plan.secrets.empty()) {
    warnings.emplace_back(
        "secrets are substituted in TLS requests on port 443 only: in headers and basic authentication, not "
        "in bodies, "
        "not in plain HTTP");
  }
}

}  // namespace forge::compiler
