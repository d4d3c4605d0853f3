#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile_support.hpp"
#include "src/resolve/mount_table.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;

std::vector<std::string> mounts_of(const Compiled& result) {
  std::vector<std::string> out;
  for (const policy::Mount& mount : result.plan->mounts) {
    if (const auto* source = std::get_if<policy::PathSource>(&mount.source)) {
      out.push_back(source->host.text() + ":" + mount.guest.text() +
                    (mount.access == policy::Access::ReadOnly ? ":ro" : ""));
    }
  }
  return out;
}

std::string mounts(const std::string& entries) { return R"({"sandbox":{"mounts":[)" + entries + "]}}"; }

TEST(Mounts, DefaultsAreTheWorktreeAndTheEditorsDirectories) {
  const Compiled result = TestHost().compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result),
              testing::ElementsAre("/w:/w", "/home/u/out:/home/u/out:ro", "/tmp/opencode:/tmp/opencode"));
  EXPECT_EQ(result.plan->mounts.size(), 5U) << "and two disks";
}

TEST(Mounts, TheProjectIsReadOnlyUnlessItContainsTheWorktree) {
  TestHost host;
  host.request.session = policy::Session::Loop;
  host.request.context.project = "/p";
  EXPECT_THAT(mounts_of(host.compile("{}")), testing::Contains("/p:/p:ro"));
  EXPECT_THAT(mounts_of(host.compile(R"({"sandbox":{"mountProjectReadonly":false}})")),
              testing::Not(testing::Contains("/p:/p:ro")));
  host.files.add_directory("/p/w");
  host.request.context.worktree = "/p/w";
  const Compiled inside = host.compile("{}");
  ASSERT_TRUE(inside.plan);
  EXPECT_THAT(mounts_of(inside), testing::Not(testing::Contains("/p:/p:ro")));
  EXPECT_TRUE(inside.find(DiagnosticId::ProjectMountDropped));
}

TEST(Mounts, CustomOnesAreReadOnlyUnlessSaid) {
  const Compiled result =
      TestHost().compile(mounts(R"({"host":"/srv/a"},{"host":"/srv/c/","readonly":false})"));
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), testing::IsSupersetOf({"/srv/a:/srv/a:ro", "/srv/c:/srv/c"}));
  EXPECT_TRUE(result.find(DiagnosticId::MountWritable));
}

struct MountRow {
  const char* host;
  const char* code;
};
void PrintTo(const MountRow& row, std::ostream* out) { *out << row.host; }

class RefusedMounts : public testing::TestWithParam<MountRow> {};
TEST_P(RefusedMounts, AreLeftOutWithTheirReason) {
  TestHost host;
  host.files.add_file("/srv/file");
  host.files.add("/srv/locked", policy::PathKind::Unreadable, "");
  host.files.add_link("/srv/kernel", "/proc");
  host.files.add_link("/srv/to-tree", "/w");
  host.files.add_directory("/var/lib");
  host.files.add_directory("/opt/forge/cache/npm");
  host.files.add_directory("/w/sub");
  const Compiled result = host.compile(mounts(R"({"host":")" + std::string(GetParam().host) + R"("})"));
  ASSERT_TRUE(result.plan);
  ASSERT_EQ(result.plan->dropped.size(), 1U);
  EXPECT_EQ(policy::code_text(result.plan->dropped[0].code), GetParam().code);
  EXPECT_EQ(result.plan->dropped[0].origin, "mounts[0]");
  EXPECT_EQ(result.errors, 1U);
}
INSTANTIATE_TEST_SUITE_P(
    Table, RefusedMounts,
    testing::Values(MountRow{"", "FP3001"}, MountRow{"rel", "FP3002"}, MountRow{"~/x", "FP3002"},
                    MountRow{"$HOME/x", "FP3002"}, MountRow{"/srv/../x", "FP3003"},
                    MountRow{"/srv/$USER/x", "FP3016"}, MountRow{"/srv/${X}", "FP3016"},
                    MountRow{"/srv/{env:X}", "FP3004"}, MountRow{"/srv/~/x", "FP3016"},
                    MountRow{"/srv/a:ro", "FP3004"}, MountRow{"/srv/a\\nb", "FP3005"},
                    MountRow{"/", "FP3007"}, MountRow{"//", "FP3007"}, MountRow{"/dev/shm", "FP3007"},
                    MountRow{"/srv/kernel", "FP3007"}, MountRow{"/none", "FP3008"},
                    MountRow{"/srv/file", "FP3009"}, MountRow{"/w", "FP3010"}, MountRow{"/w/sub", "FP3010"},
                    MountRow{"/srv/to-tree", "FP3010"}, MountRow{"/srv/to-tree/sub", "FP3010"},
                    MountRow{"/tmp", "FP3010"}, MountRow{"/var/lib", "FP3010"},
                    MountRow{"/opt/forge/cache/npm", "FP3010"}, MountRow{"/srv/locked", "FP3011"}));

TEST(Mounts, TheFirstOfTwoOverlappingOnesWins) {
  const Compiled result = TestHost().compile(mounts(R"({"host":"/srv/a/b"},{"host":"/srv/a"})"));
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), testing::Contains("/srv/a/b:/srv/a/b:ro"));
  ASSERT_EQ(result.plan->dropped.size(), 1U);
  EXPECT_EQ(result.plan->dropped[0].conflict, "/srv/a/b");
}

TEST(Mounts, AnExplicitMountWinsOverAnExternalDirectory) {
  const Compiled result = TestHost().compile(
      R"({"sandbox":{"mounts":[{"host":"/srv/a","readonly":false}]},"loop":{"allowExternalDirectories":["/srv/a","/srv/c","/none"]}})");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), testing::IsSupersetOf({"/srv/a:/srv/a", "/srv/c:/srv/c:ro"}));
  EXPECT_TRUE(result.find(DiagnosticId::ExternalCovered));
  EXPECT_TRUE(result.find(DiagnosticId::ExternalMissing));
  EXPECT_EQ(result.errors, 0U);
}

TEST(Mounts, HostSidesAreReal) {
  TestHost host;
  host.files.add_link("/srv/link", "/srv/c");
  const Compiled result = host.compile(mounts(R"({"host":"/srv/link"})"));
  EXPECT_THAT(mounts_of(result), testing::Contains("/srv/c:/srv/link:ro"));
}

TEST(Worktree, MustBeAPlainDirectory) {
  for (const char* marker : {".git", "HEAD"}) {
    TestHost host;
    host.files.add_directory("/w/objects");
    host.files.add_directory("/w/refs");
    host.files.add_file(std::string("/w/") + marker);
    const Compiled result = host.compile("{}");
    EXPECT_FALSE(result.plan);
    EXPECT_TRUE(result.find(DiagnosticId::GitNotPlanned)) << marker;
  }
  for (const char* path : {"/none", "/", "/proc", "/w:x", "/var/lib/docker"}) {
    TestHost host;
    host.files.add_directory("/w:x");
    host.files.add_directory("/");
    host.files.add_directory("/var/lib/docker");
    host.request.context.worktree = path;
    EXPECT_FALSE(host.compile("{}").plan) << path;
  }
}

TEST(Worktree, InsideARepositoryIsRefusedToo) {
  TestHost host;
  host.files.add_directory("/repo/.git/hooks");
  host.request.context.worktree = "/repo/.git/hooks";
  EXPECT_TRUE(host.compile("{}").find(DiagnosticId::GitNotPlanned));
  for (const char* path : {"/bare.git/HEAD", "/bare.git/objects", "/bare.git/refs", "/bare.git/hooks"}) {
    host.files.add_directory(path);
  }
  host.request.context.worktree = "/bare.git/hooks";
  EXPECT_TRUE(host.compile("{}").find(DiagnosticId::GitNotPlanned));
}

TEST(Mounts, ARepositoryIsOnlyMountedReadOnly) {
  TestHost host;
  host.files.add_directory("/srv/c/.git");
  const Compiled writable = host.compile(mounts(R"({"host":"/srv/c","readonly":false})"));
  ASSERT_TRUE(writable.plan);
  ASSERT_EQ(writable.plan->dropped.size(), 1U);
  EXPECT_EQ(writable.plan->dropped[0].code, DiagnosticId::MountHoldsRepository);
  EXPECT_THAT(mounts_of(host.compile(mounts(R"({"host":"/srv/c"})"))), testing::Contains("/srv/c:/srv/c:ro"));
}

TEST(Mounts, NoListedOneOpensAPartOfADroppedProject) {
  TestHost host;
  host.request.session = policy::Session::Loop;
  host.files.add_directory("/p/w");
  host.files.add_directory("/p/src");
  host.request.context.worktree = "/p/w";
  host.request.context.project = "/p";
  const Compiled result = host.compile(mounts(R"({"host":"/p/src","readonly":false})"));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::MountOverlaps));
  EXPECT_THAT(mounts_of(result), testing::Not(testing::Contains("/p/src:/p/src")));
}

TEST(Facts, ARealPathThatCannotBeShownIsUnknown) {
  TestHost host;
  host.files.add("/srv/odd", policy::PathKind::Directory, "/srv/\xFF");
  const Compiled result = host.compile(mounts(R"({"host":"/srv/odd"})"));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::MountUnreadable));
}

TEST(Tmp, IsMadeWhenMissingAndRefusedAsALink) {
  TestHost host;
  host.request.context.tmp = "/tmp/new";
  const Compiled made = host.compile("{}");
  ASSERT_TRUE(made.plan);
  EXPECT_EQ(made.plan->actions, (std::vector<policy::EnsureDir>{{"/tmp/new", 0700}}));
  host.files.add_link("/tmp/new", "/home/u/out");
  const Compiled link = host.compile("{}");
  ASSERT_TRUE(link.plan);
  EXPECT_TRUE(link.find(DiagnosticId::AutomaticMountDropped));
  EXPECT_THAT(mounts_of(link), testing::Not(testing::Contains(testing::HasSubstr("/tmp/new"))));
}

TEST(MountTable, FindsOverlapsByComponents) {
  const auto path = [](const char* text) { return *policy::MountPath::from_canonical(text); };
  MountTable table;
  table.add({policy::PathSource{path("/real/a-b"), policy::PathMountKind::Directory}, path("/guest/x"),
             policy::Access::ReadOnly, policy::MountOrigin::Custom, std::nullopt});
  EXPECT_NE(table.overlapping(path("/real/a-b"), path("/q")), nullptr);
  EXPECT_NE(table.overlapping(path("/real"), path("/q")), nullptr);
  EXPECT_NE(table.overlapping(path("/real/a-b/c"), path("/q")), nullptr);
  EXPECT_NE(table.overlapping(path("/q"), path("/guest")), nullptr);
  EXPECT_EQ(table.overlapping(path("/real/a"), path("/q")), nullptr);
  EXPECT_EQ(table.overlapping(path("/real/a-bc"), path("/guest/xy")), nullptr);
}

}  // namespace
}  // namespace forge::compiler::test
