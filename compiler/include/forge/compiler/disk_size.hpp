// Which sizes the runtime can make a disk of.
#pragma once

#include <cstdint>
#include <optional>

#include "forge/policy/plan.hpp"

namespace forge::compiler {

// Measured on msb 0.6.18 and 0.7.2, which format every new disk as ext4: below
// 68 MiB there is no room for the journal, and 4 TiB is the largest tried size
// that both format.
inline constexpr std::uint32_t kMinDiskMebibytes = 68;
inline constexpr std::uint32_t kMaxDiskMebibytes = 4'194'304;

/// A size that can be formatted, and whether it is smaller than what was asked for.
struct FittedDisk {
  policy::Mebibytes size;
  bool rounded = false;
};

/// The largest size up to `wanted` that can be formatted; nothing when `wanted`
/// is out of bounds. ext4 needs a last block group (128 MiB each) of 4 MiB or more.
[[nodiscard]] std::optional<FittedDisk> fit_disk(policy::Mebibytes wanted);

}  // namespace forge::compiler
