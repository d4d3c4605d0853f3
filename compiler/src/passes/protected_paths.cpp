// No mount gives the sandbox what decides about sandboxes, a socket, the state of other
// sandboxes, the host as a whole, or, writable, a credential or what the host runs. A
// mount is held against the rows by its text, on both sides; a directory that two paths
// name is found by device and inode.
#include "forge/policy/protected_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "passes.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

using policy::Judgement;
using policy::Lying;
using policy::MountOrigin;
using policy::ProtectedKind;

using Identity = std::pair<std::uint64_t, std::uint64_t>;

struct Guarded {
  std::string path;
  ProtectedKind kind;
  policy::ControlPlaneKind of = policy::ControlPlaneKind::DataDirectory;
  bool is_session = false;  ///< from the context, not from the table
};

class ProtectedPaths {
 public:
  explicit ProtectedPaths(const policy::Plan& plan) : plan_(plan) {
    add({plan.context.home, ProtectedKind::Home});
    for (const policy::ControlPlaneEntry& entry : plan.control_plane) {
      const bool runtime = entry.kind == policy::ControlPlaneKind::Runtime;
      add({entry.path, runtime ? ProtectedKind::State : ProtectedKind::ControlPlane, entry.kind, true});
    }
    for (const policy::ProtectedRow& row : policy::protected_rows()) {
      const bool root = row.base == policy::ProtectedBase::Root;
      add({root ? std::string(row.path) : join_path(plan.context.home, row.path), row.kind});
    }
  }

  /// What the mount must not have; nothing when all is well.
  [[nodiscard]] const Guarded* hit(const policy::Mount& mount, const policy::PathSource& source) const {
    for (const std::string* path : {&source.host.text(), &mount.guest.text()}) {
      if (const Guarded* guarded = hit_by_text(*path, mount)) {
        return guarded;
      }
    }
    return hit_by_identity(mount, source);
  }

 private:
  // As it is spelled, and where it really is.
  void add(Guarded guarded) {
    const policy::PathFact* fact = plan_.facts.find(guarded.path);
    by_path_[guarded.path].push_back(guarded);
    if (fact == nullptr || fact->real_path.empty()) {
      return;
    }
    guarded.path = fact->real_path;
    by_identity_[{fact->dev, fact->ino}].push_back(guarded);
    by_path_[guarded.path].push_back(std::move(guarded));
  }

  [[nodiscard]] const Guarded* refused(const std::vector<Guarded>& rows, Lying lying,
                                       const policy::Mount& mount) const {
    const auto hit = std::find_if(rows.begin(), rows.end(), [&](const Guarded& guarded) {
      return policy::judge(guarded.kind, lying, mount.access) == Judgement::Refused &&
             !is_own(guarded, lying, mount);
    });
    return hit == rows.end() ? nullptr : &*hit;
  }

  [[nodiscard]] const Guarded* hit_by_text(const std::string& path, const policy::Mount& mount) const {
    for (std::string_view up = path; !up.empty(); up = up.substr(0, up.rfind('/'))) {
      const auto rows = by_path_.find(up);
      const Guarded* hit = rows == by_path_.end()
                               ? nullptr
                               : refused(rows->second, up == path ? Lying::At : Lying::Inside, mount);
      if (hit != nullptr) {
        return hit;
      }
    }
    const std::string below = path + '/';
    for (auto at = by_path_.lower_bound(below); at != by_path_.end() && at->first.starts_with(below); ++at) {
      if (const Guarded* hit = refused(at->second, Lying::Around, mount)) {
        return hit;
      }
    }
    return nullptr;
  }

  // Another path of the same directory, or one inside it.
  [[nodiscard]] const Guarded* hit_by_identity(const policy::Mount& mount,
                                               const policy::PathSource& source) const {
    for (std::string up = source.host.text(); up != "/"; up = folder_of(up)) {
      const policy::PathFact* fact = plan_.facts.find(up);
      const auto same =
          fact == nullptr || fact->ino == 0 ? by_identity_.end() : by_identity_.find({fact->dev, fact->ino});
      if (same == by_identity_.end()) {
        continue;
      }
      if (const Guarded* hit =
              refused(same->second, up == source.host.text() ? Lying::At : Lying::Inside, mount)) {
        return hit;
      }
    }
    return nullptr;
  }

  // A session's own worktree lies among the worktrees of the data directory, and the
  // config may lie in its directories, which is a warning.
  [[nodiscard]] bool is_own(const Guarded& guarded, Lying lying, const policy::Mount& mount) const {
    const bool worktree = mount.origin == MountOrigin::Worktree;
    if (!guarded.is_session) {
      return false;
    }
    switch (guarded.of) {
      case policy::ControlPlaneKind::Config:
        return lying == Lying::Around && (worktree || mount.origin == MountOrigin::Project);
      case policy::ControlPlaneKind::DataDirectory:
        return worktree && lying == Lying::Inside && lies_among_worktrees(mount);
      case policy::ControlPlaneKind::EditorConfig:
      case policy::ControlPlaneKind::Runtime:
        return false;
    }
    return false;
  }

  [[nodiscard]] bool lies_among_worktrees(const policy::Mount& mount) const {
    const auto& host = std::get<policy::PathSource>(mount.source).host.text();
    std::set<std::string> spellings = {plan_.context.data_dir};
    if (const policy::PathFact* fact = plan_.facts.find(plan_.context.data_dir); fact != nullptr) {
      spellings.insert(fact->real_path);
    }
    for (const std::string& data_dir : spellings) {
      if (!data_dir.empty() && policy::lying_of(host, join_path(data_dir, "worktrees")) == Lying::Inside) {
        return true;
      }
    }
    return false;
  }

  const policy::Plan& plan_;
  std::map<std::string, std::vector<Guarded>, std::less<>> by_path_;
  std::map<Identity, std::vector<Guarded>> by_identity_;
};

}  // namespace

void verify_protected_paths(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  const ProtectedPaths protected_paths(plan);
  for (const policy::Mount& mount : plan.mounts) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    const Guarded* hit = source == nullptr ? nullptr : protected_paths.hit(mount, *source);
    if (hit != nullptr) {
      refute(sink, policy::DiagnosticId::ProtectedPathMounted,
             fmt::format("the mount of {} gives the sandbox {}, which it must not have",
                         quoted_path(source->host.text()), quoted_path(hit->path)));
    }
  }
}

}  // namespace forge::compiler
