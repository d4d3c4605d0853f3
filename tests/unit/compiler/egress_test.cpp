#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile_support.hpp"
#include "forge/compiler/targets.hpp"

namespace forge::compiler::test {
namespace {

using policy::DiagnosticId;
using policy::EgressMode;

std::string network(const std::string& members) { return R"({"sandbox":{"network":{)" + members + "}}}"; }

struct IntentRow {
  const char* members;
  EgressMode mode;
};
void PrintTo(const IntentRow& row, std::ostream* out) { *out << row.members; }

// Restriction follows from the text alone.
class Intent : public testing::TestWithParam<IntentRow> {};
TEST_P(Intent, DependsOnTheTextAlone) {
  TestHost host;
  for (const bool set : {false, true}) {
    if (set) {
      host.env = {"T", "U"};
    }
    const Compiled result = host.compile(network(GetParam().members));
    ASSERT_TRUE(result.plan);
    EXPECT_EQ(result.plan->egress.mode, GetParam().mode);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Table, Intent,
    testing::Values(IntentRow{"", EgressMode::Public}, IntentRow{R"("allow":[])", EgressMode::Public},
                    IntentRow{R"("allow":[],"secrets":[])", EgressMode::Public},
                    IntentRow{R"("allow":["*"])", EgressMode::Public},
                    IntentRow{R"("allow":["**"])", EgressMode::Public},
                    IntentRow{R"("allow":["a.example","*"])", EgressMode::Public},
                    IntentRow{R"("allow":["*"],"secrets":[{"env":"T","hosts":["a.example"]}])",
                              EgressMode::Public},
                    IntentRow{R"("allow":["a.example"])", EgressMode::AllowList},
                    IntentRow{R"("allow":["bad host"])", EgressMode::AllowList},
                    IntentRow{R"("allow":[" "])", EgressMode::AllowList},
                    IntentRow{R"("secrets":[{"env":"T","hosts":["a.example"]}])", EgressMode::AllowList},
                    IntentRow{R"("secrets":[{"env":" ","hosts":["a.example"]}])", EgressMode::AllowList},
                    IntentRow{R"("secrets":[{"env":"T","hosts":["*"]}])", EgressMode::AllowList},
                    IntentRow{R"("secrets":[{}])", EgressMode::AllowList},
                    IntentRow{R"("allowLan":true)", EgressMode::PublicAndPrivate},
                    IntentRow{R"("allowLan":true,"allow":["a.example"])", EgressMode::AllowListAndPrivate},
                    IntentRow{R"("allowLan":true,"allow":["a:1"])", EgressMode::AllowListAndPrivate}));

TEST(Egress, RulesComeFromValidatedEntriesInOrder) {
  TestHost host;
  host.env = {"T"};
  const Compiled result = host.compile(network(
      R"("allow":["B.example.","suffix=a.example","203.0.113.0/24","b.example"],"allowLan":true,"secrets":[{"env":"T","hosts":["b.example","c.example"]}])"));
  ASSERT_TRUE(result.plan);
  std::vector<std::string> rules;
  for (const policy::EgressRule& rule : result.plan->egress.rules) {
    rules.push_back(rule.origin + " " + policy::spelling_of(rule.to));
  }
  EXPECT_THAT(rules,
              testing::ElementsAre("allow[0] b.example", "allow[1] *.a.example", "allow[2] 203.0.113.0/24",
                                   "secret:T c.example", "allowLan private"));
  EXPECT_TRUE(result.find(DiagnosticId::HostDuplicate));
  EXPECT_TRUE(result.find(DiagnosticId::NameNormalised));
}

TEST(Egress, TheDocumentedWayToReachNothingHasNoFinding) {
  const Compiled result = TestHost().compile(network(R"("allow":["nothing.invalid"])"));
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->egress.mode, EgressMode::AllowList);
  for (const policy::Diagnostic& finding : result.findings) {
    EXPECT_EQ(finding.severity(), policy::Severity::Note) << finding.message;
  }
}

struct HostRow {
  const char* host;
  const char* code;  // empty: accepted without an error
};
void PrintTo(const HostRow& row, std::ostream* out) { *out << row.host; }

class JudgedHosts : public testing::TestWithParam<HostRow> {};
TEST_P(JudgedHosts, GetTheirCode) {
  const Compiled result =
      TestHost().compile(network(R"("allow":[")" + std::string(GetParam().host) + R"("])"));
  std::string first_error;
  for (const policy::Diagnostic& finding : result.findings) {
    if (finding.severity() == policy::Severity::Error && first_error.empty()) {
      first_error = policy::code_text(finding.id);
    }
  }
  EXPECT_EQ(first_error, GetParam().code);
  ASSERT_TRUE(result.plan) << "a wrong host is left out, it does not stop the plan";
  EXPECT_EQ(result.plan->egress.rules.size(), first_error.empty() ? 1U : 0U);
  EXPECT_EQ(result.plan->dropped.size(), first_error.empty() ? 0U : 1U);
}
INSTANTIATE_TEST_SUITE_P(
    Table, JudgedHosts,
    testing::Values(HostRow{"example.com", ""}, HostRow{"domain=gitea", ""}, HostRow{"*.co.uk", ""},
                    HostRow{"203.0.113.9", ""}, HostRow{"b\u00fccher.example", ""},
                    HostRow{"xn--bcher-kva.example", ""}, HostRow{"r3---sn-x.example.com", ""},
                    HostRow{"10.0.0.1", "FP2014"}, HostRow{"172.17.0.1", "FP2014"},
                    HostRow{"100.100.100.200", "FP2015"}, HostRow{"168.63.129.16", "FP2015"},
                    HostRow{"127.0.0.1", "FP2015"}, HostRow{"169.254.0.0/16", "FP2015"},
                    HostRow{"0.0.0.0/8", "FP2015"}, HostRow{"host.microsandbox.internal.", "FP2016"},
                    HostRow{"HOST.docker.internal", "FP2016"}, HostRow{"*.google.internal", "FP2016"},
                    HostRow{"domain=localhost", "FP2016"}, HostRow{"a.localhost", "FP2016"},
                    HostRow{"10.0.0.1.nip.io", "FP2016"}, HostRow{"nas.local", "FP2016"},
                    HostRow{"domain=metadata", "FP2016"}, HostRow{"xn--zzzzzzz-.example", "FP2008"},
                    HostRow{"xn--a-b-.example", "FP2008"}, HostRow{"xn--99zzzz99.example", "FP2018"},
                    HostRow{"\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1", "FP2018"},
                    HostRow{"a.\xEF\xBC\x90\xEF\xBD\x98\xEF\xBC\x97\xEF\xBD\x86", "FP2018"},
                    HostRow{"localhost\xE3\x80\x82", "FP2006"},
                    HostRow{"domain=localhost\xE3\x80\x82", "FP2016"}));

TEST(Egress, LanOpensNamesAndPrivateAddressesButNeverGateways) {
  const std::string hosts =
      R"("allowLan":true,"allow":["nas.local","10.0.0.1","172.17.0.1","169.254.169.254"])";
  const Compiled result = TestHost().compile(network(hosts));
  ASSERT_TRUE(result.plan);
  ASSERT_EQ(result.plan->egress.rules.size(), 3U);
  EXPECT_EQ(policy::spelling_of(result.plan->egress.rules[0].to), "nas.local");
  EXPECT_EQ(policy::spelling_of(result.plan->egress.rules[1].to), "10.0.0.1");
  EXPECT_EQ(result.errors, 2U);
}

TEST(Egress, MixedScriptsAreWarned) {
  // The second letter is Cyrillic.
  const Compiled mixed = TestHost().compile(network(R"("allow":["p\u0430ypal.example"])"));
  EXPECT_TRUE(mixed.find(DiagnosticId::MixedScripts));
  const Compiled pure = TestHost().compile(network(R"("allow":["\u4f8b\u3048.example"])"));
  EXPECT_FALSE(pure.find(DiagnosticId::MixedScripts));
  EXPECT_TRUE(pure.find(DiagnosticId::NameConverted));
}

TEST(Secrets, WrongOnesAreLeftOutAndStillRestrict) {
  TestHost host;
  host.env = {"TOK", "TOK2", "A"};
  const Compiled result = host.compile(network(
      R"("env":["A"],"secrets":[{"env":"TOK","hosts":["a.example"]},{"env":"TOK2","hosts":["b.example"]},{"env":"A","hosts":["c.example"]},{"env":"X=1","hosts":["d.example"]},{"env":"G","hosts":["*.github.io","10.0.0.5","domain=gitea"]}])"));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.find(DiagnosticId::SecretPlaceholderPrefix));
  EXPECT_TRUE(result.find(DiagnosticId::SecretAlsoEnv));
  EXPECT_TRUE(result.find(DiagnosticId::SecretNameInvalid));
  EXPECT_TRUE(result.find(DiagnosticId::SecretHostTooBroad));
  EXPECT_TRUE(result.find(DiagnosticId::SecretHostNotAName));
  EXPECT_TRUE(result.plan->env.empty());
  ASSERT_EQ(result.plan->secrets.size(), 2U);
  EXPECT_EQ(result.plan->secrets[0].env.text(), "TOK");
  EXPECT_EQ(result.plan->secrets[1].env.text(), "A");
}

TEST(Secrets, EntriesForOneVariableMerge) {
  TestHost host;
  host.env = {"T"};
  const Compiled result = host.compile(network(
      R"("secrets":[{"env":"T","hosts":["a.example"]},{"env":"T","hosts":["b.example","a.example"]}])"));
  ASSERT_TRUE(result.plan);
  ASSERT_EQ(result.plan->secrets.size(), 1U);
  EXPECT_EQ(result.plan->secrets[0].hosts.size(), 2U);
  EXPECT_THAT(target(policy::TargetId::Msb).create(*result.plan),
              testing::Contains("--secret=T@a.example,b.example"));
}

TEST(Secrets, UnboundKeepsHostsAndEmitsNoFlag) {
  const Compiled result = TestHost().compile(network(R"("secrets":[{"env":"T","hosts":["a.example"]}])"));
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->secrets[0].binding, policy::Binding::Unbound);
  EXPECT_EQ(result.plan->egress.rules.size(), 1U);
  EXPECT_TRUE(result.plan->required_env().empty());
  EXPECT_THAT(target(policy::TargetId::Msb).create(*result.plan),
              testing::Not(testing::Contains(testing::HasSubstr("--secret"))));
  EXPECT_TRUE(result.find(DiagnosticId::SecretUnbound));
}

TEST(Secrets, ASlipInTheNameDoesNotPassItInTheClear) {
  TestHost host;
  host.env = {"TOKEN"};
  for (const char* name : {" TOKEN", "TOKEN=abc", "$TOKEN"}) {
    const Compiled result = host.compile(network(R"("env":["TOKEN"],"secrets":[{"env":")" +
                                                 std::string(name) + R"(","hosts":["a.example"]}])"));
    ASSERT_TRUE(result.plan);
    EXPECT_TRUE(result.plan->env.empty()) << name;
  }
}

TEST(Secrets, LoaderVariablesAndPublicSuffixesAreRefused) {
  const Compiled result = TestHost().compile(network(
      R"("secrets":[{"env":"LD_PRELOAD","hosts":["a.example"]},{"env":"T","hosts":["github.io","vault.corp"]}])"));
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.plan->secrets.empty());
  EXPECT_EQ(result.errors, 3U);
}

TEST(Egress, NoAdviceLeadsToARefusal) {
  for (const char* host :
       {"metadata.google.internal:80", "**.ec2.internal", "metadata", "10.0.0.1.nip.io:80"}) {
    const Compiled result = TestHost().compile(network(R"("allow":[")" + std::string(host) + R"("])"));
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].help.find("internal"), std::string::npos) << result.findings[0].help;
    EXPECT_EQ(result.findings[0].help.find("domain="), std::string::npos) << result.findings[0].help;
    EXPECT_EQ(result.findings[0].help.find("nip.io"), std::string::npos) << result.findings[0].help;
  }
}

TEST(Egress, AnAddressIsOneRuleHoweverItIsWritten) {
  const Compiled result = TestHost().compile(network(R"("allow":["203.0.113.9","203.0.113.9/32"])"));
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->egress.rules.size(), 1U);
  EXPECT_EQ(result.plan->dropped.size(), 1U);
}

TEST(Env, NamesAreJudged) {
  TestHost host;
  host.env = {"LANG", "API_TOKEN", "HTTPS_PROXY"};
  const Compiled result = host.compile(network(
      R"("env":["LANG","LANG","PATH","LD_PRELOAD","MSB_HOME","A B","API_TOKEN","HTTPS_PROXY","UNSET"])"));
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(result.plan->env.size(), 3U);
  EXPECT_EQ(result.errors, 4U);
  EXPECT_TRUE(result.find(DiagnosticId::EnvDuplicate));
  EXPECT_TRUE(result.find(DiagnosticId::EnvLooksLikeCredential));
  EXPECT_TRUE(result.find(DiagnosticId::EnvSteersClient));
  EXPECT_TRUE(result.find(DiagnosticId::EnvUnset));
}

TEST(Env, ValuesWrittenByMistakeTravelNowhere) {
  const Compiled result = TestHost().compile(network(
      R"("env":["API_KEY=canary"],"secrets":[{"env":"B=canary","hosts":["u:canary@a.example"]}],"allow":["u:canary@b.example"])"));
  ASSERT_TRUE(result.plan);
  for (const policy::Diagnostic& finding : result.findings) {
    EXPECT_EQ((finding.message + finding.help).find("canary"), std::string::npos) << finding.message;
  }
  for (const policy::Dropped& dropped : result.plan->dropped) {
    EXPECT_EQ(dropped.what.find("canary"), std::string::npos) << dropped.what;
  }
}

}  // namespace
}  // namespace forge::compiler::test
