// No element of a vector can be read as another one: each is the subcommand, the image,
// or a flag with its value attached, there are as many of each as the plan has entries,
// and no value holds what its reader takes for a separator.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "forge/compiler/targets.hpp"
#include "forge/policy/utf8.hpp"
#include "passes.hpp"

namespace forge::compiler {
namespace {

using policy::DiagnosticId;

struct Expected {
  std::string_view flag;
  std::size_t count;
  std::string_view separators;  ///< characters that a value has exactly so often as `most` says
  std::size_t most;
};

std::size_t count_of(std::string_view text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

// A mount has a colon behind each of source and guest; a disk two options. A list of
// hosts has commas, nothing else has one.
std::vector<Expected> expected_of(const policy::Plan& plan) {
  std::size_t paths = 0;
  std::size_t bound = 0;
  for (const policy::Mount& mount : plan.mounts) {
    paths += std::holds_alternative<policy::PathSource>(mount.source) ? 1 : 0;
  }
  for (const policy::Secret& secret : plan.secrets) {
    bound += secret.binding == policy::Binding::Bound ? 1 : 0;
  }
  return {{"--volume", paths, ":", 2},
          {"--mount-named", plan.mounts.size() - paths, ":", 2},
          {"--env", plan.env.size(), "=", 0},
          {"--secret", bound, "@", 1},
          {"--name", 1, ":", 0},
          {"--cpus", 1, ":", 0},
          {"--memory", 1, ":", 0}};
}

// The flags of `argv` with how often each occurs; nothing when an element is no flag.
std::optional<std::map<std::string_view, std::size_t>> flags_of(const Argv& argv) {
  std::map<std::string_view, std::size_t> flags;
  for (std::size_t i = 2; i < argv.size(); ++i) {
    const std::string_view element = argv[i];
    const std::size_t equals = element.find('=');
    const bool is_flag =
        element.starts_with("--") && (equals != std::string_view::npos || element == "--quiet");
    if (!is_flag || !policy::is_shown_as_written(element)) {
      return std::nullopt;
    }
    ++flags[element.substr(0, equals)];
  }
  return flags;
}

bool keeps_separators(const Argv& argv, const Expected& expected) {
  const std::string prefix = std::string(expected.flag) + '=';
  return std::all_of(argv.begin(), argv.end(), [&](const std::string& element) {
    return !element.starts_with(prefix) || count_of(std::string_view(element).substr(prefix.size()),
                                                    expected.separators.front()) <= expected.most;
  });
}

bool is_plain_create(const policy::Plan& plan, const Argv& argv) {
  if (argv.size() < 2 || argv[0] != "create" || argv[1] != plan.image.text() || argv[1].starts_with('-') ||
      !policy::is_shown_as_written(argv[1])) {
    return false;
  }
  const auto flags = flags_of(argv);
  const std::vector<Expected> expected = expected_of(plan);
  return flags && std::all_of(expected.begin(), expected.end(), [&](const Expected& row) {
           const auto hit = flags->find(row.flag);
           return (hit == flags->end() ? 0 : hit->second) == row.count && keeps_separators(argv, row);
         });
}

// What runs in the guest stands behind `--`, and what is before it has no operand but the name.
bool is_plain_exec(const policy::Plan& plan, const Argv& argv) {
  const auto dashes = std::find(argv.begin(), argv.end(), "--");
  return argv.size() > 2 && argv[0] == "exec" && argv[1] == plan.name.text() && dashes != argv.end() &&
         std::all_of(argv.begin() + 2, dashes, [](const std::string& element) {
           return element.starts_with("--") && policy::is_shown_as_written(element);
         });
}

}  // namespace

void verify_vector_elements(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  const Target& runtime = target(plan.target);
  if (!is_plain_create(plan, runtime.create(plan))) {
    refute(sink, DiagnosticId::VectorElementAmbiguous,
           "an argument of the create vector could be read as another one");
  }
  if (!is_plain_exec(plan, runtime.exec(plan, {"true"}))) {
    refute(sink, DiagnosticId::VectorElementAmbiguous,
           "an argument of the exec vector could be read as another one");
  }
}

}  // namespace forge::compiler
