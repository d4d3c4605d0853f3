// IPv4 addresses and networks, and what the special ones mean.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace forge::policy {

/// An IPv4 address in host byte order.
struct Ipv4Address {
  std::uint32_t bits = 0;

  /// Takes a strict dotted quad: four decimal numbers 0-255 without leading zeros.
  [[nodiscard]] static std::optional<Ipv4Address> from_canonical(std::string_view text);
  [[nodiscard]] std::string text() const;

  friend auto operator<=>(const Ipv4Address&, const Ipv4Address&) = default;
};

/// The longest network (fewest prefix bits) an allow list may name.
inline constexpr unsigned kMinCidrPrefix = 8;

/// An IPv4 network. INVARIANT: no host bit is set and prefix <= 32.
struct Ipv4Network {
  Ipv4Address base;
  std::uint8_t prefix = 32;

  /// Takes `a.b.c.d/len` with no host bits set.
  [[nodiscard]] static std::optional<Ipv4Network> from_canonical(std::string_view text);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool contains(Ipv4Address address) const;
  [[nodiscard]] bool overlaps(const Ipv4Network& other) const;

  friend auto operator<=>(const Ipv4Network&, const Ipv4Network&) = default;
};

/// The netmask of a prefix length: 8 gives 0xFF000000.
[[nodiscard]] constexpr std::uint32_t netmask(unsigned prefix) {
  return prefix == 0 ? 0U : ~std::uint32_t{0} << (32U - prefix);
}

/// How an allow list may treat a range that is not plain public space.
enum class RangeClass : std::uint8_t {
  Private,      ///< reachable only through `allowLan`
  GatewayPool,  ///< private, but a rule by address would also open the runtime's gateways to the host
  NeverAllowed  ///< host, metadata, loopback and the like: no switch opens it
};

/// One special-purpose range, from the IANA IPv4 special-purpose registry and
/// the address plan of the runtime.
struct SpecialRange {
  Ipv4Network network;
  RangeClass klass;
  std::string_view what;
};

/// All special ranges, the most specific first.
[[nodiscard]] std::span<const SpecialRange> special_ranges();

/// The first special range that `network` overlaps, or null.
[[nodiscard]] const SpecialRange* special_range_of(const Ipv4Network& network);

}  // namespace forge::policy
