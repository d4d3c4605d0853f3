// What a plan says of a repository beside its mounts, and writable mounts that hold one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;
using policy::GitMode;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// ---- the project as a second opinion ----

struct ProjectRow {
  const char* name;
  void (*make)(GitTree& tree);
  DiagnosticId id;
  const char* message;
};
void PrintTo(const ProjectRow& row, std::ostream* out) { *out << row.name; }

class DisagreeingProject : public testing::TestWithParam<ProjectRow> {};
TEST_P(DisagreeingProject, StopsThePlan) {
  GitHost host;
  GitTree tree = host.tree();
  tree.checkout("/r").linked("/r/.git", "w", "/wt").checkout("/other");
  GetParam().make(tree);
  host.at("/wt", "/r");
  const Compiled result = host.compile("{}");
  EXPECT_FALSE(result.plan);
  const policy::Diagnostic* finding = result.find(GetParam().id);
  ASSERT_TRUE(finding) << testing::PrintToString(result.codes());
  EXPECT_THAT(finding->message, HasSubstr(GetParam().message));
}
INSTANTIATE_TEST_SUITE_P(
    Table, DisagreeingProject,
    testing::Values(
        ProjectRow{
            "a worktree of another repository", [](GitTree& tree) { tree.linked("/other/.git", "w", "/wt"); },
            DiagnosticId::GitPointerNotBelieved, "belongs to `/other/.git`, and the project to `/r/.git`"},
        ProjectRow{"a repository that the sandbox made up in the worktree",
                   [](GitTree& tree) { tree.git_dir("/wt/.fake").pointer("/wt", ".fake"); },
                   DiagnosticId::GitPointerNotBelieved, "belongs to `/wt/.fake`"},
        ProjectRow{"a whole repository with entries made up in the worktree",
                   [](GitTree& tree) { tree.git_dir("/wt/fake").linked("/wt/fake", "w", "/wt"); },
                   DiagnosticId::GitPointerNotBelieved, "belongs to `/wt/fake`"},
        ProjectRow{
            "a checkout in place of a linked worktree",
            [](GitTree& tree) { tree.git_dir("/g.git", with_worktree("/wt")).pointer("/wt", "/g.git"); },
            DiagnosticId::GitPointerNotBelieved, "belongs to `/g.git`"},
        ProjectRow{"a project whose own pointer is not believed",
                   [](GitTree& tree) {
                     tree.file("/r/.git/commondir", "/other/.git\n").linked("/other/.git", "w", "/wt");
                   },
                   DiagnosticId::GitCommondirInMain, "of the project: "}));

TEST(DisagreeingProject, OfNoRepositoryStopsThePlanToo) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt").dir("/p");
  host.at("/wt", "/p");
  const Compiled result = host.compile("{}");
  EXPECT_FALSE(result.plan);
  const policy::Diagnostic* finding = result.find(DiagnosticId::GitPointerNotBelieved);
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->message, HasSubstr("the project to no repository"));
}

TEST(GitFindings, AWorktreeThatLostItsGitIsToldAndMountedAlone) {
  GitHost host;
  host.tree().checkout("/r").entry("/r/.git", "w", "/wt").dir("/wt");
  host.at("/wt", "/r");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::WorktreeWithoutGit));
  EXPECT_EQ(mounts_of(result), (std::vector<std::string>{"/wt:/wt", "/r:/r:ro"}));
  EXPECT_EQ(result.plan->git.layout, policy::GitLayout::None);
}

TEST(GitFindings, AGitDirectoryThatOnlyTheWorktreeNamesIsTold) {
  for (const bool both : {false, true}) {
    GitHost host;
    host.tree().git_dir("/g.git", both ? with_worktree("/w") : kPlainConfig).pointer("/w", "/g.git");
    host.at("/w", "/w");
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    EXPECT_EQ(result.find(DiagnosticId::GitDirectoryOneEnded) != nullptr, !both);
  }
}

TEST(GitFindings, AWorktreeBelowItsTopCannotUseGit) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt").dir("/wt/a");
  host.at("/wt/a", "/wt/a");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(result.plan->warnings, Contains(HasSubstr("`/wt/.git` is not mounted")));
}

// ---- alternates, hooks in the tree, links ----

TEST(GitFindings, BorrowedObjectsMustBeVisible) {
  GitHost host;
  GitTree tree = host.tree();
  tree.checkout("/w").git_dir("/srv/a.git").git_dir("/srv/b.git").git_dir("/w/c.git");
  tree.file("/w/.git/objects/info/alternates", "/srv/a.git/objects\n/w/c.git/objects\n");
  tree.file("/srv/a.git/objects/info/alternates", "/srv/b.git/objects\n");
  host.at("/w", "/w");
  const Compiled hidden = host.compile("{}");
  ASSERT_TRUE(hidden.plan);
  ASSERT_EQ(hidden.plan->dropped.size(), 4U) << "two directories of the editor, two of objects";
  EXPECT_EQ(hidden.plan->dropped[2].what, "/srv/a.git/objects");
  EXPECT_EQ(hidden.plan->dropped[3].what, "/srv/b.git/objects");
  EXPECT_EQ(hidden.plan->dropped[2].origin, "git-alternates");
  EXPECT_EQ(hidden.plan->dropped[2].code, DiagnosticId::AlternateNotVisible);
  EXPECT_EQ(hidden.errors, 2U);
  const Compiled shown =
      host.compile(mounts(read_only("/srv/a.git/objects") + "," + read_only("/srv/b.git")));
  ASSERT_TRUE(shown.plan);
  EXPECT_FALSE(shown.find(DiagnosticId::AlternateNotVisible));
  EXPECT_EQ(shown.errors, 0U);
}

struct HooksPathRow {
  const char* value;
  bool told;
};
void PrintTo(const HooksPathRow& row, std::ostream* out) { *out << row.value; }

class HooksPathFinding : public testing::TestWithParam<HooksPathRow> {};
TEST_P(HooksPathFinding, IsToldWhereTheSandboxCanWrite) {
  GitHost host;
  host.tree().checkout("/w").dir("/w/tools").dir("/srv/ro").dir("/srv/rw/hooks").link("/l", "/w");
  host.tree().file("/w/.git/config", fmt::format("[core]\nhooksPath = {}\n", GetParam().value));
  host.at("/w", "/w");
  const Compiled result = host.compile(mounts(read_only("/srv/ro") + "," + writable("/srv/rw")));
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.find(DiagnosticId::HooksInTree) != nullptr, GetParam().told);
}
INSTANTIATE_TEST_SUITE_P(Table, HooksPathFinding,
                         testing::Values(HooksPathRow{".githooks", true},
                                         HooksPathRow{"/w/tools/hooks", true}, HooksPathRow{"/l/tools", true},
                                         HooksPathRow{"/srv/rw/hooks", true}, HooksPathRow{"/srv/ro", false},
                                         HooksPathRow{"/usr/hooks", false}, HooksPathRow{".git/hooks", false},
                                         HooksPathRow{"/dev/null", false}));

TEST(GitFindings, LinksThatLeaveAreToldWithWhatTheSandboxSeesOfThem) {
  GitHost host;
  host.tree().checkout("/w").dir("/w/kept").dir("/srv/info");
  host.tree()
      .link("/w/.git/logs", "/w/kept")
      .link("/w/.git/info", "/srv/info")
      .link("/w/.git/index", "/none");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  std::vector<std::string> messages;
  for (const policy::Diagnostic& finding : result.findings) {
    if (finding.id == DiagnosticId::GitLinkLeaves) {
      messages.push_back(finding.message);
    }
  }
  EXPECT_THAT(messages,
              testing::UnorderedElementsAre("`/w/.git/logs` leads to `/w/kept`, outside of the git directory",
                                            "`/w/.git/info` leads to `/srv/info`, which no mount shows",
                                            "`/w/.git/index` leads to nothing, which no mount shows"));
}

// ---- writable mounts that hold a repository ----

struct WritableRow {
  const char* name;
  void (*make)(GitTree& tree);
  const char* path;
  std::vector<std::string> mounts;  ///< beside the worktree; empty: refused with FP3017
};
void PrintTo(const WritableRow& row, std::ostream* out) { *out << row.name; }

class WritableRepositories : public testing::TestWithParam<WritableRow> {};
TEST_P(WritableRepositories, KeepTheirHooksReadOnlyOrAreRefused) {
  GitHost host;
  GitTree tree = host.tree();
  tree.dir("/w").checkout("/r");
  GetParam().make(tree);
  host.at("/w", "/w");
  const Compiled result = host.compile(mounts(writable(GetParam().path)));
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  std::vector<std::string> expected = {"/w:/w"};
  expected.insert(expected.end(), GetParam().mounts.begin(), GetParam().mounts.end());
  EXPECT_EQ(mounts_of(result), expected);
  EXPECT_EQ(result.find(DiagnosticId::MountHoldsRepository) != nullptr, GetParam().mounts.empty());
  expect_sound(*result.plan);
}
INSTANTIATE_TEST_SUITE_P(
    Table, WritableRepositories,
    testing::Values(
        WritableRow{"a checkout", [](GitTree&) {}, "/r", {"/r:/r", "/r/.git/hooks:/r/.git/hooks:ro"}},
        WritableRow{"with submodules and without hooks",
                    [](GitTree& tree) { tree.bald("/s/.git").git_dir("/s/.git/modules/m"); },
                    "/s",
                    {"/s:/s", "/s/.git/hooks:/s/.git/hooks:ro",
                     "/s/.git/modules/m/hooks:/s/.git/modules/m/hooks:ro"}},
        WritableRow{"named through a link",
                    [](GitTree& tree) { tree.link("/l", "/r"); },
                    "/l",
                    {"/r:/l", "/r/.git/hooks:/l/.git/hooks:ro"}},
        WritableRow{"a bare repository",
                    [](GitTree& tree) { tree.bare("/b.git"); },
                    "/b.git",
                    {"/b.git:/b.git", "/b.git/hooks:/b.git/hooks:ro"}},
        WritableRow{"the git directory itself",
                    [](GitTree&) {},
                    "/r/.git",
                    {"/r/.git:/r/.git", "/r/.git/hooks:/r/.git/hooks:ro"}},
        WritableRow{"a part of a checkout", [](GitTree& tree) { tree.dir("/r/a"); }, "/r/a", {"/r/a:/r/a"}},
        WritableRow{"a linked worktree",
                    [](GitTree& tree) { tree.linked("/r/.git", "w", "/wt"); },
                    "/wt",
                    {"/wt:/wt"}},
        WritableRow{"hooks", [](GitTree&) {}, "/r/.git/hooks", {}},
        WritableRow{"a folder of a git directory",
                    [](GitTree& tree) { tree.dir("/r/.git/refs/heads"); },
                    "/r/.git/refs/heads",
                    {}},
        WritableRow{
            "hooks that are a link",
            [](GitTree& tree) { tree.bald("/s/.git").link("/s/.git/hooks", "/srv/hooks").dir("/srv/hooks"); },
            "/s",
            {}},
        WritableRow{"hooks that are a file",
                    [](GitTree& tree) { tree.bald("/s/.git").file("/s/.git/hooks"); },
                    "/s",
                    {}},
        WritableRow{"hooks of a submodule that are a link",
                    [](GitTree& tree) {
                      tree.checkout("/s").bald("/s/.git/modules/m").link("/s/.git/modules/m/hooks", "/none");
                    },
                    "/s",
                    {}},
        WritableRow{
            "a pointer that is not believed", [](GitTree& tree) { tree.pointer("/s", "/r/.git"); }, "/s", {}},
        WritableRow{
            "a stray commondir", [](GitTree& tree) { tree.file("/r/.git/commondir", "/x\n"); }, "/r", {}}));

TEST(WritableRepositories, MayBeMountedReadOnlyWhateverTheyHold) {
  GitHost host;
  host.tree().dir("/w").checkout("/r").pointer("/s", "/r/.git");
  host.at("/w", "/w");
  const Compiled result = host.compile(mounts(read_only("/r/.git/hooks") + "," + read_only("/s")));
  EXPECT_THAT(mounts_of(result), testing::IsSupersetOf({"/r/.git/hooks:/r/.git/hooks:ro", "/s:/s:ro"}));
  EXPECT_FALSE(result.find(DiagnosticId::MountHoldsRepository));
}

TEST(WritableRepositories, InTheOwnGitDirectoryOverlapIt) {
  GitHost host;
  host.tree().checkout("/w").git_dir("/w/.git/modules/s");
  host.at("/w", "/w");
  const Compiled result = host.compile(mounts(writable("/w/.git/modules/s")));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::MountOverlaps));
  EXPECT_THAT(mounts_of(result), Not(Contains("/w/.git/modules/s:/w/.git/modules/s")));
}

// It names a link in the worktree, which the sandbox can replace.
TEST(HooksPathFinding, AHooksPathThroughTheWorktreeIsTold) {
  GitHost host;
  host.tree().checkout("/w").dir("/srv/hooks").link("/w/hooks", "/srv/hooks");
  host.tree().file("/w/.git/config", "[core]\nhooksPath = hooks\n");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(policy::DiagnosticId::HooksInTree));
}

// A directory that does not exist yet, behind a link to the worktree.
TEST(HooksPathFinding, AHooksPathThatIsNotThereYetIsTold) {
  GitHost host;
  host.tree().checkout("/w").link("/l", "/w");
  host.tree().file("/w/.git/config", "[core]\nhooksPath = /l/tools\n");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(policy::DiagnosticId::HooksInTree));
}

}  // namespace
}  // namespace forge::compiler::test
