#include "forge/policy/ip.hpp"

#include <arpa/inet.h>

#include <array>
#include <charconv>

namespace forge::policy {
namespace {

constexpr unsigned kBits = 128;
constexpr unsigned kMappedBits = 96;  // what an IPv4-mapped address has before its 32 bits

std::array<unsigned char, 16> octets(IpAddress address) {
  std::array<unsigned char, 16> bytes{};
  for (unsigned i = 0; i < 8; ++i) {
    bytes.at(i) = static_cast<unsigned char>(address.high >> (56U - 8 * i));
    bytes.at(8 + i) = static_cast<unsigned char>(address.low >> (56U - 8 * i));
  }
  return bytes;
}

IpAddress from_octets(const std::array<unsigned char, 16>& bytes) {
  IpAddress address;
  for (unsigned i = 0; i < 8; ++i) {
    address.high = address.high << 8U | bytes.at(i);
    address.low = address.low << 8U | bytes.at(8 + i);
  }
  return address;
}

// The bits that a prefix of `prefix` of all 128 bits leaves free.
IpAddress host_bits(unsigned prefix) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  if (prefix >= kBits) {
    return {0, 0};
  }
  if (prefix >= 64) {
    return {0, all >> (prefix - 64U)};
  }
  return {all >> prefix, all};
}

std::string v6_text(IpAddress address) {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  return inet_ntop(AF_INET6, octets(address).data(), buffer.data(), buffer.size());
}

std::optional<IpAddress> v6_from(std::string_view text) {
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET6, std::string(text).c_str(), bytes.data()) != 1) {
    return std::nullopt;
  }
  const IpAddress address = from_octets(bytes);
  return v6_text(address) == text ? std::optional(address) : std::nullopt;
}

unsigned prefix_of_all(IpFamily family, unsigned prefix) {
  return family == IpFamily::V4 ? kMappedBits + prefix : prefix;
}

}  // namespace

std::string IpAddress::text() const {
  return is_ipv4() ? Ipv4Address{static_cast<std::uint32_t>(low)}.text() : v6_text(*this);
}

std::optional<IpAddress> IpAddress::from_canonical(std::string_view text) {
  if (const auto v4 = Ipv4Address::from_canonical(text)) {
    return from_ipv4(*v4);
  }
  const auto address = v6_from(text);
  return address && !address->is_ipv4() ? address : std::nullopt;
}

IpNetwork IpNetwork::around(IpFamily family, IpAddress address, unsigned prefix) {
  const IpAddress free = host_bits(prefix_of_all(family, prefix));
  return {family, {address.high & ~free.high, address.low & ~free.low}, static_cast<std::uint8_t>(prefix)};
}

std::optional<IpNetwork> IpNetwork::from_canonical(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view spelled = text.substr(0, slash);
  const IpFamily family = spelled.find(':') == std::string_view::npos ? IpFamily::V4 : IpFamily::V6;
  const auto address = family == IpFamily::V4 ? IpAddress::from_canonical(spelled) : v6_from(spelled);
  const std::string_view digits = text.substr(slash + 1);
  unsigned prefix = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
  if (!address || error != std::errc{} || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  if (prefix > (family == IpFamily::V4 ? 32U : kBits)) {
    return std::nullopt;
  }
  const IpNetwork network = around(family, *address, prefix);
  return network.text() == text ? std::optional(network) : std::nullopt;
}

IpAddress IpNetwork::last() const {
  const IpAddress free = host_bits(prefix_of_all(family, prefix));
  return {base.high | free.high, base.low | free.low};
}

bool IpNetwork::contains(IpAddress address) const {
  return address.is_ipv4() == (family == IpFamily::V4) && base <= address && address <= last();
}

std::string IpNetwork::text() const {
  return (family == IpFamily::V4 ? base.text() : v6_text(base)) + '/' + std::to_string(prefix);
}

}  // namespace forge::policy
