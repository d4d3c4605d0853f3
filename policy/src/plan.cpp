#include "forge/policy/plan.hpp"

#include <algorithm>

namespace forge::policy {

const PathFact* HostFacts::find(std::string_view path) const {
  const auto hit =
      std::lower_bound(paths.begin(), paths.end(), path,
                       [](const PathFact& fact, std::string_view wanted) { return fact.path < wanted; });
  return hit != paths.end() && hit->path == path ? &*hit : nullptr;
}

bool HostFacts::is_set(const EnvName& name) const {
  return std::binary_search(env_set.begin(), env_set.end(), name);
}

void HostFacts::normalise() {
  std::sort(paths.begin(), paths.end(), [](const PathFact& a, const PathFact& b) { return a.path < b.path; });
  paths.erase(std::unique(paths.begin(), paths.end(),
                          [](const PathFact& a, const PathFact& b) { return a.path == b.path; }),
              paths.end());
  std::sort(env_set.begin(), env_set.end());
  env_set.erase(std::unique(env_set.begin(), env_set.end()), env_set.end());
}

std::vector<EnvName> Plan::required_env() const {
  std::vector<EnvName> names = env;
  for (const Secret& secret : secrets) {
    if (secret.binding == Binding::Bound) {
      names.push_back(secret.env);
    }
  }
  return names;
}

}  // namespace forge::policy
