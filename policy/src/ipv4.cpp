#include "forge/policy/ipv4.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace forge::policy {
namespace {

// Reads a decimal number without leading zeros, at most `limit`, from the front of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text, std::uint32_t limit) {
  std::uint32_t value = 0;
  std::size_t used = 0;
  while (used < text.size() && text[used] >= '0' && text[used] <= '9') {
    value = value * 10 + static_cast<std::uint32_t>(text[used] - '0');
    if (value > limit || (used == 1 && text[0] == '0')) {
      return std::nullopt;
    }
    ++used;
  }
  if (used == 0) {
    return std::nullopt;
  }
  text.remove_prefix(used);
  return value;
}

bool take_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

std::optional<Ipv4Address> take_address(std::string_view& text) {
  std::uint32_t bits = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && !take_char(text, '.')) {
      return std::nullopt;
    }
    const auto octet = take_number(text, 255);
    if (!octet) {
      return std::nullopt;
    }
    bits = (bits << 8U) | *octet;
  }
  return Ipv4Address{bits};
}

constexpr Ipv4Network net(unsigned a, unsigned b, unsigned c, unsigned d, unsigned prefix) {
  return {Ipv4Address{(a << 24U) | (b << 16U) | (c << 8U) | d}, static_cast<std::uint8_t>(prefix)};
}

constexpr std::array kSpecialRanges = {
    SpecialRange{net(169, 254, 169, 254, 32), RangeClass::NeverAllowed, "the cloud metadata address"},
    SpecialRange{net(100, 100, 100, 200, 32), RangeClass::NeverAllowed, "the Alibaba Cloud metadata address"},
    SpecialRange{net(168, 63, 129, 16, 32), RangeClass::NeverAllowed, "the Azure platform address"},
    SpecialRange{net(192, 0, 0, 192, 32), RangeClass::NeverAllowed, "the Oracle Cloud metadata address"},
    SpecialRange{net(169, 254, 0, 0, 16), RangeClass::NeverAllowed, "link-local space"},
    SpecialRange{net(172, 16, 0, 0, 12), RangeClass::GatewayPool,
                 "the pool of the runtime's gateways to the host's loopback"},
    SpecialRange{net(192, 168, 0, 0, 16), RangeClass::Private, "private space"},
    SpecialRange{net(100, 64, 0, 0, 10), RangeClass::Private, "carrier-grade NAT space"},
    SpecialRange{net(10, 0, 0, 0, 8), RangeClass::Private, "private space"},
    SpecialRange{net(127, 0, 0, 0, 8), RangeClass::NeverAllowed, "loopback"},
    SpecialRange{net(0, 0, 0, 0, 8), RangeClass::NeverAllowed, "the unspecified network"},
    SpecialRange{net(224, 0, 0, 0, 4), RangeClass::NeverAllowed, "multicast space"},
    SpecialRange{net(240, 0, 0, 0, 4), RangeClass::NeverAllowed, "reserved space"},
};

}  // namespace

std::optional<Ipv4Address> Ipv4Address::from_canonical(std::string_view text) {
  const auto address = take_address(text);
  return text.empty() ? address : std::nullopt;
}

std::string Ipv4Address::text() const {
  return fmt::format("{}.{}.{}.{}", bits >> 24U, (bits >> 16U) & 255U, (bits >> 8U) & 255U, bits & 255U);
}

std::optional<Ipv4Network> Ipv4Network::from_canonical(std::string_view text) {
  const auto base = take_address(text);
  if (!base || !take_char(text, '/')) {
    return std::nullopt;
  }
  const auto prefix = take_number(text, 32);
  if (!prefix || !text.empty() || (base->bits & ~netmask(*prefix)) != 0) {
    return std::nullopt;
  }
  return Ipv4Network{*base, static_cast<std::uint8_t>(*prefix)};
}

std::string Ipv4Network::text() const { return fmt::format("{}/{}", base.text(), prefix); }

bool Ipv4Network::contains(Ipv4Address address) const {
  return (address.bits & netmask(prefix)) == base.bits;
}

bool Ipv4Network::overlaps(const Ipv4Network& other) const {
  return contains(other.base) || other.contains(base);
}

std::span<const SpecialRange> special_ranges() { return kSpecialRanges; }

const SpecialRange* special_range_of(const Ipv4Network& network) {
  // The strictest class decides: 100.64.0.0/10 is private space, but it also
  // covers a metadata address, so it is never allowed.
  for (const auto klass : {RangeClass::NeverAllowed, RangeClass::GatewayPool, RangeClass::Private}) {
    const auto hit = std::find_if(kSpecialRanges.begin(), kSpecialRanges.end(), [&](const SpecialRange& row) {
      return row.klass == klass && row.network.overlaps(network);
    });
    if (hit != kSpecialRanges.end()) {
      return &*hit;
    }
  }
  return nullptr;
}

}  // namespace forge::policy
