// Mounts against what is protected on the host and kept in the guest.
#include "src/resolve/protection.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compile_support.hpp"
#include "forge/policy/mount_path.hpp"

namespace forge::compiler::test {
namespace {

using policy::Access;
using policy::ControlPlaneKind;
using policy::Judgement;
using policy::Lying;
using policy::MountOrigin;
using policy::ProtectedKind;

const char* word(Access access) { return access == Access::ReadOnly ? " ro" : " rw"; }

constexpr Access kBoth[] = {Access::ReadOnly, Access::ReadWrite};

std::string path_of(const policy::ProtectedRow& row) {
  return row.base == policy::ProtectedBase::Home ? "/home/u/" + std::string(row.path) : std::string(row.path);
}

// What proof 3 of the verifier asks of one mount and one protected path.
Judgement expected(ProtectedKind kind, Lying lying, Access access) {
  const bool inside = lying == Lying::Inside;
  if (lying == Lying::Apart || (inside && (kind == ProtectedKind::Root || kind == ProtectedKind::Home))) {
    return Judgement::Fine;
  }
  const bool readable = kind == ProtectedKind::ControlPlane || kind == ProtectedKind::Credential ||
                        kind == ProtectedKind::StartFile || kind == ProtectedKind::System;
  return readable && access == Access::ReadOnly && lying != Lying::Around ? Judgement::Warned
                                                                          : Judgement::Refused;
}

Lying plain_lying(const std::string& path, const std::string& other) {
  const auto below = [](const std::string& a, const std::string& b) {
    return a.starts_with(b == "/" ? b : b + "/");
  };
  return path == other        ? Lying::At
         : below(path, other) ? Lying::Inside
         : below(other, path) ? Lying::Around
                              : Lying::Apart;
}

// Of all rows, one after the other.
Judgement gravest(const std::string& path, Access access) {
  Judgement out = std::max(expected(ProtectedKind::Home, plain_lying(path, "/home/u"), access),
                           expected(ProtectedKind::ControlPlane, plain_lying(path, "/home/u/data"), access));
  for (const policy::ProtectedRow& row : policy::protected_rows()) {
    out = std::max(out, expected(row.kind, plain_lying(path, path_of(row)), access));
  }
  return out;
}

class Protected : public testing::TestWithParam<policy::ProtectedRow> {
 protected:
  Protected() {
    for (const policy::ProtectedRow& row : policy::protected_rows()) {
      directory(path_of(row));
    }
    directory("/home/u/data");
  }

  // An entry keeps its identity: it is added once.
  void directory(const std::string& path) {
    if (host_.files.look(path).kind == policy::PathKind::Missing) {
      host_.files.add_directory(path);
    }
  }

  // The judgement of a mount of `path`, with all facts that a compilation would take.
  Judgement judged(const std::string& path, Access access) {
    const policy::Context& context = host_.request.context;
    FactQuestions questions;
    questions.paths = protected_paths(context, {});
    questions.paths.push_back(path);
    const auto facts = collect_facts(questions, host_.files, [](const policy::EnvName&) { return false; });
    const auto spelled = *policy::MountPath::from_canonical(path);
    const MountPlace place{spelled, spelled, chain_of(facts, path)};
    return Protection(facts, context, {}).judge_host(place, access, MountOrigin::Custom).judgement;
  }

  // A directory elsewhere that is the same one, as a bind mount on the host makes it.
  void alias(const std::string& path, const std::string& of) {
    directory(path);
    host_.files.fact(path).dev = host_.files.fact(of).dev;
    host_.files.fact(path).ino = host_.files.fact(of).ino;
  }

  TestHost host_;
};

TEST_P(Protected, IsJudgedAtAroundAndInside) {
  const std::string path = path_of(GetParam());
  const std::string above = path.substr(0, path.rfind('/'));
  for (const Access access : kBoth) {
    const std::string inside = (path == "/" ? "" : path) + "/x";
    for (const std::string& mount : {path, above, inside, path + "-x"}) {
      if (mount.size() > 1) {
        directory(mount);
        EXPECT_EQ(judged(mount, access), gravest(mount, access)) << mount << word(access);
      }
    }
  }
  if (path != "/") {
    EXPECT_EQ(judged(path, Access::ReadWrite), Judgement::Refused);
  }
}

TEST_P(Protected, IsFoundByDeviceAndInode) {
  const std::string path = path_of(GetParam());
  if (path == "/") {
    return;  // above everything, so that its identity says nothing
  }
  alias("/bind/same", path);
  directory("/bind/same/below");
  for (const Access access : kBoth) {
    // Only what is at or below the protected path is known of its second name.
    Judgement at = Judgement::Fine;
    for (const policy::ProtectedRow& row : policy::protected_rows()) {
      const Lying lying = plain_lying(path, path_of(row));
      at = std::max(at, expected(row.kind, lying == Lying::Inside ? Lying::Apart : lying, access));
    }
    EXPECT_EQ(judged("/bind/same", access), at) << word(access);
    EXPECT_EQ(judged("/bind/same/below", access), expected(GetParam().kind, Lying::Inside, access))
        << word(access);
  }
}

TEST_P(Protected, IsFoundByTheIdentityOfADirectoryAboveIt) {
  const std::string path = path_of(GetParam());
  const std::size_t slash = path.rfind('/');
  if (slash == 0) {
    return;
  }
  alias("/bind/around", path.substr(0, slash));
  for (const Access access : kBoth) {
    EXPECT_GE(judged("/bind/around", access), expected(GetParam().kind, Lying::Around, access));
  }
}

INSTANTIATE_TEST_SUITE_P(AllRows, Protected,
                         testing::ValuesIn(policy::protected_rows().begin(), policy::protected_rows().end()),
                         [](const testing::TestParamInfo<policy::ProtectedRow>& at) {
                           std::string name = path_of(at.param);
                           std::replace_if(
                               name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; },
                               '_');
                           return name;
                         });

TEST(Protected, CountsBeforeItExists) {
  TestHost host;
  host.files.add_directory("/home/u/.config");
  const Compiled result = host.compile(mounts(writable("/home/u/.config")));
  ASSERT_TRUE(result.plan);
  ASSERT_TRUE(result.find(policy::DiagnosticId::MountProtected));
  EXPECT_THAT(result.find(policy::DiagnosticId::MountProtected)->message, testing::HasSubstr("contains"));
}

TEST(Protected, IsFoundThroughALink) {
  TestHost host;
  host.files.add_directory("/mnt/keys");
  host.files.add_link("/home/u/.ssh", "/mnt/keys");
  host.files.add_link("/srv/keys", "/home/u/.ssh");
  for (const char* path : {"/mnt/keys", "/srv/keys", "/home/u/.ssh", "/mnt"}) {
    const Compiled result = host.compile(mounts(writable(path)));
    ASSERT_TRUE(result.plan);
    EXPECT_TRUE(result.find(policy::DiagnosticId::MountProtected)) << path;
  }
}

TEST(Protected, CountsBeforeItExistsAtItsRealPlaceToo) {
  TestHost host;
  host.files = InMemoryHostFiles();
  for (const char* path : {"/w", "/data/u/.config", "/data/u/.local/share"}) {
    host.files.add_directory(path);
  }
  host.files.add_link("/home/u", "/data/u");
  for (const char* path : {"/data/u/.config", "/data/u/.local"}) {  // .config/git and .local/bin come later
    EXPECT_TRUE(host.compile(mounts(writable(path))).find(policy::DiagnosticId::MountProtected)) << path;
  }
}

TEST(Protected, CountsBeforeItExistsBehindALinkOnTheWay) {
  TestHost host;
  host.files.add_directory("/data/conf");
  host.files.add_link("/home/u/.config", "/data/conf");
  const Compiled result = host.compile(mounts(writable("/data/conf")));
  EXPECT_TRUE(result.find(policy::DiagnosticId::MountProtected)) << ".config/git comes to be there";
}

TEST(Protected, IsFoundByASpellingThatLeadsElsewhere) {
  TestHost host;
  for (const char* path : {"/home/u/.ssh", "/srv/keys", "/srv/conf"}) {
    host.files.add_directory(path);
  }
  host.files.add_link("/home/u/.ssh/keys", "/srv/keys");
  host.files.add_link("/home/u/.config", "/srv/conf");
  for (const char* path : {"/home/u/.ssh/keys", "/home/u/.config"}) {
    EXPECT_TRUE(host.compile(mounts(writable(path))).find(policy::DiagnosticId::MountProtected)) << path;
  }
}

// ---- the guest's own directories ----

TEST(GuestPaths, AreNotHidden) {
  for (const policy::GuestPathRow& row : policy::guest_path_rows()) {
    const auto judged = [](const std::string& path) {
      return Protection::judge_guest(*policy::MountPath::from_canonical(path)).judgement;
    };
    const std::string path(row.path);
    const bool runtime = row.kind == policy::GuestPathKind::Runtime;
    EXPECT_EQ(judged(path), Judgement::Refused) << path;
    EXPECT_EQ(judged(path + "/x/y"), runtime ? Judgement::Refused : Judgement::Warned) << path;
    EXPECT_NE(judged(path + "-x"), Judgement::Refused) << path;
    if (const std::size_t slash = path.rfind('/'); slash > 0) {
      EXPECT_EQ(judged(path.substr(0, slash)), Judgement::Refused) << path;
    }
  }
  EXPECT_EQ(Protection::judge_guest(*policy::MountPath::from_canonical("/srv")).judgement, Judgement::Fine);
}

struct GuestRow {
  const char* path;
  const char* code;
};
void PrintTo(const GuestRow& row, std::ostream* out) { *out << row.path; }

class GuestMounts : public testing::TestWithParam<GuestRow> {};
TEST_P(GuestMounts, AreJudgedByWhereTheGuestSeesThem) {
  TestHost host;
  host.files.add_directory("/srv/tools");
  host.files.add_link(GetParam().path, "/srv/tools");
  const Compiled result = host.compile(mounts(read_only(GetParam().path)));
  ASSERT_TRUE(result.plan);
  EXPECT_THAT(result.codes(), testing::Contains(GetParam().code));
}
INSTANTIATE_TEST_SUITE_P(Table, GuestMounts,
                         testing::Values(GuestRow{"/usr", "FP3041"}, GuestRow{"/usr/bin", "FP3043"},
                                         GuestRow{"/usr/local", "FP3041"}, GuestRow{"/opt", "FP3043"},
                                         GuestRow{"/.msb/x", "FP3043"}, GuestRow{"/usr/lib/tool", "FP3044"},
                                         GuestRow{"/opt/forge/x", "FP3044"}));

}  // namespace
}  // namespace forge::compiler::test
