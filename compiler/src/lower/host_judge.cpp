#include "host_judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "forge/grammar/host_rule.hpp"
#include "forge/policy/overloaded.hpp"
#include "forge/policy/utf8.hpp"
#include "host_faults.hpp"
#include "names/idna.hpp"
#include "names/public_suffix.hpp"
#include "names/reserved_names.hpp"

namespace forge::compiler {
namespace {

using grammar::NameForm;
using policy::DiagnosticId;
using policy::DomainName;
using policy::excerpt;
using policy::HostRule;
using policy::Lan;

class Judge {
 public:
  Judge(const Entry& entry, HostUse use, Lan lan, Lowering& out)
      : entry_(entry), use_(use), lan_(lan), out_(out) {}

  JudgedHost run() {
    const auto parsed = grammar::parse_host_entry(entry_.text);
    if (!parsed) {
      const HostFaultText text = describe_host_fault(
          {entry_.shown, entry_.text, [this](std::string_view candidate) { return would_pass(candidate); }},
          parsed.error());
      report(text.id, text.message, text.help, parsed.error().where);
      return {};
    }
    note_spaces();
    return std::visit(
        policy::overloaded{
            [&](const grammar::EverythingEntry&) { return everything(); },
            [&](const grammar::NameEntry& name) {
              return JudgedHost{name_rule(name), false};
            },
            [&](const grammar::AddressEntry& host) {
              return address_rule({host.address, 32},
                                  policy::AddressHost{policy::IpAddress::from_ipv4(host.address)});
            },
            [&](const grammar::NetworkEntry& host) {
              // One address is one rule, however it is written.
              return host.network.prefix == 32
                         ? address_rule(host.network,
                                        policy::AddressHost{policy::IpAddress::from_ipv4(host.network.base)})
                         : address_rule(host.network, policy::NetworkHost{host.network});
            }},
        *parsed);
  }

 private:
  void report(DiagnosticId id, std::string message, std::string help = {},
              std::optional<policy::Span> where = std::nullopt) {
    out_.report(id, entry_, std::move(message), std::move(help), where);
  }

  [[nodiscard]] std::string quoted() const { return fmt::format("`{}`", excerpt(entry_.shown)); }

  // Whether a suggestion would be taken, so that no advice leads to a refusal.
  [[nodiscard]] bool would_pass(std::string_view candidate) const {
    const auto parsed = grammar::parse_host_entry(candidate);
    if (!parsed) {
      return false;
    }
    const bool secret = use_ == HostUse::Secret;
    if (const auto* entry = std::get_if<grammar::NameEntry>(&*parsed)) {
      const auto name = DomainName::from_canonical(entry->name);
      const bool suffix = entry->form == NameForm::Suffix;
      return name && !is_refused_name(*name, suffix) &&
             !(secret && (name->label_count() < 2 || is_public_suffix(name->text())));
    }
    if (const auto* host = std::get_if<grammar::AddressEntry>(&*parsed)) {
      const policy::SpecialRange* special = policy::special_range_of({host->address, 32});
      return !secret &&
             (special == nullptr || (special->klass == policy::RangeClass::Private && lan_ == Lan::Open));
    }
    return false;
  }

  [[nodiscard]] bool is_refused_name(const DomainName& name, bool suffix) const {
    const ReservedName* reserved = suffix ? reserved_name_under(name) : reserved_name_of(name);
    const bool lan_only = reserved != nullptr && reserved->klass == ReservedClass::LanOnly;
    return reserved != nullptr && !(lan_only && use_ == HostUse::Allow && lan_ == Lan::Open);
  }

  void note_spaces() {
    if (entry_.text.starts_with(' ') || entry_.text.ends_with(' ')) {
      report(DiagnosticId::NameNormalised, fmt::format("spaces around {} do not count", quoted()));
    }
  }

  JudgedHost everything() {
    if (use_ == HostUse::Secret) {
      report(DiagnosticId::SecretHostTooBroad, fmt::format("{} would send the value to any host", quoted()),
             "list the exact hosts that need the secret");
      return {};
    }
    return {std::nullopt, true};
  }

  JudgedHost address_rule(const policy::Ipv4Network& network, HostRule rule) {
    if (use_ == HostUse::Secret) {
      report(DiagnosticId::SecretHostNotAName, fmt::format("{} is an address, not a host name", quoted()),
             "a secret is only sent to a TLS host name; list that name");
      return {};
    }
    const policy::SpecialRange* special = policy::special_range_of(network);
    if (special == nullptr) {
      return {std::move(rule), false};
    }
    return refuse_range(*special, std::move(rule));
  }

  JudgedHost refuse_range(const policy::SpecialRange& special, HostRule rule) {
    const bool closed = lan_ == Lan::Closed;
    const std::string message =
        fmt::format("{} overlaps {} ({})", quoted(), special.network.text(), special.what);
    switch (special.klass) {
      case policy::RangeClass::Private:
        if (closed) {
          report(DiagnosticId::PrivateAddress, message,
                 "set `sandbox.network.allowLan` to true to reach the local network");
          return {};
        }
        return {std::move(rule), false};
      case policy::RangeClass::GatewayPool:
        report(DiagnosticId::PrivateAddress, message,
               closed
                   ? "set `sandbox.network.allowLan` to true: it opens private addresses without the gateways"
                   : "remove the entry: `allowLan` already opens private addresses, without the gateways");
        return {};
      case policy::RangeClass::NeverAllowed:
        report(DiagnosticId::ForbiddenAddress, message,
               "remove the entry; `allowLan` does not open it either");
        return {};
    }
    return {};
  }

  std::optional<HostRule> name_rule(const grammar::NameEntry& entry) {
    auto name = canonical_name(entry);
    if (!name) {
      return std::nullopt;
    }
    const bool suffix = entry.form == NameForm::Suffix;
    // Conversion can change the number of labels (an ideographic full stop).
    if (suffix && name->label_count() < 2) {
      report(DiagnosticId::WildcardTooBroad, fmt::format("{} covers a whole top-level domain", quoted()));
      return std::nullopt;
    }
    if (entry.trailing_dot) {
      report(DiagnosticId::NameNormalised, fmt::format("the dot at the end of {} does not count", quoted()));
    }
    if (refused_as_reserved(*name, suffix) ||
        (use_ == HostUse::Secret && refused_for_secret(*name, suffix))) {
      return std::nullopt;
    }
    if (suffix && use_ == HostUse::Allow && is_public_suffix(name->text())) {
      report(
          DiagnosticId::PublicSuffixWildcard,
          fmt::format("{} covers names that anyone can register", quoted()),
          name->text() == "cloudfront.net"
              ? std::string(
                    "shared infrastructure: keep it only if images are pulled from Docker Hub, whose blobs "
                    "come from there")
              : fmt::format("`{}` is shared infrastructure; list the names you need", name->text()));
    }
    return suffix ? HostRule(policy::SuffixHost{*name}) : HostRule(policy::ExactHost{*name});
  }

  std::optional<DomainName> canonical_name(const grammar::NameEntry& entry) {
    if (entry.ascii) {
      return ascii_name(entry.name);
    }
    const auto ascii = to_a_labels(entry.name);
    // Conversion can bring forth what the grammar refuses (full-width digits become
    // an address), so its result is judged like a name that was written.
    const auto again = grammar::parse_host_entry("domain=" + ascii.value_or(""));
    const bool is_name = ascii && again && std::holds_alternative<grammar::NameEntry>(*again);
    auto name = is_name ? DomainName::from_canonical(*ascii) : std::nullopt;
    if (!name) {
      report(DiagnosticId::NameNotConvertible, fmt::format("{} has no ASCII form", quoted()),
             "DNS knows a name only in ASCII; write its xn-- form");
      return std::nullopt;
    }
    report(DiagnosticId::NameConverted, fmt::format("{} becomes `{}`", quoted(), name->text()));
    if (const auto unicode = to_unicode(name->text())) {
      warn_mixed(*unicode);
    }
    return name;
  }

  std::optional<DomainName> ascii_name(const std::string& text) {
    if (text.starts_with("xn--") || text.find(".xn--") != std::string::npos) {
      const auto unicode = to_unicode(text);
      if (!unicode) {
        report(DiagnosticId::NameNotConvertible, fmt::format("{} has a label that encodes no name", quoted()),
               "check the xn-- label");
        return std::nullopt;
      }
      warn_mixed(*unicode);
    }
    auto name = DomainName::from_canonical(text);
    if (!name) {
      report(DiagnosticId::HostBadLabel, fmt::format("{} is not a host name", quoted()));
    }
    return name;
  }

  void warn_mixed(const std::string& unicode) {
    if (mixes_scripts(unicode)) {
      report(DiagnosticId::MixedScripts,
             fmt::format("`{}` mixes writing systems in one label", excerpt(unicode)),
             "check that every letter is the one you mean");
    }
  }

  bool refused_as_reserved(const DomainName& name, bool suffix) {
    if (!is_refused_name(name, suffix)) {
      return false;
    }
    const ReservedName* reserved = suffix ? reserved_name_under(name) : reserved_name_of(name);
    const bool lan_only = reserved->klass == ReservedClass::LanOnly;
    report(use_ == HostUse::Secret ? DiagnosticId::SecretHostNotAName : DiagnosticId::ReservedName,
           fmt::format("{} means {}", quoted(), reserved->why),
           lan_only && use_ == HostUse::Allow
               ? "set `sandbox.network.allowLan` to true to reach the local network"
               : "remove the entry");
    return true;
  }

  bool refused_for_secret(const DomainName& name, bool suffix) {
    if (name.label_count() < 2) {
      report(DiagnosticId::SecretHostNotAName, fmt::format("{} is a private name", quoted()),
             "a secret is only sent to a public host name");
      return true;
    }
    if (is_public_suffix(name.text())) {
      report(DiagnosticId::SecretHostTooBroad,
             suffix ? fmt::format("{} covers names that anyone can register", quoted())
                    : fmt::format("{} is a public suffix, not a host", quoted()),
             "list the exact hosts that need the secret");
      return true;
    }
    if (suffix) {
      report(DiagnosticId::SecretHostWildcard,
             fmt::format("every host below `{}` can receive the value", name.text()),
             "list exact host names");
    }
    return false;
  }

  const Entry& entry_;
  HostUse use_;
  Lan lan_;
  Lowering& out_;
};

}  // namespace

JudgedHost judge_host(const Entry& entry, HostUse use, Lan lan, Lowering& out) {
  return Judge(entry, use, lan, out).run();
}

}  // namespace forge::compiler
