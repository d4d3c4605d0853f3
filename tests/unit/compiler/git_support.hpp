// Repositories as git makes them, in a table of files.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "compile_support.hpp"
#include "forge/policy/mount_path.hpp"
#include "forge/seal/digest.hpp"
#include "src/git/contents.hpp"

namespace forge::compiler::test {

inline constexpr const char* kPlainConfig = "[core]\n\tbare = false\n";

inline std::string with_worktree(const std::string& worktree) {
  return "[core]\n\tbare = false\n\tworktree = " + worktree + "\n";
}

/// Writes what `git init`, `git worktree add` and `git submodule add` would.
class GitTree {
 public:
  explicit GitTree(InMemoryHostFiles& files) : files_(files) {}

  GitTree& file(const std::string& path, const std::string& text = {}) {
    files_.add_file(path, text);
    return *this;
  }
  GitTree& dir(const std::string& path) {
    files_.add_directory(path);
    return *this;
  }
  GitTree& link(const std::string& path, const std::string& target) {
    files_.add_link(path, target);
    return *this;
  }

  /// A git directory without hooks.
  GitTree& bald(const std::string& path, const std::string& config = kPlainConfig) {
    return file(path + "/HEAD", "ref: refs/heads/main\n")
        .file(path + "/config", config)
        .dir(path + "/objects")
        .dir(path + "/refs");
  }
  GitTree& git_dir(const std::string& path, const std::string& config = kPlainConfig) {
    return bald(path, config).dir(path + "/hooks");
  }
  GitTree& checkout(const std::string& top) { return git_dir(top + "/.git"); }
  GitTree& bare(const std::string& path) { return git_dir(path, "[core]\n\tbare = true\n"); }

  GitTree& pointer(const std::string& top, const std::string& target) {
    return file(top + "/.git", "gitdir: " + target + "\n");
  }
  /// A worktree's entry in the shared git directory.
  GitTree& entry(const std::string& common, const std::string& name, const std::string& worktree) {
    const std::string path = common + "/worktrees/" + name;
    return file(path + "/HEAD", "ref: refs/heads/side\n")
        .file(path + "/commondir", "../..\n")
        .file(path + "/gitdir", worktree + "/.git\n");
  }
  GitTree& linked(const std::string& common, const std::string& name, const std::string& worktree) {
    return entry(common, name, worktree).pointer(worktree, common + "/worktrees/" + name);
  }
  /// A submodule `name`, checked out at `top`; `back` leads there from its git directory.
  GitTree& submodule(const std::string& super, const std::string& name, const std::string& top,
                     const std::string& back) {
    return git_dir(super + "/modules/" + name, with_worktree(back)).pointer(top, super + "/modules/" + name);
  }

 private:
  InMemoryHostFiles& files_;
};

/// A host with nothing but what a test puts there, and no directory of the editor.
class GitHost : public TestHost {
 public:
  GitHost() {
    files = InMemoryHostFiles();
    files.add_directory("/home/u");
    request.context.tool_output = "/none/out";
    request.context.tmp = "/none/x/tmp";
  }
  [[nodiscard]] GitTree tree() { return GitTree(files); }
  /// A session of a loop where the project is another directory.
  void at(const std::string& worktree, const std::string& project) {
    request.context.worktree = worktree;
    request.context.project = project;
    request.session = worktree == project ? policy::Session::Host : policy::Session::Loop;
  }
};

/// What the guest may do at a path: of the mounts around it the deepest decides.
inline std::optional<policy::Access> guest_access(const policy::Plan& plan, const std::string& path) {
  const policy::Mount* deepest = nullptr;
  for (const policy::Mount& mount : plan.mounts) {
    if (policy::path_is_at_or_below(path, mount.guest.text()) &&
        (deepest == nullptr || mount.guest.text().size() > deepest->guest.text().size())) {
      deepest = &mount;
    }
  }
  return deepest == nullptr ? std::nullopt : std::optional(deepest->access);
}

/// Everywhere the guest sees a host path.
inline std::vector<std::string> places_of(const policy::Plan& plan, const std::string& host) {
  std::vector<std::string> places;
  for (const policy::Mount& mount : plan.mounts) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    if (source != nullptr && policy::path_is_at_or_below(host, source->host.text())) {
      places.push_back(mount.guest.text() + host.substr(source->host.text().size()));
    }
  }
  return places;
}

/// What must hold of any plan, whatever was mounted.
inline void expect_sound(const policy::Plan& plan) {
  ASSERT_FALSE(plan.mounts.empty());
  EXPECT_EQ(plan.mounts.front().origin, policy::MountOrigin::Worktree);
  EXPECT_EQ(plan.mounts.front().access, policy::Access::ReadWrite);
  for (const policy::Mount& mount : plan.mounts) {
    EXPECT_EQ(guest_access(plan, mount.guest.text()), mount.access) << mount.guest.text();
  }
  for (const std::string& hooks : plan.git.hooks) {
    for (const std::string& place : places_of(plan, hooks)) {
      EXPECT_EQ(guest_access(plan, place), policy::Access::ReadOnly) << place;
    }
  }
  const auto sealed = seal::seal_plan(plan);
  ASSERT_TRUE(sealed);
  const auto again = seal::read_sealed_plan(*sealed);
  EXPECT_TRUE(again && *again == plan) << (again ? "another plan" : again.error().detail);
}

/// What is found from the facts that were recorded, so that what was not asked shows.
inline policy::HostFacts facts_about(const InMemoryHostFiles& files, const std::string& directory) {
  return collect_facts({{}, {directory}, {}}, files, [](const policy::EnvName&) { return false; });
}

inline GitRepository found(const InMemoryHostFiles& files, const std::string& directory) {
  const policy::HostFacts facts = facts_about(files, directory);
  RecordedAnswers answers(facts);
  return find_repository(answers, directory);
}

inline GitContents contents(const InMemoryHostFiles& files, const std::string& directory) {
  const policy::HostFacts facts = facts_about(files, directory);
  RecordedAnswers answers(facts);
  return read_contents(answers, find_repository(answers, directory));
}

}  // namespace forge::compiler::test
