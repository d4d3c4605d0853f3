// The IR: everything a sandbox is allowed, in one value. Built once, never
// changed; emitters, guard and auditors see nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "forge/policy/env_name.hpp"
#include "forge/policy/host_facts.hpp"
#include "forge/policy/host_rule.hpp"
#include "forge/policy/image_reference.hpp"
#include "forge/policy/mount_path.hpp"
#include "forge/policy/net_policy.hpp"
#include "forge/policy/placed_diagnostic.hpp"
#include "forge/policy/sandbox_name.hpp"
#include "forge/policy/span.hpp"

namespace forge::policy {

/// A size in whole mebibytes, the unit of the runtime.
struct Mebibytes {
  std::uint32_t count = 0;
  friend auto operator<=>(const Mebibytes&, const Mebibytes&) = default;
};

enum class Access : std::uint8_t { ReadOnly, ReadWrite };
enum class Session : std::uint8_t { Loop, Host };
enum class Enabled : std::uint8_t { Off, On };
enum class Lan : std::uint8_t { Closed, Open };
/// Whether the vectors ask for what the runtime can close beyond the user's document.
enum class Hardening : std::uint8_t { Off, On };
enum class TargetId : std::uint8_t { Msb };

/// Where a mount comes from, in the order of the candidates' priority.
enum class MountOrigin : std::uint8_t {
  Worktree,
  GitDir,        ///< the worktree's own git directory
  GitCommonDir,  ///< what all worktrees of a repository share
  GitData,       ///< objects, refs and logs, where the common directory is read-only
  GitHooks,
  Project,
  ToolOutput,
  Tmp,
  Custom,
  External,
  DockerDisk,
  CacheDisk
};

enum class PathMountKind : std::uint8_t { Directory, File };

/// A host directory or file.
struct PathSource {
  MountPath host;
  PathMountKind kind = PathMountKind::Directory;
  friend bool operator==(const PathSource&, const PathSource&) = default;
};

/// A disk the runtime keeps under a name of its own.
struct DiskSource {
  std::string volume;
  Mebibytes size;
  friend bool operator==(const DiskSource&, const DiskSource&) = default;
};

struct Mount {
  std::variant<PathSource, DiskSource> source;
  MountPath guest;
  Access access = Access::ReadOnly;
  MountOrigin origin = MountOrigin::Worktree;
  std::optional<Span> span;  ///< the config entry, where there is one

  friend bool operator==(const Mount&, const Mount&) = default;
};

/// A candidate that did not make it. `conflict` names the entry it lost to.
struct Dropped {
  std::string what;
  std::string origin;
  DiagnosticId code;
  std::string conflict;
  std::optional<Span> span;

  friend bool operator==(const Dropped&, const Dropped&) = default;
};

enum class EgressMode : std::uint8_t { Public, PublicAndPrivate, AllowList, AllowListAndPrivate };

/// One rule. The first that fits decides; what none fits is denied by an allow list, and
/// judged by its group of addresses where the mode is public.
struct EgressRule {
  HostRule to;
  std::string origin;  ///< `allow[i]`, `secret:NAME`, `allowLan` or `harden`
  Verdict action = Verdict::Allow;
  Services services{};

  friend bool operator==(const EgressRule&, const EgressRule&) = default;
};

struct Egress {
  EgressMode mode = EgressMode::AllowList;
  std::vector<EgressRule> rules;

  friend bool operator==(const Egress&, const Egress&) = default;
};

/// Whether the host variable of a secret was set when the facts were taken.
enum class Binding : std::uint8_t { Unbound, Bound };

struct Secret {
  EnvName env;
  std::vector<HostRule> hosts;  ///< exact names and suffixes only
  Binding binding = Binding::Unbound;

  /// What the guest sees in place of the value.
  [[nodiscard]] std::string placeholder() const { return "$MSB_" + env.text(); }

  friend bool operator==(const Secret&, const Secret&) = default;
};

enum class ValueOrigin : std::uint8_t { Default, Config, Override };

struct Resources {
  std::uint32_t cpus = 4;
  Mebibytes memory{8192};
  Mebibytes docker_disk{16384};
  Mebibytes cache_disk{16384};
  ValueOrigin cpus_origin = ValueOrigin::Default;
  ValueOrigin memory_origin = ValueOrigin::Default;
  ValueOrigin docker_disk_origin = ValueOrigin::Default;
  ValueOrigin cache_disk_origin = ValueOrigin::Default;

  friend bool operator==(const Resources&, const Resources&) = default;
};

/// Per-sandbox settings that win over the config; absent means not given.
struct Overrides {
  std::optional<std::uint32_t> cpus;
  std::optional<Mebibytes> memory;
  std::optional<Mebibytes> docker_disk;
  std::optional<Mebibytes> cache_disk;
  std::optional<Lan> lan;
  Enabled sandbox = Enabled::On;  ///< can turn the sandbox off, never on

  friend bool operator==(const Overrides&, const Overrides&) = default;
};

/// The directories a plan is made for; all absolute, lexically normal.
struct Context {
  std::string worktree;
  std::string project;  ///< equal to `worktree` for a host session
  std::string home;
  std::string data_dir;
  std::string tool_output;
  std::string tmp;

  friend bool operator==(const Context&, const Context&) = default;
};

struct AutoApproveDeny {
  std::string action;
  std::string resource;
  friend bool operator==(const AutoApproveDeny&, const AutoApproveDeny&) = default;
};

struct LoopDeny {
  std::string permission;
  std::string pattern;
  friend bool operator==(const LoopDeny&, const LoopDeny&) = default;
};

struct Permissions {
  Enabled auto_approve = Enabled::On;
  std::vector<AutoApproveDeny> deny;
  std::vector<LoopDeny> loop_deny;
  std::vector<LoopDeny> loop_deny_refused;

  friend bool operator==(const Permissions&, const Permissions&) = default;
};

/// A directory that the caller makes, unless it is there.
struct EnsureDir {
  std::string path;
  std::uint32_t mode = 0700;
  friend bool operator==(const EnsureDir&, const EnsureDir&) = default;
};

/// A line that the caller adds to the repository's `info/exclude`.
struct GitExclude {
  std::string pattern;
  friend bool operator==(const GitExclude&, const GitExclude&) = default;
};

/// Something the caller does before the sandbox is created.
using Action = std::variant<EnsureDir, GitExclude>;

/// How the worktree's git directory was found.
enum class GitLayout : std::uint8_t {
  None,            ///< no repository
  Checkout,        ///< a `.git` directory in the worktree
  LinkedWorktree,  ///< made by `git worktree add`
  Subdirectory,    ///< a part of a checkout
  Separate,        ///< a `.git` file that names a git directory elsewhere
  Submodule,       ///< a git directory that its config ties to the worktree
  Link,            ///< `.git` is a symbolic link
  Bare,            ///< the worktree is a git directory
};

/// How much of the shared git directory the sandbox may write.
enum class GitMode : std::uint8_t {
  Compatible,  ///< all of it but the hooks
  Split,       ///< objects, refs, logs and the worktree's own entry
};

/// The git part of a plan. The directories are real paths; empty without a repository.
struct GitPlan {
  GitLayout layout = GitLayout::None;
  GitMode mode = GitMode::Compatible;
  std::string git_dir;
  std::string common_dir;
  std::vector<std::string> hooks;  ///< every hooks directory that is kept read-only
  friend bool operator==(const GitPlan&, const GitPlan&) = default;
};

/// What decides about sandboxes.
enum class ControlPlaneKind : std::uint8_t { DataDirectory, EditorConfig, Runtime, Config };

/// A path that guard and confinement keep closed.
struct ControlPlaneEntry {
  std::string path;
  ControlPlaneKind kind = ControlPlaneKind::Config;
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
  friend bool operator==(const ControlPlaneEntry&, const ControlPlaneEntry&) = default;
};

/// Which tool made the plan, and the versions of the data that decided anything.
struct CompilerInfo {
  std::string name;
  std::string version;
  std::string idna;
  std::string public_suffix_list;
  friend bool operator==(const CompilerInfo&, const CompilerInfo&) = default;
};

struct Plan {
  CompilerInfo compiler;
  std::string config_path;    ///< as given
  std::string config_sha256;  ///< lower-case hex of the config's bytes
  std::string facts_sha256;   ///< lower-case hex of the facts' canonical bytes
  HostFacts facts;
  Overrides overrides;
  TargetId target = TargetId::Msb;
  SandboxName name = SandboxName::derive("");
  ImageReference image;
  Enabled enabled = Enabled::On;
  Hardening hardening = Hardening::Off;
  Session session = Session::Loop;
  Context context;
  std::vector<ControlPlaneEntry> control_plane;
  GitPlan git;
  std::vector<Action> actions;
  Resources resources;
  std::vector<Mount> mounts;  ///< in emission order
  std::vector<Dropped> dropped;
  Egress egress;
  std::vector<EnvName> env;  ///< names passed through, in config order
  std::vector<Secret> secrets;
  Permissions permissions;
  std::vector<std::string> warnings;
  std::vector<PlacedDiagnostic> diagnostics;

  /// Names that must be set for whoever runs the vectors: `env` and bound secrets.
  [[nodiscard]] std::vector<EnvName> required_env() const;

  explicit Plan(ImageReference image_reference) : image(std::move(image_reference)) {}
  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace forge::policy
