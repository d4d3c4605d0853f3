// What lies in a git directory: hooks, links, borrowed objects, and the limits of looking.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;
using policy::PathKind;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> directories(const GitContents& found) {
  std::vector<std::string> out;
  for (const GitDirectory& directory : found.directories) {
    EXPECT_EQ(directory.hooks.path, directory.path + "/hooks");
    out.push_back(directory.path);
  }
  return out;
}

std::vector<std::string> links(const GitContents& found) {
  std::vector<std::string> out;
  for (const GitLink& link : found.links) {
    out.push_back(link.path + " -> " + link.real_path);
  }
  return out;
}

std::vector<DiagnosticId> ids(const std::vector<GitProblem>& problems) {
  std::vector<DiagnosticId> out;
  for (const GitProblem& problem : problems) {
    EXPECT_FALSE(problem.message.empty() || problem.help.empty());
    out.push_back(problem.id);
  }
  return out;
}

struct DirectoryRow {
  const char* name;
  void (*make)(GitTree& tree);
  std::vector<std::string> also;  ///< beside that of the repository, in the order found
};
void PrintTo(const DirectoryRow& row, std::ostream* out) { *out << row.name; }

class GitDirectories : public testing::TestWithParam<DirectoryRow> {};
TEST_P(GitDirectories, AreAllFound) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r");
  GetParam().make(tree);
  const GitContents found = contents(files, "/r");
  std::vector<std::string> expected = {"/r/.git"};
  expected.insert(expected.end(), GetParam().also.begin(), GetParam().also.end());
  EXPECT_EQ(directories(found), expected);
  EXPECT_THAT(ids(found.problems), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, GitDirectories,
    testing::Values(
        DirectoryRow{"no submodule", [](GitTree&) {}, {}},
        DirectoryRow{
            "a submodule", [](GitTree& tree) { tree.git_dir("/r/.git/modules/s"); }, {"/r/.git/modules/s"}},
        DirectoryRow{"one without hooks",
                     [](GitTree& tree) { tree.bald("/r/.git/modules/s"); },
                     {"/r/.git/modules/s"}},
        DirectoryRow{
            "names with slashes",
            [](GitTree& tree) { tree.git_dir("/r/.git/modules/lib/a").git_dir("/r/.git/modules/lib/b"); },
            {"/r/.git/modules/lib/a", "/r/.git/modules/lib/b"}},
        DirectoryRow{
            "nested ones",
            [](GitTree& tree) {
              tree.git_dir("/r/.git/modules/s").git_dir("/r/.git/modules/s/modules/i");
              tree.git_dir("/r/.git/modules/s/modules/i/modules/j");
            },
            {"/r/.git/modules/s", "/r/.git/modules/s/modules/i", "/r/.git/modules/s/modules/i/modules/j"}},
        DirectoryRow{"those of linked worktrees",
                     [](GitTree& tree) {
                       tree.linked("/r/.git", "w", "/wt").git_dir("/r/.git/worktrees/w/modules/s");
                       tree.git_dir("/r/.git/worktrees/w/modules/s/modules/i");
                     },
                     {"/r/.git/worktrees/w/modules/s", "/r/.git/worktrees/w/modules/s/modules/i"}},
        DirectoryRow{"those of a submodule's worktrees",
                     [](GitTree& tree) {
                       tree.git_dir("/r/.git/modules/s").entry("/r/.git/modules/s", "v", "/v");
                       tree.git_dir("/r/.git/modules/s/worktrees/v/modules/i");
                     },
                     {"/r/.git/modules/s", "/r/.git/modules/s/worktrees/v/modules/i"}},
        DirectoryRow{"one that cannot be looked into is one",
                     [](GitTree& tree) {
                       tree.dir("/r/.git/modules/s/refs").dir("/r/.git/modules/s/objects");
                       tree.link("/r/.git/modules/s/HEAD", "/none");
                     },
                     {"/r/.git/modules/s"}},
        DirectoryRow{"links inside are followed",
                     [](GitTree& tree) {
                       tree.git_dir("/r/.git/kept/s").link("/r/.git/modules/a", "/r/.git/kept/s");
                       tree.git_dir("/r/.git/kept/s/modules/i");
                       tree.link("/r/.git/modules/loop", "/r/.git/modules");
                     },
                     {"/r/.git/kept/s", "/r/.git/kept/s/modules/i"}}));

TEST(GitContents, OfAWorktreeAreThoseOfTheSharedPart) {
  InMemoryHostFiles files;
  GitTree(files).checkout("/r").linked("/r/.git", "w", "/wt").git_dir("/r/.git/modules/s");
  EXPECT_THAT(directories(contents(files, "/wt")), ElementsAre("/r/.git", "/r/.git/modules/s"));
}

TEST(GitContents, AreNotReadOfWhatWasNotFoundOrNotBelieved) {
  InMemoryHostFiles files;
  GitTree(files).checkout("/other").dir("/n").pointer("/wt", "/other/.git");
  for (const char* start : {"/n", "/wt"}) {
    const GitContents found = contents(files, start);
    EXPECT_THAT(directories(found), IsEmpty()) << start;
    EXPECT_THAT(ids(found.problems), IsEmpty()) << start;
  }
}

TEST(GitContents, TellEveryLinkThatLeaves) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").dir("/r/.git/modules").dir("/r/.git/worktrees").git_dir("/else/s");
  tree.link("/r/.git/index", "/else/index").link("/r/.git/logs", "/else");
  tree.link("/r/.git/packed-refs", "/r/.git/kept").file("/r/.git/kept");
  tree.link("/r/.git/modules/s", "/else/s").link("/r/.git/worktrees/w", "/else");
  tree.link("/r/.git/description", "/else");
  const GitContents found = contents(files, "/r");
  EXPECT_THAT(links(found), testing::UnorderedElementsAre("/r/.git/index -> ", "/r/.git/logs -> /else"));
  EXPECT_THAT(ids(found.problems), ElementsAre(DiagnosticId::GitDirectoryUnreadable))
      << "a git directory that lies elsewhere cannot be guarded";
  EXPECT_THAT(directories(found), ElementsAre("/r/.git")) << "what lies elsewhere is not its own";
}

TEST(GitContents, OfALinkedFolderAreNotFollowedOut) {
  for (const char* folder : {"modules", "worktrees"}) {
    InMemoryHostFiles files;
    GitTree tree(files);
    tree.checkout("/r").git_dir("/else/s").link(std::string("/r/.git/") + folder, "/else");
    const GitContents found = contents(files, "/r");
    EXPECT_THAT(links(found), ElementsAre(fmt::format("/r/.git/{} -> /else", folder)));
    EXPECT_THAT(ids(found.problems), ElementsAre(DiagnosticId::GitDirectoryUnreadable));
    EXPECT_THAT(directories(found), ElementsAre("/r/.git"));
  }
}

TEST(GitContents, ASubmoduleThatTakesItsHooksFromElsewhereIsRefused) {
  for (const bool whole : {true, false}) {
    InMemoryHostFiles files;
    GitTree tree(files);
    tree.checkout("/r").file("/r/.git/modules/s/HEAD").file("/r/.git/modules/s/commondir", "/evil\n");
    if (whole) {
      tree.git_dir("/r/.git/modules/s");
    }
    EXPECT_THAT(ids(contents(files, "/r").problems), ElementsAre(DiagnosticId::GitCommondirInMain));
  }
}

TEST(GitContents, AFolderThatCannotBeListedIsRefused) {
  for (const char* folder : {"modules", "worktrees"}) {
    InMemoryHostFiles files;
    GitTree(files).checkout("/r");
    files.add(std::string("/r/.git/") + folder, PathKind::Unreadable, "");
    EXPECT_THAT(ids(contents(files, "/r").problems), ElementsAre(DiagnosticId::GitDirectoryUnreadable));
  }
  InMemoryHostFiles odd;
  GitTree(odd).checkout("/r").git_dir("/r/.git/modules/\xFF");
  EXPECT_THAT(ids(contents(odd, "/r").problems), ElementsAre(DiagnosticId::GitDirectoryUnreadable))
      << "a name that no text can hold is not passed over";
}

// ---- alternates ----

void borrow(GitTree& tree, const std::string& objects, const std::string& text) {
  tree.file(objects + "/info/alternates", text);
}

TEST(Alternates, AreFollowedRelativeAndAbsolute) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").git_dir("/a.git").git_dir("/b.git").link("/l", "/b.git");
  borrow(tree, "/r/.git/objects", "# a comment\n\n../../../a.git/objects\n/none/objects\n");
  borrow(tree, "/a.git/objects", "/l/objects\n");
  const GitContents found = contents(files, "/r");
  EXPECT_THAT(found.alternates, ElementsAre("/a.git/objects", "/b.git/objects", "/none/objects"));
  EXPECT_THAT(ids(found.remarks), IsEmpty());
}

TEST(Alternates, ThatBorrowFromOneAnotherEnd) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").git_dir("/a.git");
  borrow(tree, "/r/.git/objects", "/a.git/objects\n");
  borrow(tree, "/a.git/objects", "/r/.git/objects\n/a.git/objects\n");
  const GitContents found = contents(files, "/r");
  EXPECT_THAT(found.alternates, testing::Contains("/a.git/objects"));
  EXPECT_THAT(ids(found.problems), IsEmpty());
}

TEST(Alternates, ThatCannotBeReadAreRemarked) {
  for (const char* text : {"\"quoted\"\n", "/a/\x01\n", "/a/../b\n"}) {
    InMemoryHostFiles files;
    GitTree tree(files);
    tree.checkout("/r");
    borrow(tree, "/r/.git/objects", text);
    const GitContents found = contents(files, "/r");
    EXPECT_THAT(ids(found.remarks), ElementsAre(DiagnosticId::AlternateNotVisible)) << text;
    EXPECT_THAT(found.alternates, IsEmpty());
  }
}

// ---- core.hooksPath ----

struct HooksPathRow {
  const char* config;
  const char* path;
  std::vector<DiagnosticId> remarks;
};
void PrintTo(const HooksPathRow& row, std::ostream* out) { *out << row.config; }

class HooksPath : public testing::TestWithParam<HooksPathRow> {};
TEST_P(HooksPath, IsToldAsGitTakesIt) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").linked("/r/.git", "w", "/wt").dir("/r/tools").link("/l", "/r");
  tree.file("/r/.git/config", GetParam().config);
  const GitContents found = contents(files, "/wt");
  EXPECT_EQ(found.hooks_paths.empty() ? std::string() : found.hooks_paths.front().real, GetParam().path);
  EXPECT_EQ(ids(found.remarks), GetParam().remarks);
}
INSTANTIATE_TEST_SUITE_P(
    Table, HooksPath,
    testing::Values(HooksPathRow{"[core]\n", "", {}},
                    HooksPathRow{"[core]\nhooksPath = /r/tools\n", "/r/tools", {}},
                    HooksPathRow{"[core]\nhooksPath = /l/tools\n", "/r/tools", {}},
                    HooksPathRow{"[core]\nhooksPath = .githooks\n", "/wt/.githooks", {}},
                    HooksPathRow{"[core]\nHOOKSPATH = a\nhookspath = b\n", "/wt/b", {}},
                    HooksPathRow{"[core \"x\"]\nhooksPath = /r/tools\n", "", {}},
                    HooksPathRow{"[core]\nhooksPath = \n", "", {DiagnosticId::HooksInTree}},
                    HooksPathRow{"[core]\nhooksPath = ~/hooks\n", "", {DiagnosticId::HooksInTree}},
                    HooksPathRow{"[core]\nhooksPath = a/../b\n", "", {DiagnosticId::HooksInTree}},
                    HooksPathRow{"[core\n", "", {DiagnosticId::GitConfigUnread}}));

// ---- limits ----

TEST(GitLimits, AThousandGitDirectoriesAndNoMore) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r");
  for (std::size_t i = 1; i < kMaxGitDirectories; ++i) {
    tree.bald(fmt::format("/r/.git/modules/{:04}", i));
  }
  const GitContents edge = contents(files, "/r");
  EXPECT_EQ(edge.directories.size(), kMaxGitDirectories);
  EXPECT_THAT(ids(edge.problems), IsEmpty());
  tree.bald("/r/.git/modules/one-more");
  EXPECT_THAT(ids(contents(files, "/r").problems), ElementsAre(DiagnosticId::TooManyGitDirectories));
}

TEST(GitLimits, SubmodulesNestAsDeepAsTheLimit) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r");
  std::string path = "/r/.git";
  for (int depth = 1; depth < kMaxModuleDepth; ++depth) {
    path += "/modules/s";
    tree.bald(path);
  }
  EXPECT_EQ(contents(files, "/r").directories.size(), static_cast<std::size_t>(kMaxModuleDepth));
  tree.bald(path + "/modules/s/modules/s");
  tree.bald(path + "/modules/s");
  EXPECT_THAT(ids(contents(files, "/r").problems), testing::Contains(DiagnosticId::TooManyGitDirectories));
}

TEST(GitLimits, FoldersInModulesCountAsDepth) {
  InMemoryHostFiles files;
  GitTree tree(files);
  std::string path = "/r/.git/modules";
  for (int depth = 0; depth < kMaxModuleDepth; ++depth) {
    path += "/d";
  }
  tree.checkout("/r").dir(path);
  EXPECT_THAT(ids(contents(files, "/r").problems), testing::Contains(DiagnosticId::TooManyGitDirectories));
}

// A checkout whose `modules` holds 99 folders with 100 folders each: with itself 10,000.
class ManyFolders final : public HostAnswers {
 public:
  explicit ManyFolders(std::size_t more) : more_(more) { GitTree(files_).checkout("/r"); }

  policy::PathFact look(const std::string& path) override {
    const bool numbered = path.back() >= '0' && path.back() <= '9';
    const bool folder = path == "/r/.git/modules" || (path.starts_with("/r/.git/modules/") && numbered);
    return folder ? policy::PathFact{path, PathKind::Directory, path} : files_.look(path);
  }
  policy::GitFileFact git_file(const std::string& path, policy::GitFileKind kind) override {
    return {path, kind, policy::GitFileState::Missing, {}, {}};
  }
  policy::ListingFact list(const std::string& path) override {
    const auto depth = std::count(path.begin(), path.end(), '/');
    policy::ListingFact out{path, policy::ListingState::Listed, {}};
    const std::size_t many = depth == 3 ? 99 : depth == 4 ? 100 : 0;
    for (std::size_t i = 0; i < many + (path.ends_with("modules/0") ? more_ : 0); ++i) {
      out.entries.push_back({std::to_string(i), false});
    }
    return out;
  }

 private:
  InMemoryHostFiles files_;
  std::size_t more_;
};

TEST(GitLimits, TenThousandFoldersAreLookedThroughAndNoMore) {
  for (const std::size_t more : {std::size_t{0}, std::size_t{1}}) {
    ManyFolders host(more);
    const GitContents found = read_contents(host, find_repository(host, "/r"));
    EXPECT_EQ(ids(found.problems), std::vector(more, DiagnosticId::TooManyGitDirectories));
  }
}

TEST(GitLimits, AFolderIsListedUpToItsLimit) {
  // A listing of its own making: the limit is that of whoever lists.
  for (const policy::ListingState state : {policy::ListingState::Listed, policy::ListingState::Truncated}) {
    InMemoryHostFiles files;
    GitTree(files).checkout("/r").dir("/r/.git/modules");
    policy::HostFacts facts = facts_about(files, "/r");
    for (policy::ListingFact& listing : facts.listings) {
      listing.state = listing.path == "/r/.git/modules" ? state : listing.state;
    }
    RecordedAnswers answers(facts);
    const GitContents found = read_contents(answers, find_repository(answers, "/r"));
    const bool truncated = state == policy::ListingState::Truncated;
    EXPECT_EQ(ids(found.problems),
              truncated ? std::vector{DiagnosticId::TooManyGitDirectories} : std::vector<DiagnosticId>());
  }
}

TEST(GitLimits, TheTableOfFilesTruncatesWhereTheSystemDoes) {
  InMemoryHostFiles files;
  for (std::size_t i = 0; i < kMaxListedEntries; ++i) {
    files.add_directory(fmt::format("/d/{}", i));
  }
  EXPECT_EQ(files.list("/d").state, policy::ListingState::Listed);
  EXPECT_EQ(files.list("/d").entries.size(), kMaxListedEntries);
  files.add_directory("/d/one-more");
  EXPECT_EQ(files.list("/d").state, policy::ListingState::Truncated);
}

// Git 2.39.5 follows six alternates in a chain (`git count-objects -v` names six and
// complains of the next).
TEST(Alternates, AreFollowedAsDeepAsGitDoes) {
  InMemoryHostFiles files;
  GitTree tree(files);
  tree.checkout("/r").file("/r/.git/objects/info/alternates", "/a1/objects\n");
  for (int i = 1; i < 9; ++i) {
    tree.git_dir(fmt::format("/a{}", i));
    tree.file(fmt::format("/a{}/objects/info/alternates", i), fmt::format("/a{}/objects\n", i + 1));
  }
  EXPECT_THAT(contents(files, "/r").alternates,
              testing::ElementsAre("/a1/objects", "/a2/objects", "/a3/objects", "/a4/objects", "/a5/objects",
                                   "/a6/objects"));
}

}  // namespace
}  // namespace forge::compiler::test
