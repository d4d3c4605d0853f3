// The git part of a plan document.
#include <gtest/gtest.h>

#include "forge/policy/plan_words.hpp"
#include "full_plan.hpp"

namespace forge::policy {
namespace {

constexpr std::size_t kFirstGitMount = 5;

TEST(GitPlanDocument, ReadsBackEveryField) {
  const Plan plan = git_plan();
  const auto again = seal::read_sealed_plan(sealed(plan));
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(*again, plan);
}

TEST(GitPlanDocument, ReadsBackACompatibleOne) {
  Plan plan = git_plan();
  plan.git.mode = GitMode::Compatible;
  plan.actions.erase(plan.actions.begin() + 2);
  plan.mounts.resize(kFirstGitMount, plan.mounts.front());
  const auto mount = [&](const char* text, const char* guest, Access access, MountOrigin origin) {
    plan.mounts.push_back(
        {PathSource{path(text), PathMountKind::Directory}, path(guest), access, origin, std::nullopt});
  };
  mount("/c", "/c", Access::ReadWrite, MountOrigin::GitCommonDir);
  mount("/c/hooks", "/c/hooks", Access::ReadOnly, MountOrigin::GitHooks);
  const auto again = seal::read_sealed_plan(sealed(plan));
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(*again, plan);
}

struct Row {
  const char* name;
  void (*make)(Plan& plan);
  const char* problem;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

PathSource& source(Plan& plan, std::size_t at) {
  return std::get<PathSource>(plan.mounts[kFirstGitMount + at].source);
}

class ContradictoryGitPlan : public testing::TestWithParam<Row> {};
TEST_P(ContradictoryGitPlan, IsRefused) {
  Plan plan = git_plan();
  GetParam().make(plan);
  plan.facts.normalise();
  plan.facts_sha256 = seal::sha256_hex(encode_facts(plan.facts)).value_or("");
  const auto read = seal::read_sealed_plan(sealed(plan));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().detail.find(GetParam().problem), std::string::npos) << read.error().detail;
}
INSTANTIATE_TEST_SUITE_P(
    Table, ContradictoryGitPlan,
    testing::Values(
        Row{"directories without a layout", [](Plan& plan) { plan.git.layout = GitLayout::None; },
            "git names a directory that its layout does not have"},
        Row{"a layout without directories", [](Plan& plan) { plan.git.common_dir.clear(); },
            "git names a directory that its layout does not have"},
        Row{"hooks that are forgotten", [](Plan& plan) { plan.git.hooks.erase(plan.git.hooks.begin()); },
            "git/hooks lacks that of common_dir"},
        Row{"hooks out of order", [](Plan& plan) { std::swap(plan.git.hooks[0], plan.git.hooks[1]); },
            "git/hooks is not sorted"},
        Row{"hooks that are none", [](Plan& plan) { plan.git.hooks[1] = "/d/hook"; },
            "git/hooks names what is no hooks directory"},
        Row{"no word about the scratch directory",
            [](Plan& plan) { plan.actions.erase(plan.actions.begin() + 1); }, "/actions does not keep"},
        Row{"a directory that no plan makes",
            [](Plan& plan) {
              plan.actions.emplace_back(EnsureDir{"/etc/x", 0700});
            },
            "/actions[5]/path is nothing that a plan makes"},
        Row{"logs that a compatible plan does not make",
            [](Plan& plan) { plan.git.mode = GitMode::Compatible; },
            "/actions[2]/path is nothing that a plan makes"},
        Row{"a shared directory that can be written",
            [](Plan& plan) { plan.mounts[kFirstGitMount].access = Access::ReadWrite; },
            "/mounts[5]/access is not `ro`"},
        Row{"hooks that can be written", [](Plan& plan) { plan.mounts.back().access = Access::ReadWrite; },
            "/mounts[10]/access is not `ro`"},
        Row{"the shared directory of another repository",
            [](Plan& plan) { source(plan, 0).host = plan.mounts[kFirstGitMount].guest = path("/w2"); },
            "/mounts[5]/host is not what the facts say"},
        Row{"config as data",
            [](Plan& plan) {
              source(plan, 1).host = plan.mounts[kFirstGitMount + 1].guest = path("/c/refs");
            },
            "/mounts[7]/guest is taken"},
        Row{"an entry of another worktree", [](Plan& plan) { plan.git.git_dir = "/c/worktrees/v"; },
            "/mounts[9]/host is not the directory of its origin"},
        Row{"hooks that git does not name", [](Plan& plan) { plan.git.hooks.pop_back(); },
            "/actions[4]/path is nothing that a plan makes"},
        Row{"a shared directory seen elsewhere",
            [](Plan& plan) { plan.mounts[kFirstGitMount].guest = path("/elsewhere"); },
            "/mounts[5]/guest is not where the host side is seen"},
        Row{"hooks nobody makes", [](Plan& plan) { plan.actions.pop_back(); },
            "/mounts[10]/host is not what the facts say"},
        Row{"a file that was not read and says something",
            [](Plan& plan) {
              plan.facts.git_files[1].values.push_back({"path", "/x"});
            },
            "values are given of a file that was not read"},
        Row{"a pointer that is relative",
            [](Plan& plan) {
              plan.facts.git_files[1].state = GitFileState::Read;
              plan.facts.git_files[1].values.push_back({"path", "x"});
            },
            "value is not an absolute path"},
        Row{"an entry with a slash", [](Plan& plan) { plan.facts.listings[0].entries[0].name = "a/b"; },
            "name is not the name of an entry"},
        Row{"entries out of order",
            [](Plan& plan) {
              std::swap(plan.facts.listings[0].entries[0], plan.facts.listings[0].entries[1]);
            },
            "entries are not sorted"},
        Row{"a missing path with a real one", [](Plan& plan) { plan.facts.paths[0].real_path = "/x"; },
            "real_path is not what its kind has"}));

TEST(Facts, StandAlone) {
  const HostFacts facts = git_plan().facts;
  const auto again = decode_facts(encode_facts(facts));
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(*again, facts);
  for (const char* text :
       {"", "{}", "[]", "{\"env_set\":[],\"git_files\":[],\"listings\":[],\"paths\":[]}"}) {
    EXPECT_FALSE(decode_facts(text)) << text;
  }
  EXPECT_FALSE(decode_facts(encode_facts(facts) + " "));
}

}  // namespace
}  // namespace forge::policy
