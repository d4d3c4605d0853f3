#include "host_faults.hpp"

#include <fmt/format.h>

#include "forge/policy/domain_name.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::compiler {
namespace {

using grammar::HostFault;
using policy::DiagnosticId;

// The host inside something URL-like: scheme, user, port and path taken off.
std::string_view bare_host(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  text = first == std::string_view::npos ? std::string_view() : text.substr(first);
  if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    text.remove_prefix(scheme + 3);
  }
  text = text.substr(0, text.find_first_of("/?# "));
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    text.remove_prefix(at + 1);
  }
  return text.substr(0, text.find(':'));
}

// "write `x`" when the bare host would be taken; else what to do.
std::string suggest_bare(const WrittenHost& host) {
  const std::string_view bare = bare_host(host.text);
  if (bare != host.text && host.would_pass(bare)) {
    return fmt::format("write `{}`; all its ports are open then", policy::excerpt(bare));
  }
  const auto parsed = grammar::parse_host_entry(bare);
  const auto* address = parsed ? std::get_if<grammar::AddressEntry>(&*parsed) : nullptr;
  const policy::SpecialRange* special =
      address == nullptr ? nullptr : policy::special_range_of({address->address, 32});
  if (special != nullptr && special->klass != policy::RangeClass::NeverAllowed) {
    return "ports cannot be named, and a private address needs `sandbox.network.allowLan`";
  }
  return bare == host.text || (!parsed && parsed.error().fault != grammar::HostFault::SingleLabel)
             ? "write the bare host name"
             : "remove the entry: the host in it is not opened either";
}

std::string double_star_help(const WrittenHost& host) {
  const std::string candidate = fmt::format("*.{}", host.text.substr(host.text.find("**.") + 3));
  return host.would_pass(candidate) ? fmt::format("write `{}`, which covers every depth and the name itself",
                                                  policy::excerpt(candidate))
                                    : "write `*.` and a name of two labels or more";
}

std::string single_label_help(const WrittenHost& host) {
  const std::string candidate = fmt::format("domain={}", bare_host(host.text));
  return host.would_pass(candidate)
             ? fmt::format("write `{}` if the single label is meant", policy::excerpt(candidate))
             : "write the full name of a public host";
}

}  // namespace

HostFaultText describe_host_fault(const WrittenHost& host, const grammar::HostProblem& problem) {
  const std::string_view text = host.text;
  std::string quoted = fmt::format("`{}`", policy::excerpt(host.shown));
  switch (problem.fault) {
    case HostFault::Blank:
      return {DiagnosticId::HostBlank, "this entry is blank", "remove it or write the host"};
    case HostFault::Comma:
      return {DiagnosticId::HostHasComma, fmt::format("{} holds a comma", quoted),
              "write one entry per host"};
    case HostFault::Colon:
      return {DiagnosticId::HostHasColon,
              text.find("://") != std::string_view::npos
                  ? fmt::format("{} is a URL, not a host name", quoted)
                  : fmt::format("{} holds a colon; ports and IPv6 addresses cannot be named", quoted),
              suggest_bare(host)};
    case HostFault::At:
      return {DiagnosticId::HostHasAt, fmt::format("{} holds an `@`", quoted), suggest_bare(host)};
    case HostFault::BadCharacter:
      return {DiagnosticId::HostBadCharacter,
              fmt::format("{} holds a character that no host name has", quoted),
              text.find('/') != std::string_view::npos
                  ? suggest_bare(host)
                  : "a name has letters, digits, hyphens, underscores and dots"};
    case HostFault::WildcardTooBroad:
      return {DiagnosticId::WildcardTooBroad, fmt::format("{} covers a whole top-level domain", quoted),
              "name at least two labels, like `*.example.com`"};
    case HostFault::WildcardInside:
      return {DiagnosticId::WildcardInside, fmt::format("{} has a `*` that is not a leading `*.`", quoted),
              "only `*.` at the front is a wildcard; list the names or widen on purpose"};
    case HostFault::DoubleStar:
      return {DiagnosticId::DoubleStarSuffix,
              fmt::format("{} uses `**.`, which this runtime does not know", quoted), double_star_help(host)};
    case HostFault::SingleLabel:
      return {DiagnosticId::HostSingleLabel, fmt::format("{} is a single label", quoted),
              single_label_help(host)};
    case HostFault::EmptyLabel:
      return {DiagnosticId::HostBadLabel, fmt::format("{} has an empty label", quoted),
              "remove the extra dot"};
    case HostFault::LabelTooLong:
      return {DiagnosticId::HostBadLabel,
              fmt::format("{} has a label of more than {} bytes", quoted, policy::kMaxLabelBytes), ""};
    case HostFault::NameTooLong:
      return {DiagnosticId::HostBadLabel,
              fmt::format("{} is longer than {} bytes", quoted, policy::kMaxDomainBytes), ""};
    case HostFault::HyphenAtEdge:
      return {DiagnosticId::HostBadLabel,
              fmt::format("{} has a label that begins or ends with a hyphen", quoted), ""};
    case HostFault::AddressNotCanonical:
      return {DiagnosticId::AddressNotCanonical,
              fmt::format("{} would be read as an address by some programs and as a name by others", quoted),
              "write four decimal numbers without leading zeros, or a name whose last label is not a number"};
    case HostFault::NetworkMalformed:
      return {DiagnosticId::NetworkMalformed, fmt::format("{} is not a network", quoted),
              "write a.b.c.d/len with len from 8 to 32"};
    case HostFault::NetworkHostBits:
      return {DiagnosticId::NetworkHostBits, fmt::format("{} has bits set behind its prefix", quoted),
              "clear them, or write the address without a prefix"};
    case HostFault::NetworkTooWide:
      return {DiagnosticId::NetworkTooWide,
              fmt::format("{} is wider than /{}", quoted, policy::kMinCidrPrefix),
              "name narrower networks; `*` opens public egress on purpose"};
  }
  return {DiagnosticId::HostBadCharacter, quoted, ""};
}

}  // namespace forge::compiler
