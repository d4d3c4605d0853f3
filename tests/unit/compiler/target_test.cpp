#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_support.hpp"
#include "forge/compiler/targets.hpp"
#include "forge/compiler/verify.hpp"

namespace forge::compiler::test {
namespace {

policy::Plan plan_of(const std::string& text) {
  TestHost host;
  host.env = {"T", "LANG"};
  return *host.compile(text).plan;
}

constexpr const char* kRich =
    R"({"sandbox":{"network":{"allow":["a.example","*.b.example","domain=c","203.0.113.1"],"env":["LANG"],"secrets":[{"env":"T","hosts":["d.example"]}]}}})";

TEST(Msb, EmitsTheDocumentedOrder) {
  EXPECT_THAT(
      target(policy::TargetId::Msb).create(plan_of(kRich)),
      testing::ElementsAre("create", "oc-forge-sandbox:latest", "--name=forge-test", "--quiet", "--cpus=4",
                           "--memory=8192M", "--volume=/w:/w", "--volume=/home/u/out:/home/u/out:ro",
                           "--volume=/tmp/opencode:/tmp/opencode",
                           "--mount-named=forge-test-docker-data:/var/lib/docker:kind=disk,size=16384M",
                           "--mount-named=forge-test-cache-data:/opt/forge/cache:kind=disk,size=16384M",
                           "--net-default=deny", "--net-rule=allow@a.example", "--net-rule=allow@*.b.example",
                           "--net-rule=allow@domain=c", "--net-rule=allow@203.0.113.1",
                           "--net-rule=allow@d.example", "--env=LANG", "--secret=T@d.example"));
}

TEST(Msb, PublicEgressHasNoNetworkFlag) {
  const Argv argv = target(policy::TargetId::Msb).create(plan_of("{}"));
  EXPECT_THAT(argv, testing::Each(testing::Not(testing::StartsWith("--net"))));
  const Argv lan =
      target(policy::TargetId::Msb).create(plan_of(R"({"sandbox":{"network":{"allowLan":true}}})"));
  EXPECT_THAT(lan, testing::Contains("--net=public,private"));
}

TEST(Msb, ExecRunsInTheWorktree) {
  EXPECT_THAT(target(policy::TargetId::Msb).exec(plan_of("{}"), {"sh", "-c", "ls"}),
              testing::ElementsAre("exec", "forge-test", "--no-tty", "--quiet", "--workdir=/w", "--", "sh",
                                   "-c", "ls"));
}

// One dangerous edit each: the vector read back must not mean the plan.
struct VectorEdit {
  const char* from;
  const char* to;  // empty: the argument is removed
};
void PrintTo(const VectorEdit& edit, std::ostream* out) { *out << edit.from << " -> " << edit.to; }

class EditedVector : public testing::TestWithParam<VectorEdit> {};
TEST_P(EditedVector, DoesNotMeanThePlan) {
  const policy::Plan plan = plan_of(kRich);
  Argv argv = target(plan.target).create(plan);
  const auto at = std::find(argv.begin(), argv.end(), GetParam().from);
  ASSERT_NE(at, argv.end());
  if (*GetParam().to == '\0') {
    argv.erase(at);
  } else {
    *at = GetParam().to;
  }
  const auto meaning = parse_msb_create(argv);
  EXPECT_FALSE(meaning && *meaning == meaning_of(plan));
}
INSTANTIATE_TEST_SUITE_P(
    Table, EditedVector,
    testing::Values(
        VectorEdit{"--net-default=deny", ""}, VectorEdit{"--net-default=deny", "--net-default=allow"},
        VectorEdit{"--net-default=deny", "--net=public"},
        VectorEdit{"--net-rule=allow@a.example", "--net-rule=allow@any"},
        VectorEdit{"--net-rule=allow@a.example", "--net-rule=allow@public"},
        VectorEdit{"--net-rule=allow@a.example", "--net-rule=allow@*.a.example"},
        VectorEdit{"--net-rule=allow@a.example", "--net-rule=allow@a.example,allow@z.example"},
        VectorEdit{"--net-rule=allow@a.example", "--net-rule=deny@a.example"},
        VectorEdit{"--net-rule=allow@a.example", "--net-rule=allow:any@a.example"},
        VectorEdit{"--net-rule=allow@a.example", ""},
        VectorEdit{"--net-rule=allow@203.0.113.1", "--net-rule=allow@203.0.113.0/24"},
        VectorEdit{"--volume=/home/u/out:/home/u/out:ro", "--volume=/home/u/out:/home/u/out"},
        VectorEdit{"--volume=/home/u/out:/home/u/out:ro", "--volume=/home/u/out:/home/u/out:rw"},
        VectorEdit{"--volume=/w:/w", "--volume=/:/w"}, VectorEdit{"--volume=/w:/w", "--volume=w:/w"},
        VectorEdit{"--volume=/w:/w", "--volume=/w:/w:ro,follow-root-symlinks"},
        VectorEdit{"--env=LANG", "--env=LANG=x"}, VectorEdit{"--env=LANG", "--env=T"},
        VectorEdit{"--env=LANG", "--privileged"}, VectorEdit{"--quiet", "--conf=/w/x.yaml"},
        VectorEdit{"--secret=T@d.example", "--secret=T@d.example,*"},
        VectorEdit{"--secret=T@d.example", "--secret=T@*"},
        VectorEdit{"--secret=T@d.example", "--secret=T:body@d.example"},
        VectorEdit{"--secret=T@d.example", "--secret=T=x@d.example"},
        VectorEdit{"oc-forge-sandbox:latest", "./rootfs"}, VectorEdit{"oc-forge-sandbox:latest", "-x"},
        VectorEdit{"--cpus=4", "--cpus=5"}, VectorEdit{"--memory=8192M", "--memory=8192G"}));

TEST(Msb, RefusesRepeatedAndUnknownArguments) {
  const policy::Plan plan = plan_of(kRich);
  for (const char* extra :
       {"--cpus=4", "--name=forge-test", "--quiet", "--net-default=deny", "--volume=/w:/w", "second-image",
        "--net-strict", "--vsock=/x:1", "--user=root", "-e", "", "--net=public,private"}) {
    Argv argv = target(plan.target).create(plan);
    argv.emplace_back(extra);
    EXPECT_FALSE(parse_msb_create(argv)) << extra;
  }
  EXPECT_FALSE(parse_msb_create({}));
  EXPECT_FALSE(parse_msb_create({"exec"}));
}

// Only the one proof is asked: these plans are made longer by hand.
bool is_too_long(const policy::Plan& plan) {
  policy::DiagnosticSink sink;
  verify(plan, sink);
  const auto findings = sink.sorted();
  return std::any_of(findings.begin(), findings.end(), [](const policy::Diagnostic& finding) {
    return finding.id == policy::DiagnosticId::VectorTooLong;
  });
}

TEST(Verify, RefusesVectorsTheSystemCannotStart) {
  policy::Plan plan = plan_of(kRich);
  const auto host = [](std::size_t i) {
    const std::string label(60, 'a');
    return *policy::host_rule_from_canonical("domain",
                                             label + '.' + label + ".n" + std::to_string(i) + ".example");
  };
  const auto stops = [&] { return is_too_long(plan); };
  EXPECT_FALSE(stops());
  std::size_t i = 0;
  for (; i < kMaxArgumentBytes / 200; ++i) {
    plan.secrets[0].hosts.push_back(host(i));
  }
  EXPECT_FALSE(stops());
  for (; i < kMaxArgumentBytes / 100; ++i) {
    plan.secrets[0].hosts.push_back(host(i));
  }
  EXPECT_TRUE(stops()) << "one argument is too long";
  plan.secrets.clear();
  EXPECT_FALSE(stops());
  for (i = 0; i < kMaxVectorBytes / 100; ++i) {
    plan.egress.rules.push_back({host(i), "allow[0]"});
  }
  EXPECT_TRUE(stops()) << "the vector is too long";
}

// Does the system start a program with these arguments and our environment?
bool starts(const Argv& argv) {
  std::vector<char*> words = {const_cast<char*>("true")};
  for (const std::string& argument : argv) {
    words.push_back(const_cast<char*>(argument.c_str()));
  }
  words.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, "/bin/true", nullptr, nullptr, words.data(), environ) != 0) {
    return false;
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

bool fits(const policy::Plan& plan) {
  policy::DiagnosticSink sink;
  verify(plan, sink);
  return !sink.stops_plan();
}

policy::Plan plan_of_short_hosts(std::size_t count) {
  policy::Plan plan = plan_of(R"({"sandbox":{"network":{"allow":["a.bc"]}}})");
  plan.egress.rules.resize(count, plan.egress.rules.front());
  return plan;
}

TEST(Verify, CountsThePointersOfAVector) {
  EXPECT_FALSE(is_too_long(plan_of_short_hosts(65'000)));
  EXPECT_TRUE(starts(target(policy::TargetId::Msb).create(plan_of_short_hosts(65'000))));
  const policy::Plan many = plan_of_short_hosts(71'000);
  EXPECT_TRUE(is_too_long(many)) << "1.56 MB of text, and more than 2 MiB with the pointers";
  EXPECT_FALSE(starts(target(policy::TargetId::Msb).create(many)));
}

TEST(Verify, LetsAVectorTakeExactlyItsSpace) {
  policy::Plan plan = plan_of_short_hosts(65'000);
  const auto create = target(plan.target).create;
  const std::size_t each = std::string_view("--net-rule=allow@a.bc").size() + 1 + 8;
  while (kMaxVectorSpace - vector_space(create(plan)) >= 2 * each) {
    const std::size_t room = (kMaxVectorSpace - vector_space(create(plan))) / each;
    plan.egress.rules.resize(plan.egress.rules.size() + room - 1, plan.egress.rules.front());
  }
  // The last rule takes all that is left, in one name longer than the others.
  const std::size_t rest = kMaxVectorSpace - vector_space(create(plan)) - each;
  const auto last = [&](std::size_t more) {
    return *policy::host_rule_from_canonical("domain", std::string(more + 1, 'a') + ".bc");
  };
  plan.egress.rules.push_back({last(rest), "allow[0]"});
  EXPECT_EQ(vector_space(create(plan)), kMaxVectorSpace);
  EXPECT_FALSE(is_too_long(plan));
  EXPECT_TRUE(starts(create(plan)));
  plan.egress.rules.back().to = last(rest + 1);
  EXPECT_TRUE(is_too_long(plan));
}

TEST(Verify, RefusesADiskThatIsNotWritten) {
  policy::Plan plan = plan_of(kRich);
  EXPECT_TRUE(fits(plan));
  plan.mounts.back().access = policy::Access::ReadOnly;
  EXPECT_FALSE(fits(plan)) << "the vector mounts it for writing";
}

TEST(Verify, RefusesAPlanItsVectorCannotMean) {
  policy::Plan plan = plan_of(kRich);
  plan.mounts.push_back(plan.mounts.front());
  policy::DiagnosticSink sink;
  verify(plan, sink);
  EXPECT_TRUE(sink.stops_plan()) << "two mounts at one place in the guest";
}

}  // namespace
}  // namespace forge::compiler::test
