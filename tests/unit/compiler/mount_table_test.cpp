// Who may stand beside whom, by path and by device and inode.
#include "src/resolve/mount_table.hpp"

#include <gtest/gtest.h>

namespace forge::compiler::test {
namespace {

using policy::Access;
using policy::MountPath;
using Verdict = MountTable::Verdict;

constexpr Access kRo = Access::ReadOnly;
constexpr Access kRw = Access::ReadWrite;

MountPath path(const char* text) { return *MountPath::from_canonical(text); }

policy::Mount mount(const MountPlace& place, Access access) {
  return {policy::PathSource{place.host, policy::PathMountKind::Directory}, place.guest, access,
          policy::MountOrigin::Custom, std::nullopt};
}

MountPlace place(const char* host, const char* guest, std::vector<Identity> chain = {}) {
  return {path(host), path(guest), std::move(chain)};
}
MountPlace place(const char* both) { return place(both, both); }

TEST(MountTable, FindsOverlapsByComponents) {
  MountTable table;
  table.add(mount(place("/real/a-b", "/guest/x"), kRo), {});
  EXPECT_NE(table.overlapping(place("/real/a-b", "/q")), nullptr);
  EXPECT_NE(table.overlapping(place("/real", "/q")), nullptr);
  EXPECT_NE(table.overlapping(place("/real/a-b/c", "/q")), nullptr);
  EXPECT_NE(table.overlapping(place("/q", "/guest")), nullptr);
  EXPECT_NE(table.overlapping(place("/q", "/guest/x/y")), nullptr);
  EXPECT_EQ(table.overlapping(place("/real/a", "/q")), nullptr);
  EXPECT_EQ(table.overlapping(place("/real/a-bc", "/guest/xy")), nullptr);
  EXPECT_EQ(table.overlapping(place("/guest/x", "/real/a-b")), nullptr) << "host and guest are two worlds";
}

TEST(MountTable, ADiskHasAPlaceInTheGuestOnly) {
  MountTable table;
  table.add({policy::DiskSource{"disk", {1}}, path("/var/lib/docker"), kRw, policy::MountOrigin::DockerDisk,
             std::nullopt},
            {});
  EXPECT_NE(table.overlapping(place("/srv", "/var/lib/docker/x")), nullptr);
  EXPECT_NE(table.overlapping(place("/srv", "/var/lib")), nullptr);
  EXPECT_EQ(table.overlapping(place("/var/lib/docker", "/srv")), nullptr);
  EXPECT_EQ(table.covering("/var/lib/docker"), nullptr);
}

TEST(MountTable, TheDeepestMountCoversAndOfTwoTheReadOnlyOne) {
  MountTable table;
  table.add(mount(place("/a"), kRw), {});
  table.add(mount(place("/a/b"), kRo), {});
  table.add(mount(place("/a/b", "/second"), kRw), {});
  EXPECT_EQ(table.covering("/a/x"), table.mounts().data());
  EXPECT_EQ(table.covering("/a/b"), &table.mounts()[1]);
  EXPECT_EQ(table.covering("/a/b/c"), &table.mounts()[1]);
  EXPECT_EQ(table.covering("/ab"), nullptr);
  EXPECT_EQ(table.covering("/"), nullptr);
}

struct JudgeRow {
  const char* name;
  MountPlace first;
  Access first_access;
  MountPlace second;
  Access second_access;
  Verdict verdict;
};
void PrintTo(const JudgeRow& row, std::ostream* out) { *out << row.name; }

class JudgedPairs : public testing::TestWithParam<JudgeRow> {};
TEST_P(JudgedPairs, GetTheVerdictOfTheRules) {
  const JudgeRow& row = GetParam();
  MountTable table;
  table.add(mount(row.first, row.first_access), row.first.chain);
  const MountTable::Answer answer = table.judge(row.second, row.second_access);
  EXPECT_EQ(answer.verdict, row.verdict);
  EXPECT_EQ(answer.other, row.verdict == Verdict::Free ? nullptr : table.mounts().data());
}

INSTANTIATE_TEST_SUITE_P(
    Paths, JudgedPairs,
    testing::Values(
        JudgeRow{"apart", place("/a"), kRw, place("/b"), kRo, Verdict::Free},
        JudgeRow{"a name that begins alike", place("/a"), kRw, place("/a-b"), kRo, Verdict::Free},
        JudgeRow{"read-only inside of writable", place("/a"), kRw, place("/a/b"), kRo, Verdict::Free},
        JudgeRow{"read-only at writable", place("/a"), kRw, place("/a"), kRo, Verdict::Conflict},
        JudgeRow{"read-only around writable", place("/a/b"), kRw, place("/a"), kRo, Verdict::Conflict},
        JudgeRow{"writable inside of read-only", place("/a"), kRo, place("/a/b"), kRw, Verdict::Conflict},
        JudgeRow{"writable at read-only", place("/a"), kRo, place("/a"), kRw, Verdict::Conflict},
        JudgeRow{"writable around read-only", place("/a/b"), kRo, place("/a"), kRw, Verdict::Conflict},
        JudgeRow{"the same twice", place("/a"), kRw, place("/a"), kRw, Verdict::Redundant},
        JudgeRow{"a part with the same access", place("/a"), kRo, place("/a/b"), kRo, Verdict::Redundant},
        JudgeRow{"a wider one with the same access", place("/a/b"), kRo, place("/a"), kRo, Verdict::Free}));

INSTANTIATE_TEST_SUITE_P(Guests, JudgedPairs,
                         testing::Values(JudgeRow{"a part through the same link", place("/r", "/l"), kRw,
                                                  place("/r/a", "/l/a"), kRo, Verdict::Free},
                                         JudgeRow{"a part, seen at another place of it", place("/r", "/l"),
                                                  kRw, place("/r/a", "/l/b"), kRo, Verdict::Conflict},
                                         JudgeRow{"a part, seen elsewhere", place("/r", "/l"), kRw,
                                                  place("/r/a", "/x"), kRo, Verdict::Conflict},
                                         JudgeRow{"something else, seen inside", place("/r", "/l"), kRw,
                                                  place("/q", "/l/a"), kRo, Verdict::Conflict},
                                         JudgeRow{"something else with the same access, seen inside",
                                                  place("/r", "/l"), kRo, place("/q", "/l/a"), kRo,
                                                  Verdict::Conflict},
                                         JudgeRow{"the same place by two spellings", place("/r", "/l"), kRw,
                                                  place("/r", "/m"), kRw, Verdict::Redundant}));

const Identity kA = {1, 10};
const Identity kB = {1, 11};

INSTANTIATE_TEST_SUITE_P(
    Identities, JudgedPairs,
    testing::Values(JudgeRow{"the same directory read-only", place("/a", "/a", {kA}), kRw,
                             place("/b", "/b", {kA}), kRo, Verdict::Conflict},
                    JudgeRow{"the same directory writable", place("/a", "/a", {kA}), kRo,
                             place("/b", "/b", {kA}), kRw, Verdict::Conflict},
                    JudgeRow{"inside of the same directory", place("/a", "/a", {kA}), kRo,
                             place("/b/x", "/b/x", {kB, kA}), kRw, Verdict::Conflict},
                    JudgeRow{"around the same directory", place("/a/x", "/a/x", {kB, kA}), kRo,
                             place("/b", "/b", {kA}), kRw, Verdict::Conflict},
                    JudgeRow{"read-only inside of the same directory", place("/a", "/a", {kA}), kRw,
                             place("/b/x", "/b/x", {kB, kA}), kRo, Verdict::Conflict},
                    JudgeRow{"a second way with the same access", place("/a", "/a", {kA}), kRo,
                             place("/b", "/b", {kA}), kRo, Verdict::Conflict},
                    JudgeRow{"another device", place("/a", "/a", {kA}), kRo, place("/b", "/b", {{2, 10}}),
                             kRw, Verdict::Free},
                    JudgeRow{"a part by path and by identity", place("/a", "/a", {kA}), kRw,
                             place("/a/x", "/a/x", {kB, kA}), kRo, Verdict::Free}));

TEST(MountTable, OverlapsByIdentityToo) {
  MountTable table;
  table.add(mount(place("/a/x"), kRo), {kB, kA});
  EXPECT_NE(table.overlapping(place("/q", "/q", {kB})), nullptr);
  EXPECT_NE(table.overlapping(place("/q", "/q", {{1, 12}, kB})), nullptr);
  EXPECT_NE(table.overlapping(place("/q", "/q", {kA})), nullptr);
  EXPECT_EQ(table.overlapping(place("/q", "/q", {{1, 12}, kA})), nullptr) << "beside it in one directory";
}

}  // namespace
}  // namespace forge::compiler::test
