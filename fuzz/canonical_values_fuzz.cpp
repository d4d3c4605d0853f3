// The strict readers of single values in plans. Property: what is taken is
// canonical, so spelling it gives the input back; and text that is shown is safe.
#include <cstdint>
#include <string>

#include "forge/policy/diagnostic.hpp"
#include "forge/policy/env_name.hpp"
#include "forge/policy/host_rule.hpp"
#include "forge/policy/ip.hpp"
#include "forge/policy/mount_path.hpp"
#include "forge/policy/sandbox_name.hpp"
#include "forge/policy/utf8.hpp"

namespace {

using namespace forge::policy;

void require(bool holds) {
  if (!holds) {
    __builtin_trap();
  }
}

template <class T>
void check(std::string_view text) {
  if (const auto value = T::from_canonical(text)) {
    require(value->text() == text);
  }
}

void check_host_rules(std::string_view text) {
  for (const char* kind : {"domain", "suffix", "ip", "cidr", "group"}) {
    if (const auto rule = host_rule_from_canonical(kind, text)) {
      require(value_of(*rule) == text && kind_of(*rule) == kind && covers(*rule, *rule));
    }
  }
}

void check_ip(std::string_view text) {
  if (const auto address = IpAddress::from_canonical(text)) {
    require(address->text() == text && address->is_ipv4() == Ipv4Address::from_canonical(text).has_value());
  }
  if (const auto network = IpNetwork::from_canonical(text)) {
    require(network->text() == text && network->base <= network->last());
    require(IpNetwork::around(network->family, network->last(), network->prefix) == *network);
    require(network->contains(network->base) ==
            (network->base.is_ipv4() == (network->family == IpFamily::V4)));
  }
}

void check_shown(std::string_view text) {
  std::string shown = escape_for_display(text);
  require(is_valid_utf8(shown));
  require(escape_for_display(shown) == shown && is_shown_as_written(shown));
  require(is_shown_as_written(text) == (shown == text));
  for (std::string_view rest = shown; !rest.empty();) {
    const CodePoint point = decode_utf8(rest);
    require(point.length > 0 && !is_unsafe_to_show(point.value));
    rest.remove_prefix(point.length);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check<DomainName>(text);
  check<Ipv4Address>(text);
  check<Ipv4Network>(text);
  check_ip(text);
  check<EnvName>(text);
  check<MountPath>(text);
  check<SandboxName>(text);
  check_host_rules(text);
  check_shown(text);
  if (const auto id = diagnostic_from_code(text)) {
    require(code_text(*id) == text);
  }
  const SandboxName derived = SandboxName::derive(text);
  require(SandboxName::from_canonical(derived.text()) == derived);
  return 0;
}
