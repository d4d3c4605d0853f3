// What a repository could bend from outside of its read-only hooks: owners, hooks that
// are links, pointers in other mounts, files that would be written, settings elsewhere.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;
using policy::Owner;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const Compiled& result, DiagnosticId id) {
  return static_cast<std::size_t>(std::count_if(result.findings.begin(), result.findings.end(),
                                                [&](const auto& finding) { return finding.id == id; }));
}

TEST(GitOwner, ARepositoryOfAnotherUserAboveTheWorktreeIsRefused) {
  GitHost host;
  host.tree().checkout("/shared").dir("/shared/mine");
  host.at("/shared/mine", "/shared/mine");
  EXPECT_TRUE(host.compile("{}").plan) << "the user's own";
  host.files.fact("/shared/.git").owner = Owner::Other;
  const Compiled result = host.compile("{}");
  EXPECT_FALSE(result.plan);
  const policy::Diagnostic* finding = result.find(DiagnosticId::GitDirectoryForeign);
  ASSERT_TRUE(finding) << testing::PrintToString(result.codes());
  EXPECT_THAT(
      finding->message,
      HasSubstr("`/shared/.git` belongs to another user, and to the repository above `/shared/mine`"));
}

TEST(GitOwner, APointerOfAnotherUserAboveTheWorktreeIsRefused) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/shared").dir("/shared/mine");
  host.at("/shared/mine", "/shared/mine");
  host.files.fact("/shared/.git").owner = Owner::Other;
  const Compiled result = host.compile("{}");
  EXPECT_FALSE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::GitDirectoryForeign));
}

// Whoever may write above the worktree can lead it to a git directory of the user's own.
TEST(GitOwner, ALinkAboveTheWorktreeMustBeNamedByItsTarget) {
  for (const bool named : {true, false}) {
    GitHost host;
    host.tree().git_dir("/home/u/notes.git", named ? with_worktree("/shared") : kPlainConfig);
    host.tree().dir("/shared/mine").link("/shared/.git", "/home/u/notes.git");
    host.at("/shared/mine", "/shared/mine");
    const Compiled result = host.compile("{}");
    EXPECT_EQ(result.plan.has_value(), named) << testing::PrintToString(result.codes());
    EXPECT_EQ(result.find(DiagnosticId::GitPointerNotBelieved) == nullptr, named);
  }
}

TEST(GitOwner, ALinkAboveTheWorktreeCountsOnlyWhereNobodyElseCanMakeOne) {
  for (const bool shared : {true, false}) {
    GitHost host;
    host.tree().git_dir("/shared/mine/evil").link("/shared/.git", "/shared/mine/evil").dir("/shared/mine");
    host.at("/shared/mine", "/shared/mine");
    host.files.fact("/shared").others_write = shared;
    const Compiled result = host.compile("{}");
    EXPECT_EQ(result.find(DiagnosticId::GitPointerNotBelieved) != nullptr, shared)
        << testing::PrintToString(result.codes());
  }
}

// As git asks: the pointer, what it names, and the directory that holds it.
TEST(GitOwner, EveryPartOfTheRepositoryCounts) {
  for (const char* part : {"/w", "/w/.git", "/g.git"}) {
    GitHost host;
    host.tree().git_dir("/g.git", with_worktree("/w")).pointer("/w", "/g.git").dir("/w/sub");
    host.files.fact(part).owner = Owner::Other;
    host.at("/w", "/w");
    const Compiled top = host.compile("{}");
    ASSERT_TRUE(top.find(DiagnosticId::GitDirectoryOwner)) << part;
    EXPECT_THAT(top.find(DiagnosticId::GitDirectoryOwner)->message, HasSubstr(part));
    host.at("/w/sub", "/w/sub");
    EXPECT_TRUE(host.compile("{}").find(DiagnosticId::GitDirectoryForeign)) << part;
  }
}

// What another user put above is that user's, also when it is nothing that git could use.
TEST(GitOwner, NonsenseOfAnotherUserAboveIsTheirs) {
  GitHost host;
  host.tree().file("/shared/.git", "garbage").dir("/shared/mine").dir("/shared/tmp").dir("/w");
  host.files.fact("/shared/.git").owner = Owner::Other;
  host.at("/w", "/w");
  host.request.context.tmp = "/shared/tmp";
  EXPECT_THAT(mounts_of(host.compile("{}")), Contains("/shared/tmp:/shared/tmp"));
  host.at("/shared/mine", "/shared/mine");
  EXPECT_TRUE(host.compile("{}").find(DiagnosticId::GitDirectoryForeign));
}

TEST(GitOwner, OfTheSharedDirectoryIsTold) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt");
  host.files.fact("/r/.git").owner = Owner::Other;
  host.at("/wt", "/r");
  EXPECT_TRUE(host.compile("{}").find(DiagnosticId::GitDirectoryOwner));
}

TEST(GitOwner, OfARepositoryAboveAListedMountIsNothingToTheMount) {
  GitHost host;
  host.tree().checkout("/shared").dir("/shared/mine").dir("/w");
  host.files.fact("/shared/.git").owner = Owner::Other;
  host.at("/w", "/w");
  EXPECT_THAT(mounts_of(host.compile(mounts(writable("/shared/mine")))),
              Contains("/shared/mine:/shared/mine"));
}

TEST(GitOwner, AWorktreeThatAnotherUserMadeIsTold) {
  GitHost host;
  host.tree().checkout("/w");
  host.at("/w", "/w");
  EXPECT_FALSE(host.compile("{}").find(DiagnosticId::GitDirectoryOwner));
  host.files.fact("/w/.git").owner = Owner::Other;
  const Compiled result = host.compile("{}");
  EXPECT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::GitDirectoryOwner));
}

// ---- hooks that are links ----

TEST(HookLinks, ToWhatTheSandboxCanWriteAreTold) {
  GitHost host;
  host.tree().checkout("/w").file("/w/tools/lint", "#!/bin/sh\n").file("/usr/lib/hook", "#!/bin/sh\n");
  host.tree()
      .link("/w/.git/hooks/pre-commit", "/w/tools/lint")
      .link("/w/.git/hooks/post-merge", "/usr/lib/hook");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(count(result, DiagnosticId::HooksInTree), 1U);
  EXPECT_THAT(result.find(DiagnosticId::HooksInTree)->message,
              HasSubstr("`/w/.git/hooks/pre-commit` leads to `/w/tools/lint`"));
}

TEST(HookLinks, ToNothingAreTold) {
  GitHost host;
  host.tree().checkout("/w").link("/w/.git/hooks/pre-push", "../../not-yet");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  const policy::Diagnostic* finding = result.find(DiagnosticId::HooksInTree);
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->message, HasSubstr("leads to nothing"));
}

TEST(HookLinks, ThroughWhatTheSandboxCanWriteAreTold) {
  GitHost host;
  host.tree().checkout("/w").file("/out/real", "x").link("/w/s", "/out/real");
  host.tree().link("/w/.git/hooks/pre-commit", "/w/s");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.find(DiagnosticId::HooksInTree)) << testing::PrintToString(result.codes());
  EXPECT_THAT(result.find(DiagnosticId::HooksInTree)->message, HasSubstr("through other links"));
}

TEST(HookLinks, InANamedDirectoryOutsideOfEveryMountCountToo) {
  GitHost host;
  host.tree().checkout("/w").file("/w/run", "x").dir("/srv/hooks").link("/srv/hooks/pre-commit", "/w/run");
  host.tree().file("/w/.git/config", "[core]\n\thooksPath = /srv/hooks\n");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.find(DiagnosticId::HooksInTree)) << testing::PrintToString(result.codes());
  EXPECT_THAT(result.find(DiagnosticId::HooksInTree)->message, HasSubstr("`/srv/hooks/pre-commit`"));
}

TEST(HookLinks, AndNamedHooksOfAListedRepositoryAreTold) {
  GitHost host;
  host.tree().checkout("/r").dir("/w").file("/r/run", "x").link("/r/.git/hooks/pre-push", "/r/run");
  host.tree().file("/r/.git/config", "[core]\n\thooksPath = .githooks\n");
  host.at("/w", "/w");
  EXPECT_EQ(count(host.compile(mounts(writable("/r"))), DiagnosticId::HooksInTree), 2U);
}

TEST(HookLinks, OfASubmoduleCountToo) {
  GitHost host;
  host.tree().checkout("/w").git_dir("/w/.git/modules/lib").file("/w/run", "x");
  host.tree().link("/w/.git/modules/lib/hooks/pre-commit", "/w/run");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  EXPECT_TRUE(result.find(DiagnosticId::HooksInTree)) << testing::PrintToString(result.codes());
}

TEST(HookLinks, OfASubmoduleThatLeadNowhereAreToldAndStopNothing) {
  GitHost host;
  host.tree().checkout("/w").git_dir("/w/.git/modules/x").dir("/usr/lib/tools");
  host.tree()
      .link("/w/.git/modules/x/hooks/pre-commit", "/nowhere")
      .link("/w/.git/modules/x/hooks/tools", "/usr/lib/tools");
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  EXPECT_TRUE(result.plan) << testing::PrintToString(result.codes());
  EXPECT_EQ(count(result, DiagnosticId::HooksInTree), 1U);
}

TEST(HookLinks, ByTheThousandDoNotCrowdOutTheRest) {
  GitHost host;
  GitTree tree = host.tree();
  tree.checkout("/w").file("/w/run", "x");
  for (int i = 0; i < 1000; ++i) {
    tree.link(fmt::format("/w/.git/hooks/h{}", i), "/w/run");
  }
  host.at("/w", "/w");
  const Compiled result = host.compile("{}");
  EXPECT_EQ(count(result, DiagnosticId::HooksInTree), 9U) << "eight, and how many more";
  const bool told = std::any_of(result.findings.begin(), result.findings.end(), [](const auto& finding) {
    return finding.message == "the same of 992 more";
  });
  EXPECT_TRUE(told);
}

// ---- pointers in other mounts ----

TEST(GitPointerInAMount, ThatIsWritableIsTold) {
  for (const bool may_write : {true, false}) {
    GitHost host;
    host.tree().checkout("/r").linked("/r/.git", "side", "/side").dir("/w");
    host.at("/w", "/w");
    const Compiled result = host.compile(mounts(may_write ? writable("/side") : read_only("/side")));
    ASSERT_TRUE(result.plan);
    const policy::Diagnostic* finding = result.find(DiagnosticId::GitPointerWritable);
    ASSERT_EQ(finding != nullptr, may_write);
    if (finding != nullptr) {
      EXPECT_THAT(finding->message, HasSubstr("`/side/.git` names `/r/.git/worktrees/side`"));
    }
  }
}

// ---- what the caller writes ----

TEST(GitExclude, IsNotWrittenThroughALink) {
  for (const char* link : {"/w/.git/info/exclude", "/w/.git/info"}) {
    GitHost host;
    host.tree().checkout("/w").file("/home/u/.profile", "x").dir("/elsewhere");
    host.tree().link(link, std::string(link).ends_with("info") ? "/elsewhere" : "/home/u/.profile");
    host.at("/w", "/w");
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    EXPECT_TRUE(result.find(DiagnosticId::GitExcludeSkipped)) << link;
    EXPECT_TRUE(std::none_of(
        result.plan->actions.begin(), result.plan->actions.end(),
        [](const policy::Action& action) { return std::holds_alternative<policy::GitExclude>(action); }));
  }
}

// ---- settings elsewhere ----

TEST(HooksPath, OfTheWorktreesOwnConfigCounts) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt");
  host.tree().file("/r/.git/config", "[extensions]\n\tworktreeConfig = true\n");
  host.tree().file("/r/.git/worktrees/w/config.worktree", "[core]\n\thooksPath = tools\n");
  host.at("/wt", "/r");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  const policy::Diagnostic* finding = result.find(DiagnosticId::HooksInTree);
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->message, HasSubstr("`/wt/tools`"));
}

// The sandbox writes config.worktree; a harmless one must not silence the shared one.
TEST(HooksPath, OfTheSharedConfigIsToldBesideTheWorktreesOwn) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt").dir("/usr/share/hooks");
  host.tree().file("/r/.git/config", "[extensions]\n\tworktreeConfig = true\n[core]\n\thooksPath = tools\n");
  host.tree().file("/r/.git/worktrees/w/config.worktree",
                   "[core]\n\thooksPath = /usr/share/hooks\n[include]\n\tpath = x\n");
  host.at("/wt", "/r");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.find(DiagnosticId::HooksInTree));
  EXPECT_THAT(result.find(DiagnosticId::HooksInTree)->message, HasSubstr("`/wt/tools`"));
  ASSERT_TRUE(result.find(DiagnosticId::GitConfigUnread));
  EXPECT_THAT(result.find(DiagnosticId::GitConfigUnread)->message, HasSubstr("config.worktree"));
}

// Git on the host runs in submodules and in the other worktrees as well.
TEST(HooksPath, OfSubmodulesAndOtherWorktreesIsTold) {
  for (const char* config :
       {"/r/.git/modules/x/config", "/r/.git/config.worktree", "/r/.git/worktrees/v/config.worktree"}) {
    GitHost host;
    host.tree()
        .checkout("/r")
        .linked("/r/.git", "w", "/wt")
        .linked("/r/.git", "v", "/vt")
        .git_dir("/r/.git/modules/x");
    host.tree().file("/r/.git/config", "[extensions]\n\tworktreeConfig = yes\n");
    host.at("/wt", "/r");
    EXPECT_FALSE(host.compile("{}").find(DiagnosticId::HooksInTree));
    host.tree().file(config, "[core]\n\thooksPath = /wt/evil\n");
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.find(DiagnosticId::HooksInTree)) << config << testing::PrintToString(result.codes());
    EXPECT_THAT(result.find(DiagnosticId::HooksInTree)->message, HasSubstr("`/wt/evil`"));
  }
}

TEST(WorktreeConfig, IsReadWhereGitWouldReadIt) {
  for (const char* no : {"no", "off", "0", "FALSE", ""}) {
    GitHost host;
    host.tree().checkout("/w").file("/w/.git/config",
                                    fmt::format("[extensions]\n\tworktreeConfig = {}\n", no));
    host.tree().file("/w/.git/config.worktree", "[core]\n\thooksPath = x\n");
    host.at("/w", "/w");
    EXPECT_FALSE(host.compile("{}").find(DiagnosticId::HooksInTree)) << no;
  }
}

TEST(Separate, MaySayNoInAnyOfGitsWays) {
  for (const char* bare : {"no", "off", "0", "False", "yes"}) {
    GitHost host;
    host.tree().git_dir("/g.git", fmt::format("[core]\n\tbare = {}\n", bare)).pointer("/w", "/g.git");
    host.at("/w", "/w");
    EXPECT_EQ(host.compile("{}").plan.has_value(), std::string(bare) != "yes") << bare;
  }
}

// The spelling lies where the sandbox can bend it; the real directory is mounted instead.
TEST(CommonDirectory, IsNotMountedAtALinkInTheWorktree) {
  for (const auto mode : {policy::GitMode::Compatible, policy::GitMode::Split}) {
    GitHost host;
    host.tree()
        .checkout("/r")
        .entry("/r/.git", "w", "/wt")
        .pointer("/wt", "/wt/l/worktrees/w")
        .link("/wt/l", "/r/.git");
    host.at("/wt", "/r");
    host.request.git_mode = mode;
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
    expect_sound(*result.plan);
    for (const policy::Mount& mount : result.plan->mounts) {
      EXPECT_FALSE(policy::path_is_at_or_below(mount.guest.text(), "/wt/l"));
    }
  }
}

// `git sparse-checkout set` moves core.worktree of a submodule there.
TEST(WorktreeConfig, NamesTheWorktreeOfASubmodule) {
  for (const char* named : {"/w/sub", "/elsewhere"}) {
    GitHost host;
    host.tree().checkout("/w").submodule("/w/.git", "sub", "/w/sub", "/w/sub").dir("/elsewhere");
    host.tree().file("/w/.git/modules/sub/config",
                     "[core]\n\tbare = false\n[extensions]\n\tworktreeConfig = true\n");
    host.tree().file("/w/.git/modules/sub/config.worktree", with_worktree(named));
    host.at("/w/sub", "/w/sub");
    const Compiled result = host.compile("{}");
    EXPECT_EQ(result.plan.has_value(), std::string(named) == "/w/sub")
        << testing::PrintToString(result.codes());
  }
}

TEST(Submodules, WithPartsOfAGitDirectoryInTheirNamesAreGuarded) {
  for (const char* name : {"docs/refs", "docs/HEAD", "docs/objects", "docs/config", "docs/logs"}) {
    GitHost host;
    host.tree().checkout("/w").git_dir(std::string("/w/.git/modules/") + name);
    host.at("/w", "/w");
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan) << name << testing::PrintToString(result.codes());
    const std::string hooks = fmt::format("/w/.git/modules/{}/hooks", name);
    EXPECT_EQ(guest_access(*result.plan, hooks), policy::Access::ReadOnly);
  }
}

TEST(HooksPath, InAnIncludedFileIsNotKnown) {
  for (const char* text : {"[include]\n\tpath = ../more\n", "[includeIf \"gitdir:/w/\"]\n\tpath = x\n"}) {
    GitHost host;
    host.tree().checkout("/w").file("/w/.git/config", text);
    host.at("/w", "/w");
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    const policy::Diagnostic* finding = result.find(DiagnosticId::GitConfigUnread);
    ASSERT_TRUE(finding) << text;
    EXPECT_THAT(finding->message, HasSubstr("includes other files"));
  }
}

// ---- the editor's directories inside of a git directory ----

TEST(ToolOutput, InsideAWritableGitDirectoryIsKeptReadOnly) {
  GitHost host;
  host.tree().checkout("/r").linked("/r/.git", "w", "/wt").dir("/r/.git/out");
  host.at("/wt", "/r");
  host.request.context.tool_output = "/r/.git/out";
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Contains("/r/.git/out:/r/.git/out:ro"));
  expect_sound(*result.plan);
}

}  // namespace
}  // namespace forge::compiler::test
