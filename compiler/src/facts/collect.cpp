#include <algorithm>
#include <map>
#include <set>

#include "forge/compiler/facts.hpp"
#include "forge/policy/utf8.hpp"
#include "git/contents.hpp"
#include "git/repository.hpp"
#include "git_file_facts.hpp"
#include "path_text.hpp"

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

bool is_presentable(const std::string& text) {
  return policy::is_valid_utf8(text) && policy::is_shown_as_written(text);
}

// A real path that is no text, or that cannot be shown, cannot stand in a plan.
policy::PathFact presentable(policy::PathFact fact) {
  if (!is_presentable(fact.real_path)) {
    return {fact.path, policy::PathKind::Unnameable, {}, 0, 0, fact.is_link, fact.owner, fact.others_write};
  }
  return fact;
}

// Nor can a name in a directory; what is not kept must not look as if it were not there.
policy::ListingFact presentable(policy::ListingFact fact) {
  std::sort(fact.entries.begin(), fact.entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  const bool shown = std::all_of(fact.entries.begin(), fact.entries.end(),
                                 [](const auto& entry) { return is_presentable(entry.name); });
  return shown ? fact : policy::ListingFact{fact.path, policy::ListingState::Unreadable, {}};
}

/// Asks each question once and keeps every answer.
class Collector final : public HostAnswers {
 public:
  explicit Collector(const HostFiles& files) : files_(files) {}

  policy::PathFact look(const std::string& path) override {
    return remembered(paths_, path, [&] { return presentable(files_.look(path)); });
  }

  policy::GitFileFact git_file(const std::string& path, policy::GitFileKind kind) override {
    return remembered(git_files_, path, [&] { return read_git_file_fact(files_, path, kind); });
  }

  policy::ListingFact list(const std::string& path) override {
    return remembered(listings_, path, [&] { return presentable(files_.list(path)); });
  }

  // The directories above tell, by device and inode, whether one path lies inside
  // another one that is spelled otherwise.
  void look_with_directories_above(const std::string& path) {
    std::string up = look(path).real_path;
    // Of what is not there, the directory where it would come to be.
    for (std::string above = path; up.empty() && above != "/";) {
      above = folder_of(above);
      up = look(above).real_path;
    }
    while (up.size() > 1) {
      up = folder_of(up);
      if (!walked_.insert(up).second) {
        return;  // and with it everything above
      }
      static_cast<void>(look(up));
    }
  }

  void take(policy::HostFacts& facts) {
    move_to(paths_, facts.paths);
    move_to(git_files_, facts.git_files);
    move_to(listings_, facts.listings);
  }

 private:
  template <class Fact, class Ask>
  static Fact remembered(std::map<std::string, Fact>& known, const std::string& path, Ask ask) {
    const auto hit = known.find(path);
    return hit != known.end() ? hit->second : known.emplace(path, ask()).first->second;
  }

  template <class Fact>
  static void move_to(std::map<std::string, Fact>& from, std::vector<Fact>& to) {
    to.reserve(from.size());
    for (auto& [path, fact] : from) {
      to.push_back(std::move(fact));
    }
  }

  const HostFiles& files_;
  std::set<std::string> walked_;
  std::map<std::string, policy::PathFact> paths_;
  std::map<std::string, policy::GitFileFact> git_files_;
  std::map<std::string, policy::ListingFact> listings_;
};

}  // namespace

policy::HostFacts collect_facts(const FactQuestions& questions, const HostFiles& files,
                                const EnvIsSet& env_is_set) {
  Collector collector(files);
  for (const std::string& path : questions.paths) {
    collector.look_with_directories_above(path);
  }
  for (const std::string& directory : questions.repositories) {
    const GitRepository repository = find_repository(collector, directory);
    static_cast<void>(read_contents(collector, repository));
    for (const std::string& path : {repository.git_dir, repository.common_dir}) {
      if (!path.empty()) {
        collector.look_with_directories_above(path);
      }
    }
  }
  policy::HostFacts facts;
  facts.platform = kPlatform;
  collector.take(facts);
  std::copy_if(questions.env_names.begin(), questions.env_names.end(), std::back_inserter(facts.env_set),
               env_is_set);
  facts.normalise();
  return facts;
}

}  // namespace forge::compiler
