// Known escapes from comparable tools, each with its own input: what they mounted is
// not mounted here, and somebody is told.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::Access;
using policy::ControlPlaneKind;
using policy::DiagnosticId;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// A loop in a linked worktree of /r.
class LoopHost : public GitHost {
 public:
  LoopHost() {
    tree().checkout("/r").linked("/r/.git", "w", "/wt");
    at("/wt", "/r");
  }
};

// The places where a git directory's hooks could be written from the sandbox.
std::vector<std::string> writable_places(const policy::Plan& plan, const std::string& host) {
  std::vector<std::string> out;
  for (const std::string& place : places_of(plan, host)) {
    if (guest_access(plan, place) != Access::ReadOnly) {
      out.push_back(place);
    }
  }
  return out;
}

// ---- A2: a rewritten `.git` redirects the next plan ----

TEST(WeaknessA2, ARewrittenGitFileDoesNotMountAnotherRepository) {
  for (const bool through_commondir : {false, true}) {
    LoopHost host;
    GitTree tree = host.tree();
    tree.checkout("/victim");
    if (through_commondir) {
      tree.file("/wt/.fake/commondir", "/victim/.git\n").file("/wt/.fake/HEAD").pointer("/wt", "/wt/.fake");
    } else {
      tree.pointer("/wt", "/victim/.git");
    }
    for (const policy::Session session : {policy::Session::Loop, policy::Session::Host}) {
      host.request.session = session;
      const Compiled result = host.compile("{}");
      EXPECT_FALSE(result.plan);
      EXPECT_TRUE(result.find(DiagnosticId::GitPointerNotBelieved));
    }
  }
}

TEST(WeaknessA2, ARepositoryMadeUpInTheWorktreeDoesNotReplaceTheOwnOne) {
  LoopHost host;
  host.tree().git_dir("/wt/.fake").linked("/wt/.fake", "w", "/wt");
  const Compiled result = host.compile("{}");
  EXPECT_FALSE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::GitPointerNotBelieved));
}

// ---- A3: hooks that are missing at the start ----

TEST(WeaknessA3, MissingHooksAreMadeAndKeptReadOnly) {
  for (const bool linked : {false, true}) {
    GitHost host;
    host.tree().bald("/r/.git");
    host.at("/r", "/r");
    if (linked) {
      host.tree().linked("/r/.git", "w", "/wt");
      host.at("/wt", "/r");
    }
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    EXPECT_THAT(result.plan->actions, Contains(policy::Action{policy::EnsureDir{"/r/.git/hooks", 0700}}));
    EXPECT_THAT(mounts_of(result), Contains("/r/.git/hooks:/r/.git/hooks:ro"));
    EXPECT_THAT(writable_places(*result.plan, "/r/.git/hooks"), testing::IsEmpty());
  }
}

// ---- A4: submodules and worktrees ----

TEST(WeaknessA4, EverySubmodulesHooksAreReadOnly) {
  LoopHost host;
  GitTree tree = host.tree();
  const std::vector<std::string> directories = {"/r/.git/modules/a", "/r/.git/modules/lib/b",
                                                "/r/.git/modules/a/modules/c",
                                                "/r/.git/worktrees/w/modules/a"};
  for (const std::string& directory : directories) {
    tree.git_dir(directory);
  }
  tree.bald("/r/.git/modules/bald");
  for (const policy::GitMode mode : {policy::GitMode::Compatible, policy::GitMode::Split}) {
    host.request.git_mode = mode;
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    for (const std::string& directory : directories) {
      EXPECT_THAT(writable_places(*result.plan, directory + "/hooks"), testing::IsEmpty());
    }
    EXPECT_THAT(writable_places(*result.plan, "/r/.git/modules/bald/hooks"), testing::IsEmpty());
  }
}

TEST(WeaknessA4, ASplitKeepsEveryConfigButTheWorktreesOwnReadOnly) {
  LoopHost host;
  host.tree().git_dir("/r/.git/modules/a").entry("/r/.git", "other", "/v");
  host.request.git_mode = policy::GitMode::Split;
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  for (const char* path : {"/r/.git/config", "/r/.git/info/attributes", "/r/.git/modules/a/config",
                           "/r/.git/worktrees/other/config.worktree"}) {
    EXPECT_THAT(writable_places(*result.plan, path), testing::IsEmpty()) << path;
  }
  EXPECT_THAT(result.plan->warnings, Contains(HasSubstr("config.worktree")));
}

// ---- A5: hooks that are a link ----

TEST(WeaknessA5, ALinkInAWritableDirectoryIsNotMountedOver) {
  for (const bool linked : {false, true}) {
    GitHost host;
    host.tree().bald("/r/.git").dir("/shared/hooks").link("/r/.git/hooks", "/shared/hooks");
    host.at("/r", "/r");
    if (linked) {
      host.tree().linked("/r/.git", "w", "/wt");
      host.at("/wt", "/r");
    }
    const Compiled result = host.compile("{}");
    EXPECT_FALSE(result.plan);
    EXPECT_TRUE(result.find(DiagnosticId::HooksLinkReplaceable));
  }
}

// ---- A8: what decides about sandboxes ----

struct PathRow {
  const char* path;
};
void PrintTo(const PathRow& row, std::ostream* out) { *out << row.path; }

class WeaknessA8 : public testing::TestWithParam<PathRow> {};
TEST_P(WeaknessA8, IsNeverMountedWritable) {
  TestHost host;
  for (const char* path : {"/home/u/data/worktrees", "/home/u/.config/opencode", "/home/u/.microsandbox",
                           "/home/u/.ssh", "/dev/shm", "/run/user/1000", "/etc/ssh"}) {
    host.files.add_directory(path);
  }
  host.files.add_link("/var/run", "/run");
  host.files.add_file("/srv/policy.jsonc");
  host.request.control_plane = {{"/home/u/data", ControlPlaneKind::DataDirectory},
                                {"/home/u/.config/opencode", ControlPlaneKind::EditorConfig},
                                {"/home/u/.microsandbox", ControlPlaneKind::Runtime},
                                {"/srv/policy.jsonc", ControlPlaneKind::Config}};
  const Compiled result = host.compile(mounts(writable(GetParam().path)));
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->dropped.size(), 1U);
  EXPECT_EQ(result.errors, 1U);
  EXPECT_EQ(mounts_of(result), mounts_of(host.compile("{}")));
}
INSTANTIATE_TEST_SUITE_P(Inputs, WeaknessA8,
                         testing::Values(PathRow{"/home/u/data"}, PathRow{"/home/u/data/worktrees"},
                                         PathRow{"/home/u/.config"}, PathRow{"/home/u/.config/opencode"},
                                         PathRow{"/home/u/.microsandbox"}, PathRow{"/home/u/.ssh"},
                                         PathRow{"/home/u"}, PathRow{"/home"}, PathRow{"/srv"},
                                         PathRow{"/var/run"}, PathRow{"/run"}, PathRow{"/run/user/1000"},
                                         PathRow{"/dev"}, PathRow{"/dev/shm"}, PathRow{"/etc"},
                                         PathRow{"/etc/ssh"}, PathRow{"/proc"}));

// ---- A9: the root of the host ----

TEST(WeaknessA9, RootIsNeverMounted) {
  for (const char* path : {"/", "//", "/.", "/..", "/../", "/srv/..", "/to-root"}) {
    for (const bool rw : {false, true}) {
      TestHost host;
      host.files.add_link("/to-root", "/");
      const Compiled result = host.compile(mounts(rw ? writable(path) : read_only(path)));
      ASSERT_TRUE(result.plan);
      EXPECT_EQ(result.plan->dropped.size(), 1U) << path;
      EXPECT_EQ(mounts_of(result), mounts_of(TestHost().compile("{}"))) << path;
    }
  }
}

TEST(WeaknessA9, RootAfterAWritableChildIsNotMountedEither) {
  const Compiled result = TestHost().compile(mounts(writable("/srv/a") + "," + read_only("/")));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::MountForbidden));
  EXPECT_THAT(mounts_of(result), Contains("/srv/a:/srv/a"));
}

TEST(WeaknessA9, RootIsNoWorktreeAndNoProject) {
  for (const bool as_project : {false, true}) {
    TestHost host;
    (as_project ? host.request.context.project : host.request.context.worktree) = "/";
    host.request.session = policy::Session::Loop;
    EXPECT_FALSE(host.compile("{}").plan);
  }
}

// ---- A10: a temp directory that somebody else took first ----

TEST(WeaknessA10, ATempDirectoryThatIsALinkIsNotMounted) {
  TestHost host;
  host.files.add_directory("/home/u/private");
  host.files.add_link("/tmp/taken", "/home/u/private");
  host.request.context.tmp = "/tmp/taken";
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Not(Contains(HasSubstr("private"))));
  EXPECT_TRUE(result.find(DiagnosticId::AutomaticMountDropped));
}

TEST(WeaknessA10, ATempDirectoryOfAnotherUserIsNotMounted) {
  TestHost host;
  host.files.fact("/tmp/opencode").owner = policy::Owner::Other;
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Not(Contains(HasSubstr("/tmp/opencode"))));
}

// ---- G1: what a mount argument cannot say ----

TEST(WeaknessG1, PathsThatSeparateTheArgumentAreRefusedOnBothSides) {
  for (const char* name : {"a:ro", "a:rw", "a:noexec", "a:/b", "a,b", "a;b", "a\x7Fz", "a\xE2\x80\x8Bz"}) {
    TestHost host;
    host.files.add_directory(std::string("/srv/") + name);
    host.files.add_link("/srv/link", std::string("/srv/") + name);
    for (const std::string& path : {std::string("/srv/link"), "/srv/" + std::string(name)}) {
      const Compiled result = host.compile(mounts(writable(path)));
      ASSERT_TRUE(result.plan);
      EXPECT_EQ(result.plan->dropped.size(), 1U) << path;
      EXPECT_EQ(mounts_of(result), mounts_of(TestHost().compile("{}"))) << path;
    }
    host.request.context.worktree = host.request.context.project = std::string("/srv/") + name;
    EXPECT_FALSE(host.compile("{}").plan) << name;
  }
}

// G2 and G3 (an adopted sandbox is compared with nothing, and adopted while it starts or
// drains) are about sandboxes that exist already: what compares a plan with a live one
// closes them, not what makes a plan.

// ---- G4: only directories ----

TEST(WeaknessG4, OnlyDirectoriesAreMounted) {
  TestHost host;
  host.files.add_file("/srv/file");
  host.files.add("/srv/device", policy::PathKind::Other, "/srv/device");
  host.files.add_link("/srv/link", "/srv/file");
  for (const char* path : {"/srv/file", "/srv/device", "/srv/link"}) {
    const Compiled result = host.compile(mounts(writable(path)));
    ASSERT_TRUE(result.plan);
    EXPECT_TRUE(result.find(DiagnosticId::MountNotADirectory)) << path;
  }
  host.files.add_link("/srv/kernel", "/proc");
  for (const char* path : {"/proc", "/srv/kernel", "/proc/self"}) {
    EXPECT_TRUE(host.compile(mounts(read_only(path))).find(DiagnosticId::MountForbidden)) << path;
  }
}

// ---- G5: what was looked at can be compared before the start ----

TEST(WeaknessG5, ThePlanKnowsDeviceAndInodeOfEverythingItMounts) {
  LoopHost host;
  host.files.add_directory("/srv/a");
  host.files.add_directory("/home/u/data");
  host.request.control_plane = {{"/home/u/data", ControlPlaneKind::DataDirectory}};
  const Compiled result = host.compile(mounts(read_only("/srv/a")));
  ASSERT_TRUE(result.plan);
  for (const policy::Mount& mount : result.plan->mounts) {
    if (const auto* source = std::get_if<policy::PathSource>(&mount.source)) {
      const policy::PathFact* fact = result.plan->facts.find(source->host.text());
      ASSERT_TRUE(fact) << source->host.text();
      EXPECT_EQ(std::pair(fact->dev, fact->ino),
                std::pair(host.files.look(fact->path).dev, host.files.look(fact->path).ino));
      EXPECT_NE(fact->ino, 0U) << source->host.text();
    }
  }
  EXPECT_EQ(result.plan->control_plane[0].ino, host.files.look("/home/u/data").ino);
}

// ---- G6: the same directory twice ----

TEST(WeaknessG6, AReadOnlyEntryAfterAWritableOneIsAnError) {
  for (const auto& entries :
       {writable("/srv/a") + "," + read_only("/srv/a"), read_only("/srv/a") + "," + writable("/srv/a"),
        writable("/srv/a") + "," + read_only("/srv/a/b")}) {
    const Compiled result = TestHost().compile(mounts(entries));
    ASSERT_TRUE(result.plan);
    ASSERT_TRUE(result.find(DiagnosticId::MountOverlaps)) << entries;
    EXPECT_GE(result.errors, 1U) << "so that a strict compilation makes no plan";
    EXPECT_EQ(result.plan->dropped[0].conflict, "/srv/a");
  }
}

// ---- G7: how often the host is asked ----

class CountingFiles final : public HostFiles {
 public:
  explicit CountingFiles(const HostFiles& files) : files_(files) {}
  policy::PathFact look(const std::string& path) const override { return ++asked_, files_.look(path); }
  policy::Result<std::string> read(const std::string& path, std::size_t limit) const override {
    return ++asked_, files_.read(path, limit);
  }
  policy::ListingFact list(const std::string& path) const override { return ++asked_, files_.list(path); }
  [[nodiscard]] std::size_t asked() const { return asked_; }

 private:
  const HostFiles& files_;
  mutable std::size_t asked_ = 0;
};

std::size_t questions_of(std::size_t count) {
  TestHost host;
  std::string entries;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string path = fmt::format("/srv/many/{}", i);
    host.files.add_directory(path);
    entries += (i == 0 ? "" : ",") + (i % 2 == 0 ? read_only(path) : writable(path));
  }
  const policy::SourceText source("test", mounts(entries));
  policy::DiagnosticSink sink;
  const Config config = read_config(source, {}, sink);
  const CountingFiles files(host.files);
  static_cast<void>(collect_facts(questions_for(config, host.request), files,
                                  [](const policy::EnvName&) { return false; }));
  return files.asked();
}

TEST(WeaknessG7, EveryFurtherMountCostsTheSame) {
  const std::size_t few = questions_of(100);
  const std::size_t more = questions_of(200);
  EXPECT_EQ(questions_of(300) - more, more - few);
  EXPECT_LE(more - few, 100 * 10U) << "at most ten questions a mount";
}

}  // namespace
}  // namespace forge::compiler::test
