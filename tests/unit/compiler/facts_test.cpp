// The host's file system as it is asked, and the answers as they are recorded.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "git_support.hpp"
#include "temp_dir.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;
using policy::ListingState;
using policy::PathFact;
using policy::PathKind;
using tests::TempDir;

namespace fs = std::filesystem;

EntryStatus status_of(const std::string& path) {
  EntryStatus out;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    out.type = errno == ENOENT || errno == ENOTDIR ? EntryStatus::Type::Missing : EntryStatus::Type::Unknown;
    return out;
  }
  out.type = S_ISDIR(status.st_mode)   ? EntryStatus::Type::Directory
             : S_ISREG(status.st_mode) ? EntryStatus::Type::RegularFile
             : S_ISLNK(status.st_mode) ? EntryStatus::Type::SymbolicLink
                                       : EntryStatus::Type::Other;
  out.dev = status.st_dev;
  out.ino = status.st_ino;
  out.owner = status.st_uid == ::geteuid() ? policy::Owner::Self : policy::Owner::Other;
  return out;
}

policy::Result<std::string> read_file(const std::string& path, std::size_t limit) {
  if (status_of(path).type != EntryStatus::Type::RegularFile) {
    const bool missing = status_of(path).type == EntryStatus::Type::Missing;
    return policy::fail(missing ? policy::ErrorKind::NotFound : policy::ErrorKind::Unsupported,
                        "open the file", "");
  }
  std::string bytes = tests::bytes_of(path);
  return bytes.size() > limit
             ? policy::Result<std::string>(policy::fail(policy::ErrorKind::TooLarge, "read", ""))
             : policy::Result<std::string>(std::move(bytes));
}

class SystemFiles : public testing::Test {
 protected:
  [[nodiscard]] PathFact look(const std::string& path) const { return files_.look(path); }
  void link(const std::string& target, std::string_view name) const {
    ASSERT_EQ(::symlink(target.c_str(), (dir_ / name).c_str()), 0);
  }
  void file(std::string_view name, std::string_view text) const { static_cast<void>(dir_.file(name, text)); }
  void folder(std::string_view name) const { fs::create_directories(dir_ / name); }

  // Runs `body` as a user whom permissions bind; 0 when it holds.
  static int unprivileged(const std::function<bool()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::_exit(::geteuid() == 0 && ::seteuid(65534) != 0 ? 100 : body() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 101;
  }

  TempDir dir_;
  SystemHostFiles files_{{status_of, read_file}};
};

TEST_F(SystemFiles, TellsWhatIsThere) {
  folder("d/e");
  file("f", "x");
  ASSERT_EQ(::mkfifo((dir_ / "p").c_str(), 0600), 0);
  EXPECT_EQ(look(dir_ / "d/e").kind, PathKind::Directory);
  EXPECT_EQ(look(dir_ / "d/e").real_path, dir_ / "d/e");
  EXPECT_EQ(look(dir_ / "d/e").ino, status_of(dir_ / "d/e").ino);
  EXPECT_EQ(look(dir_ / "f").kind, PathKind::File);
  EXPECT_EQ(look(dir_ / "p").kind, PathKind::Other);
  EXPECT_EQ(look("/").kind, PathKind::Directory);
  EXPECT_EQ(look("/").real_path, "/");
  for (const char* name : {"none", "none/below", "f/below", "p/below"}) {
    EXPECT_EQ(look(dir_ / name).kind, PathKind::Missing) << name;
    EXPECT_FALSE(look(dir_ / name).is_link) << name;
  }
}

TEST_F(SystemFiles, FollowsLinksAndSaysSo) {
  folder("d/e");
  file("f", "x");
  link("d", "to-dir");
  link(dir_ / "f", "to-file");
  link("to-dir", "to-link");
  EXPECT_EQ(look(dir_ / "to-link").real_path, dir_ / "d");
  EXPECT_TRUE(look(dir_ / "to-link").is_link);
  EXPECT_EQ(look(dir_ / "to-link").ino, look(dir_ / "d").ino) << "the identity of what it leads to";
  EXPECT_EQ(look(dir_ / "to-file").kind, PathKind::File);
  const PathFact below = look(dir_ / "to-link/e");
  EXPECT_EQ(below.path, dir_ / "to-link/e");
  EXPECT_EQ(below.real_path, dir_ / "d/e");
  EXPECT_FALSE(below.is_link) << "only the last component counts";
}

TEST_F(SystemFiles, TellsALinkThatLeadsOn) {
  folder("d/e");
  link("d", "plain");
  link(dir_ / "d/e", "absolute");
  link("./d//e/", "untidy");
  link("plain", "to-link");
  link("plain/e", "through-link");
  link("d/../d", "up-and-down");
  link("../" + fs::path(dir_ / "d").parent_path().filename().string() + "/d", "up-first");
  for (const char* name : {"plain", "absolute", "untidy", "up-first"}) {
    EXPECT_FALSE(look(dir_ / name).is_chain) << name;
  }
  for (const char* name : {"to-link", "through-link", "up-and-down"}) {
    EXPECT_TRUE(look(dir_ / name).is_chain) << name;
  }
  EXPECT_FALSE(look(dir_ / "d").is_chain) << "no link at all";
  EXPECT_FALSE(look(dir_ / "to-link/e").is_chain) << "only the last component counts";
}

TEST_F(SystemFiles, ALinkToNothingIsMissingAndALoopUnknown) {
  link("none", "dangling");
  link("loop", "loop");
  link("b", "a");
  link("a", "b");
  const PathFact dangling = look(dir_ / "dangling");
  EXPECT_EQ(dangling.kind, PathKind::Missing);
  EXPECT_TRUE(dangling.is_link);
  EXPECT_EQ(dangling.real_path, "");
  for (const char* name : {"loop", "a", "b"}) {
    EXPECT_EQ(look(dir_ / name).kind, PathKind::Unreadable) << name;
    EXPECT_TRUE(look(dir_ / name).is_link) << name;
    EXPECT_EQ(look(dir_ / (std::string(name) + "/below")).kind, PathKind::Unreadable) << name;
  }
  EXPECT_EQ(look(dir_ / "dangling/below").kind, PathKind::Missing);
}

TEST_F(SystemFiles, APathTheSystemCannotTakeIsUnknownAndNotMissing) {
  EXPECT_EQ(look(dir_ / std::string(300, 'x')).kind, PathKind::Unreadable);
  // Each component is fine; together they are longer than PATH_MAX.
  std::string path = dir_.path();
  while (path.size() < 5000) {
    path += '/' + std::string(200, 'y');
    if (path.size() < 4000) {
      fs::create_directory(path);
    }
  }
  EXPECT_EQ(look(path).kind, PathKind::Missing) << "its folder is missing already";
  const fs::path before = fs::current_path();
  fs::create_directories(dir_ / "long");
  fs::current_path(dir_ / "long");
  std::string deep = dir_ / "long";
  for (int i = 0; i < 30; ++i) {
    const std::string name(200, 'z');
    ASSERT_EQ(::mkdir(name.c_str(), 0700), 0);
    ASSERT_EQ(::chdir(name.c_str()), 0);
    deep += '/' + name;
  }
  fs::current_path(before);
  EXPECT_EQ(look(deep).kind, PathKind::Unreadable) << "it is there, and nobody can say so";
  EXPECT_EQ(files_.list(deep).state, ListingState::Unreadable);
}

TEST_F(SystemFiles, WhatMayNotBeLookedAtIsUnknownAndNotMissing) {
  folder("locked/d");
  const std::string locked = dir_ / "locked";
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(locked.c_str(), 0), 0);
  EXPECT_EQ(unprivileged([&] { return look(locked).kind == PathKind::Directory; }), 0);
  EXPECT_EQ(unprivileged([&] { return look(locked + "/d").kind == PathKind::Unreadable; }), 0);
  EXPECT_EQ(unprivileged([&] { return look(locked + "/none").kind == PathKind::Unreadable; }), 0);
  EXPECT_EQ(unprivileged([&] { return look(locked + "/d/x/y").kind == PathKind::Unreadable; }), 0);
  EXPECT_EQ(unprivileged([&] { return files_.list(locked).state == ListingState::Unreadable; }), 0);
  ASSERT_EQ(::chmod(locked.c_str(), 0700), 0);
}

TEST_F(SystemFiles, ListsDirectoriesAndLinks) {
  folder("d/sub");
  file("d/file", "x");
  link("..", "d/link");
  link("none", "d/dangling");
  policy::ListingFact listing = files_.list(dir_ / "d");
  EXPECT_EQ(listing.state, ListingState::Listed);
  EXPECT_THAT(listing.entries, testing::UnorderedElementsAre(policy::ListedEntry{"sub", false},
                                                             policy::ListedEntry{"link", true},
                                                             policy::ListedEntry{"dangling", true}));
  EXPECT_EQ(files_.list(dir_ / "none").state, ListingState::Missing);
  EXPECT_EQ(files_.list(dir_ / "d/file").state, ListingState::Unreadable);
  EXPECT_TRUE(files_.list(dir_ / "d/sub").entries.empty());
}

TEST_F(SystemFiles, ListsAsManyNamesAsTheLimitAndNoMore) {
  folder("d");
  for (std::size_t i = 0; i < kMaxListedEntries; ++i) {
    file(fmt::format("d/{}", i), "");
  }
  EXPECT_EQ(files_.list(dir_ / "d").state, ListingState::Listed);
  file("d/one-more", "");
  EXPECT_EQ(files_.list(dir_ / "d").state, ListingState::Truncated);
}

// A repository of the temporary folder, compiled on the real file system.
class SystemRepository : public SystemFiles {
 protected:
  SystemRepository() {
    for (const char* name : {"w/.git/objects", "w/.git/refs", "w/.git/hooks", "w/.git/modules", "home"}) {
      folder(name);
    }
    file("w/.git/HEAD", "ref: refs/heads/main\n");
    file("w/.git/config", kPlainConfig);
    host_.request.context = {dir_ / "w",         dir_ / "w",   dir_ / "home",
                             dir_ / "home/data", dir_ / "out", dir_ / "tmp"};
  }
  GitHost host_;
};

TEST_F(SystemRepository, IsPlannedAsTheTableOfFilesIs) {
  const Compiled result = host_.compile_on(files_, "{}");
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_THAT(mounts_of(result), testing::Contains(fmt::format("{0}:{0}:ro", dir_ / "w/.git/hooks")));
  expect_sound(*result.plan);
}

TEST_F(SystemRepository, WithAHugeFolderOfModulesIsRefusedAndSaysWhy) {
  constexpr int kMany = 100'000;
  const std::string first = dir_.file("w/.git/modules/0", "");
  for (int i = 1; i < kMany; ++i) {
    // Links are made faster than files; but one file has only so many names.
    const std::string name = dir_ / fmt::format("w/.git/modules/{}", i);
    if (::link(first.c_str(), name.c_str()) != 0) {
      file(fmt::format("w/.git/modules/{}", i), "");
    }
  }
  const Compiled result = host_.compile_on(files_, "{}");
  EXPECT_FALSE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::TooManyGitDirectories));
}

// Names what is gone by the time anybody looks at it.
class VanishingFiles final : public HostFiles {
 public:
  explicit VanishingFiles(const HostFiles& files) : files_(files) {}
  PathFact look(const std::string& path) const override { return files_.look(path); }
  policy::Result<std::string> read(const std::string& path, std::size_t limit) const override {
    return files_.read(path, limit);
  }
  policy::ListingFact list(const std::string& path) const override {
    policy::ListingFact listing = files_.list(path);
    if (listing.state == ListingState::Listed) {
      listing.entries.push_back({"gone", false});
      listing.entries.push_back({"gone-link", true});
    }
    return listing;
  }

 private:
  const HostFiles& files_;
};

TEST_F(SystemRepository, MayLoseAFolderWhileItIsLookedAt) {
  folder("w/.git/modules/s/objects");
  folder("w/.git/modules/s/refs");
  file("w/.git/modules/s/HEAD", "");
  const Compiled result = host_.compile_on(VanishingFiles(files_), "{}");
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_EQ(result.plan->git.hooks.size(), 2U);
  expect_sound(*result.plan);
}

// ---- recorded answers ----

TEST(RecordedFacts, AreEnoughToCompileTheSameBytes) {
  GitHost host;
  GitTree tree = host.tree();
  tree.checkout("/r").linked("/r/.git", "w", "/wt").git_dir("/r/.git/modules/s").git_dir("/srv/a.git");
  tree.file("/r/.git/objects/info/alternates", "/srv/a.git/objects\n").checkout("/srv/b");
  host.at("/wt", "/r");
  const std::string text = mounts(writable("/srv/b") + "," + read_only("/none"));
  for (const policy::GitMode mode : {policy::GitMode::Compatible, policy::GitMode::Split}) {
    host.request.git_mode = mode;
    const Compiled first = host.compile(text);
    ASSERT_TRUE(first.plan);
    const policy::SourceText source("test.jsonc", text);
    policy::DiagnosticSink sink;
    const Config config = read_config(source, {}, sink);
    const auto again = resolve(config, first.plan->facts, host.request, source, sink);
    ASSERT_TRUE(again);
    EXPECT_EQ(seal::seal_plan(*again), seal::seal_plan(*first.plan));
  }
}

TEST(RecordedFacts, ThatWereNotTakenAreUnknown) {
  const policy::HostFacts none;
  RecordedAnswers answers(none);
  EXPECT_EQ(answers.look("/x").kind, PathKind::Unreadable);
  EXPECT_EQ(answers.list("/x").state, ListingState::Unreadable);
  EXPECT_EQ(answers.git_file("/x", policy::GitFileKind::Config).state, policy::GitFileState::Unreadable);
}

TEST(RecordedFacts, OfOneKindDoNotAnswerForAnother) {
  InMemoryHostFiles files;
  GitTree(files).checkout("/r");
  const policy::HostFacts facts = facts_about(files, "/r");
  RecordedAnswers answers(facts);
  EXPECT_EQ(answers.git_file("/r/.git/config", policy::GitFileKind::Config).state,
            policy::GitFileState::Read);
  EXPECT_EQ(answers.git_file("/r/.git/config", policy::GitFileKind::GitFile).state,
            policy::GitFileState::Unreadable);
}

TEST(RecordedFacts, OfAnotherSessionAreNotTakenForThoseOfThisOne) {
  GitHost host;
  host.at("/w", "/w");
  host.tree().dir("/w");
  const policy::SourceText source("test.jsonc", "{}");
  policy::DiagnosticSink sink;
  const Config config = read_config(source, {}, sink);
  const auto facts = collect_facts(questions_for(config, host.request), host.files,
                                   [](const policy::EnvName&) { return false; });
  host.request.context.home = "/home/other";
  EXPECT_FALSE(resolve(config, facts, host.request, source, sink));
}

// Of facts that lack one thing a plan is never wider: it is refused or the same.
TEST(RecordedFacts, WithAnAnswerTakenAwayNeverOpenHooks) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt").git_dir("/r/.git/modules/s");
  host.at("/wt", "/r");
  const Compiled whole = host.compile("{}");
  ASSERT_TRUE(whole.plan);
  const policy::SourceText source("test.jsonc", "{}");
  const auto try_without = [&](const policy::HostFacts& facts) {
    policy::DiagnosticSink sink;
    const Config config = read_config(source, {}, sink);
    const auto plan = resolve(config, facts, host.request, source, sink);
    EXPECT_TRUE(!plan || (plan->git == whole.plan->git && plan->mounts.size() >= 3));
  };
  for (std::size_t i = 0; i < whole.plan->facts.git_files.size(); ++i) {
    policy::HostFacts facts = whole.plan->facts;
    facts.git_files.erase(facts.git_files.begin() + static_cast<std::ptrdiff_t>(i));
    try_without(facts);
  }
  for (std::size_t i = 0; i < whole.plan->facts.listings.size(); ++i) {
    policy::HostFacts facts = whole.plan->facts;
    facts.listings.erase(facts.listings.begin() + static_cast<std::ptrdiff_t>(i));
    try_without(facts);
  }
}

// Also one that is written again.
TEST(InMemoryFiles, EveryEntryHasAnInodeOfItsOwn) {
  InMemoryHostFiles files;
  files.add_directory("/a");
  files.add_file("/a", "again");
  files.add_directory("/b");
  EXPECT_NE(files.look("/a").ino, files.look("/b").ino);
}

}  // namespace
}  // namespace forge::compiler::test
