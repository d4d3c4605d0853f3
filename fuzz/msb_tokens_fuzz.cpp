// What is read from an argument of msb and written again is read as the same; what our emitter
// writes for any rule, path or name is read as that.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/host_rule.hpp"
#include "forge/grammar/msb_tokens.hpp"
#include "forge/policy/overloaded.hpp"

namespace {

using namespace forge;
using policy::HostRule;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

// Every spelling that msb knows for `rule`.
std::vector<std::string> targets_of(const HostRule& rule) {
  if (std::holds_alternative<policy::SuffixHost>(rule)) {
    return {policy::spelling_of(rule), "suffix=" + policy::value_of(rule)};
  }
  const auto* exact = std::get_if<policy::ExactHost>(&rule);
  if (exact == nullptr) {
    return {policy::value_of(rule)};
  }
  std::vector<std::string> out = {"domain=" + exact->name.text()};
  if (exact->name.label_count() > 1) {
    out.push_back(exact->name.text());
  }
  return out;
}

void check_targets(const HostRule& rule) {
  for (const std::string& target : targets_of(rule)) {
    require(grammar::parse_msb_allow_rule("allow@" + target) == rule);
  }
}

void check_allow(std::string_view text) {
  const auto rule = grammar::parse_msb_allow_rule(text);
  if (rule) {
    require(text.starts_with("allow@") && text.find_first_of(" ,:;\\\"") == std::string_view::npos);
    check_targets(*rule);
    require(policy::host_rule_from_canonical(policy::kind_of(*rule), policy::value_of(*rule)) == *rule);
  }
}

std::string written(const grammar::MsbVolume& volume) {
  return volume.host + ":" + volume.guest + (volume.access == policy::Access::ReadOnly ? ":ro" : "");
}

void check_volume(std::string_view text) {
  const auto volume = grammar::parse_msb_volume(text);
  if (volume) {
    const auto again = grammar::parse_msb_volume(written(*volume));
    require(again && again->host == volume->host && again->guest == volume->guest &&
            again->access == volume->access);
    require(written(*volume) == text || written(*volume) + ":rw" == text);
  }
}

void check_disk(std::string_view text) {
  const auto disk = grammar::parse_msb_named_disk(text);
  if (disk) {
    const std::string size = "size=" + std::to_string(disk->size.count) + "M";
    for (const std::string& options : {"kind=disk," + size, size + ",kind=disk"}) {
      const auto again = grammar::parse_msb_named_disk(disk->volume + ":" + disk->guest + ":" + options);
      require(again && again->volume == disk->volume && again->guest == disk->guest &&
              again->size == disk->size);
    }
  }
}

void check_secret(std::string_view text) {
  const auto secret = grammar::parse_msb_secret(text);
  if (secret) {
    std::string out = secret->env.text();
    for (const HostRule& host : secret->hosts) {
      require(std::holds_alternative<policy::ExactHost>(host) ||
              std::holds_alternative<policy::SuffixHost>(host));
      out += (&host == &secret->hosts.front() ? "@" : ",") + policy::spelling_of(host);
    }
    require(out == text);
  }
}

void check_size(std::string_view text) {
  const auto size = grammar::parse_msb_size(text);
  if (size) {
    require(size->count > 0 && grammar::parse_msb_size(std::to_string(size->count)) == *size);
    require(grammar::parse_msb_size(std::to_string(size->count) + "M") == *size);
  }
}

// The rule that an entry of an allow list stands for, where it needs no conversion.
std::optional<HostRule> rule_of(const grammar::HostEntry& entry) {
  return std::visit(
      policy::overloaded{[](const grammar::EverythingEntry&) { return std::optional<HostRule>(); },
                         [](const grammar::NameEntry& name) {
                           return policy::host_rule_from_canonical(
                               name.form == grammar::NameForm::Suffix ? "suffix" : "domain", name.name);
                         },
                         [](const grammar::AddressEntry& host) {
                           return std::optional<HostRule>(
                               policy::AddressHost{policy::IpAddress::from_ipv4(host.address)});
                         },
                         [](const grammar::NetworkEntry& host) {
                           return std::optional<HostRule>(policy::NetworkHost{host.network});
                         }},
      entry);
}

void check_emitted_rule(std::string_view text) {
  const auto entry = grammar::parse_host_entry(text);
  const auto rule = entry ? rule_of(*entry) : std::nullopt;
  if (rule) {
    check_targets(*rule);
    const bool name = std::get_if<grammar::NameEntry>(&*entry) != nullptr;
    const auto secret = grammar::parse_msb_secret("T@" + policy::spelling_of(*rule));
    require(name ? secret && secret->hosts.front() == *rule : !secret);
  }
}

void check_emitted_volume(std::string_view text) {
  const auto path = policy::MountPath::from_canonical(text);
  if (path) {
    for (const auto access : {policy::Access::ReadOnly, policy::Access::ReadWrite}) {
      const grammar::MsbVolume volume{path->text(), "/guest" + path->text(), access};
      const auto again = grammar::parse_msb_volume(written(volume));
      const bool fits = volume.guest.size() <= policy::kMaxPathBytes;
      require(again.has_value() == fits);
      require(!fits ||
              (again->host == volume.host && again->guest == volume.guest && again->access == access));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_allow(text);
  check_volume(text);
  check_disk(text);
  check_secret(text);
  check_size(text);
  check_emitted_rule(text);
  check_emitted_volume(text);
  return 0;
}
