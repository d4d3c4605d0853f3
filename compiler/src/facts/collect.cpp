#include <algorithm>

#include "forge/compiler/facts.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::compiler {
namespace {

constexpr std::string_view kPlatform =
#if defined(__linux__)
    "linux";
#elif defined(__APPLE__)
    "macos";
#else
    "other";
#endif

// A real path that is no text, or that cannot be shown, cannot stand in a plan;
// what lies there then counts as unknown, which is never taken for safe.
policy::PathFact presentable(policy::PathFact fact) {
  if (!policy::is_valid_utf8(fact.real_path) ||
      policy::escape_for_display(fact.real_path) != fact.real_path) {
    return {fact.path, policy::PathKind::Unreadable, {}, 0, 0};
  }
  return fact;
}

}  // namespace

policy::HostFacts collect_facts(const FactQuestions& questions, const HostFiles& files,
                                const EnvIsSet& env_is_set) {
  policy::HostFacts facts;
  facts.platform = kPlatform;
  std::vector<std::string> paths = questions.paths;
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  facts.paths.reserve(paths.size());
  for (const std::string& path : paths) {
    facts.paths.push_back(presentable(files.look(path)));
  }
  std::copy_if(questions.env_names.begin(), questions.env_names.end(), std::back_inserter(facts.env_set),
               env_is_set);
  facts.normalise();
  return facts;
}

}  // namespace forge::compiler
