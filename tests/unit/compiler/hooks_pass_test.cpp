// The proof that hooks are closed, on plans that were edited: whoever edits one can make
// its digest right again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "forge/compiler/verify.hpp"
#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::Access;
using policy::MountOrigin;
using policy::Plan;

bool is_refused(const Plan& plan) {
  policy::DiagnosticSink sink;
  verify(plan, sink);
  const auto findings = sink.sorted();
  return std::any_of(findings.begin(), findings.end(), [](const policy::Diagnostic& finding) {
    return finding.id == policy::DiagnosticId::HooksWritable;
  });
}

// A checkout with a submodule; the repository's own hooks are made by an action.
Plan checkout_plan() {
  GitHost host;
  host.tree().dir("/w/.git/objects").dir("/w/.git/refs").file("/w/.git/HEAD");
  host.tree().git_dir("/w/.git/modules/m").dir("/w/.git/modules/m/hooks");
  host.at("/w", "/w");
  return host.compile("{}").plan.value();
}

struct EditRow {
  const char* name;
  void (*edit)(Plan& plan);
};
void PrintTo(const EditRow& row, std::ostream* out) { *out << row.name; }

void remove_mount(Plan& plan, std::string_view guest) {
  const auto at = [&](const policy::Mount& mount) { return mount.guest.text() == guest; };
  plan.mounts.erase(std::find_if(plan.mounts.begin(), plan.mounts.end(), at));
}

class EditedHooks : public testing::TestWithParam<EditRow> {};
TEST_P(EditedHooks, AreRefused) {
  Plan plan = checkout_plan();
  ASSERT_FALSE(is_refused(plan));
  GetParam().edit(plan);
  EXPECT_TRUE(is_refused(plan));
}
INSTANTIATE_TEST_SUITE_P(
    Table, EditedHooks,
    testing::Values(EditRow{"no mount", [](Plan& plan) { remove_mount(plan, "/w/.git/hooks"); }},
                    EditRow{"no mount of a submodule's",
                            [](Plan& plan) { remove_mount(plan, "/w/.git/modules/m/hooks"); }},
                    EditRow{"nothing of a submodule's",
                            [](Plan& plan) {
                              remove_mount(plan, "/w/.git/modules/m/hooks");
                              std::erase(plan.git.hooks, "/w/.git/modules/m/hooks");
                            }},
                    EditRow{"writable",
                            [](Plan& plan) {
                              for (policy::Mount& mount : plan.mounts) {
                                mount.access =
                                    mount.origin == MountOrigin::GitHooks ? Access::ReadWrite : mount.access;
                              }
                            }},
                    EditRow{"neither there nor made", [](Plan& plan) { plan.actions.clear(); }},
                    EditRow{"seen at a second place",
                            [](Plan& plan) {
                              policy::Mount again = plan.mounts.front();
                              again.guest = *policy::MountPath::from_canonical("/again");
                              plan.mounts.push_back(again);
                            }},
                    EditRow{"a writable mount on top",
                            [](Plan& plan) {
                              policy::Mount inner = plan.mounts.front();
                              inner.guest = *policy::MountPath::from_canonical("/w/.git/hooks");
                              std::get<policy::PathSource>(inner.source).host = inner.guest;
                              remove_mount(plan, "/w/.git/hooks");
                              plan.mounts.push_back(inner);
                            }},
                    EditRow{"listed without a fact",
                            [](Plan& plan) { plan.git.hooks.emplace_back("/nowhere/hooks"); }}));

// A `.git` that is none: nobody promises anything of the repositories in it, whatever a
// listed mount that is left out made known of them.
TEST(HooksPass, AsksNothingOfWhatLiesInAnOrdinaryDirectory) {
  GitHost host;
  host.tree().bare("/w").git_dir("/w/.git/modules/s/.git");
  host.at("/w", "/w");
  const Compiled result = host.compile(mounts(writable("/w/.git/modules/s")));
  EXPECT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_FALSE(result.find(policy::DiagnosticId::HooksWritable));
}

// Git takes `.git` and never comes to what lies around it, though another pointer names that.
TEST(HooksPass, AsksForThePartsOfABareRepositoryOnlyWhereGitWould) {
  GitHost host;
  host.tree().checkout("/w").git_dir("/w").pointer("/tmp/e", "/w");
  host.at("/w", "/w");
  host.request.context.tmp = "/tmp/e";
  const Compiled result = host.compile("{}");
  EXPECT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_TRUE(result.find(policy::DiagnosticId::GitPointerWritable));
}

}  // namespace
}  // namespace forge::compiler::test
