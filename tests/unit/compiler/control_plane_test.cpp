// The session's own directories and files: data directory, config, editor, runtime, home.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compile_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::ControlPlaneKind;
using policy::DiagnosticId;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class ControlPlaneHost : public TestHost {
 public:
  ControlPlaneHost() {
    for (const char* path :
         {"/home/u/data/worktrees/mine", "/home/u/data/worktrees/other", "/home/u/data/logs",
          "/home/u/editor", "/home/u/msb/vms", "/etc/policies", "/home/u/code"}) {
      files.add_directory(path);
    }
    files.add_file("/etc/policies/config.jsonc");
    request.control_plane = {{"/home/u/data", ControlPlaneKind::DataDirectory},
                             {"/home/u/editor", ControlPlaneKind::EditorConfig},
                             {"/home/u/msb", ControlPlaneKind::Runtime}};
  }
  void config_at(const std::string& path) {
    request.control_plane.push_back({path, ControlPlaneKind::Config});
  }
};

struct MountRow {
  const char* path;
  const char* read_only;  ///< the finding, or empty
  const char* writable;
};
void PrintTo(const MountRow& row, std::ostream* out) { *out << row.path; }

class ControlPlaneMounts : public testing::TestWithParam<MountRow> {};
TEST_P(ControlPlaneMounts, AreJudged) {
  for (const bool rw : {false, true}) {
    ControlPlaneHost host;
    host.config_at("/srv/policy/config.jsonc");
    host.files.add_file("/srv/policy/config.jsonc");
    const std::string path = GetParam().path;
    const Compiled result = host.compile(mounts(rw ? writable(path) : read_only(path)));
    ASSERT_TRUE(result.plan);
    const std::string code = rw ? GetParam().writable : GetParam().read_only;
    const std::vector<std::string> codes = result.codes();
    EXPECT_EQ(std::count(codes.begin(), codes.end(), "FP3041"), code == "FP3041" ? 1 : 0);
    EXPECT_EQ(std::count(codes.begin(), codes.end(), "FP3042"), code == "FP3042" ? 1 : 0);
    EXPECT_EQ(result.plan->dropped.size(), code == "FP3041" ? 1U : 0U);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Table, ControlPlaneMounts,
    testing::Values(MountRow{"/home/u/data", "FP3042", "FP3041"},
                    MountRow{"/home/u/data/logs", "FP3042", "FP3041"},
                    MountRow{"/home/u/data/worktrees", "FP3042", "FP3041"},
                    MountRow{"/home/u/data/worktrees/other", "FP3042", "FP3041"},
                    MountRow{"/home/u/editor", "FP3042", "FP3041"},
                    MountRow{"/home/u/msb", "FP3041", "FP3041"},
                    MountRow{"/home/u/msb/vms", "FP3041", "FP3041"}, MountRow{"/home/u", "FP3041", "FP3041"},
                    MountRow{"/home", "FP3041", "FP3041"}, MountRow{"/srv/policy", "FP3041", "FP3041"},
                    MountRow{"/srv", "FP3041", "FP3041"}, MountRow{"/home/u/code", "", ""}));

// ---- the session's own worktree ----

struct WorktreeRow {
  const char* path;
  bool planned;
};
void PrintTo(const WorktreeRow& row, std::ostream* out) { *out << row.path; }

class Worktrees : public testing::TestWithParam<WorktreeRow> {};
TEST_P(Worktrees, MayLieBelowTheDataDirectoryAtTheirPlaceOnly) {
  ControlPlaneHost host;
  host.files.add_directory(GetParam().path);
  host.request.context.worktree = host.request.context.project = GetParam().path;
  const Compiled result = host.compile("{}");
  EXPECT_EQ(result.plan.has_value(), GetParam().planned) << testing::PrintToString(result.codes());
  EXPECT_EQ(result.find(DiagnosticId::WorktreeUnusable) != nullptr, !GetParam().planned);
}
INSTANTIATE_TEST_SUITE_P(
    Table, Worktrees,
    testing::Values(WorktreeRow{"/home/u/data/worktrees/mine", true},
                    WorktreeRow{"/home/u/data/worktrees/mine/sub", true}, WorktreeRow{"/home/u/code", true},
                    WorktreeRow{"/home/u/data", false}, WorktreeRow{"/home/u/data/worktrees", false},
                    WorktreeRow{"/home/u/data/logs", false}, WorktreeRow{"/home/u/editor/x", false},
                    WorktreeRow{"/home/u/msb/vms", false}, WorktreeRow{"/home/u/.ssh/x", false},
                    WorktreeRow{"/home/u", false}, WorktreeRow{"/home", false},
                    WorktreeRow{"/etc/policies", false}, WorktreeRow{"/run/user/1000", false}));

TEST(Worktrees, AnotherSessionsOneIsNotOpenedByTheOwn) {
  ControlPlaneHost host;
  host.request.context.worktree = "/home/u/data/worktrees/mine";
  host.request.context.project = "/p";
  host.request.session = policy::Session::Loop;
  const Compiled result = host.compile(mounts(writable("/home/u/data/worktrees/other")));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::MountProtected));
  EXPECT_THAT(mounts_of(result), Not(Contains(HasSubstr("other"))));
}

// ---- the config ----

TEST(OwnConfig, InTheWorktreeIsAWarning) {
  for (const char* place : {"/w/forge-config.jsonc", "/w/a/config.jsonc"}) {
    ControlPlaneHost host;
    host.files.add_file(place);
    host.config_at(place);
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    EXPECT_TRUE(result.find(DiagnosticId::ConfigInWorktree)) << place;
  }
}

TEST(OwnConfig, IsFoundInTheWorktreeThroughLinks) {
  ControlPlaneHost host;
  host.files.add_file("/w/real.jsonc");
  host.files.add_link("/home/u/link.jsonc", "/w/real.jsonc");
  host.config_at("/home/u/link.jsonc");
  EXPECT_TRUE(host.compile("{}").find(DiagnosticId::ConfigInWorktree)) << "the link leads there";
  ControlPlaneHost out;
  out.files.add_link("/w/config.jsonc", "/etc/policies/config.jsonc");
  out.config_at("/w/config.jsonc");
  EXPECT_TRUE(out.compile("{}").find(DiagnosticId::ConfigInWorktree)) << "the link itself lies there";
}

TEST(OwnConfig, InTheProjectIsReadOnlyAndNotInAWritableMount) {
  ControlPlaneHost host;
  host.request.session = policy::Session::Loop;
  host.request.context.project = "/p";
  host.files.add_file("/p/config.jsonc");
  host.config_at("/p/config.jsonc");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Contains("/p:/p:ro"));
  EXPECT_FALSE(result.find(DiagnosticId::ConfigInWorktree));
  host.request.context.tmp = "/p2";
  host.files.add_directory("/p2");
  host.files.add_file("/p2/config.jsonc");
  host.config_at("/p2/config.jsonc");
  EXPECT_THAT(mounts_of(host.compile("{}")), Not(Contains(HasSubstr("/p2"))));
}

// ---- what leads the report ----

TEST(Sensitive, MountsAreToldBeforeEverythingElse) {
  ControlPlaneHost host;
  host.files.add_directory("/home/u/.aws");
  const Compiled result = host.compile(mounts(R"({"host":"rel"},{"host":"/none"},)" +
                                              read_only("/home/u/.aws") + "," + read_only("/etc/policies")));
  ASSERT_TRUE(result.plan);
  ASSERT_GE(result.findings.size(), 4U);
  EXPECT_EQ(result.findings[0].id, DiagnosticId::MountSensitive);
  EXPECT_EQ(result.findings[1].id, DiagnosticId::MountSensitive);
  EXPECT_THAT(result.findings[0].message, HasSubstr("AWS credentials"));
  EXPECT_THAT(result.findings[1].message, HasSubstr("the host's configuration"));
  EXPECT_EQ(result.findings[0].pointer, "/sandbox/mounts/2/host");
  EXPECT_TRUE(result.findings[0].span);
  ASSERT_GE(result.plan->warnings.size(), 2U);
  EXPECT_THAT(result.plan->warnings[0], HasSubstr("AWS credentials"));
}

TEST(Sensitive, MountsAreToldWhateverElseIsWrong) {
  ControlPlaneHost host;
  host.files.add_directory("/home/u/.aws");
  std::string entries;
  for (int i = 0; i < 300; ++i) {
    entries += R"({"host":"rel"},)";
  }
  const Compiled result = host.compile(mounts(entries + read_only("/home/u/.aws")));
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].id, DiagnosticId::MountSensitive);
}

TEST(Project, ThatIsProtectedIsLeftOutAndTold) {
  ControlPlaneHost host;
  host.request.session = policy::Session::Loop;
  host.request.context.project = "/home/u";
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  ASSERT_EQ(result.plan->dropped.size(), 1U);
  EXPECT_EQ(result.plan->dropped[0].origin, "project");
  EXPECT_EQ(result.plan->dropped[0].code, DiagnosticId::MountProtected);
}

// As on a host that keeps the data directory on another disk.
TEST(OwnWorktree, TheOwnWorktreeBelowALinkedDataDirectoryIsPlanned) {
  TestHost host;
  host.files.add_directory("/mnt/data/worktrees/mine");
  host.files.add_link("/home/u/data", "/mnt/data");
  host.request.context.worktree = host.request.context.project = "/home/u/data/worktrees/mine";
  const Compiled result = host.compile("{}");
  EXPECT_TRUE(result.plan) << testing::PrintToString(result.codes());
}

}  // namespace
}  // namespace forge::compiler::test
