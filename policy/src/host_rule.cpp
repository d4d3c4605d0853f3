#include "forge/policy/host_rule.hpp"

#include "forge/policy/overloaded.hpp"

namespace forge::policy {
namespace {

std::string_view group_name(Group group) {
  switch (group) {
    case Group::Private:
      return "private";
  }
  return "";
}

IpNetwork as_network(const AddressHost& host) {
  return host.address.is_ipv4() ? IpNetwork::around(IpFamily::V4, host.address, 32)
                                : IpNetwork::around(IpFamily::V6, host.address, 128);
}

bool covers_network(const HostRule& outer, const IpNetwork& inner) {
  const auto* network = std::get_if<NetworkHost>(&outer);
  if (network != nullptr) {
    return network->network.prefix <= inner.prefix &&
           IpNetwork::from_ipv4(network->network).contains(inner.base);
  }
  const auto* address = std::get_if<AddressHost>(&outer);
  return address != nullptr && as_network(*address) == inner;
}

}  // namespace

std::string_view kind_of(const HostRule& rule) {
  return std::visit(overloaded{[](const ExactHost&) { return std::string_view("domain"); },
                               [](const SuffixHost&) { return std::string_view("suffix"); },
                               [](const AddressHost&) { return std::string_view("ip"); },
                               [](const NetworkHost&) { return std::string_view("cidr"); },
                               [](const GroupHost&) { return std::string_view("group"); }},
                    rule);
}

std::string value_of(const HostRule& rule) {
  return std::visit(overloaded{[](const ExactHost& host) { return host.name.text(); },
                               [](const SuffixHost& host) { return host.name.text(); },
                               [](const AddressHost& host) { return host.address.text(); },
                               [](const NetworkHost& host) { return host.network.text(); },
                               [](const GroupHost& host) { return std::string(group_name(host.group)); }},
                    rule);
}

std::string spelling_of(const HostRule& rule) {
  const bool suffix = std::holds_alternative<SuffixHost>(rule);
  return suffix ? "*." + value_of(rule) : value_of(rule);
}

std::optional<HostRule> host_rule_from_canonical(std::string_view kind, std::string_view value) {
  if (kind == "domain" || kind == "suffix") {
    auto name = DomainName::from_canonical(value);
    if (!name || (kind == "suffix" && name->label_count() < 2)) {
      return std::nullopt;
    }
    return kind == "domain" ? HostRule(ExactHost{*name}) : HostRule(SuffixHost{*name});
  }
  if (kind == "ip") {
    const auto address = IpAddress::from_canonical(value);
    return address ? std::optional<HostRule>(AddressHost{*address}) : std::nullopt;
  }
  if (kind == "cidr") {
    const auto network = Ipv4Network::from_canonical(value);
    return network ? std::optional<HostRule>(NetworkHost{*network}) : std::nullopt;
  }
  if (kind == "group" && value == group_name(Group::Private)) {
    return GroupHost{Group::Private};
  }
  return std::nullopt;
}

bool covers(const HostRule& outer, const HostRule& inner) {
  return std::visit(
      overloaded{
          [&](const ExactHost& host) {
            const auto* suffix = std::get_if<SuffixHost>(&outer);
            return outer == inner || (suffix != nullptr && host.name.is_at_or_below(suffix->name));
          },
          [&](const SuffixHost& host) {
            const auto* suffix = std::get_if<SuffixHost>(&outer);
            return suffix != nullptr && host.name.is_at_or_below(suffix->name);
          },
          [&](const AddressHost& host) { return covers_network(outer, as_network(host)); },
          [&](const NetworkHost& host) { return covers_network(outer, IpNetwork::from_ipv4(host.network)); },
          [&](const GroupHost&) { return outer == inner; }},
      inner);
}

}  // namespace forge::policy
