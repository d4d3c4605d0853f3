#include "protection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "forge/policy/plan_words.hpp"
#include "forge/policy/utf8.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::Judgement;
using policy::Lying;
using policy::ProtectedKind;
using policy::ProtectedRow;

constexpr std::string_view kLyings[] = {"is apart from", "is", "contains", "lies inside"};

std::string path_of(const ProtectedRow& row, const std::string& home) {
  return row.base == policy::ProtectedBase::Root ? std::string(row.path) : join_path(home, row.path);
}

ProtectedKind kind_of(policy::ControlPlaneKind kind) {
  return kind == policy::ControlPlaneKind::Runtime ? ProtectedKind::State : ProtectedKind::ControlPlane;
}

}  // namespace

Identity identity_of(const policy::HostFacts& facts, const std::string& real_path) {
  const policy::PathFact* fact = facts.find(real_path);
  return fact == nullptr ? kUnknownIdentity : Identity{fact->dev, fact->ino};
}

std::vector<Identity> chain_of(const policy::HostFacts& facts, const std::string& real_path) {
  std::vector<Identity> chain;
  for (std::string up = real_path; up.size() > 1; up = folder_of(up)) {
    const Identity identity = identity_of(facts, up);
    // The first stands for the path itself, known or not.
    if (chain.empty() || identity != kUnknownIdentity) {
      chain.push_back(identity);
    }
  }
  return chain;
}

std::vector<std::string> protected_paths(const policy::Context& context,
                                         const std::vector<policy::ControlPlaneEntry>& control_plane) {
  std::vector<std::string> paths = {context.home, context.data_dir};
  for (const ProtectedRow& row : policy::protected_rows()) {
    paths.push_back(path_of(row, context.home));
  }
  for (const policy::ControlPlaneEntry& entry : control_plane) {
    paths.push_back(entry.path);
  }
  return paths;
}

Protection::Protection(const policy::HostFacts& facts, const policy::Context& context,
                       const std::vector<policy::ControlPlaneEntry>& control_plane)
    : facts_(facts) {
  add(context.home, {{}, ProtectedKind::Home, "the home directory"});
  const std::size_t before = entries_.size();
  add(context.data_dir,
      {{}, ProtectedKind::ControlPlane, std::string(policy::word(policy::ControlPlaneKind::DataDirectory))});
  for (std::size_t i = before; i < entries_.size(); ++i) {
    data_dirs_.push_back(entries_[i].path);
  }
  for (const policy::ControlPlaneEntry& entry : control_plane) {
    if (entry.kind != policy::ControlPlaneKind::DataDirectory) {
      add(entry.path, {{},
                       kind_of(entry.kind),
                       std::string(policy::word(entry.kind)),
                       entry.kind == policy::ControlPlaneKind::Config});
    }
  }
  for (const ProtectedRow& row : policy::protected_rows()) {
    add(path_of(row, context.home), {{}, row.kind, std::string(row.what)});
  }
}

void Protection::add(const std::string& path, Entry entry) {
  std::set<std::string> spellings = {path};
  const policy::PathFact* fact = facts_.find(path);
  if (fact != nullptr && !fact->real_path.empty()) {
    spellings.insert(fact->real_path);
  }
  const auto [above, rest] = where_it_would_be(path);
  if (!above.empty()) {
    spellings.insert(above == "/" ? rest : above + rest);
  }
  for (const std::string& spelling : spellings) {
    entry.path = spelling;
    const std::size_t at = entries_.size();
    entries_.push_back(entry);
    by_path_[spelling].push_back(at);
    const std::vector<Identity> chain = chain_of(facts_, spelling);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (chain[i] != kUnknownIdentity) {
        (i == 0 ? by_identity_ : above_)[chain[i]].push_back(at);
      }
    }
  }
}

// The real path of the nearest directory above what is not there, and the rest below
// it: where it comes to be when somebody makes it.
std::pair<std::string, std::string> Protection::where_it_would_be(const std::string& path) const {
  for (std::string up = path; up != "/"; up = folder_of(up)) {
    const policy::PathFact* fact = facts_.find(folder_of(up));
    if (fact != nullptr && !fact->real_path.empty()) {
      return {fact->real_path, path.substr(folder_of(up) == "/" ? 0 : folder_of(up).size())};
    }
  }
  return {};
}

bool Protection::is_data_dir(const std::string& path) const {
  return std::find(data_dirs_.begin(), data_dirs_.end(), path) != data_dirs_.end();
}

// The session's own worktree lies below the data directory, and the config may lie in
// the session's own directories, which is told apart.
bool Protection::is_own(const Question& asked, const Entry& entry, Lying lying) const {
  const bool worktree = asked.origin == policy::MountOrigin::Worktree;
  if (entry.is_policy) {
    return lying == Lying::Around && (worktree || asked.origin == policy::MountOrigin::Project);
  }
  // By any spelling: the data directory may be a link, or lie behind one.
  const auto in_worktrees = [&](const std::string& data_dir) {
    return policy::lying_of(asked.place.host.text(), join_path(data_dir, "worktrees")) == Lying::Inside;
  };
  return worktree && lying == Lying::Inside && is_data_dir(entry.path) &&
         std::any_of(data_dirs_.begin(), data_dirs_.end(), in_worktrees);
}

void Protection::judge_all(const Question& asked, const std::vector<std::size_t>& entries, Lying lying,
                           Finding& gravest) const {
  for (const std::size_t at : entries) {
    const Entry& entry = entries_[at];
    const Judgement judgement =
        is_own(asked, entry, lying) ? Judgement::Fine : policy::judge(entry.kind, lying, asked.access);
    if (judgement > gravest.judgement) {
      gravest = {judgement, entry.kind,
                 fmt::format("{} {} ({})", kLyings[static_cast<std::size_t>(lying)], entry.what,
                             quoted_path(entry.path))};
    }
  }
}

void Protection::judge_path(const Question& asked, std::string_view path, Finding& gravest) const {
  for (std::string_view up = path; !up.empty(); up = up.substr(0, up.rfind('/'))) {
    if (const auto hit = by_path_.find(up); hit != by_path_.end()) {
      judge_all(asked, hit->second, up == path ? Lying::At : Lying::Inside, gravest);
    }
  }
  const std::string below = std::string(path) + '/';
  for (auto at = by_path_.lower_bound(below); at != by_path_.end() && at->first.starts_with(below); ++at) {
    judge_all(asked, at->second, Lying::Around, gravest);
  }
}

void Protection::judge_identity(const Question& asked, Finding& gravest) const {
  const std::vector<Identity>& chain = asked.place.chain;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (const auto hit = by_identity_.find(chain[i]); hit != by_identity_.end()) {
      judge_all(asked, hit->second, i == 0 ? Lying::At : Lying::Inside, gravest);
    }
  }
  if (!chain.empty()) {
    if (const auto hit = above_.find(chain.front()); hit != above_.end()) {
      judge_all(asked, hit->second, Lying::Around, gravest);
    }
  }
}

Protection::Finding Protection::judge_host(const MountPlace& place, policy::Access access,
                                           policy::MountOrigin origin) const {
  const Question asked{place, access, origin};
  Finding gravest;
  judge_path(asked, place.host.text(), gravest);
  if (!(place.guest == place.host)) {
    judge_path(asked, place.guest.text(), gravest);
  }
  judge_identity(asked, gravest);
  return gravest;
}

Protection::Finding Protection::judge_guest(const policy::MountPath& guest) {
  Finding gravest;
  for (const policy::GuestPathRow& row : policy::guest_path_rows()) {
    const Lying lying = policy::lying_of(guest.text(), row.path);
    const Judgement judgement = policy::judge(row.kind, lying);
    if (judgement > gravest.judgement) {
      gravest = {judgement, policy::ProtectedKind::System,
                 fmt::format("{} `{}` of the guest, {}", lying == Lying::Inside ? "lies inside" : "hides",
                             row.path, row.what)};
    }
  }
  return gravest;
}

}  // namespace forge::compiler
