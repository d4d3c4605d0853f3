// The micro-languages inside msb's arguments, as msb itself reads them (measured
// on 0.6.18 and 0.7.2): sizes, mounts, network rules, secrets. Each parser takes
// less than msb does: paths and names in canonical form only, no padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/host_rule.hpp"
#include "forge/policy/plan.hpp"

namespace forge::grammar {

inline constexpr std::size_t kMaxTokenBytes = 131'072;  ///< a longer argument is nothing

/// `SOURCE:GUEST[:OPTIONS]` of `--volume` with a host path (SOURCE starts with `/`).
/// SOURCE ends at the first `:/`, GUEST at the next `:`. Known options: `ro`, `rw`.
struct MsbVolume {
  std::string host;
  std::string guest;
  policy::Access access = policy::Access::ReadWrite;  ///< msb's default
};
[[nodiscard]] std::optional<MsbVolume> parse_msb_volume(std::string_view text);

/// `NAME:GUEST:kind=disk,size=SIZE` of `--mount-named`; the two options in any order.
struct MsbNamedDisk {
  std::string volume;
  std::string guest;
  policy::Mebibytes size;
};
[[nodiscard]] std::optional<MsbNamedDisk> parse_msb_named_disk(std::string_view text);

/// One token `allow@TARGET` of `--net-rule` (egress, any protocol, any port): a
/// name (`domain=x`, `x.y`), a suffix (`*.x.y`, `suffix=x.y`), an IPv4 address,
/// an IPv4 network, or the group `private`. Anything else is nothing.
[[nodiscard]] std::optional<policy::HostRule> parse_msb_allow_rule(std::string_view token);

/// `ENV@HOST[,HOST]*` of `--secret`; hosts are exact names or `*.x.y`. Never `*`
/// (any host) and never `*.com`, both of which msb takes.
struct MsbSecret {
  policy::EnvName env;
  std::vector<policy::HostRule> hosts;
};
[[nodiscard]] std::optional<MsbSecret> parse_msb_secret(std::string_view text);

/// `<digits>M` or `<digits>` (mebibytes) or `<digits>G`, 1 to 4294967295 MiB.
[[nodiscard]] std::optional<policy::Mebibytes> parse_msb_size(std::string_view text);

}  // namespace forge::grammar
