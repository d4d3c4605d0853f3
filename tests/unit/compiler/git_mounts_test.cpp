// The mounts of a worktree's git directories, for every layout and both modes.
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
using testing::Not;

struct LayoutRow {
  const char* name;
  void (*make)(GitTree& tree);
  const char* worktree;
  const char* project;
  std::vector<std::string> compatible;
  std::vector<std::string> split;  ///< of one code: no plan, with that finding
};
void PrintTo(const LayoutRow& row, std::ostream* out) { *out << row.name; }

GitHost host_of(const LayoutRow& row, GitMode mode) {
  GitHost host;
  GitTree tree = host.tree();
  row.make(tree);
  host.at(row.worktree, row.project);
  host.request.git_mode = mode;
  return host;
}

class GitMounts : public testing::TestWithParam<LayoutRow> {};
TEST_P(GitMounts, AreThoseOfTheCompatibleLayout) {
  const Compiled result = host_of(GetParam(), GitMode::Compatible).compile("{}");
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_EQ(mounts_of(result), GetParam().compatible);
  expect_sound(*result.plan);
}

TEST_P(GitMounts, AreThoseOfTheSplitLayout) {
  const Compiled result = host_of(GetParam(), GitMode::Split).compile("{}");
  if (GetParam().split.size() == 1 && GetParam().split[0].starts_with("FP")) {
    EXPECT_FALSE(result.plan);
    EXPECT_THAT(result.codes(), Contains(GetParam().split[0]));
    return;
  }
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_EQ(mounts_of(result), GetParam().split);
  expect_sound(*result.plan);
}

// `path` under its own name, and the three directories that a split leaves writable.
std::vector<std::string> with_data(std::vector<std::string> first, const std::string& common,
                                   const std::vector<std::string>& last = {}) {
  for (const char* name : {"/objects", "/refs", "/logs"}) {
    std::string path = common;
    path += name;
    first.push_back(path.append(":").append(common).append(name));
  }
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

INSTANTIATE_TEST_SUITE_P(
    Checkouts, GitMounts,
    testing::Values(
        LayoutRow{"no git", [](GitTree& tree) { tree.dir("/w"); }, "/w", "/w", {"/w:/w"}, {"/w:/w"}},
        LayoutRow{"plain checkout",
                  [](GitTree& tree) { tree.checkout("/w"); },
                  "/w",
                  "/w",
                  {"/w:/w", "/w/.git/hooks:/w/.git/hooks:ro"},
                  with_data({"/w:/w", "/w/.git:/w/.git:ro"}, "/w/.git")},
        LayoutRow{"a checkout with logs",
                  [](GitTree& tree) { tree.checkout("/w").dir("/w/.git/logs"); },
                  "/w",
                  "/w",
                  {"/w:/w", "/w/.git/hooks:/w/.git/hooks:ro"},
                  with_data({"/w:/w", "/w/.git:/w/.git:ro"}, "/w/.git")},
        LayoutRow{"subdirectory",
                  [](GitTree& tree) { tree.checkout("/w").dir("/w/a"); },
                  "/w/a",
                  "/w/a",
                  {"/w/a:/w/a", "/w/.git:/w/.git", "/w/.git/hooks:/w/.git/hooks:ro"},
                  with_data({"/w/a:/w/a", "/w/.git:/w/.git:ro"}, "/w/.git")},
        LayoutRow{"plain checkout through a link",
                  [](GitTree& tree) { tree.checkout("/mnt/w").dir("/mnt/w/.git/logs").link("/l", "/mnt"); },
                  "/l/w",
                  "/l/w",
                  {"/mnt/w:/l/w", "/mnt/w/.git/hooks:/l/w/.git/hooks:ro"},
                  {"/mnt/w:/l/w", "/mnt/w/.git:/l/w/.git:ro", "/mnt/w/.git/objects:/l/w/.git/objects",
                   "/mnt/w/.git/refs:/l/w/.git/refs", "/mnt/w/.git/logs:/l/w/.git/logs"}},
        LayoutRow{"a bare repository",
                  [](GitTree& tree) { tree.bare("/b.git"); },
                  "/b.git",
                  "/b.git",
                  {"/b.git:/b.git", "/b.git/hooks:/b.git/hooks:ro"},
                  {"FP3040"}}));

INSTANTIATE_TEST_SUITE_P(
    LinkedWorktrees, GitMounts,
    testing::Values(
        LayoutRow{"linked, whose project would cover the git directory",
                  [](GitTree& tree) { tree.checkout("/r").linked("/r/.git", "w", "/wt"); },
                  "/wt",
                  "/r",
                  {"/wt:/wt", "/r/.git:/r/.git", "/r/.git/hooks:/r/.git/hooks:ro"},
                  with_data({"/wt:/wt", "/r/.git:/r/.git:ro"}, "/r/.git",
                            {"/r/.git/worktrees/w:/r/.git/worktrees/w"})},
        LayoutRow{"linked, whose project has its git directory elsewhere",
                  [](GitTree& tree) {
                    tree.git_dir("/g/own.git").pointer("/r", "/g/own.git").linked("/g/own.git", "w", "/wt");
                  },
                  "/wt",
                  "/r",
                  {"/wt:/wt", "/g/own.git:/g/own.git", "/g/own.git/hooks:/g/own.git/hooks:ro", "/r:/r:ro"},
                  with_data({"/wt:/wt", "/g/own.git:/g/own.git:ro"}, "/g/own.git",
                            {"/g/own.git/worktrees/w:/g/own.git/worktrees/w", "/r:/r:ro"})},
        LayoutRow{"inside of the main checkout",
                  [](GitTree& tree) { tree.checkout("/r").linked("/r/.git", "w", "/r/wt"); },
                  "/r/wt",
                  "/r",
                  {"/r/wt:/r/wt", "/r/.git:/r/.git", "/r/.git/hooks:/r/.git/hooks:ro"},
                  with_data({"/r/wt:/r/wt", "/r/.git:/r/.git:ro"}, "/r/.git",
                            {"/r/.git/worktrees/w:/r/.git/worktrees/w"})},
        LayoutRow{
            "of a bare repository",
            [](GitTree& tree) { tree.bare("/b.git").linked("/b.git", "w", "/wt"); },
            "/wt",
            "/b.git",
            {"/wt:/wt", "/b.git:/b.git", "/b.git/hooks:/b.git/hooks:ro"},
            with_data({"/wt:/wt", "/b.git:/b.git:ro"}, "/b.git", {"/b.git/worktrees/w:/b.git/worktrees/w"})},
        LayoutRow{"inside of the bare repository",
                  [](GitTree& tree) { tree.bare("/b.git").linked("/b.git", "w", "/b.git/wt"); },
                  "/b.git/wt",
                  "/b.git",
                  {"/b.git/wt:/b.git/wt", "/b.git:/b.git", "/b.git/hooks:/b.git/hooks:ro"},
                  {"FP3040"}},
        LayoutRow{"named through a link, as its `.git` is",
                  [](GitTree& tree) {
                    tree.checkout("/mnt/r").dir("/mnt/r/.git/logs").link("/l", "/mnt");
                    tree.entry("/mnt/r/.git", "w", "/mnt/wt").pointer("/mnt/wt", "/l/r/.git/worktrees/w");
                  },
                  "/l/wt",
                  "/l/wt",
                  {"/mnt/wt:/l/wt", "/mnt/r/.git:/l/r/.git", "/mnt/r/.git/hooks:/l/r/.git/hooks:ro"},
                  {"/mnt/wt:/l/wt", "/mnt/r/.git:/l/r/.git:ro", "/mnt/r/.git/objects:/l/r/.git/objects",
                   "/mnt/r/.git/refs:/l/r/.git/refs", "/mnt/r/.git/logs:/l/r/.git/logs",
                   "/mnt/r/.git/worktrees/w:/l/r/.git/worktrees/w"}}));

INSTANTIATE_TEST_SUITE_P(
    GitDirectoriesElsewhere, GitMounts,
    testing::Values(
        LayoutRow{"separate",
                  [](GitTree& tree) { tree.git_dir("/g/own.git").pointer("/w", "/g/own.git"); },
                  "/w",
                  "/w",
                  {"/w:/w", "/g/own.git:/g/own.git", "/g/own.git/hooks:/g/own.git/hooks:ro"},
                  with_data({"/w:/w", "/g/own.git:/g/own.git:ro"}, "/g/own.git")},
        LayoutRow{"separate, by the spelling of its `.git`",
                  [](GitTree& tree) {
                    tree.git_dir("/g/x").link("/s", "/g").pointer("/w", "/s/x").dir("/g/x/logs");
                  },
                  "/w",
                  "/w",
                  {"/w:/w", "/g/x:/s/x", "/g/x/hooks:/s/x/hooks:ro"},
                  {"/w:/w", "/g/x:/s/x:ro", "/g/x/objects:/s/x/objects", "/g/x/refs:/s/x/refs",
                   "/g/x/logs:/s/x/logs"}},
        LayoutRow{"separate inside of the worktree",
                  [](GitTree& tree) { tree.git_dir("/w/own").pointer("/w", "own"); },
                  "/w",
                  "/w",
                  {"/w:/w", "/w/own/hooks:/w/own/hooks:ro"},
                  with_data({"/w:/w", "/w/own:/w/own:ro"}, "/w/own")},
        LayoutRow{"a link outside",
                  [](GitTree& tree) { tree.git_dir("/g/own.git").link("/w/.git", "/g/own.git"); },
                  "/w",
                  "/w",
                  {"/w:/w", "/g/own.git:/g/own.git", "/g/own.git/hooks:/g/own.git/hooks:ro"},
                  with_data({"/w:/w", "/g/own.git:/g/own.git:ro"}, "/g/own.git")},
        LayoutRow{"submodule",
                  [](GitTree& tree) { tree.checkout("/r").submodule("/r/.git", "s", "/r/s", "../../../s"); },
                  "/r/s",
                  "/r/s",
                  {"/r/s:/r/s", "/r/.git/modules/s:/r/.git/modules/s",
                   "/r/.git/modules/s/hooks:/r/.git/modules/s/hooks:ro"},
                  with_data({"/r/s:/r/s", "/r/.git/modules/s:/r/.git/modules/s:ro"}, "/r/.git/modules/s")},
        LayoutRow{
            "superproject",
            [](GitTree& tree) {
              tree.checkout("/w").git_dir("/w/.git/modules/s").git_dir("/w/.git/modules/s/modules/i");
            },
            "/w",
            "/w",
            {"/w:/w", "/w/.git/hooks:/w/.git/hooks:ro", "/w/.git/modules/s/hooks:/w/.git/modules/s/hooks:ro",
             "/w/.git/modules/s/modules/i/hooks:/w/.git/modules/s/modules/i/hooks:ro"},
            with_data({"/w:/w", "/w/.git:/w/.git:ro"}, "/w/.git")},
        LayoutRow{
            "a worktree with submodules",
            [](GitTree& tree) {
              tree.checkout("/r").linked("/r/.git", "w", "/wt").git_dir("/r/.git/worktrees/w/modules/s");
            },
            "/wt",
            "/wt",
            {"/wt:/wt", "/r/.git:/r/.git", "/r/.git/hooks:/r/.git/hooks:ro",
             "/r/.git/worktrees/w/modules/s/hooks:/r/.git/worktrees/w/modules/s/hooks:ro"},
            with_data({"/wt:/wt", "/r/.git:/r/.git:ro"}, "/r/.git",
                      {"/r/.git/worktrees/w:/r/.git/worktrees/w",
                       "/r/.git/worktrees/w/modules/s/hooks:/r/.git/worktrees/w/modules/s/hooks:ro"})}));

TEST(GitPlan, NamesWhatWasFound) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt").git_dir("/r/.git/modules/s");
  host.at("/wt", "/r");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  const policy::GitPlan& git = result.plan->git;
  EXPECT_EQ(git.layout, policy::GitLayout::LinkedWorktree);
  EXPECT_EQ(git.mode, GitMode::Compatible);
  EXPECT_EQ(git.git_dir, "/r/.git/worktrees/w");
  EXPECT_EQ(git.common_dir, "/r/.git");
  EXPECT_THAT(git.hooks, ElementsAre("/r/.git/hooks", "/r/.git/modules/s/hooks"));
  EXPECT_THAT(result.plan->actions, ElementsAre(policy::Action{policy::GitExclude{".forge/"}}));
}

TEST(GitPlan, MakesMissingHooksAndLogs) {
  for (const GitMode mode : {GitMode::Compatible, GitMode::Split}) {
    GitHost host;
    host.tree().bald("/w/.git").bald("/w/.git/modules/s");
    host.at("/w", "/w");
    host.request.git_mode = mode;
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    std::vector<policy::Action> expected = {policy::GitExclude{".forge/"}};
    if (mode == GitMode::Split) {
      expected.emplace_back(policy::EnsureDir{"/w/.git/logs", 0700});
    }
    expected.emplace_back(policy::EnsureDir{"/w/.git/hooks", 0700});
    expected.emplace_back(policy::EnsureDir{"/w/.git/modules/s/hooks", 0700});
    EXPECT_EQ(result.plan->actions, expected);
    expect_sound(*result.plan);
  }
}

TEST(GitPlan, ASplitLeavesLinkedDataReadOnly) {
  GitHost host;
  host.tree().checkout("/w").dir("/big/logs").link("/w/.git/logs", "/big/logs");
  host.at("/w", "/w");
  host.request.git_mode = GitMode::Split;
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Not(Contains(testing::HasSubstr("logs"))));
  EXPECT_TRUE(result.find(DiagnosticId::GitLinkLeaves));
}

// ---- hooks that are links or files ----

TEST(Hooks, ThatAreNoDirectoryStopThePlan) {
  for (const char* place : {"/w/.git/hooks", "/w/.git/modules/s/hooks"}) {
    for (const GitMode mode : {GitMode::Compatible, GitMode::Split}) {
      GitHost host;
      host.tree().bald("/w/.git").bald("/w/.git/modules/s").file(place);
      host.at("/w", "/w");
      host.request.git_mode = mode;
      const Compiled result = host.compile("{}");
      EXPECT_FALSE(result.plan);
      EXPECT_TRUE(result.find(DiagnosticId::HooksUnusable)) << place;
    }
  }
}

struct HooksLinkRow {
  const char* name;
  const char* target;
  DiagnosticId compatible;
  DiagnosticId split;
};
void PrintTo(const HooksLinkRow& row, std::ostream* out) { *out << row.name; }

class HooksLinks : public testing::TestWithParam<HooksLinkRow> {};
TEST_P(HooksLinks, AreKeptOnlyWhereNobodyCanReplaceThem) {
  for (const GitMode mode : {GitMode::Compatible, GitMode::Split}) {
    GitHost host;
    host.tree().bald("/r/.git").linked("/r/.git", "w", "/wt").dir("/wt/a/hooks").dir("/srv/hooks");
    host.tree().dir("/r/.git/kept").dir("/r/.git/objects/hooks").dir("/r/.git/objects/a/hooks");
    host.tree().link("/r/.git/hooks", GetParam().target);
    host.at("/wt", "/r");
    host.request.git_mode = mode;
    const Compiled result = host.compile("{}");
    const DiagnosticId expected = mode == GitMode::Split ? GetParam().split : GetParam().compatible;
    EXPECT_TRUE(result.find(expected)) << testing::PrintToString(result.codes());
    EXPECT_EQ(result.plan.has_value(), expected == DiagnosticId::HooksLinked);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Table, HooksLinks,
    testing::Values(HooksLinkRow{"elsewhere", "/srv/hooks", DiagnosticId::HooksLinkReplaceable,
                                 DiagnosticId::HooksLinked},
                    HooksLinkRow{"in the git directory", "/r/.git/kept", DiagnosticId::HooksLinkReplaceable,
                                 DiagnosticId::HooksLinked},
                    HooksLinkRow{"deep in the worktree", "/wt/a/hooks", DiagnosticId::HooksLinkReplaceable,
                                 DiagnosticId::HooksLinkReplaceable},
                    HooksLinkRow{"deep in the objects", "/r/.git/objects/a/hooks",
                                 DiagnosticId::HooksLinkReplaceable, DiagnosticId::HooksLinkReplaceable},
                    HooksLinkRow{"nowhere", "/none", DiagnosticId::HooksLinkReplaceable,
                                 DiagnosticId::HooksUnusable}));

// Its hooks cannot be expressed as a mount, so the entry goes, and nothing else.
TEST(ListedRepositories, AListedRepositoryWithAnOddSubmoduleIsLeftOutAlone) {
  GitHost host;
  host.tree().dir("/w").checkout("/r").git_dir("/r/.git/modules/a:b");
  host.at("/w", "/w");
  const Compiled result = host.compile(mounts(writable("/r")));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::MountHoldsRepository));
}

// The second is left out because it overlaps; the facts know its hooks all the same. So it is
// with one inside of a bare repository that is the worktree.
TEST(ListedRepositories, ARepositoryInAWritableMountIsNoDefectOfTheCompiler) {
  GitHost host;
  host.tree().dir("/w").git_dir("/srv/a/.git").bare("/b.git").git_dir("/b.git/x/y");
  host.at("/w", "/w");
  const Compiled listed = host.compile(mounts(writable("/srv") + "," + writable("/srv/a")));
  EXPECT_TRUE(listed.plan) << testing::PrintToString(listed.codes());
  EXPECT_FALSE(listed.find(DiagnosticId::HooksWritable));
  host.at("/b.git", "/b.git");
  const Compiled bare = host.compile(mounts(writable("/b.git/x/y")));
  EXPECT_TRUE(bare.plan) << testing::PrintToString(bare.codes());
  EXPECT_FALSE(bare.find(DiagnosticId::HooksWritable));
}

}  // namespace
}  // namespace forge::compiler::test
