// Repositories as git makes them, in a table of files.
#pragma once

#include <string>

#include "compile_support.hpp"
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
