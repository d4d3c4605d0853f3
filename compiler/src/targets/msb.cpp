// The microsandbox CLI. Every value is attached to its flag (`--flag=value`):
// a value that begins with `-` is then still a value.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "forge/policy/overloaded.hpp"
#include "targets.hpp"

namespace forge::compiler {
namespace {

using policy::EgressMode;
using policy::HostRule;

constexpr std::uint32_t kRemoveTimeoutSeconds = 30;

void emit_mount(const policy::Mount& mount, Argv& argv) {
  std::visit(
      policy::overloaded{[&](const policy::PathSource& source) {
                           const bool read_only = mount.access == policy::Access::ReadOnly;
                           argv.push_back(fmt::format("--volume={}:{}{}", source.host.text(),
                                                      mount.guest.text(), read_only ? ":ro" : ""));
                         },
                         [&](const policy::DiskSource& disk) {
                           argv.push_back(fmt::format("--mount-named={}:{}:kind=disk,size={}M", disk.volume,
                                                      mount.guest.text(), disk.size.count));
                         }},
      mount.source);
}

std::string rule_target(const HostRule& rule) {
  return std::visit(policy::overloaded{[](const policy::ExactHost& host) {
                                         // A bare single label would be an unknown word or a group.
                                         return host.name.label_count() == 1 ? "domain=" + host.name.text()
                                                                             : host.name.text();
                                       },
                                       [](const policy::SuffixHost& host) { return "*." + host.name.text(); },
                                       [](const policy::AddressHost& host) { return host.address.text(); },
                                       [](const policy::NetworkHost& host) { return host.network.text(); },
                                       [](const policy::GroupHost& host) {
                                         switch (host.group) {
                                           case policy::Group::Private:
                                             return std::string("private");
                                         }
                                         return std::string();
                                       }},
                    rule);
}

void emit_network(const policy::Egress& egress, Argv& argv) {
  switch (egress.mode) {
    case EgressMode::Public:
      return;
    case EgressMode::PublicAndPrivate:
      argv.emplace_back("--net=public,private");
      return;
    case EgressMode::AllowList:
    case EgressMode::AllowListAndPrivate:
      // Without a base flag msb would add its own "allow public" behind the rules.
      argv.emplace_back("--net-default=deny");
      for (const policy::EgressRule& rule : egress.rules) {
        argv.push_back("--net-rule=allow@" + rule_target(rule.to));
      }
      return;
  }
}

void emit_secrets(const std::vector<policy::Secret>& secrets, Argv& argv) {
  for (const policy::Secret& secret : secrets) {
    if (secret.binding == policy::Binding::Unbound) {
      continue;
    }
    std::vector<std::string> hosts;
    for (const HostRule& host : secret.hosts) {
      hosts.push_back(policy::spelling_of(host));
    }
    argv.push_back(fmt::format("--secret={}@{}", secret.env.text(), fmt::join(hosts, ",")));
  }
}

Argv create(const policy::Plan& plan) {
  Argv argv = {"create",
               plan.image.text(),
               "--name=" + plan.name.text(),
               "--quiet",
               fmt::format("--cpus={}", plan.resources.cpus),
               fmt::format("--memory={}M", plan.resources.memory.count)};
  for (const policy::Mount& mount : plan.mounts) {
    emit_mount(mount, argv);
  }
  emit_network(plan.egress, argv);
  for (const policy::EnvName& name : plan.env) {
    argv.push_back("--env=" + name.text());
  }
  emit_secrets(plan.secrets, argv);
  return argv;
}

Argv exec(const policy::Plan& plan, const Argv& command) {
  Argv argv = {"exec", plan.name.text(), "--no-tty", "--quiet"};
  for (const policy::Mount& mount : plan.mounts) {
    if (mount.origin == policy::MountOrigin::Worktree) {
      argv.push_back("--workdir=" + mount.guest.text());
    }
  }
  argv.emplace_back("--");
  argv.insert(argv.end(), command.begin(), command.end());
  return argv;
}

// Named volumes outlive their sandbox, so they are removed after it. A step that
// finds nothing to remove fails, which is no reason to leave the others.
std::vector<Step> remove(const policy::Plan& plan) {
  return {{{"rm", "--force", plan.name.text(), "--quiet"}, kRemoveTimeoutSeconds, true},
          {{"volume", "rm", plan.name.docker_volume()}, kRemoveTimeoutSeconds, true},
          {{"volume", "rm", plan.name.cache_volume()}, kRemoveTimeoutSeconds, true}};
}

constexpr Target kMsb{policy::TargetId::Msb, "msb", create, exec, remove, parse_msb_create};

}  // namespace

const Target& target_msb() { return kMsb; }

}  // namespace forge::compiler
