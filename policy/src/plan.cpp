#include "forge/policy/plan.hpp"

#include <algorithm>

namespace forge::policy {

namespace {

template <class Fact>
const Fact* find_by_path(const std::vector<Fact>& facts, std::string_view path) {
  const auto hit =
      std::lower_bound(facts.begin(), facts.end(), path,
                       [](const Fact& fact, std::string_view wanted) { return fact.path < wanted; });
  return hit != facts.end() && hit->path == path ? &*hit : nullptr;
}

template <class Fact>
void sort_by_path(std::vector<Fact>& facts) {
  std::sort(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.path < b.path; });
  facts.erase(
      std::unique(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.path == b.path; }),
      facts.end());
}

}  // namespace

const std::string* GitFileFact::find(std::string_view key) const {
  const auto last = std::find_if(values.rbegin(), values.rend(),
                                 [&](const GitFileValue& value) { return value.key == key; });
  return last == values.rend() ? nullptr : &last->value;
}

const PathFact* HostFacts::find(std::string_view path) const { return find_by_path(paths, path); }

const GitFileFact* HostFacts::find_git_file(std::string_view path) const {
  return find_by_path(git_files, path);
}

const ListingFact* HostFacts::find_listing(std::string_view path) const {
  return find_by_path(listings, path);
}

bool HostFacts::is_set(const EnvName& name) const {
  return std::binary_search(env_set.begin(), env_set.end(), name);
}

void HostFacts::normalise() {
  sort_by_path(paths);
  sort_by_path(git_files);
  sort_by_path(listings);
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
