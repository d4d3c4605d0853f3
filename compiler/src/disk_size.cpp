#include "forge/compiler/disk_size.hpp"

namespace forge::compiler {
namespace {

constexpr std::uint32_t kBlockGroupMebibytes = 128;
constexpr std::uint32_t kMinLastGroupMebibytes = 4;

}  // namespace

std::optional<FittedDisk> fit_disk(policy::Mebibytes wanted) {
  if (wanted.count < kMinDiskMebibytes || wanted.count > kMaxDiskMebibytes) {
    return std::nullopt;
  }
  const std::uint32_t last_group = wanted.count % kBlockGroupMebibytes;
  const std::uint32_t excess = last_group < kMinLastGroupMebibytes ? last_group : 0;
  return FittedDisk{{wanted.count - excess}, excess > 0};
}

}  // namespace forge::compiler
