// From a directory to its git directory, and what is not believed on the way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forge/grammar/git_files.hpp"
#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;
using policy::GitLayout;
using policy::PathKind;

struct LayoutRow {
  const char* name;
  void (*make)(GitTree& tree);
  const char* start;
  GitLayout layout;
  const char* top;
  const char* git_dir;
  const char* common_dir;
  Vouched vouched = Vouched::ByBothEnds;
};
void PrintTo(const LayoutRow& row, std::ostream* out) { *out << row.name; }

class Layouts : public testing::TestWithParam<LayoutRow> {};
TEST_P(Layouts, AreFound) {
  const LayoutRow& row = GetParam();
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.dir(row.start);
  row.make(tree);
  const GitRepository repository = found(files, row.start);
  EXPECT_FALSE(repository.problem) << repository.problem->message;
  EXPECT_EQ(repository.layout, row.layout);
  EXPECT_EQ(repository.top, row.top);
  EXPECT_EQ(repository.git_dir, row.git_dir);
  EXPECT_EQ(repository.common_dir, row.common_dir);
  EXPECT_EQ(repository.vouched, row.vouched);
}

INSTANTIATE_TEST_SUITE_P(
    Checkouts, Layouts,
    testing::Values(LayoutRow{"plain checkout", [](GitTree& tree) { tree.checkout("/r"); }, "/r",
                              GitLayout::Checkout, "/r", "/r/.git", "/r/.git"},
                    LayoutRow{"subdirectory", [](GitTree& tree) { tree.checkout("/r"); }, "/r/a/b",
                              GitLayout::Subdirectory, "/r", "/r/.git", "/r/.git"},
                    LayoutRow{"subdirectory through a link",
                              [](GitTree& tree) { tree.checkout("/r").dir("/r/a").link("/l", "/r"); }, "/l/a",
                              GitLayout::Subdirectory, "/r", "/r/.git", "/r/.git"},
                    LayoutRow{"below a `.git` that git passes over",
                              [](GitTree& tree) { tree.checkout("/r").dir("/r/a/.git/objects"); }, "/r/a",
                              GitLayout::Subdirectory, "/r", "/r/.git", "/r/.git"},
                    LayoutRow{"below a dangling `.git`",
                              [](GitTree& tree) { tree.checkout("/r").link("/r/a/.git", "/none"); }, "/r/a",
                              GitLayout::Subdirectory, "/r", "/r/.git", "/r/.git"},
                    LayoutRow{"no git", [](GitTree& tree) { tree.dir("/n/objects"); }, "/n", GitLayout::None,
                              "", "", ""},
                    LayoutRow{"no directory", [](GitTree& tree) { tree.checkout("/r").file("/r/file"); },
                              "/r/file", GitLayout::None, "", "", ""}));

INSTANTIATE_TEST_SUITE_P(
    LinkedWorktrees, Layouts,
    testing::Values(
        LayoutRow{"linked", [](GitTree& tree) { tree.checkout("/r").linked("/r/.git", "w", "/wt"); }, "/wt",
                  GitLayout::LinkedWorktree, "/wt", "/r/.git/worktrees/w", "/r/.git"},
        LayoutRow{"subdirectory of a linked one",
                  [](GitTree& tree) { tree.checkout("/r").linked("/r/.git", "w", "/wt"); }, "/wt/a/b",
                  GitLayout::LinkedWorktree, "/wt", "/r/.git/worktrees/w", "/r/.git"},
        LayoutRow{"relative pointers",
                  [](GitTree& tree) {
                    tree.checkout("/r").linked("/r/.git", "w", "/wt").pointer("/wt", "../r/.git/worktrees/w");
                    tree.file("/r/.git/worktrees/w/gitdir", "../../../../wt/.git\n");
                  },
                  "/wt", GitLayout::LinkedWorktree, "/wt", "/r/.git/worktrees/w", "/r/.git"},
        LayoutRow{"of a bare repository",
                  [](GitTree& tree) { tree.bare("/b.git").linked("/b.git", "w", "/wt"); }, "/wt",
                  GitLayout::LinkedWorktree, "/wt", "/b.git/worktrees/w", "/b.git"},
        LayoutRow{"inside of the bare repository",
                  [](GitTree& tree) { tree.bare("/b.git").linked("/b.git", "w", "/b.git/wt"); }, "/b.git/wt",
                  GitLayout::LinkedWorktree, "/b.git/wt", "/b.git/worktrees/w", "/b.git"},
        LayoutRow{"inside of the main checkout",
                  [](GitTree& tree) { tree.checkout("/r").linked("/r/.git", "w", "/r/wt"); }, "/r/wt",
                  GitLayout::LinkedWorktree, "/r/wt", "/r/.git/worktrees/w", "/r/.git"},
        LayoutRow{"of a submodule",
                  [](GitTree& tree) {
                    tree.checkout("/r").submodule("/r/.git", "s", "/r/s", "../../../s");
                    tree.linked("/r/.git/modules/s", "w", "/wt");
                  },
                  "/wt", GitLayout::LinkedWorktree, "/wt", "/r/.git/modules/s/worktrees/w",
                  "/r/.git/modules/s"}));

INSTANTIATE_TEST_SUITE_P(
    GitDirectoriesElsewhere, Layouts,
    testing::Values(
        LayoutRow{"separate", [](GitTree& tree) { tree.git_dir("/g/own.git").pointer("/w", "/g/own.git"); },
                  "/w", GitLayout::Separate, "/w", "/g/own.git", "/g/own.git", Vouched::ByOneEnd},
        LayoutRow{"separate with core.worktree",
                  [](GitTree& tree) {
                    tree.git_dir("/g/own.git", with_worktree("/w")).pointer("/w", "/g/own.git");
                  },
                  "/w", GitLayout::Separate, "/w", "/g/own.git", "/g/own.git"},
        LayoutRow{"separate inside of the worktree",
                  [](GitTree& tree) { tree.git_dir("/w/own.git").pointer("/w", "own.git"); }, "/w",
                  GitLayout::Separate, "/w", "/w/own.git", "/w/own.git"},
        LayoutRow{"submodule",
                  [](GitTree& tree) { tree.checkout("/r").submodule("/r/.git", "s", "/r/s", "../../../s"); },
                  "/r/s", GitLayout::Submodule, "/r/s", "/r/.git/modules/s", "/r/.git/modules/s"},
        LayoutRow{"subdirectory of a submodule",
                  [](GitTree& tree) { tree.checkout("/r").submodule("/r/.git", "s", "/r/s", "../../../s"); },
                  "/r/s/a", GitLayout::Submodule, "/r/s", "/r/.git/modules/s", "/r/.git/modules/s"},
        LayoutRow{"nested submodule",
                  [](GitTree& tree) {
                    tree.checkout("/r").submodule("/r/.git", "s", "/r/s", "../../../s");
                    tree.submodule("/r/.git/modules/s", "i", "/r/s/i", "../../../../../s/i");
                  },
                  "/r/s/i", GitLayout::Submodule, "/r/s/i", "/r/.git/modules/s/modules/i",
                  "/r/.git/modules/s/modules/i"},
        LayoutRow{"a link inside", [](GitTree& tree) { tree.git_dir("/w/own").link("/w/.git", "/w/own"); },
                  "/w", GitLayout::Link, "/w", "/w/own", "/w/own"},
        LayoutRow{"a link outside",
                  [](GitTree& tree) { tree.git_dir("/g/own.git").link("/w/.git", "/g/own.git"); }, "/w",
                  GitLayout::Link, "/w", "/g/own.git", "/g/own.git", Vouched::ByOneEnd},
        LayoutRow{"a link outside with core.worktree",
                  [](GitTree& tree) {
                    tree.git_dir("/g/own.git", with_worktree("/w")).link("/w/.git", "/g/own.git");
                  },
                  "/w", GitLayout::Link, "/w", "/g/own.git", "/g/own.git"},
        LayoutRow{"bare", [](GitTree& tree) { tree.bare("/b.git"); }, "/b.git", GitLayout::Bare, "/b.git",
                  "/b.git", "/b.git"}));

TEST(Layouts, TellTheSpellingByWhichGitComesToTheSharedPart) {
  InMemoryHostFiles files;
  GitTree(files).checkout("/r").linked("/r/.git", "w", "/wt").link("/l", "/r");
  EXPECT_EQ(found(files, "/wt").named_common_dir, "/r/.git");
  GitTree(files).pointer("/wt", "/l/.git/worktrees/w");
  EXPECT_EQ(found(files, "/wt").named_common_dir, "/l/.git");
  EXPECT_EQ(found(files, "/wt").common_dir, "/r/.git");
  // A link to the entry itself says nothing about where the shared part is.
  GitTree(files).link("/e", "/r/.git/worktrees/w").pointer("/wt", "/e");
  EXPECT_EQ(found(files, "/wt").named_common_dir, "/r/.git");
  GitTree(files).git_dir("/g/own.git").link("/s", "/g").pointer("/w", "/s/own.git");
  EXPECT_EQ(found(files, "/w").named_common_dir, "/s/own.git");
}

struct DoubtRow {
  const char* name;
  void (*make)(GitTree& tree);
  DiagnosticId id;
  const char* message;  ///< a part of it
  const char* start = "/wt";
};
void PrintTo(const DoubtRow& row, std::ostream* out) { *out << row.name; }

constexpr DiagnosticId kDoubt = DiagnosticId::GitPointerNotBelieved;
constexpr DiagnosticId kUnusable = DiagnosticId::GitFileUnusable;

// A repository and its linked worktree, then one thing made wrong.
class Doubts : public testing::TestWithParam<DoubtRow> {};
TEST_P(Doubts, AreRefused) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").linked("/r/.git", "w", "/wt").dir("/wt/sub").checkout("/other");
  GetParam().make(tree);
  const GitRepository repository = found(files, GetParam().start);
  EXPECT_EQ(repository.layout, GitLayout::None);
  EXPECT_EQ(repository.git_dir + repository.common_dir, "") << "nothing to mount by mistake";
  ASSERT_TRUE(repository.problem);
  EXPECT_EQ(repository.problem->id, GetParam().id) << repository.problem->message;
  EXPECT_THAT(repository.problem->message, testing::HasSubstr(GetParam().message));
  EXPECT_FALSE(repository.problem->help.empty());
}

INSTANTIATE_TEST_SUITE_P(
    ForgedPointers, Doubts,
    testing::Values(
        DoubtRow{"another checkout", [](GitTree& tree) { tree.pointer("/wt", "/other/.git"); }, kDoubt,
                 "which belongs to the checkout `/other`"},
        DoubtRow{"another checkout, from a subdirectory",
                 [](GitTree& tree) { tree.pointer("/wt", "/other/.git"); }, kDoubt,
                 "which belongs to the checkout `/other`", "/wt/sub"},
        DoubtRow{"another checkout that names its own place",
                 [](GitTree& tree) {
                   tree.git_dir("/other/.git", with_worktree("/other")).pointer("/wt", "/other/.git");
                 },
                 kDoubt, "whose core.worktree is another directory"},
        DoubtRow{
            "the entry of another worktree",
            [](GitTree& tree) { tree.linked("/r/.git", "v", "/v").pointer("/wt", "/r/.git/worktrees/v"); },
            kDoubt, "which belongs to another worktree"},
        DoubtRow{"a forged commondir",
                 [](GitTree& tree) {
                   tree.file("/wt/.fake/commondir", "/other/.git\n")
                       .file("/wt/.fake/HEAD")
                       .pointer("/wt", ".fake");
                 },
                 kDoubt, "which is no entry in `/other/.git/worktrees`"},
        DoubtRow{"a forged entry in a folder of the right name",
                 [](GitTree& tree) {
                   tree.file("/wt/worktrees/w/commondir", "/other/.git\n").pointer("/wt", "worktrees/w");
                   tree.file("/wt/worktrees/w/gitdir", "/wt/.git\n");
                 },
                 kDoubt, "which is no entry in `/other/.git/worktrees`"},
        DoubtRow{"an entry below `worktrees`, not in it",
                 [](GitTree& tree) {
                   tree.file("/r/.git/worktrees/a/b/commondir", "../../..\n");
                   tree.pointer("/wt", "/r/.git/worktrees/a/b");
                 },
                 kDoubt, "which is no entry in `/r/.git/worktrees`"},
        DoubtRow{"a link to another checkout",
                 [](GitTree& tree) { tree.dir("/l").link("/l/.git", "/other/.git"); }, kDoubt,
                 "which belongs to the checkout `/other`", "/l"},
        DoubtRow{"a separate directory of another worktree",
                 [](GitTree& tree) {
                   tree.git_dir("/g/own.git", with_worktree("/w2")).pointer("/wt", "/g/own.git");
                 },
                 kDoubt, "whose core.worktree is another directory"},
        DoubtRow{"a worktree that cannot be told",
                 [](GitTree& tree) {
                   tree.git_dir("/g/own.git", with_worktree("a/../b")).pointer("/wt", "/g/own.git");
                 },
                 kDoubt, "whose core.worktree is another directory"},
        DoubtRow{"a bare repository", [](GitTree& tree) { tree.bare("/b.git").pointer("/wt", "/b.git"); },
                 kDoubt, "which is a bare repository"},
        DoubtRow{"a bare repository by a key without a value",
                 [](GitTree& tree) { tree.git_dir("/b.git", "[core]\n\tbare\n").pointer("/wt", "/b.git"); },
                 kDoubt, "which is a bare repository"},
        DoubtRow{"a git directory in the modules of another",
                 [](GitTree& tree) {
                   tree.git_dir("/other/.git/modules/s").pointer("/wt", "/other/.git/modules/s");
                 },
                 kDoubt, "which lies inside the git directory `/other/.git`"},
        DoubtRow{"a link to a file", [](GitTree& tree) { tree.dir("/l").link("/l/.git", "/wt/.git"); },
                 kDoubt, "is a symbolic link to a file", "/l"}));

INSTANTIATE_TEST_SUITE_P(
    Targets, Doubts,
    testing::Values(
        DoubtRow{"missing", [](GitTree& tree) { tree.pointer("/wt", "/none"); }, kDoubt,
                 "which is no directory"},
        DoubtRow{"a file", [](GitTree& tree) { tree.pointer("/wt", "/r/.git/HEAD"); }, kDoubt,
                 "which is no directory"},
        DoubtRow{"no git directory", [](GitTree& tree) { tree.dir("/d").pointer("/wt", "/d"); }, kDoubt,
                 "which is no git directory"},
        DoubtRow{"without a config",
                 [](GitTree& tree) {
                   tree.file("/g.git/HEAD").dir("/g.git/objects").dir("/g.git/refs").pointer("/wt", "/g.git");
                 },
                 kDoubt, "config` cannot be read"},
        DoubtRow{"with a config that nobody understands",
                 [](GitTree& tree) { tree.git_dir("/g.git", "[core\n").pointer("/wt", "/g.git"); }, kDoubt,
                 "config` cannot be read: line 1"},
        DoubtRow{"an entry that leads nowhere",
                 [](GitTree& tree) { tree.file("/r/.git/worktrees/w/commondir", "../../../none\n"); }, kDoubt,
                 "which is no git directory"},
        DoubtRow{"an entry that leads to a folder",
                 [](GitTree& tree) { tree.file("/r/.git/worktrees/w/commondir", "..\n"); }, kDoubt,
                 "which is no git directory"}));

INSTANTIATE_TEST_SUITE_P(
    BackPointers, Doubts,
    testing::Values(
        DoubtRow{"of another worktree",
                 [](GitTree& tree) { tree.file("/r/.git/worktrees/w/gitdir", "/elsewhere/.git\n"); }, kDoubt,
                 "which belongs to another worktree"},
        DoubtRow{"to the worktree in place of its `.git`",
                 [](GitTree& tree) { tree.file("/r/.git/worktrees/w/gitdir", "/wt\n"); }, kDoubt,
                 "which belongs to another worktree"},
        DoubtRow{
            "missing",
            [](GitTree& tree) {
              tree.file("/r/.git/worktrees/v/commondir", "../..\n").pointer("/wt", "/r/.git/worktrees/v");
            },
            kUnusable, "`/r/.git/worktrees/v/gitdir` cannot be used"},
        DoubtRow{"empty", [](GitTree& tree) { tree.file("/r/.git/worktrees/w/gitdir", "\n"); }, kUnusable,
                 "it names no path"},
        DoubtRow{"of two lines",
                 [](GitTree& tree) { tree.file("/r/.git/worktrees/w/gitdir", "/wt/.git\n/x\n"); }, kUnusable,
                 "`/r/.git/worktrees/w/gitdir` cannot be used"}));

INSTANTIATE_TEST_SUITE_P(
    PointerFiles, Doubts,
    testing::Values(
        DoubtRow{"empty", [](GitTree& tree) { tree.file("/wt/.git", ""); }, kUnusable,
                 "`/wt/.git` cannot be used"},
        DoubtRow{"without its prefix", [](GitTree& tree) { tree.file("/wt/.git", "/r/.git/worktrees/w\n"); },
                 kUnusable, "`/wt/.git` cannot be used"},
        DoubtRow{"with a control character",
                 [](GitTree& tree) { tree.file("/wt/.git", "gitdir: /r/.git/worktrees/\x01w\n"); }, kUnusable,
                 "`/wt/.git` cannot be used"},
        DoubtRow{"with two lines", [](GitTree& tree) { tree.file("/wt/.git", "gitdir: /a\ngitdir: /b\n"); },
                 kUnusable, "`/wt/.git` cannot be used"},
        DoubtRow{"with `..` after a name",
                 [](GitTree& tree) { tree.pointer("/wt", "/r/link/../.git/worktrees/w"); }, kUnusable,
                 "`/wt/.git` cannot be used"},
        DoubtRow{"a commondir of two lines",
                 [](GitTree& tree) { tree.file("/r/.git/worktrees/w/commondir", "../..\n/other/.git\n"); },
                 kUnusable, "commondir` cannot be used"}));

INSTANTIATE_TEST_SUITE_P(
    CommondirInMain, Doubts,
    testing::Values(
        DoubtRow{"of a checkout", [](GitTree& tree) { tree.file("/other/.git/commondir", "/r/.git\n"); },
                 DiagnosticId::GitCommondirInMain, "`/other/.git`", "/other"},
        DoubtRow{"of a checkout that lost its objects",
                 [](GitTree& tree) { tree.file("/l/.git/HEAD").file("/l/.git/commondir", "/r/.git\n"); },
                 DiagnosticId::GitCommondirInMain, "`/l/.git`", "/l"},
        DoubtRow{"of a shared directory",
                 [](GitTree& tree) { tree.file("/r/.git/commondir", "/other/.git\n"); },
                 DiagnosticId::GitCommondirInMain, "`/r/.git`"},
        DoubtRow{"of a bare repository",
                 [](GitTree& tree) { tree.bare("/b.git").file("/b.git/commondir", "/r/.git\n"); },
                 DiagnosticId::GitCommondirInMain, "`/b.git`", "/b.git"},
        DoubtRow{"behind a link",
                 [](GitTree& tree) { tree.dir("/l").link("/l/.git", "/r/.git/worktrees/w"); },
                 DiagnosticId::GitCommondirInMain, "`/r/.git/worktrees/w`", "/l"}));

INSTANTIATE_TEST_SUITE_P(
    InsideAGitDirectory, Doubts,
    testing::Values(DoubtRow{"hooks", [](GitTree&) {}, DiagnosticId::InsideGitDirectory,
                             "inside the git directory `/r/.git`", "/r/.git/hooks"},
                    DoubtRow{"an entry", [](GitTree&) {}, DiagnosticId::InsideGitDirectory,
                             "inside the git directory `/r/.git`", "/r/.git/worktrees/w"},
                    DoubtRow{"a bare repository", [](GitTree& tree) { tree.bare("/b.git"); },
                             DiagnosticId::InsideGitDirectory, "inside the git directory `/b.git`",
                             "/b.git/refs"}));

TEST(Doubts, ADotGitThatIsNoFileOrDirectoryStopsTheSearch) {
  for (const PathKind kind : {PathKind::Other, PathKind::Unreadable, PathKind::Unnameable}) {
    InMemoryHostFiles files;
    GitTree(files).checkout("/r").dir("/r/a");
    files.add("/r/a/.git", kind, kind == PathKind::Other ? "/r/a/.git" : "");
    const GitRepository repository = found(files, "/r/a");
    ASSERT_TRUE(repository.problem);
    EXPECT_EQ(repository.problem->id, kUnusable);
  }
}

TEST(Doubts, APointerMayFillItsLimitAndNoMore) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").linked("/r/.git", "w", "/wt");
  const auto padded = [](std::size_t bytes) {
    const std::string rest = "/r/.git/worktrees/w\n";
    return "gitdir: " + std::string(bytes - rest.size() - 8, '/') + rest;
  };
  tree.file("/wt/.git", padded(grammar::kMaxGitPointerBytes));
  EXPECT_EQ(found(files, "/wt").layout, GitLayout::LinkedWorktree);
  tree.file("/wt/.git", padded(grammar::kMaxGitPointerBytes + 1));
  const GitRepository repository = found(files, "/wt");
  ASSERT_TRUE(repository.problem);
  EXPECT_EQ(repository.problem->id, kUnusable);
  EXPECT_THAT(repository.problem->message, testing::HasSubstr("larger than 4096 bytes"));
}

}  // namespace
}  // namespace forge::compiler::test
