#include <fmt/format.h>

#include "forge/policy/utf8.hpp"
#include "mount_table.hpp"
#include "resolution.hpp"

namespace forge::compiler {
namespace {

using policy::Access;
using policy::DiagnosticId;
using policy::excerpt;
using policy::Mount;
using policy::MountOrigin;
using policy::MountPath;
using policy::PathFact;
using policy::PathKind;

std::string shown(const std::string& path) {
  return fmt::format("`{}`", excerpt(path, policy::kMaxPathBytes));
}

bool is_kernel_tree(std::string_view path) {
  return policy::path_is_at_or_below(path, "/proc") || policy::path_is_at_or_below(path, "/sys") ||
         policy::path_is_at_or_below(path, "/dev");
}

/// A candidate on its way into the table: everything but its sources' order.
struct Candidate {
  std::string path;
  Access access = Access::ReadOnly;
  MountOrigin origin = MountOrigin::Custom;
  std::string label;    ///< the plan's `origin` of a dropped entry
  std::string pointer;  ///< of the config entry, empty for automatic ones
  std::optional<policy::Span> span;
};

/// Why a candidate cannot be mounted at all, before conflicts are looked at.
struct Refusal {
  DiagnosticId id;
  std::string message;
  std::string help;
};

class MountPlan {
 public:
  explicit MountPlan(Resolution& out) : out_(out) {
    const policy::SandboxName& name = out.plan.name;
    add_disk(name.docker_volume(), "/var/lib/docker", out.plan.resources.docker_disk,
             MountOrigin::DockerDisk);
    add_disk(name.cache_volume(), "/opt/forge/cache", out.plan.resources.cache_disk, MountOrigin::CacheDisk);
  }

  void run() {
    if (!worktree()) {
      return;
    }
    // The git directories and their hooks come here, between worktree and project.
    project();
    tool_output();
    tmp();
    for (const MountEntry& entry : out_.config.mounts) {
      listed(entry);
    }
    out_.plan.mounts = std::move(table_).take();
    const auto& disks = disks_.mounts();
    out_.plan.mounts.insert(out_.plan.mounts.end(), disks.begin(), disks.end());
  }

 private:
  PathKind kind_of(const std::string& path) const {
    const PathFact* fact = out_.facts.find(path);
    return fact == nullptr ? PathKind::Unreadable : fact->kind;
  }

  void stop(DiagnosticId id, std::string message, std::string help) {
    out_.report(id, std::move(message), std::move(help));
  }

  void drop(const Candidate& candidate, DiagnosticId id, std::string message, std::string help,
            const Mount* conflict) {
    const std::string against = conflict == nullptr ? std::string() : conflict->guest.text();
    out_.plan.dropped.push_back(
        {policy::escape_for_display(candidate.path), candidate.label, id, against, candidate.span});
    out_.report(id, std::move(message), std::move(help), candidate.span, candidate.pointer);
  }

  bool worktree() {
    const std::string& path = out_.request.context.worktree;
    const Candidate candidate{path, Access::ReadWrite, MountOrigin::Worktree, "worktree", {}, std::nullopt};
    const auto source = source_of(candidate);
    if (!source) {
      const Refusal& why = source.error();
      stop(DiagnosticId::WorktreeUnusable, fmt::format("the worktree cannot be mounted: {}", why.message),
           "name an existing directory with --worktree");
      return false;
    }
    if (const Mount* other = overlap(candidate, *source)) {
      stop(DiagnosticId::WorktreeUnusable,
           fmt::format("the worktree {} overlaps {}, where the sandbox keeps a disk", shown(path),
                       shown(other->guest.text())),
           "use another directory");
      return false;
    }
    if (is_repository(path, *source)) {
      stop(DiagnosticId::GitNotPlanned,
           fmt::format("the worktree {} belongs to a git repository", shown(path)),
           "this version makes no plan that would leave its hooks writable");
      return false;
    }
    accept(candidate, *source);
    return true;
  }

  // A checkout has a `.git`, whatever it is; a bare repository, and the inside of
  // any, lies at or below a directory with these three, or below a `.git`.
  bool is_repository(const std::string& path, const policy::PathSource& source) const {
    const auto there = [&](const std::string& at) { return kind_of(at) != PathKind::Missing; };
    if (there(path + "/.git") || (source.host.text() + '/').find("/.git/") != std::string::npos) {
      return true;
    }
    for (std::string up = path; !up.empty(); up.resize(up.rfind('/'))) {
      if (there(up + "/HEAD") && there(up + "/objects") && there(up + "/refs")) {
        return true;
      }
    }
    return false;
  }

  void project() {
    const policy::Context& context = out_.request.context;
    if (out_.request.session == policy::Session::Host || context.project == context.worktree) {
      return;
    }
    const Candidate candidate{context.project, Access::ReadOnly, MountOrigin::Project, "project", {},
                              std::nullopt};
    const auto source = source_of(candidate);
    if (!source) {
      stop(DiagnosticId::ContextPathUnusable,
           fmt::format("the project cannot be mounted: {}", source.error().message), source.error().help);
      return;
    }
    if (out_.config.project_mount == ProjectMount::Off) {
      return;
    }
    if (const Mount* other = overlap(candidate, *source)) {
      // Still a reserved path: no listed mount may open a part of the project.
      reserved_.add({*source, *MountPath::from_canonical(candidate.path), candidate.access, candidate.origin,
                     candidate.span});
      drop(candidate, DiagnosticId::ProjectMountDropped,
           fmt::format("the read-only mount of the project overlaps the writable {}",
                       shown(other->guest.text())),
           "", other);
      return;
    }
    accept(candidate, *source);
  }

  void tool_output() {
    automatic({out_.request.context.tool_output,
               Access::ReadOnly,
               MountOrigin::ToolOutput,
               "tool-output",
               {},
               std::nullopt});
  }

  void tmp() {
    const std::string& path = out_.request.context.tmp;
    Candidate candidate{path, Access::ReadWrite, MountOrigin::Tmp, "tmp", {}, std::nullopt};
    const std::string parent = path.substr(0, path.rfind('/'));
    const PathFact* above = out_.facts.find(parent.empty() ? "/" : parent);
    const bool made_here =
        kind_of(path) == PathKind::Missing && above != nullptr && above->kind == PathKind::Directory;
    if (made_here) {
      create_tmp(candidate, *above);
      return;
    }
    const PathFact* fact = out_.facts.find(path);
    const std::string expected = above == nullptr ? std::string() : join(above->real_path, path);
    if (fact != nullptr && fact->kind == PathKind::Directory && fact->real_path != expected) {
      drop(candidate, DiagnosticId::AutomaticMountDropped,
           fmt::format("the temp directory {} is a symbolic link", shown(path)),
           "someone else may have placed it; remove the link", nullptr);
      return;
    }
    automatic(std::move(candidate));
  }

  static std::string join(const std::string& real_parent, const std::string& path) {
    const std::string name = path.substr(path.rfind('/'));
    return real_parent == "/" ? name : real_parent + name;
  }

  // The caller makes the directory, for its owner alone, before the sandbox is created.
  void create_tmp(const Candidate& candidate, const PathFact& parent) {
    const auto host = MountPath::from_canonical(join(parent.real_path, candidate.path));
    const auto guest = MountPath::from_canonical(candidate.path);
    if (!host || !guest) {
      drop(candidate, DiagnosticId::AutomaticMountDropped,
           fmt::format("the temp directory {} cannot be expressed as a mount", shown(candidate.path)), "",
           nullptr);
      return;
    }
    const policy::PathSource source{*host, policy::PathMountKind::Directory};
    if (const Mount* other = overlap(candidate, source)) {
      skip(candidate, *other);
      return;
    }
    out_.plan.actions.push_back({host->text(), 0700});
    accept(candidate, source);
  }

  void automatic(Candidate candidate) {
    const auto source = source_of(candidate);
    if (!source) {
      const bool missing = kind_of(candidate.path) == PathKind::Missing;
      drop(candidate, missing ? DiagnosticId::AutomaticMountSkipped : DiagnosticId::AutomaticMountDropped,
           fmt::format("the {} directory is left out: {}", candidate.label, source.error().message), "",
           nullptr);
      return;
    }
    if (const Mount* other = overlap(candidate, *source)) {
      skip(candidate, *other);
      return;
    }
    accept(candidate, *source);
  }

  void skip(const Candidate& candidate, const Mount& other) {
    const auto* host = std::get_if<policy::PathSource>(&other.source);
    const bool served = host != nullptr && policy::path_is_at_or_below(candidate.path, other.guest.text()) &&
                        (candidate.access == Access::ReadOnly || other.access == Access::ReadWrite);
    drop(candidate, served ? DiagnosticId::AutomaticMountSkipped : DiagnosticId::AutomaticMountDropped,
         fmt::format("the {} directory {} {} the mount of {}", candidate.label, shown(candidate.path),
                     served ? "is part of" : "overlaps", shown(other.guest.text())),
         "", &other);
  }

  void listed(const MountEntry& entry) {
    const bool custom = entry.origin == MountOrigin::Custom;
    const Candidate candidate{
        entry.path.text(),
        entry.access,
        entry.origin,
        fmt::format("{}[{}]", custom ? "mounts" : "allowExternalDirectories", entry.index),
        custom ? fmt::format("/sandbox/mounts/{}/host", entry.index)
               : fmt::format("/loop/allowExternalDirectories/{}", entry.index),
        entry.span};
    const auto source = source_of(candidate);
    if (!source) {
      const bool gone = source.error().id == DiagnosticId::MountMissing;
      drop(candidate, !custom && gone ? DiagnosticId::ExternalMissing : source.error().id,
           source.error().message, source.error().help, nullptr);
      return;
    }
    const Mount* other = overlap(candidate, *source);
    if (other == nullptr) {
      other = reserved_.overlapping(source->host, *MountPath::from_canonical(candidate.path));
    }
    if (other != nullptr) {
      drop(candidate, custom ? DiagnosticId::MountOverlaps : DiagnosticId::ExternalCovered,
           fmt::format("{} overlaps the {} mount of {}", shown(candidate.path), origin_name(*other),
                       shown(other->guest.text())),
           custom ? "remove the entry; mounts may not equal, contain or lie inside one another" : "", other);
      return;
    }
    if (candidate.access == Access::ReadWrite && is_repository(candidate.path, *source)) {
      drop(candidate, DiagnosticId::MountHoldsRepository,
           fmt::format("{} belongs to a git repository and would be writable", shown(candidate.path)),
           "mount it read-only", nullptr);
      return;
    }
    accept(candidate, *source);
  }

  static std::string_view origin_name(const Mount& mount) {
    return mount.origin == MountOrigin::Custom || mount.origin == MountOrigin::External ? "earlier"
                                                                                        : "automatic";
  }

  // The real directory behind a candidate, or why there is none to mount.
  tl::expected<policy::PathSource, Refusal> source_of(const Candidate& candidate) const {
    const std::string name = shown(candidate.path);
    const auto refuse = [](DiagnosticId id, std::string message, std::string help) {
      return tl::unexpected(Refusal{id, std::move(message), std::move(help)});
    };
    const PathFact* fact = out_.facts.find(candidate.path);
    switch (fact == nullptr ? PathKind::Unreadable : fact->kind) {
      case PathKind::Missing:
        return refuse(DiagnosticId::MountMissing, fmt::format("{} does not exist", name),
                      "create the directory or remove the entry");
      case PathKind::Unreadable:
        return refuse(DiagnosticId::MountUnreadable, fmt::format("the host did not say what {} is", name),
                      "check the permissions on the way to it");
      case PathKind::File:
      case PathKind::Other:
        return refuse(DiagnosticId::MountNotADirectory, fmt::format("{} is not a directory", name),
                      "name the directory that holds it");
      case PathKind::Directory:
        break;
    }
    if (candidate.path == "/") {
      return refuse(DiagnosticId::MountForbidden, "`/` is the root of the host",
                    "name the directory that is needed");
    }
    const auto host = MountPath::from_canonical(fact->real_path);
    if (!host || !MountPath::from_canonical(candidate.path)) {
      return refuse(DiagnosticId::MountNotExpressible,
                    fmt::format("{} cannot be expressed as a mount of {}", name, shown(fact->real_path)),
                    "the path may not be `/` or hold `:`, `,`, `;` or control characters");
    }
    if (is_kernel_tree(host->text()) || is_kernel_tree(candidate.path)) {
      return refuse(DiagnosticId::MountForbidden, fmt::format("{} belongs to the kernel", name),
                    "remove the entry");
    }
    return policy::PathSource{*host, policy::PathMountKind::Directory};
  }

  const Mount* overlap(const Candidate& candidate, const policy::PathSource& source) const {
    // INVARIANT: source_of took the candidate's path, so it is a mount path.
    const MountPath guest = *MountPath::from_canonical(candidate.path);
    const Mount* other = table_.overlapping(source.host, guest);
    return other != nullptr ? other : disks_.overlapping(source.host, guest);
  }

  void accept(const Candidate& candidate, policy::PathSource source) {
    table_.add({std::move(source), *MountPath::from_canonical(candidate.path), candidate.access,
                candidate.origin, candidate.span});
  }

  // The disks come last on the command line, but their places in the guest are
  // taken from the start.
  void add_disk(std::string volume, std::string_view guest, policy::Mebibytes size, MountOrigin origin) {
    disks_.add({policy::DiskSource{std::move(volume), size}, *MountPath::from_canonical(guest),
                Access::ReadWrite, origin, std::nullopt});
  }

  Resolution& out_;
  MountTable table_;
  MountTable disks_;
  MountTable reserved_;
};

}  // namespace

void resolve_mounts(Resolution& out) { MountPlan(out).run(); }

}  // namespace forge::compiler
