#include "forge/policy/net_policy.hpp"

#include <vector>

namespace forge::policy {
const std::vector<GroupRange>& group_ranges() {
  static const std::vector<GroupRange> all = {
#define FORGE_GROUP_RANGE(group, network) {AddressGroup::group, *IpNetwork::from_canonical(network)},
#include "forge/policy/address_groups.def"
#undef FORGE_GROUP_RANGE
  };
  return all;
}

bool Services::contains(Protocol protocol, std::uint16_t port) const {
  if ((protocols & 1U << static_cast<unsigned>(protocol)) == 0) {
    return false;
  }
  if (!ports) {
    return true;
  }
  const bool has_ports = protocol == Protocol::Tcp || protocol == Protocol::Udp;
  return has_ports && ports->first <= port && port <= ports->last;
}

std::optional<AddressGroup> group_of(IpAddress address) {
  if (address == IpAddress{} || address == IpAddress::from_ipv4({})) {
    return std::nullopt;
  }
  for (const GroupRange& range : group_ranges()) {
    if (range.network.contains(address)) {
      return range.group;
    }
  }
  return AddressGroup::Public;
}

}  // namespace forge::policy
