#include <algorithm>

#include "forge/policy/overloaded.hpp"
#include "targets/targets.hpp"

namespace forge::compiler {

const Target& target(policy::TargetId id) {
  switch (id) {
#define FORGE_TARGET(name, Id) \
  case policy::TargetId::Id:   \
    return target_##name();
#include "targets/targets.def"
#undef FORGE_TARGET
  }
  return target_msb();
}

std::size_t vector_space(const Argv& argv) {
  constexpr std::size_t kPointerBytes = 8;
  std::size_t space = 0;
  for (const std::string& argument : argv) {
    space += argument.size() + 1 + kPointerBytes;
  }
  return space;
}

VectorMeaning meaning_of(const policy::Plan& plan) {
  VectorMeaning meaning;
  meaning.image = plan.image.text();
  meaning.name = plan.name.text();
  meaning.cpus = plan.resources.cpus;
  meaning.memory = plan.resources.memory;
  for (const policy::Mount& mount : plan.mounts) {
    std::visit(policy::overloaded{
                   [&](const policy::PathSource& source) {
                     meaning.mounts.push_back({source.host.text(), mount.guest.text(), mount.access});
                   },
                   [&](const policy::DiskSource& disk) {
                     meaning.disks.push_back({disk.volume, mount.guest.text(), disk.size, mount.access});
                   }},
               mount.source);
  }
  std::sort(meaning.mounts.begin(), meaning.mounts.end());
  std::sort(meaning.disks.begin(), meaning.disks.end());
  meaning.mode = plan.egress.mode;
  for (const policy::EgressRule& rule : plan.egress.rules) {
    meaning.rules.push_back(rule.to);
  }
  for (const policy::EnvName& name : plan.env) {
    meaning.env.push_back(name.text());
  }
  for (const policy::Secret& secret : plan.secrets) {
    if (secret.binding == policy::Binding::Bound) {
      meaning.secrets.push_back({secret.env.text(), secret.hosts});
    }
  }
  std::sort(meaning.env.begin(), meaning.env.end());
  std::sort(meaning.secrets.begin(), meaning.secrets.end());
  return meaning;
}

}  // namespace forge::compiler
