#include <gtest/gtest.h>

#include "forge/policy/plan_words.hpp"
#include "full_plan.hpp"

namespace forge::policy {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The document with another digest, as someone who edits a plan would make it.
std::string resealed(const std::string& text) {
  const std::size_t at = text.find(",\"digest\":\"sha256:");
  const std::string without = text.substr(0, at) + text.substr(at + 18 + 64 + 1);
  return text.substr(0, at) + ",\"digest\":\"sha256:" + seal::sha256_hex(without).value_or("") + "\"" +
         without.substr(at);
}

TEST(PlanDocument, ReadsBackEveryField) {
  const Plan plan = full_plan();
  const auto again = seal::read_sealed_plan(sealed(plan));
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(*again, plan);
}

// What full_plan cannot hold beside its overrides and its allow list.
TEST(PlanDocument, ReadsBackWhatTheConfigSays) {
  Plan plan = full_plan();
  plan.overrides = {};
  plan.resources = {
      1, {1}, {2}, {3}, ValueOrigin::Config, ValueOrigin::Default, ValueOrigin::Config, ValueOrigin::Default};
  plan.enabled = Enabled::On;
  plan.egress = {EgressMode::PublicAndPrivate, {}};
  const auto again = seal::read_sealed_plan(sealed(plan));
  ASSERT_TRUE(again) << again.error().detail;
  EXPECT_EQ(*again, plan);
}

TEST(PlanDocument, IsCanonicalJson) {
  const std::string text = sealed(full_plan());
  const auto json = read_canonical_json(text);
  ASSERT_TRUE(json) << json.error().detail;
  EXPECT_EQ(encode(*json), text);
}

TEST(PlanDocument, NamesWhatTheCallerNeeds) {
  EXPECT_EQ(full_plan().required_env(), (std::vector<EnvName>{env("B"), env("A")}));
  EXPECT_NE(sealed(full_plan()).find("\"placeholder\":\"$MSB_A\""), std::string::npos);
}

TEST(PlanDocument, RefusesChangedBytes) {
  const std::string text = sealed(full_plan());
  const auto changed = seal::read_sealed_plan(replaced(text, "allow[0]", "allow[7]"));
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().detail,
            "the digest is not that of the document: it was changed after it was compiled");
}

struct Edit {
  const char* from;
  const char* to;
  const char* problem;
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.from << " -> " << edit.to; }

class EditedPlan : public testing::TestWithParam<Edit> {};
TEST_P(EditedPlan, IsRefusedWithItsPlace) {
  const auto plan =
      seal::read_sealed_plan(resealed(replaced(sealed(full_plan()), GetParam().from, GetParam().to)));
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().detail.find(GetParam().problem), std::string::npos) << plan.error().detail;
}
INSTANTIATE_TEST_SUITE_P(
    Table, EditedPlan,
    testing::Values(
        Edit{"forge-policy/plan/v1", "forge-policy/plan/v2", "this version reads"},
        Edit{"\"warnings\":[\"one\"]", "\"warnings\":[\"one\"],\"x\":1", "/x is not known"},
        Edit{"\"warnings\":[\"one\"]", "\"warnings\":[1]", "warnings[0] is not a string"},
        Edit{"\"host\":\"/real/w\"", "\"host\":\"/real/../w\"", "host is not a path"},
        Edit{"\"access\":\"rw\"", "\"access\":\"rwx\"", "access is not a known word"},
        Edit{"\"action\":\"allow\"", "\"action\":\"deny\"", "action is not `allow`"},
        Edit{"\"value\":\"a.example\"", "\"value\":\"A.example\"", "value is not a canonical destination"},
        Edit{"\"$MSB_A\"", "\"$MSB_B\"", "placeholder is not"},
        Edit{"\"required_env\":[\"B\",\"A\"]", "\"required_env\":[\"B\"]", "required_env is not what"},
        Edit{"\"size_mib\":2", "\"size_mib\":-2", "size_mib is not a number in range"},
        Edit{"\"dev\":\"18446744073709551615\"", "\"dev\":\"18446744073709551616\"",
             "dev is not a decimal string"},
        Edit{"\"path\":\"/b\"", "\"path\":\"/z\"", "is not sorted"},
        Edit{"\"layout\":\"none\"", "\"layout\":\"worktree\"", "layout is not a known word"},
        Edit{"\"image\":\"registry", "\"image\":\"-registry", "image is not an image reference"},
        Edit{"\"name\":\"forge-fix\"", "\"name\":\"forge-Fix\"", "name is not a sandbox name"},
        Edit{"\"severity\":\"error\"", "\"severity\":\"note\"", "severity is not"},
        Edit{"\"code\":\"FP3008\"", "\"code\":\"FP0001\"", "code is not a known"}));

// A plan that says one thing here and another thing there, with right digests.
struct Contradiction {
  const char* name;
  void (*make)(Plan& plan);
  const char* problem;
};
void PrintTo(const Contradiction& row, std::ostream* out) { *out << row.name; }

class ContradictoryPlan : public testing::TestWithParam<Contradiction> {};
TEST_P(ContradictoryPlan, IsRefused) {
  Plan plan = full_plan();
  GetParam().make(plan);
  plan.facts_sha256 = seal::sha256_hex(encode_facts(plan.facts)).value_or("");
  const auto read = seal::read_sealed_plan(sealed(plan));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().detail.find(GetParam().problem), std::string::npos) << read.error().detail;
}

std::vector<Mount>::iterator docker_disk(Plan& plan) { return plan.mounts.end() - 2; }
DiskSource& docker_source(Plan& plan) { return std::get<DiskSource>(docker_disk(plan)->source); }

INSTANTIATE_TEST_SUITE_P(
    Mounts, ContradictoryPlan,
    testing::Values(
        Contradiction{"a disk that cannot be written",
                      [](Plan& plan) { docker_disk(plan)->access = Access::ReadOnly; },
                      "/mounts[3]/access is not `rw`"},
        Contradiction{"a disk of another sandbox",
                      [](Plan& plan) { docker_source(plan).volume = "forge-other-docker-data"; },
                      "/mounts[3]/volume is not"},
        Contradiction{"the other disk's volume",
                      [](Plan& plan) { docker_source(plan).volume = plan.name.cache_volume(); },
                      "/mounts[3]/volume is not"},
        Contradiction{"a disk of another size", [](Plan& plan) { docker_source(plan).size.count = 9; },
                      "/mounts[3]/size_mib is not"},
        Contradiction{"a disk that is no disk",
                      [](Plan& plan) { docker_disk(plan)->origin = MountOrigin::Custom; },
                      "/mounts[3]/origin is not that of a disk"},
        Contradiction{"a path that is a disk",
                      [](Plan& plan) { plan.mounts[2].origin = MountOrigin::CacheDisk; },
                      "/mounts[2]/access is not `rw`"},
        Contradiction{"a path that is a writable disk",
                      [](Plan& plan) {
                        plan.mounts[2].origin = MountOrigin::CacheDisk;
                        plan.mounts[2].access = Access::ReadWrite;
                      },
                      "/mounts[2]/origin is that of a disk"},
        Contradiction{"no disk", [](Plan& plan) { plan.mounts.erase(docker_disk(plan)); },
                      "/mounts has none of origin docker-disk"},
        Contradiction{"no cache", [](Plan& plan) { plan.mounts.pop_back(); },
                      "/mounts has none of origin cache-disk"},
        Contradiction{"two disks",
                      [](Plan& plan) {
                        plan.mounts.push_back(*docker_disk(plan));
                        plan.mounts.back().guest = path("/other");
                      },
                      "/mounts[5]/origin is that of an earlier mount"},
        Contradiction{"no mount at all", [](Plan& plan) { plan.mounts.clear(); }, "none of origin worktree"},
        Contradiction{"no worktree", [](Plan& plan) { plan.mounts.erase(plan.mounts.begin()); },
                      "none of origin worktree"},
        Contradiction{"a worktree behind another mount",
                      [](Plan& plan) { std::swap(plan.mounts[0], plan.mounts[1]); },
                      "/mounts[1]/origin is worktree, which only the first"},
        Contradiction{"two worktrees", [](Plan& plan) { plan.mounts[1].origin = MountOrigin::Worktree; },
                      "/mounts[1]/origin is worktree, which only the first"},
        Contradiction{"a worktree that cannot be written",
                      [](Plan& plan) { plan.mounts[0].access = Access::ReadOnly; },
                      "/mounts[0]/access is not `rw`"},
        Contradiction{"another worktree", [](Plan& plan) { plan.context.worktree = "/v"; },
                      "/mounts[0]/guest is not the directory of its origin"},
        Contradiction{"a project that can be written",
                      [](Plan& plan) {
                        plan.context.project = "/f";
                        plan.mounts[2].origin = MountOrigin::Project;
                        plan.mounts[2].access = Access::ReadWrite;
                      },
                      "/mounts[2]/access is not `ro`"},
        Contradiction{"an external that can be written",
                      [](Plan& plan) {
                        plan.mounts[2].origin = MountOrigin::External;
                        plan.mounts[2].access = Access::ReadWrite;
                      },
                      "/mounts[2]/access is not `ro`"},
        Contradiction{"one guest twice", [](Plan& plan) { plan.mounts[2].guest = path("/t"); },
                      "/mounts[2]/guest is taken"},
        Contradiction{"a host that the facts do not lead to",
                      [](Plan& plan) { std::get<PathSource>(plan.mounts[2].source).host = path("/etc"); },
                      "/mounts[2]/host is not what the facts say"},
        Contradiction{"a file that is a directory",
                      [](Plan& plan) { plan.facts.paths[1].kind = PathKind::Directory; },
                      "/mounts[2]/host is not what the facts say"},
        Contradiction{"a mount nobody looked at",
                      [](Plan& plan) {
                        plan.mounts[2].source = PathSource{path("/n"), PathMountKind::Directory};
                        plan.mounts[2].guest = path("/n");
                      },
                      "/mounts[2]/host is not what the facts say"},
        Contradiction{"a temp directory nobody makes", [](Plan& plan) { plan.actions.clear(); },
                      "/mounts[1]/host is not what the facts say"},
        Contradiction{"a kernel directory of the host",
                      [](Plan& plan) {
                        plan.facts.paths[1].real_path = "/proc/1";
                        std::get<PathSource>(plan.mounts[2].source).host = path("/proc/1");
                      },
                      "/mounts[2]/host belongs to the kernel"},
        Contradiction{"a kernel directory of the guest",
                      [](Plan& plan) { docker_disk(plan)->guest = path("/sys"); },
                      "/mounts[3]/guest belongs to the kernel"},
        Contradiction{"a device directory", [](Plan& plan) { docker_disk(plan)->guest = path("/dev/shm"); },
                      "/mounts[3]/guest belongs to the kernel"}));

INSTANTIATE_TEST_SUITE_P(
    PathsAndOverrides, ContradictoryPlan,
    testing::Values(
        Contradiction{"an action above",
                      [](Plan& plan) { std::get<EnsureDir>(plan.actions[0]).path = "/t/.."; },
                      "/actions[0]/path is not a path"},
        Contradiction{"an action at the root",
                      [](Plan& plan) { std::get<EnsureDir>(plan.actions[0]).path = "/"; },
                      "/actions[0]/path is not a path"},
        Contradiction{"a relative control plane", [](Plan& plan) { plan.control_plane[0].path = "d"; },
                      "/control_plane[0]/path is not an absolute path"},
        Contradiction{"a control plane with a slash behind",
                      [](Plan& plan) { plan.control_plane[0].path = "/d/"; },
                      "/control_plane[0]/path is not an absolute path"},
        Contradiction{"a relative home", [](Plan& plan) { plan.context.home = ""; },
                      "context/home is not an absolute path"},
        Contradiction{"a project with an escape", [](Plan& plan) { plan.context.project = "/p\x1b[2J"; },
                      "context/project is not an absolute path"},
        Contradiction{"a data directory with a dot", [](Plan& plan) { plan.context.data_dir = "/d/./e"; },
                      "context/data_dir is not an absolute path"},
        Contradiction{"a tool output with two slashes", [](Plan& plan) { plan.context.tool_output = "//o"; },
                      "context/tool_output is not an absolute path"},
        Contradiction{"a temp directory above", [](Plan& plan) { plan.context.tmp = "/t/../u"; },
                      "context/tmp is not an absolute path"},
        Contradiction{"a relative worktree", [](Plan& plan) { plan.context.worktree = "w"; },
                      "context/worktree is not an absolute path"},
        Contradiction{"a fact about a relative path", [](Plan& plan) { plan.facts.paths[0].path = "."; },
                      "facts/paths[0]/path is not an absolute path"},
        Contradiction{"a sandbox on that is turned off", [](Plan& plan) { plan.enabled = Enabled::On; },
                      "sandbox/enabled is not what the overrides say"},
        Contradiction{"other processors", [](Plan& plan) { plan.resources.cpus = 9; },
                      "resources/cpus is not the override's value"},
        Contradiction{"other memory", [](Plan& plan) { plan.resources.memory.count = 9; },
                      "resources/memory_mib is not the override's value"},
        Contradiction{"another docker disk", [](Plan& plan) { plan.resources.docker_disk.count = 9; },
                      "resources/docker_disk_mib is not the override's value"},
        Contradiction{"another cache disk", [](Plan& plan) { plan.resources.cache_disk.count = 9; },
                      "resources/cache_disk_mib is not the override's value"},
        Contradiction{"an override that is none", [](Plan& plan) { plan.overrides.memory.reset(); },
                      "resources/origin/memory_mib is not what"},
        Contradiction{"an override from the config",
                      [](Plan& plan) { plan.resources.cpus_origin = ValueOrigin::Config; },
                      "resources/origin/cpus is not what"},
        Contradiction{"a network that is closed", [](Plan& plan) { plan.overrides.lan = Lan::Closed; },
                      "egress/mode is not what the overrides say"},
        Contradiction{"no processor", [](Plan& plan) { plan.resources.cpus = 0, plan.overrides.cpus = 0; },
                      "overrides/cpus is not a number in range"},
        Contradiction{"256 processors", [](Plan& plan) { plan.resources.cpus = 256; },
                      "resources/cpus is not a number in range"},
        Contradiction{"no memory", [](Plan& plan) { plan.resources.memory.count = 0; },
                      "resources/memory_mib is not a number in range"},
        Contradiction{"no disk space", [](Plan& plan) { docker_source(plan).size.count = 0; },
                      "mounts[3]/size_mib is not a number in range"}));

void set_rule(Plan& plan, const char* kind, const char* value) {
  plan.egress.rules[3].to = rule(kind, value);
}

INSTANTIATE_TEST_SUITE_P(
    Egress, ContradictoryPlan,
    testing::Values(
        Contradiction{"rules of an open mode",
                      [](Plan& plan) { plan.egress.mode = EgressMode::PublicAndPrivate; },
                      "egress/rules is not empty"},
        Contradiction{"rules of a public mode",
                      [](Plan& plan) {
                        plan.overrides.lan.reset();
                        plan.egress.mode = EgressMode::Public;
                      },
                      "egress/rules is not empty"},
        Contradiction{"a group without its mode",
                      [](Plan& plan) {
                        plan.overrides.lan.reset();
                        plan.egress.mode = EgressMode::AllowList;
                      },
                      "egress/rules does not end as"},
        Contradiction{"a mode without its group", [](Plan& plan) { plan.egress.rules.pop_back(); },
                      "egress/rules does not end as"},
        Contradiction{"a group before the last",
                      [](Plan& plan) { std::swap(plan.egress.rules[4], plan.egress.rules[5]); },
                      "egress/rules does not end as"},
        Contradiction{"two groups", [](Plan& plan) { plan.egress.rules[0] = plan.egress.rules.back(); },
                      "egress/rules[0] is a group"},
        Contradiction{"a rule twice", [](Plan& plan) { plan.egress.rules[2].to = plan.egress.rules[0].to; },
                      "egress/rules[2] is a rule of before"},
        Contradiction{"a network too wide", [](Plan& plan) { set_rule(plan, "cidr", "8.0.0.0/7"); },
                      "egress/rules[3]/value is wider than /8"},
        Contradiction{"everything", [](Plan& plan) { set_rule(plan, "cidr", "0.0.0.0/0"); },
                      "egress/rules[3]/value is wider than /8"},
        Contradiction{"loopback", [](Plan& plan) { set_rule(plan, "ip", "127.0.0.1"); },
                      "egress/rules[3]/value overlaps 127.0.0.0/8"},
        Contradiction{"metadata", [](Plan& plan) { set_rule(plan, "ip", "169.254.169.254"); },
                      "egress/rules[3]/value overlaps 169.254.169.254/32"},
        Contradiction{"a network around metadata", [](Plan& plan) { set_rule(plan, "cidr", "169.0.0.0/8"); },
                      "egress/rules[3]/value overlaps 169.254.169.254/32"},
        Contradiction{"the gateways", [](Plan& plan) { set_rule(plan, "ip", "172.16.0.1"); },
                      "egress/rules[3]/value overlaps 172.16.0.0/12"},
        Contradiction{"private space of a closed network",
                      [](Plan& plan) {
                        plan.overrides.lan.reset();
                        plan.egress.mode = EgressMode::AllowList;
                        plan.egress.rules.pop_back();
                        set_rule(plan, "ip", "10.0.0.1");
                      },
                      "egress/rules[3]/value overlaps 10.0.0.0/8"},
        Contradiction{"an origin in words", [](Plan& plan) { plan.egress.rules[0].origin = "allow"; },
                      "egress/rules[0]/origin is not where"},
        Contradiction{"an origin with a zero before",
                      [](Plan& plan) { plan.egress.rules[0].origin = "allow[01]"; },
                      "egress/rules[0]/origin is not where"},
        Contradiction{"the group's origin", [](Plan& plan) { plan.egress.rules[0].origin = "allowLan"; },
                      "egress/rules[0]/origin is not where"},
        Contradiction{"a group of the list", [](Plan& plan) { plan.egress.rules[5].origin = "allow[5]"; },
                      "egress/rules[5]/origin is not where"},
        Contradiction{"a secret that is none", [](Plan& plan) { plan.egress.rules[1].origin = "secret:B"; },
                      "egress/rules[1]/origin is not where"},
        Contradiction{"a secret of other hosts", [](Plan& plan) { plan.egress.rules[1].origin = "secret:C"; },
                      "egress/rules[1]/origin is not where"}));

INSTANTIATE_TEST_SUITE_P(
    Names, ContradictoryPlan,
    testing::Values(
        Contradiction{"a variable twice", [](Plan& plan) { plan.env.push_back(env("B")); },
                      "/env[1] is a name of before"},
        Contradiction{"a variable of the runtime",
                      [](Plan& plan) {
                        plan.env[0] = env("MSB_HOME");
                        plan.facts.env_set = {env("A"), env("MSB_HOME")};
                      },
                      "/env[0] is a name of the runtime"},
        Contradiction{"a variable that is not set", [](Plan& plan) { plan.facts.env_set.pop_back(); },
                      "/env[0] is not set by the facts"},
        Contradiction{"a secret in the clear", [](Plan& plan) { plan.env[0] = env("A"); },
                      "/secrets[0]/env is a name of before"},
        Contradiction{"a secret twice", [](Plan& plan) { plan.secrets[1].env = env("A"); },
                      "/secrets[1]/env is a name of before"},
        Contradiction{"a secret of the runtime", [](Plan& plan) { plan.secrets[1].env = env("MSB_C"); },
                      "/secrets[1]/env is a name of the runtime"},
        Contradiction{"a secret bound to nothing",
                      [](Plan& plan) { plan.secrets[1].binding = Binding::Bound; },
                      "/secrets[1]/bound is not what the facts say"},
        Contradiction{"a name that begins with another", [](Plan& plan) { plan.secrets[1].env = env("A2"); },
                      "/secrets has a name that begins with another one, A"},
        Contradiction{"a secret for nobody", [](Plan& plan) { plan.secrets[1].hosts.clear(); },
                      "/secrets[1]/hosts is empty"},
        Contradiction{"a host twice",
                      [](Plan& plan) { plan.secrets[1].hosts.push_back(plan.secrets[1].hosts[0]); },
                      "/secrets[1]/hosts[1] is a host of before"},
        Contradiction{"a host of one label",
                      [](Plan& plan) { plan.secrets[1].hosts[0] = rule("domain", "c"); },
                      "/secrets[1]/hosts[0] is a private name"},
        Contradiction{"a host that no rule opens",
                      [](Plan& plan) { plan.secrets[1].hosts[0] = rule("domain", "c.ad.example"); },
                      "/secrets[1]/hosts[0] is not reached"},
        Contradiction{"a suffix that only a name opens",
                      [](Plan& plan) { plan.secrets[1].hosts[0] = rule("suffix", "a.example"); },
                      "/secrets[1]/hosts[0] is not reached"},
        Contradiction{"a suffix above the opened one",
                      [](Plan& plan) {
                        plan.egress.rules[4].to = rule("suffix", "c.d.example");
                        plan.secrets[1].hosts[0] = rule("suffix", "d.example");
                      },
                      "/secrets[1]/hosts[0] is not reached"}));

TEST(PlanDocument, OpensPrivateSpaceWithTheLocalNetwork) {
  Plan plan = full_plan();
  set_rule(plan, "cidr", "10.1.0.0/16");
  EXPECT_TRUE(seal::read_sealed_plan(sealed(plan)));
}

TEST(PlanDocument, TakesTheRootWhereNothingIsMounted) {
  Plan plan = full_plan();
  plan.context.home = plan.context.project = plan.control_plane[0].path = "/";
  EXPECT_TRUE(seal::read_sealed_plan(sealed(plan)));
}

TEST(PlanDocument, TakesAsManyProcessorsAsTheRuntime) {
  Plan plan = full_plan();
  plan.resources.cpus = 255;
  plan.overrides.cpus = 255;
  EXPECT_TRUE(seal::read_sealed_plan(sealed(plan)));
}

TEST(PlanDocument, RefusesFactsOfAnotherDigest) {
  Plan plan = full_plan();
  plan.facts.platform = "macos";
  const auto read = seal::read_sealed_plan(sealed(plan));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().detail, "source/facts_sha256 is not the digest of the facts");
}

// Errors go to a terminal.
TEST(PlanDocument, EscapesWhatItQuotes) {
  Plan plan = full_plan();
  plan.diagnostics[0].file = "a\x1b[2Jb";
  const auto constant = seal::read_sealed_plan(resealed(
      replaced(sealed(plan), R"("file":"a\u001b[2Jb","message":"r")", R"("file":"c","message":"r")")));
  ASSERT_FALSE(constant);
  EXPECT_EQ(constant.error().detail, "/diagnostics[0]/related[0]/file is not `a\\u{1B}[2Jb`");
  const auto unknown = seal::read_sealed_plan(
      resealed(replaced(sealed(full_plan()), "\"warnings\":", R"("v\u001b[2J":1,"warnings":)")));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().detail, "/v\\u{1B}[2J is not known to this version");
}

TEST(PlanDocument, NeedsADigest) {
  std::string text = sealed(full_plan());
  const std::size_t at = text.find("\"digest\"");
  text.erase(at, text.find(',', at) + 1 - at);
  EXPECT_FALSE(seal::read_sealed_plan(text));
}

TEST(Digest, IsSha256) {
  EXPECT_EQ(seal::sha256_hex("abc").value_or(""),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace forge::policy
