// IP addresses of both families, on one line.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "forge/policy/ipv4.hpp"

namespace forge::policy {

/// An address as a 128-bit number. An IPv4 address is its IPv4-mapped IPv6 address
/// (RFC 4291 section 2.5.5.2): to the runtime the two are the same destination.
struct IpAddress {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  [[nodiscard]] static constexpr IpAddress from_ipv4(Ipv4Address address) {
    return {0, kMappedPrefix | address.bits};
  }
  /// Takes the spelling that text() writes, nothing else.
  [[nodiscard]] static std::optional<IpAddress> from_canonical(std::string_view text);

  [[nodiscard]] constexpr bool is_ipv4() const { return high == 0 && (low >> 32U) == (kMappedPrefix >> 32U); }
  /// A dotted quad for an IPv4 address, else as RFC 5952 says.
  [[nodiscard]] std::string text() const;

  friend constexpr auto operator<=>(const IpAddress&, const IpAddress&) = default;

 private:
  static constexpr std::uint64_t kMappedPrefix = std::uint64_t{0xFFFF} << 32U;
};

enum class IpFamily : std::uint8_t { V4, V6 };

/// A network of one family. INVARIANT: `base` is of that family (for V6 it may lie among
/// the mapped addresses), no host bit is set, `prefix` is at most 32 or 128.
struct IpNetwork {
  IpFamily family = IpFamily::V4;
  IpAddress base;
  std::uint8_t prefix = 0;  ///< counted within the family

  [[nodiscard]] static IpNetwork from_ipv4(const Ipv4Network& network) {
    return {IpFamily::V4, IpAddress::from_ipv4(network.base), network.prefix};
  }
  /// The network of `prefix` bits that `address` lies in; the prefix is of its family.
  [[nodiscard]] static IpNetwork around(IpFamily family, IpAddress address, unsigned prefix);
  /// Takes `address/prefix` as text() writes it.
  [[nodiscard]] static std::optional<IpNetwork> from_canonical(std::string_view text);

  [[nodiscard]] IpAddress last() const;
  /// True for an address of the same family in the network: `::/0` holds no IPv4 address,
  /// and neither does a network of mapped addresses, which the runtime never meets.
  [[nodiscard]] bool contains(IpAddress address) const;
  [[nodiscard]] std::string text() const;

  friend auto operator<=>(const IpNetwork&, const IpNetwork&) = default;
};

}  // namespace forge::policy
