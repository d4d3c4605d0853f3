// What a create vector asks a runtime for, in words of no runtime's own. Written for any
// vector that the runtime accepts, also one that this compiler would never emit.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forge/policy/net_policy.hpp"
#include "forge/policy/plan.hpp"

namespace forge::compiler {

/// Something that the guest sees at a path.
struct MountRequest {
  enum class Kind : std::uint8_t {
    Path,        ///< `source` is a path of the host, as written
    Volume,      ///< `source` is the name of a directory volume of the runtime
    VolumeDisk,  ///< `source` is the name of a disk volume, of `size`
    DiskImage,   ///< `source` is a disk image of the host
    Memory,      ///< of `size`; nothing of the host
    Owned,       ///< a directory of the sandbox's own
  };
  Kind kind = Kind::Path;
  std::string source;  ///< empty for Memory and Owned
  std::string guest;   ///< normal: no doubled or final slash, no `.`
  policy::Access access = policy::Access::ReadWrite;
  std::optional<policy::Mebibytes> size;
  /// Every other option as `name` or `name=value`, sorted; sizes in mebibytes.
  std::vector<std::string> options;

  friend auto operator<=>(const MountRequest&, const MountRequest&) = default;
};

/// A variable that the guest sees. A value that stood in the vector is not kept.
struct EnvRequest {
  enum class Value : std::uint8_t { OfTheHost, InTheVector };
  std::string name;
  Value value = Value::OfTheHost;
  friend auto operator<=>(const EnvRequest&, const EnvRequest&) = default;
};

/// A variable whose value is put in place of a placeholder on its way to some hosts.
struct SecretRequest {
  std::string env;
  /// Names and suffixes, and AnyDestination for every host; in the vector's order.
  std::vector<policy::NetDestination> hosts;
  /// Whatever was asked beyond the runtime's defaults, as `name` or `name=value`, sorted.
  std::vector<std::string> options;
  friend auto operator<=>(const SecretRequest&, const SecretRequest&) = default;
};

/// A flag that none of the other fields tells of, by its long name with the dashes.
struct OtherFlag {
  std::string flag;
  friend auto operator<=>(const OtherFlag&, const OtherFlag&) = default;
};

enum class DeploymentProfile : std::uint8_t { SingleTenant, MultiTenant };
enum class GuestSecurity : std::uint8_t { Default, Restricted };

/// All lists are sorted but the rules, whose order decides. What the vector leaves out
/// has the runtime's default.
struct VectorMeaning {
  std::string image;
  std::optional<std::string> name;  ///< nothing: the runtime makes one up
  std::uint32_t cpus = 1;
  policy::Mebibytes memory{512};
  std::vector<MountRequest> mounts;  ///< sorted by guest path, of which none occurs twice
  policy::NetPolicy network;
  std::vector<EnvRequest> env;
  std::vector<SecretRequest> secrets;  ///< one each for a variable
  DeploymentProfile profile = DeploymentProfile::SingleTenant;
  GuestSecurity security = GuestSecurity::Default;
  std::vector<OtherFlag> other;  ///< each flag once

  friend bool operator==(const VectorMeaning&, const VectorMeaning&) = default;
};

/// What the create vector of `plan` must mean. Flags without a meaning for the sandbox
/// itself (`--quiet`) are no part of it.
[[nodiscard]] VectorMeaning meaning_of(const policy::Plan& plan);

}  // namespace forge::compiler
