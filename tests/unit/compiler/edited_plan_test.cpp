// Single dangerous edits of a valid plan, each caught by the proof that it names. Whoever
// edits a plan can make its digest right again, so nothing here relies on that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compile_support.hpp"
#include "forge/compiler/verify.hpp"

namespace forge::compiler::test {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::Mount;
using policy::MountOrigin;
using policy::MountPath;
using policy::Plan;

constexpr const char* kConfig = R"({"sandbox":{
  "mounts":[{"host":"/srv/a"},{"host":"/srv/c","readonly":false}],
  "network":{"allow":["a.example","*.b.example","8.8.8.8"],"env":["SET"],
             "secrets":[{"env":"TOKEN","hosts":["s.example"]}]}}})";

Plan valid_plan() {
  TestHost host;
  host.files.add_directory("/run");
  host.files.add_directory("/home/u/.ssh");
  host.env = {"SET", "TOKEN"};
  return host.compile(kConfig).plan.value();
}

std::vector<std::string> proofs_that_fail(const Plan& plan) {
  policy::DiagnosticSink sink;
  verify(plan, sink);
  std::vector<std::string> out;
  for (const policy::Diagnostic& finding : sink.sorted()) {
    out.push_back(policy::code_text(finding.id));
  }
  return out;
}

Mount& mount_of(Plan& plan, MountOrigin origin) {
  const auto is_wanted = [&](const Mount& mount) { return mount.origin == origin; };
  return *std::find_if(plan.mounts.begin(), plan.mounts.end(), is_wanted);
}

MountPath path(std::string_view text) { return MountPath::from_canonical(text).value(); }

// A mount of `text` as a listed one would be, with a fact that says it is there.
void add_mount(Plan& plan, std::string_view text, Access access) {
  if (plan.facts.find(text) == nullptr || plan.facts.find(text)->real_path.empty()) {
    std::erase_if(plan.facts.paths, [&](const policy::PathFact& fact) { return fact.path == text; });
    policy::PathFact fact;
    fact.path = fact.real_path = text;
    fact.kind = policy::PathKind::Directory;
    plan.facts.paths.push_back(fact);
    plan.facts.normalise();
  }
  plan.mounts.insert(plan.mounts.end() - 2, {policy::PathSource{path(text), policy::PathMountKind::Directory},
                                             path(text), access, MountOrigin::Custom, std::nullopt});
}

policy::PathFact& fact_of(Plan& plan, std::string_view text) {
  return *std::find_if(plan.facts.paths.begin(), plan.facts.paths.end(),
                       [&](const policy::PathFact& fact) { return fact.path == text; });
}

struct EditRow {
  const char* name;
  DiagnosticId proof;
  void (*edit)(Plan& plan);
};
void PrintTo(const EditRow& row, std::ostream* out) { *out << row.name; }

class EditedPlan : public testing::TestWithParam<EditRow> {};

TEST_P(EditedPlan, FailsTheProofThatItsEditBreaks) {
  Plan plan = valid_plan();
  ASSERT_THAT(proofs_that_fail(plan), testing::IsEmpty());
  GetParam().edit(plan);
  EXPECT_THAT(proofs_that_fail(plan), testing::Contains(policy::code_text(GetParam().proof)));
}

INSTANTIATE_TEST_SUITE_P(
    Mounts, EditedPlan,
    testing::Values(
        EditRow{"the worktree read-only", DiagnosticId::MountNotAsDeclared,
                [](Plan& plan) { plan.mounts.front().access = Access::ReadOnly; }},
        EditRow{"the worktree not first", DiagnosticId::MountNotAsDeclared,
                [](Plan& plan) { std::swap(plan.mounts[0], plan.mounts[1]); }},
        EditRow{"no mounts", DiagnosticId::MountNotAsDeclared, [](Plan& plan) { plan.mounts.clear(); }},
        EditRow{"one guest path twice", DiagnosticId::MountNotAsDeclared,
                [](Plan& plan) {
                  Mount again = mount_of(plan, MountOrigin::Custom);
                  again.access = Access::ReadWrite;
                  plan.mounts.push_back(again);
                }},
        EditRow{"the tool output writable", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { mount_of(plan, MountOrigin::ToolOutput).access = Access::ReadWrite; }},
        EditRow{"a read-only directory writable at a second place", DiagnosticId::MountNotAsDeclared,
                [](Plan& plan) {
                  Mount again = mount_of(plan, MountOrigin::Custom);
                  again.guest = path("/srv/b");
                  again.access = Access::ReadWrite;
                  plan.mounts.push_back(again);
                }},
        EditRow{"a directory under another path", DiagnosticId::GuestPathMoved,
                [](Plan& plan) { mount_of(plan, MountOrigin::Custom).guest = path("/srv/z"); }},
        EditRow{"another directory under the path", DiagnosticId::GuestPathMoved,
                [](Plan& plan) {
                  std::get<policy::PathSource>(mount_of(plan, MountOrigin::Custom).source).host = path("/p");
                }},
        EditRow{"a directory that is a link", DiagnosticId::HostPathNotReal,
                [](Plan& plan) { fact_of(plan, "/srv/a").is_link = true; }},
        EditRow{"a directory behind a link", DiagnosticId::HostPathNotReal,
                [](Plan& plan) {
                  policy::PathFact above;
                  above.path = "/srv";
                  above.real_path = "/elsewhere";
                  above.kind = policy::PathKind::Directory;
                  above.is_link = true;
                  std::erase_if(plan.facts.paths,
                                [](const policy::PathFact& fact) { return fact.path == "/srv"; });
                  plan.facts.paths.push_back(above);
                  plan.facts.normalise();
                }},
        EditRow{"a directory that is a file", DiagnosticId::HostPathNotReal,
                [](Plan& plan) { fact_of(plan, "/srv/a").kind = policy::PathKind::File; }},
        EditRow{"a directory that is gone", DiagnosticId::HostPathNotReal,
                [](Plan& plan) {
                  fact_of(plan, "/srv/a").kind = policy::PathKind::Missing;
                  fact_of(plan, "/srv/a").real_path.clear();
                }},
        EditRow{"a directory nobody looked at", DiagnosticId::HostPathNotReal,
                [](Plan& plan) {
                  std::erase_if(plan.facts.paths,
                                [](const policy::PathFact& fact) { return fact.path == "/srv/a"; });
                }},
        EditRow{"a disk of another sandbox", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) {
                  std::get<policy::DiskSource>(mount_of(plan, MountOrigin::DockerDisk).source).volume =
                      "forge-other-docker-data";
                }},
        EditRow{"a disk that is not written", DiagnosticId::VectorMeansOther,
                [](Plan& plan) { mount_of(plan, MountOrigin::CacheDisk).access = Access::ReadOnly; }}));

INSTANTIATE_TEST_SUITE_P(
    Protected, EditedPlan,
    testing::Values(
        EditRow{"the home directory", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/home/u", Access::ReadOnly); }},
        EditRow{"what holds the home directory", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/home", Access::ReadOnly); }},
        EditRow{"SSH keys for writing", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/home/u/.ssh", Access::ReadWrite); }},
        EditRow{
            "the data directory", DiagnosticId::ProtectedPathMounted,
            [](Plan& plan) {
              plan.control_plane.push_back({"/home/u/data", policy::ControlPlaneKind::DataDirectory, 0, 0});
              add_mount(plan, "/home/u/data", Access::ReadWrite);
            }},
        EditRow{"the runtime's state, read-only", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) {
                  plan.control_plane.push_back(
                      {"/home/u/.microsandbox", policy::ControlPlaneKind::Runtime, 0, 0});
                  add_mount(plan, "/home/u/.microsandbox", Access::ReadOnly);
                }},
        EditRow{"docker's socket", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/run/docker.sock", Access::ReadOnly); }},
        EditRow{"what holds the sockets", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/run", Access::ReadOnly); }},
        EditRow{"the users' sockets", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/run/user/1000", Access::ReadOnly); }},
        EditRow{"the host's configuration", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/etc/cron.d", Access::ReadWrite); }},
        EditRow{"a shell's start file", DiagnosticId::ProtectedPathMounted,
                [](Plan& plan) { add_mount(plan, "/home/u/.bashrc", Access::ReadWrite); }},
        EditRow{"SSH keys by another path", DiagnosticId::ProtectedPathMounted, [](Plan& plan) {
                  fact_of(plan, "/home/u/.ssh").ino = 77;
                  fact_of(plan, "/home/u/.ssh").dev = 7;
                  add_mount(plan, "/mnt/keys", Access::ReadWrite);
                  fact_of(plan, "/mnt/keys").ino = 77;
                  fact_of(plan, "/mnt/keys").dev = 7;
                }}));

INSTANTIATE_TEST_SUITE_P(
    NetworkAndNames, EditedPlan,
    testing::Values(
        EditRow{"a rule twice", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.egress.rules.push_back(plan.egress.rules.front()); }},
        EditRow{"a rule of no entry", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.egress.rules.front().origin = "allow"; }},
        EditRow{"the metadata address", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) {
                  plan.egress.rules.front().to =
                      policy::host_rule_from_canonical("ip", "169.254.169.254").value();
                }},
        EditRow{"a wide network", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) {
                  plan.egress.rules.front().to =
                      policy::host_rule_from_canonical("cidr", "8.0.0.0/7").value();
                }},
        EditRow{"the LAN without the mode", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) {
                  plan.egress.rules.push_back({policy::GroupHost{policy::Group::Private}, "allowLan"});
                }},
        EditRow{"the mode without the LAN", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.egress.mode = policy::EgressMode::AllowListAndPrivate; }},
        EditRow{"rules on top of a public mode", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.egress.mode = policy::EgressMode::Public; }},
        EditRow{"a secret to a host no rule opens", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) {
                  plan.secrets.front().hosts.push_back(
                      policy::host_rule_from_canonical("domain", "evil.example").value());
                }},
        EditRow{"a secret that is also a variable", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.env.push_back(plan.secrets.front().env); }},
        EditRow{"a variable twice", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.env.push_back(plan.env.front()); }},
        EditRow{"a secret without a host", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.secrets.front().hosts.clear(); }},
        EditRow{"a secret bound that is not set", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.facts.env_set.clear(); }},
        EditRow{"memory of an override that was not given", DiagnosticId::PlanContradictsItself,
                [](Plan& plan) { plan.resources.memory_origin = policy::ValueOrigin::Override; }},
        EditRow{"no memory", DiagnosticId::VectorMeansOther,
                [](Plan& plan) { plan.resources.memory.count = 0; }},
        EditRow{"no processors", DiagnosticId::VectorMeansOther, [](Plan& plan) { plan.resources.cpus = 0; }},
        EditRow{"more processors than the runtime takes", DiagnosticId::VectorMeansOther,
                [](Plan& plan) { plan.resources.cpus = 256; }},
        EditRow{"a directory that a plan does not make", DiagnosticId::PlanContradictsItself, [](Plan& plan) {
                  plan.actions.emplace_back(policy::EnsureDir{"/home/u/.ssh", 0700});
                }}));

}  // namespace
}  // namespace forge::compiler::test
