// One destination of an egress rule, in canonical form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "forge/policy/domain_name.hpp"
#include "forge/policy/ip.hpp"

namespace forge::policy {

/// Exactly this name.
struct ExactHost {
  DomainName name;
  friend auto operator<=>(const ExactHost&, const ExactHost&) = default;
};

/// This name (the apex) and everything below it. INVARIANT: two labels or more.
struct SuffixHost {
  DomainName name;
  friend auto operator<=>(const SuffixHost&, const SuffixHost&) = default;
};

/// One address. An allow list names IPv4 only; IPv6 comes from rules of our own.
struct AddressHost {
  IpAddress address;
  friend auto operator<=>(const AddressHost&, const AddressHost&) = default;
};

/// All addresses of a network.
struct NetworkHost {
  Ipv4Network network;
  friend auto operator<=>(const NetworkHost&, const NetworkHost&) = default;
};

/// A named address group of the runtime.
enum class Group : std::uint8_t { Private };
struct GroupHost {
  Group group;
  friend auto operator<=>(const GroupHost&, const GroupHost&) = default;
};

using HostRule = std::variant<ExactHost, SuffixHost, AddressHost, NetworkHost, GroupHost>;

/// The `kind` a plan gives a rule: domain, suffix, ip, cidr, group.
[[nodiscard]] std::string_view kind_of(const HostRule& rule);

/// The canonical value: the bare name (of a suffix too), address, network or group.
[[nodiscard]] std::string value_of(const HostRule& rule);

/// As a person writes it in an allow list: `*.x` for a suffix.
[[nodiscard]] std::string spelling_of(const HostRule& rule);

/// The inverse of kind_of and value_of; nothing when the pair is not canonical.
[[nodiscard]] std::optional<HostRule> host_rule_from_canonical(std::string_view kind, std::string_view value);

/// True when every destination of `inner` is also one of `outer`, judged by names as names
/// and addresses as addresses (a name never covers an address).
[[nodiscard]] bool covers(const HostRule& outer, const HostRule& inner);

}  // namespace forge::policy
