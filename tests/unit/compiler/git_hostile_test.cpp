// A repository that was prepared: decoys and links that would hide hooks from whoever
// looks for them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::GitMode;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> paths(const GitContents& found) {
  std::vector<std::string> out;
  for (const GitDirectory& directory : found.directories) {
    out.push_back(directory.path);
  }
  return out;
}

// ---- what is no whole git directory yet ----

TEST(Decoys, AFolderWithAnyPartOfAGitDirectoryIsGuardedAsOne) {
  for (const char* part : {"objects", "hooks", "config"}) {
    InMemoryHostFiles files;
    GitTree(files).checkout("/r").dir(fmt::format("/r/.git/modules/s/{}", part));
    EXPECT_THAT(paths(contents(files, "/r")), Contains("/r/.git/modules/s")) << part;
  }
}

TEST(Decoys, WhatLacksItsHeadIsGuardedAllTheSame) {
  GitHost host;
  host.tree().checkout("/w").dir("/w/.git/modules/s/hooks").dir("/w/.git/modules/s/objects");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Contains("/w/.git/modules/s/hooks:/w/.git/modules/s/hooks:ro"));
  expect_sound(*result.plan);
}

TEST(Decoys, AGitDirectoryOnTheWayHidesNoOther) {
  InMemoryHostFiles files;
  GitTree(files).checkout("/r").git_dir("/r/.git/modules/lib").git_dir("/r/.git/modules/lib/a");
  GitTree(files).git_dir("/r/.git/modules/lib/refs-of-mine/b");
  EXPECT_THAT(paths(contents(files, "/r")),
              testing::IsSupersetOf(
                  {"/r/.git/modules/lib", "/r/.git/modules/lib/a", "/r/.git/modules/lib/refs-of-mine/b"}));
}

TEST(Decoys, AFolderThatIsOnlyCalledObjectsIsLookedThrough) {
  InMemoryHostFiles files;
  GitTree(files).checkout("/r").git_dir("/r/.git/modules/lib/objects/a");
  EXPECT_THAT(paths(contents(files, "/r")), Contains("/r/.git/modules/lib/objects/a"));
}

TEST(Decoys, TheDataOfAWholeGitDirectoryIsNotLookedThrough) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").git_dir("/r/.git/modules/s");
  tree.dir("/r/.git/modules/s/objects/pack/a/b/c").dir("/r/.git/modules/s/refs/heads/a");
  const policy::HostFacts facts = facts_about(files, "/r");
  EXPECT_EQ(facts.find_listing("/r/.git/modules/s/objects"), nullptr);
  EXPECT_EQ(facts.find_listing("/r/.git/modules/s/refs"), nullptr);
}

// ---- links ----

TEST(HostileLinks, ASubmoduleThatLiesElsewhereStopsThePlan) {
  for (const GitMode mode : {GitMode::Compatible, GitMode::Split}) {
    for (const char* target : {"/wt/m", "/srv/m", "/none"}) {
      GitHost host;
      host.tree().checkout("/r").linked("/r/.git", "w", "/wt").git_dir("/wt/m").git_dir("/srv/m");
      host.tree().dir("/r/.git/modules").link("/r/.git/modules/m", target);
      host.at("/wt", "/r");
      host.request.git_mode = mode;
      const Compiled result = host.compile("{}");
      EXPECT_FALSE(result.plan) << target;
      EXPECT_TRUE(result.find(DiagnosticId::GitDirectoryUnreadable)) << target;
    }
  }
}

TEST(HostileLinks, AGitDirectoryThatIsReachedTwiceIsOne) {
  GitHost host;
  GitTree tree = host.tree();
  tree.checkout("/w").git_dir("/w/.git/modules/s").link("/w/.git/modules/a", "/w/.git/modules/s");
  tree.link("/w/.git/modules/loop", "/w/.git/modules").link("/w/.git/modules/up", "/w/.git");
  host.at("/w", "/w");
  EXPECT_THAT(paths(contents(host.files, "/w")), ElementsAre("/w/.git", "/w/.git/modules/s"));
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  expect_sound(*result.plan);
}

TEST(HostileLinks, HooksInTheWorktreeAreKeptReadOnlyAndThePlanReadsBack) {
  GitHost host;
  host.tree().bald("/r/.git").linked("/r/.git", "w", "/wt").dir("/wt/hooks");
  host.tree().link("/r/.git/hooks", "/wt/hooks");
  host.at("/wt", "/r");
  host.request.git_mode = GitMode::Split;
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_THAT(mounts_of(result), Contains("/wt/hooks:/wt/hooks:ro"));
  EXPECT_TRUE(result.find(DiagnosticId::HooksLinked));
  expect_sound(*result.plan);
}

TEST(HostileLinks, HooksThatLeadThroughAnotherLinkAreReplaceable) {
  GitHost host;
  host.tree().bald("/r/.git").linked("/r/.git", "w", "/wt").dir("/srv/hooks");
  host.tree().link("/r/.git/hooks", "/wt/hooks").link("/wt/hooks", "/srv/hooks");
  host.at("/wt", "/r");
  host.request.git_mode = GitMode::Split;
  const Compiled result = host.compile("{}");
  EXPECT_FALSE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::HooksLinkReplaceable));
}

TEST(HostileLinks, HooksThatAListedMountShowsAreReadOnlyThereToo) {
  for (const bool rw : {false, true}) {
    GitHost host;
    host.tree().bald("/r/.git").linked("/r/.git", "w", "/wt").dir("/srv/hooks");
    host.tree().link("/r/.git/hooks", "/srv/hooks");
    host.at("/wt", "/r");
    host.request.git_mode = GitMode::Split;
    const Compiled result = host.compile(mounts(rw ? writable("/srv") : read_only("/srv")));
    ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
    EXPECT_EQ(guest_access(*result.plan, "/srv/hooks"), Access::ReadOnly);
    EXPECT_EQ(guest_access(*result.plan, "/srv"), rw ? Access::ReadWrite : Access::ReadOnly);
    expect_sound(*result.plan);
  }
}

// ---- what is around the worktree and in it ----

TEST(Surroundings, ARepositoryAroundTheWorktreeIsTold) {
  GitHost host;
  host.tree().checkout("/r").dir("/r/a");
  host.at("/r/a", "/r/a");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::GitDirectoryAbove));
  host.at("/r", "/r");
  EXPECT_FALSE(host.compile("{}").find(DiagnosticId::GitDirectoryAbove));
}

TEST(Surroundings, ARepositoryBelowTheWorktreeIsNoDefectOfTheCompiler) {
  GitHost host;
  host.tree().checkout("/w").git_dir("/w/vendor/lib/.git");
  host.at("/w", "/w");
  const Compiled result = host.compile(mounts(writable("/w/vendor/lib")));
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_TRUE(result.find(DiagnosticId::MountOverlaps));
}

// ---- many alternates ----

TEST(Alternates, AreBoundedAsAWhole) {
  for (const std::size_t more : {std::size_t{0}, std::size_t{1}, std::size_t{30}}) {
    GitHost host;
    GitTree tree = host.tree();
    tree.checkout("/w");
    std::string second;
    for (std::size_t i = 0; i < kMaxAlternates - 1 + more; ++i) {
      second += fmt::format("/o/{}\n", i);
    }
    // Half of a second file: the bound is that of the repository and not of a file.
    const std::size_t half = second.find("/o/40\n");
    tree.dir("/o/first").file("/w/.git/objects/info/alternates", "/o/first\n" + second.substr(half));
    tree.file("/o/first/info/alternates", second.substr(0, half));
    const GitContents found = contents(host.files, "/w");
    EXPECT_EQ(found.remarks.size(), more == 0 ? 0U : 1U) << more;
    EXPECT_LE(found.alternates.size(), kMaxAlternates + 1);
  }
}

}  // namespace
}  // namespace forge::compiler::test
