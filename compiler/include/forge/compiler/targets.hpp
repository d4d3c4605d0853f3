// Runtimes: a plan to argument vectors, and vectors back to what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/plan.hpp"

namespace forge::compiler {

/// The arguments behind the program's name.
using Argv = std::vector<std::string>;

/// MAX_ARG_STRLEN of Linux: one argument with its final NUL.
inline constexpr std::size_t kMaxArgumentBytes = 131'072;
/// The bytes of all arguments, with their NULs, that one vector may have.
inline constexpr std::size_t kMaxVectorBytes = 1'572'864;
/// The same with a pointer for each argument. Of the 2 MiB that Linux gives
/// arguments and environment together by default, 128 KiB stay for the environment.
inline constexpr std::size_t kMaxVectorSpace = 2'097'152 - 131'072;

/// What execve needs for `argv`: its bytes with their NULs, and a pointer for each.
/// The kernel counts the pointers against the same limit (fs/exec.c, bprm_stack_limits).
[[nodiscard]] std::size_t vector_space(const Argv& argv);

/// One command of several.
struct Step {
  Argv argv;
  std::uint32_t timeout_s = 0;
  bool may_fail = false;  ///< the sequence goes on when this command fails
};

/// What a create vector asks the runtime for; order counts only where it counts
/// for the runtime (rules), all else is sorted.
struct VectorMeaning {
  struct PathMount {
    std::string host;
    std::string guest;
    policy::Access access = policy::Access::ReadOnly;
    friend auto operator<=>(const PathMount&, const PathMount&) = default;
  };
  struct Disk {
    std::string volume;
    std::string guest;
    policy::Mebibytes size;
    policy::Access access = policy::Access::ReadWrite;
    friend auto operator<=>(const Disk&, const Disk&) = default;
  };
  struct SecretBinding {
    std::string env;
    std::vector<policy::HostRule> hosts;
    friend auto operator<=>(const SecretBinding&, const SecretBinding&) = default;
  };

  std::string image;
  std::string name;
  std::uint32_t cpus = 0;
  policy::Mebibytes memory;
  std::vector<PathMount> mounts;
  std::vector<Disk> disks;
  policy::EgressMode mode = policy::EgressMode::Public;
  std::vector<policy::HostRule> rules;
  std::vector<std::string> env;
  std::vector<SecretBinding> secrets;

  friend bool operator==(const VectorMeaning&, const VectorMeaning&) = default;
};

/// What the create vector of `plan` must mean.
[[nodiscard]] VectorMeaning meaning_of(const policy::Plan& plan);

/// One runtime.
struct Target {
  policy::TargetId id;
  std::string_view program;  ///< the command's name
  Argv (*create)(const policy::Plan&);
  Argv (*exec)(const policy::Plan&, const Argv& command);
  std::vector<Step> (*remove)(const policy::Plan&);
  /// Reads a create vector back; nothing when a part of it is not understood.
  std::optional<VectorMeaning> (*reparse)(const Argv&);
};

[[nodiscard]] const Target& target(policy::TargetId id);

/// Reads a create vector of msb, as emitted by this compiler, back to its meaning.
[[nodiscard]] std::optional<VectorMeaning> parse_msb_create(const Argv& argv);

}  // namespace forge::compiler
