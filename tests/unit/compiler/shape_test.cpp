#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile_support.hpp"
#include "forge/compiler/schema.hpp"
#include "forge/compiler/suggestion.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;

TEST(Suggestion, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("netwrok", "network", 3), 1U);
  EXPECT_EQ(edit_distance("allowLAN", "allowLan", 3), 0U);
  EXPECT_EQ(edit_distance("a", "b", 3), 1U);
  EXPECT_EQ(edit_distance("", "abcdef", 3), 4U);
  EXPECT_EQ(nearest("mount", {"mode", "mounts", "image"}), "mounts");
  EXPECT_EQ(nearest("zzzzzz", {"mode", "mounts"}), "");
}

TEST(Schema, EverySectionOfAKeyIsAKey) {
  for (const KeyRow& row : schema_table()) {
    const std::size_t dot = row.path.rfind('.');
    if (dot != std::string_view::npos) {
      std::string_view parent = row.path.substr(0, dot);
      parent = parent.substr(0, parent.find("[]") == parent.size() - 2 ? parent.size() - 2 : parent.size());
      parent = parent.ends_with(".*") ? parent.substr(0, parent.size() - 2) : parent;
      EXPECT_NE(find_key(parent), nullptr) << row.path;
    }
  }
}

struct ShapeRow {
  const char* text;
  const char* code;
  const char* pointer;
  const char* help;
};
void PrintTo(const ShapeRow& row, std::ostream* out) { *out << row.text; }

class Shape : public testing::TestWithParam<ShapeRow> {};
TEST_P(Shape, IsReportedAtItsPlace) {
  const Compiled result = TestHost().compile(GetParam().text);
  ASSERT_FALSE(result.findings.empty());
  const policy::Diagnostic* finding = nullptr;
  for (const policy::Diagnostic& candidate : result.findings) {
    if (policy::code_text(candidate.id) == GetParam().code) {
      finding = &candidate;
    }
  }
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->pointer, GetParam().pointer);
  EXPECT_NE(finding->help.find(GetParam().help), std::string::npos) << finding->help;
}
INSTANTIATE_TEST_SUITE_P(
    Table, Shape,
    testing::Values(
        ShapeRow{"[]", "FP1017", "", "{ }"}, ShapeRow{R"({"sandbox":5})", "FP1016", "/sandbox", ""},
        ShapeRow{R"({"sandbox":{"network":{"allow":"a.example"}}})", "FP1016", "/sandbox/network/allow",
                 "brackets"},
        ShapeRow{R"({"sandbox":{"network":{"allow":[5]}}})", "FP1016", "/sandbox/network/allow/0", "quotes"},
        ShapeRow{R"({"sandbox":{"netwrok":{}}})", "FP1014", "/sandbox/netwrok", "`network`"},
        ShapeRow{R"({"network":{}})", "FP1015", "/network", "`sandbox.network`"},
        ShapeRow{R"({"sandbox":{"network":{"deny":[]}}})", "FP1014", "/sandbox/network/deny",
                 "everything not under `allow`"},
        ShapeRow{R"({"agents":{"x":{"a/b~c":1}}})", "FP1014", "/agents/x", ""},
        ShapeRow{R"({"sandbox":{"mounts":[{"__proto__":{}}]}})", "FP1014", "/sandbox/mounts/0/__proto__", ""},
        ShapeRow{R"({"agents":{"code":{"temprature":1}}})", "FP1014", "/agents/code/temprature",
                 "`temperature`"},
        ShapeRow{R"({"agents":{"code":{"temperature":3}}})", "FP1020", "/agents/code/temperature", ""},
        ShapeRow{R"({"dashboard":{"port":1.5}})", "FP1016", "/dashboard/port", ""},
        ShapeRow{R"({"dashboard":{"port":"1"}})", "FP1016", "/dashboard/port", "quotes"},
        ShapeRow{R"({"sandbox":{"projectMountPath":1}})", "FP1018", "/sandbox/projectMountPath", "own path"},
        ShapeRow{R"({"sandbox":{"mode":"docker"}})", "FP1019", "/sandbox/mode", ""},
        ShapeRow{R"({"sandbox":{"mode":"sbx"}})", "FP1019", "/sandbox/mode", "public egress is open"},
        ShapeRow{R"({"sandbox":{"mode":"off"}})", "FP1019", "/sandbox/mode", "`sandbox.enabled`"},
        ShapeRow{R"({"autoApprove":{"deny":[{"action":"a","pattern":"b"}]}})", "FP5001",
                 "/autoApprove/deny/0", "`resource` instead of `pattern`"},
        ShapeRow{R"({"loop":{"permissions":{"deny":[" "]}}})", "FP5001", "/loop/permissions/deny/0", ""}));

TEST(Shape, FreeObjectsAreNotLookedInto) {
  const Compiled result = TestHost().compile(R"({"loop":{"worktreeOpencodeConfig":{"mcp":{"x":[1,null]}}}})");
  EXPECT_EQ(result.errors, 0U);
  EXPECT_TRUE(result.plan);
}

TEST(Shape, ListsAreBounded) {
  std::string entries;
  for (std::size_t i = 0; i < kMaxListEntries; ++i) {
    entries += "1,";
  }
  const std::string prefix = R"({"sandbox":{"network":{"allow":[)";
  EXPECT_FALSE(TestHost().compile(prefix + entries + "]}}}").find(DiagnosticId::TooManyEntries));
  const Compiled past = TestHost().compile(prefix + R"("a.example",)" + entries + "]}}}");
  EXPECT_FALSE(past.plan);
}

TEST(Permissions, ManagedAndRequiredDeniesAreListedAsRefused) {
  const Compiled result = TestHost().compile(
      R"({"loop":{"permissions":{"deny":["bash",{"permission":"bash","pattern":"git push *"},"question","browser","browser"]}}})");
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->permissions.loop_deny,
            (std::vector<policy::LoopDeny>{{"bash", "git push *"}, {"browser", "*"}}));
  EXPECT_EQ(result.plan->permissions.loop_deny_refused,
            (std::vector<policy::LoopDeny>{{"bash", "*"}, {"question", "*"}}));
}

TEST(Permissions, AWildcardCountsAsEveryNameItMatches) {
  const Compiled result = TestHost().compile(
      R"({"loop":{"permissions":{"deny":["**","ba*","rea?","brow*",{"permission":"ba*","pattern":"x"}]}}})");
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->permissions.loop_deny,
            (std::vector<policy::LoopDeny>{{"brow*", "*"}, {"ba*", "x"}}));
}

TEST(Permissions, AutoApproveRulesAreTrimmedAndVisible) {
  const Compiled result =
      TestHost().compile(R"({"autoApprove":{"deny":[{"action":" bash ","resource":" rm * "}]}})");
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->permissions.deny, (std::vector<policy::AutoApproveDeny>{{"bash", "rm *"}}));
  EXPECT_FALSE(
      TestHost().compile(R"({"autoApprove":{"deny":[{"action":"b\u200bash","resource":"*"}]}})").plan);
}

TEST(Compile, WhatCouldWidenStopsThePlan) {
  for (const char* text :
       {"", "{", "[]", R"({"x":1})", R"({"sandbox":{},"sandbox":{}})", R"({"sandbox":{"enabled":"false"}})",
        R"({"sandbox":{"resources":{"cpus":"0"}}})", R"({"sandbox":{"image":"-x"}})",
        R"({"autoApprove":{"deny":[{}]}})", R"({"dataDir":"~/x"})", R"({"dataDir":"x"})"}) {
    EXPECT_FALSE(TestHost().compile(text).plan) << text;
  }
}

TEST(Compile, OverridesWinAndCanOnlyTurnOff) {
  TestHost host;
  host.request.overrides = {
      2, policy::Mebibytes{512}, std::nullopt, std::nullopt, policy::Lan::Open, policy::Enabled::Off};
  const Compiled result = host.compile(R"({"sandbox":{"resources":{"cpus":"8","dockerDisk":"1g"}}})");
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->resources.cpus, 2U);
  EXPECT_EQ(result.plan->resources.cpus_origin, policy::ValueOrigin::Override);
  EXPECT_EQ(result.plan->resources.docker_disk.count, 1024U);
  EXPECT_EQ(result.plan->egress.mode, policy::EgressMode::PublicAndPrivate);
  EXPECT_EQ(result.plan->enabled, policy::Enabled::Off);
}

TEST(Names, SessionsAndLoopsStayApart) {
  TestHost host;
  host.request.name = "host-session-0123456789ab";
  EXPECT_TRUE(host.compile("{}").plan);
  host.request.session = policy::Session::Loop;
  EXPECT_TRUE(host.compile("{}").find(DiagnosticId::NameReserved));
  host.request.name = "Feature/A";
  const Compiled altered = host.compile("{}");
  ASSERT_TRUE(altered.plan);
  EXPECT_TRUE(altered.find(DiagnosticId::NameAltered));
  host.request.name = "a\x1B[31m";
  EXPECT_FALSE(host.compile("{}").plan);
  host.request.name = "";
  EXPECT_FALSE(host.compile("{}").plan);
}

}  // namespace
}  // namespace forge::compiler::test
