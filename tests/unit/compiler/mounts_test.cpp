#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compile_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;

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

// The guest sees another path than the real one; whoever reads the plan must know.
TEST(Mounts, ReachedThroughALinkAreTold) {
  const auto links = [](const TestHost& host, const char* config) {
    const Compiled result = host.compile(config);
    return std::count_if(result.findings.begin(), result.findings.end(),
                         [](const auto& finding) { return finding.id == DiagnosticId::MountThroughLink; });
  };
  TestHost host;
  EXPECT_EQ(links(host, "{}"), 0);
  host.files.add_link("/l", "/w");
  host.request.context.worktree = host.request.context.project = "/l";
  EXPECT_EQ(links(host, "{}"), 1) << "the worktree";
  host.files.add_link("/out", "/home/u/out");
  host.request.context.tool_output = "/out";
  EXPECT_EQ(links(host, "{}"), 2) << "and the tool-output directory";
  host.files.add_link("/a", "/srv/a");
  EXPECT_EQ(links(host, R"({"sandbox":{"mounts":[{"host":"/a"}]}})"), 3) << "and a listed one";
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
                    MountRow{"/tmp", "FP3010"}, MountRow{"/var/lib", "FP3041"},
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

TEST(Worktree, MustBeADirectoryThatCanBeMounted) {
  for (const char* path : {"/none", "/", "/proc", "/w:x", "/var/lib/docker", "/opt/forge/cache", "/etc",
                           "/home/u", "/home", "/usr/bin", "/a-file"}) {
    TestHost host;
    for (const char* directory :
         {"/w:x", "/var/lib/docker", "/opt/forge/cache", "/etc", "/usr/bin", "/opt/forge"}) {
      host.files.add_directory(directory);
    }
    host.files.add_file("/a-file");
    host.request.context.worktree = host.request.context.project = path;
    const Compiled result = host.compile("{}");
    EXPECT_FALSE(result.plan) << path;
    EXPECT_TRUE(result.find(DiagnosticId::WorktreeUnusable)) << path;
  }
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

TEST(Mounts, NoListedOneOpensAPartOfWhatWasLeftOut) {
  TestHost host;
  for (const char* path : {"/home/u/src", "/w/sub", "/t/editor/x"}) {
    host.files.add_directory(path);
  }
  host.files.fact("/t/editor").owner = policy::Owner::Other;
  host.request.session = policy::Session::Loop;
  host.request.context.project = "/home/u";  // protected
  host.request.context.tmp = "/t/editor";    // another user's
  for (const char* path : {"/home/u/src", "/t/editor/x", "/t"}) {
    const Compiled result = host.compile(mounts(writable(path)));
    ASSERT_TRUE(result.plan);
    EXPECT_TRUE(result.find(DiagnosticId::MountOverlaps)) << path;
  }
}

TEST(Mounts, ARealPathThatCannotBeShownIsNotMounted) {
  TestHost host;
  host.files.add("/srv/odd", policy::PathKind::Directory, "/srv/\xFF");
  const Compiled result = host.compile(mounts(R"({"host":"/srv/odd"})"));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::MountNotExpressible));
  EXPECT_THAT(mounts_of(result), testing::Not(testing::Contains(testing::HasSubstr("odd"))));
}

}  // namespace
}  // namespace forge::compiler::test
