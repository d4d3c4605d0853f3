// Plans that tests start from.
#pragma once

#include <string>

#include "forge/policy/plan_document.hpp"
#include "forge/seal/digest.hpp"

namespace forge::policy {

inline MountPath path(const char* text) { return *MountPath::from_canonical(text); }
inline EnvName env(const char* text) { return *EnvName::from_canonical(text); }
inline HostRule rule(const char* kind, const char* value) { return *host_rule_from_canonical(kind, value); }

inline std::vector<Mount> full_mounts() {
  return {{PathSource{path("/real/w"), PathMountKind::Directory}, path("/w"), Access::ReadWrite,
           MountOrigin::Worktree, std::nullopt},
          {PathSource{path("/t"), PathMountKind::Directory}, path("/t"), Access::ReadWrite, MountOrigin::Tmp,
           std::nullopt},
          {PathSource{path("/real/f"), PathMountKind::File}, path("/f"), Access::ReadOnly,
           MountOrigin::Custom, Span{4, 9}},
          {DiskSource{"forge-fix-docker-data", {2}}, path("/var/lib/docker"), Access::ReadWrite,
           MountOrigin::DockerDisk, std::nullopt},
          {DiskSource{"forge-fix-cache-data", {3}}, path("/opt/forge/cache"), Access::ReadWrite,
           MountOrigin::CacheDisk, std::nullopt}};
}

// Every field away from its default, so that a field the codec forgets is seen.
inline Plan full_plan() {
  Plan plan(*ImageReference::from_canonical("registry.example.org:5000/team/image:1.2"));
  plan.compiler = {"forge-policy", "1.2.3", "idna 1", "psl 2"};
  plan.config_path = "config.jsonc";
  plan.config_sha256 = std::string(64, 'a');
  plan.facts = {"linux",
                {{"/b", PathKind::Missing, "", 0, 0, false, Owner::Unknown, false},
                 {"/f", PathKind::File, "/real/f", 18446744073709551615U, 2, true, Owner::Other, true},
                 {"/t", PathKind::Missing, "", 0, 0, false, Owner::Unknown, false},
                 {"/w", PathKind::Directory, "/real/w", 3, 4, true, Owner::Self, false}},
                {{"/c/config", GitFileKind::Config, GitFileState::Read, "", {{"core.bare", "false"}}},
                 {"/c/x", GitFileKind::GitDir, GitFileState::Malformed, "it is empty", {}}},
                {{"/c/modules", ListingState::Listed, {{"a", false}, {"b", true}}}},
                {env("A"), env("B")}};
  plan.facts_sha256 = seal::sha256_hex(encode_facts(plan.facts)).value_or("");
  plan.overrides = {8, Mebibytes{1}, Mebibytes{2}, Mebibytes{3}, Lan::Open, Enabled::Off};
  plan.name = SandboxName::derive("fix");
  plan.enabled = Enabled::Off;
  plan.session = Session::Host;
  plan.context = {"/w", "/p", "/h", "/d", "/o", "/t"};
  plan.control_plane = {{"/d", ControlPlaneKind::Runtime, 1, 2}};
  plan.actions = {EnsureDir{"/t", 0700}};
  plan.resources = {8,
                    {1},
                    {2},
                    {3},
                    ValueOrigin::Override,
                    ValueOrigin::Override,
                    ValueOrigin::Override,
                    ValueOrigin::Override};
  plan.mounts = full_mounts();
  plan.dropped = {{"x", "mounts[0]", DiagnosticId::MountMissing, "/w", Span{1, 2}},
                  {"y", "env[1]", DiagnosticId::EnvUnset, "", std::nullopt}};
  plan.egress = {EgressMode::AllowListAndPrivate,
                 {{rule("domain", "a.example"), "allow[0]"},
                  {rule("suffix", "b.example"), "secret:A"},
                  {rule("ip", "203.0.113.1"), "allow[2]"},
                  {rule("cidr", "203.0.113.0/24"), "allow[3]"},
                  {rule("suffix", "d.example"), "allow[4]"},
                  {rule("group", "private"), "allowLan"}}};
  plan.env = {env("B")};
  plan.secrets = {{env("A"), {rule("domain", "a.example"), rule("suffix", "b.example")}, Binding::Bound},
                  {env("C"), {rule("domain", "c.d.example")}, Binding::Unbound}};
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

inline std::string sealed(const Plan& plan) { return seal::seal_plan(plan).value_or(""); }

// The same with a linked worktree, whose shared directory is split, and a hooks
// directory that an action makes.
inline Plan git_plan() {
  Plan plan = full_plan();
  const auto directory = [](const char* text) {
    return PathFact{text, PathKind::Directory, text, 1, 9, false, Owner::Self, false};
  };
  for (const char* text : {"/c", "/c/objects", "/c/refs", "/c/worktrees/w"}) {
    plan.facts.paths.push_back(directory(text));
  }
  for (const char* text : {"/c/logs", "/c/hooks", "/c/worktrees/w/modules/m/hooks"}) {
    plan.facts.paths.push_back({text, PathKind::Missing, "", 0, 0, false, Owner::Unknown, false});
  }
  plan.facts.normalise();
  plan.git = {GitLayout::LinkedWorktree,
              GitMode::Split,
              "/c/worktrees/w",
              "/c",
              {"/c/hooks", "/c/worktrees/w/modules/m/hooks"}};
  plan.actions.emplace_back(GitExclude{".forge/"});
  for (const char* text : {"/c/logs", "/c/hooks", "/c/worktrees/w/modules/m/hooks"}) {
    plan.actions.emplace_back(EnsureDir{text, 0700});
  }
  const auto mount = [&](const char* text, Access access, MountOrigin origin) {
    plan.mounts.push_back(
        {PathSource{path(text), PathMountKind::Directory}, path(text), access, origin, std::nullopt});
  };
  mount("/c", Access::ReadOnly, MountOrigin::GitCommonDir);
  mount("/c/objects", Access::ReadWrite, MountOrigin::GitData);
  mount("/c/refs", Access::ReadWrite, MountOrigin::GitData);
  mount("/c/logs", Access::ReadWrite, MountOrigin::GitData);
  mount("/c/worktrees/w", Access::ReadWrite, MountOrigin::GitDir);
  mount("/c/worktrees/w/modules/m/hooks", Access::ReadOnly, MountOrigin::GitHooks);
  plan.facts_sha256 = seal::sha256_hex(encode_facts(plan.facts)).value_or("");
  return plan;
}

}  // namespace forge::policy
