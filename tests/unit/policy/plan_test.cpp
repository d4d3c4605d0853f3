#include <gtest/gtest.h>

#include "forge/policy/plan_document.hpp"
#include "forge/policy/plan_words.hpp"
#include "forge/seal/digest.hpp"

namespace forge::policy {
namespace {

MountPath path(const char* text) { return *MountPath::from_canonical(text); }
EnvName env(const char* text) { return *EnvName::from_canonical(text); }
HostRule rule(const char* kind, const char* value) { return *host_rule_from_canonical(kind, value); }

// Every field away from its default, so that a field the codec forgets is seen.
Plan full_plan() {
  Plan plan(*ImageReference::from_canonical("registry.example.org:5000/team/image:1.2"));
  plan.compiler = {"forge-policy", "1.2.3", "idna 1", "psl 2"};
  plan.config_path = "config.jsonc";
  plan.config_sha256 = std::string(64, 'a');
  plan.facts_sha256 = std::string(64, 'b');
  plan.facts = {
      "linux",
      {{"/a", PathKind::Directory, "/real/a", 18446744073709551615U, 2}, {"/b", PathKind::Missing, "", 0, 0}},
      {env("A"), env("B")}};
  plan.overrides = {8, Mebibytes{1}, Mebibytes{2}, Mebibytes{3}, Lan::Open, Enabled::Off};
  plan.name = SandboxName::derive("fix");
  plan.enabled = Enabled::Off;
  plan.session = Session::Host;
  plan.context = {"/w", "/p", "/h", "/d", "/o", "/t"};
  plan.control_plane = {{"/d", 1, 2, "why"}};
  plan.actions = {{"/t", 0700}};
  plan.resources = {2,
                    {3},
                    {4},
                    {5},
                    ValueOrigin::Config,
                    ValueOrigin::Override,
                    ValueOrigin::Default,
                    ValueOrigin::Config};
  plan.mounts = {{PathSource{path("/real/w"), PathMountKind::Directory}, path("/w"), Access::ReadWrite,
                  MountOrigin::Worktree, std::nullopt},
                 {PathSource{path("/f"), PathMountKind::File}, path("/f"), Access::ReadOnly,
                  MountOrigin::Custom, Span{4, 9}},
                 {DiskSource{"forge-fix-docker-data", {7}}, path("/var/lib/docker"), Access::ReadWrite,
                  MountOrigin::DockerDisk, std::nullopt}};
  plan.dropped = {{"x", "mounts[0]", DiagnosticId::MountMissing, "/w", Span{1, 2}},
                  {"y", "env[1]", DiagnosticId::EnvUnset, "", std::nullopt}};
  plan.egress = {EgressMode::AllowListAndPrivate,
                 {{rule("domain", "a.example"), "allow[0]"},
                  {rule("suffix", "b.example"), "secret:A"},
                  {rule("ip", "203.0.113.1"), "allow[2]"},
                  {rule("cidr", "203.0.113.0/24"), "allow[3]"},
                  {rule("group", "private"), "allowLan"}}};
  plan.env = {env("B")};
  plan.secrets = {{env("A"), {rule("domain", "a.example"), rule("suffix", "b.example")}, Binding::Bound},
                  {env("C"), {rule("domain", "c.example")}, Binding::Unbound}};
  plan.permissions = {Enabled::Off, {{"bash", "rm *"}}, {{"bash", "git push *"}}, {{"read", "*"}}};
  plan.warnings = {"one"};
  plan.diagnostics = {{DiagnosticId::HostBlank,
                       "m",
                       "f",
                       PlacedRange{{1, 2, 3}, {4, 5, 6}},
                       "/p",
                       "h",
                       {{"r", {{1, 1, 0}, {1, 2, 1}}}}},
                      {DiagnosticId::LanOpen, "n", "f", std::nullopt, "", "", {}}};
  return plan;
}

std::string sealed(const Plan& plan) { return seal::seal_plan(plan).value_or(""); }

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
  const auto changed = seal::read_sealed_plan(replaced(text, "a.example", "z.example"));
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
        Edit{"\"size_mib\":7", "\"size_mib\":-7", "size_mib is not a number in range"},
        Edit{"\"dev\":\"18446744073709551615\"", "\"dev\":\"18446744073709551616\"",
             "dev is not a decimal string"},
        Edit{"\"kind\":\"missing\",\"path\":\"/b\"", "\"kind\":\"missing\",\"path\":\"/A\"", "is not sorted"},
        Edit{"\"layout\":\"none\"", "\"layout\":\"worktree\"", "layout is not `none`"},
        Edit{"\"image\":\"registry", "\"image\":\"-registry", "image is not an image reference"},
        Edit{"\"name\":\"forge-fix\"", "\"name\":\"forge-Fix\"", "name is not a sandbox name"},
        Edit{"\"severity\":\"error\"", "\"severity\":\"note\"", "severity is not"},
        Edit{"\"code\":\"FP3008\"", "\"code\":\"FP0001\"", "code is not a known"}));

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
