// The editor's temp directory: found by a name that anyone may take first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git_support.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;
using policy::Owner;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

struct TmpRow {
  const char* name;
  void (*make)(InMemoryHostFiles& files);
  const char* mount;  ///< null: left out
  std::optional<DiagnosticId> finding;
};
void PrintTo(const TmpRow& row, std::ostream* out) { *out << row.name; }

class Tmp : public testing::TestWithParam<TmpRow> {};
TEST_P(Tmp, IsMountedWhenItIsTheUsersOwn) {
  TestHost host;
  host.request.context.tmp = "/t/editor";
  GetParam().make(host.files);
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  const std::vector<std::string> mounts = mounts_of(result);
  if (GetParam().mount != nullptr) {
    EXPECT_THAT(mounts, Contains(GetParam().mount));
  } else {
    EXPECT_THAT(mounts, Not(Contains(HasSubstr("/t/editor"))));
    ASSERT_EQ(result.plan->dropped.size(), 1U);
    EXPECT_EQ(result.plan->dropped[0].origin, "tmp");
    EXPECT_EQ(result.plan->dropped[0].code, *GetParam().finding);
  }
  EXPECT_EQ(result.errors, 0U) << "nothing that the user wrote";
  for (const DiagnosticId id :
       {DiagnosticId::AutomaticMountDropped, DiagnosticId::AutomaticMountSkipped, DiagnosticId::TmpShared}) {
    EXPECT_EQ(result.find(id) != nullptr, GetParam().finding == id) << policy::code_text(id);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, Tmp,
    testing::Values(
        TmpRow{"his own", [](InMemoryHostFiles& files) { files.add_directory("/t/editor"); },
               "/t/editor:/t/editor", std::nullopt},
        TmpRow{"his own, in a folder that is a link",
               [](InMemoryHostFiles& files) {
                 files.add_directory("/real/editor");
                 files.add_link("/t", "/real");
               },
               "/real/editor:/t/editor", std::nullopt},
        TmpRow{"his own, and others may write",
               [](InMemoryHostFiles& files) {
                 files.add_directory("/t/editor");
                 files.fact("/t/editor").others_write = true;
               },
               "/t/editor:/t/editor", DiagnosticId::TmpShared},
        TmpRow{"another user's",
               [](InMemoryHostFiles& files) {
                 files.add_directory("/t/editor");
                 files.fact("/t/editor").owner = Owner::Other;
               },
               nullptr, DiagnosticId::AutomaticMountDropped},
        TmpRow{"nobody knows whose",
               [](InMemoryHostFiles& files) {
                 files.add_directory("/t/editor");
                 files.fact("/t/editor").owner = Owner::Unknown;
               },
               nullptr, DiagnosticId::AutomaticMountDropped},
        TmpRow{"a link to a directory of his own",
               [](InMemoryHostFiles& files) {
                 files.add_directory("/srv/c");
                 files.add_link("/t/editor", "/srv/c");
               },
               nullptr, DiagnosticId::AutomaticMountDropped},
        TmpRow{"a link to nothing", [](InMemoryHostFiles& files) { files.add_link("/t/editor", "/none"); },
               nullptr, DiagnosticId::AutomaticMountDropped},
        TmpRow{"a file", [](InMemoryHostFiles& files) { files.add_file("/t/editor"); }, nullptr,
               DiagnosticId::AutomaticMountDropped},
        TmpRow{"unreadable",
               [](InMemoryHostFiles& files) { files.add("/t/editor", policy::PathKind::Unreadable, ""); },
               nullptr, DiagnosticId::AutomaticMountDropped},
        TmpRow{"missing", [](InMemoryHostFiles& files) { files.add_directory("/t"); }, "/t/editor:/t/editor",
               std::nullopt},
        TmpRow{"missing with its folder", [](InMemoryHostFiles&) {}, nullptr,
               DiagnosticId::AutomaticMountSkipped},
        TmpRow{"missing in what is a file", [](InMemoryHostFiles& files) { files.add_file("/t"); }, nullptr,
               DiagnosticId::AutomaticMountSkipped}));

TEST(Tmp, IsMadeByTheCallerAtItsRealPlace) {
  TestHost host;
  host.files.add_directory("/real");
  host.files.add_link("/t", "/real");
  host.request.context.tmp = "/t/editor";
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(result.plan->actions,
              testing::ElementsAre(policy::Action{policy::EnsureDir{"/real/editor", 0700}}));
  EXPECT_THAT(mounts_of(result), Contains("/real/editor:/t/editor"));
}

TEST(Tmp, IsNotMadeWhereItWouldNotBeMounted) {
  TestHost host;
  host.files.add_directory("/home/u/.ssh");
  for (const char* path : {"/w/tmp", "/home/u/.ssh/tmp", "/var/lib/docker/tmp", "/home/u/out/tmp"}) {
    host.files.add_directory("/var/lib/docker");
    host.request.context.tmp = path;
    const Compiled result = host.compile("{}");
    ASSERT_TRUE(result.plan);
    EXPECT_TRUE(result.plan->actions.empty()) << path;
    EXPECT_THAT(mounts_of(result), Not(Contains(HasSubstr(path)))) << path;
  }
}

TEST(Tmp, InTheWorktreeNeedsNoMount) {
  TestHost host;
  host.files.add_directory("/w/tmp");
  host.request.context.tmp = "/w/tmp";
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::AutomaticMountSkipped));
  EXPECT_FALSE(result.find(DiagnosticId::AutomaticMountDropped));
}

// One that has to be made has no identity of its own yet; those of the directories above count.
TEST(Tmp, ThatIsMadeIsJudgedByTheIdentityOfItsFolder) {
  TestHost host;
  host.files.add_directory("/home/u/.ssh");
  host.files.add_directory("/bind");
  host.files.fact("/bind").dev = host.files.fact("/home/u/.ssh").dev;
  host.files.fact("/bind").ino = host.files.fact("/home/u/.ssh").ino;
  host.request.context.tmp = "/bind/tmp";
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Not(Contains(HasSubstr("/bind"))));
}

// The same in a second mount of the read-only project.
TEST(Tmp, ThatIsMadeIsNotAWritablePartOfTheProject) {
  TestHost host;
  host.request.session = policy::Session::Loop;
  host.request.context.project = "/p";
  host.files.add_directory("/bind");
  host.files.fact("/bind").dev = host.files.fact("/p").dev;
  host.files.fact("/bind").ino = host.files.fact("/p").ino;
  host.request.context.tmp = "/bind/tmp";
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(mounts_of(result), Not(Contains(HasSubstr("/bind"))));
}

TEST(Tmp, ThatIsARepositoryKeepsItsHooksReadOnly) {
  TestHost host;
  GitTree(host.files).git_dir("/tmp/opencode/.git");
  const Compiled result = host.compile("{}");
  ASSERT_TRUE(result.plan) << testing::PrintToString(result.codes());
  for (const std::string& place : places_of(*result.plan, "/tmp/opencode/.git/hooks")) {
    EXPECT_EQ(guest_access(*result.plan, place), policy::Access::ReadOnly) << place;
  }
}

}  // namespace
}  // namespace forge::compiler::test
