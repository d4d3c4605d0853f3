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

// "write `x`" when the bare host would be accepted; what to do about a private one.
std::string suggest_bare(std::string_view text) {
  const std::string_view bare = bare_host(text);
  const auto parsed = grammar::parse_host_entry(bare);
  if (bare == text || !parsed || std::holds_alternative<grammar::EverythingEntry>(*parsed)) {
    return "write the bare host name";
  }
  if (const auto* host = std::get_if<grammar::AddressEntry>(&*parsed)) {
    const policy::SpecialRange* special = policy::special_range_of({host->address, 32});
    if (special != nullptr && special->klass != policy::RangeClass::NeverAllowed) {
      return "ports cannot be named, and a private address needs `sandbox.network.allowLan`";
    }
    if (special != nullptr) {
      return "remove the entry: this address is never opened";
    }
  }
  return fmt::format("write `{}`; all its ports are open then", policy::escape_for_display(bare));
}

std::string double_star_help(std::string_view text) {
  const std::size_t stars = text.find("**.");
  const std::string candidate = fmt::format("*.{}", text.substr(stars + 3));
  return grammar::parse_host_entry(candidate)
             ? fmt::format("write `{}`, which covers every depth and the name itself",
                           policy::escape_for_display(candidate))
             : "write `*.` and a name of two labels or more";
}

std::string single_label_help(std::string_view text) {
  return fmt::format("write `domain={}` if the single label is meant", policy::excerpt(bare_host(text)));
}

}  // namespace

HostFaultText describe_host_fault(std::string_view shown, std::string_view text,
                                  const grammar::HostProblem& problem) {
  const std::string quoted = fmt::format("`{}`", policy::excerpt(shown));
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
              suggest_bare(text)};
    case HostFault::At:
      return {DiagnosticId::HostHasAt, fmt::format("{} holds an `@`", quoted), suggest_bare(text)};
    case HostFault::BadCharacter:
      return {DiagnosticId::HostBadCharacter,
              fmt::format("{} holds a character that no host name has", quoted),
              text.find('/') != std::string_view::npos
                  ? suggest_bare(text)
                  : "a name has letters, digits, hyphens, underscores and dots"};
    case HostFault::WildcardTooBroad:
      return {DiagnosticId::WildcardTooBroad, fmt::format("{} covers a whole top-level domain", quoted),
              "name at least two labels, like `*.example.com`"};
    case HostFault::WildcardInside:
      return {DiagnosticId::WildcardInside, fmt::format("{} has a `*` that is not a leading `*.`", quoted),
              "only `*.` at the front is a wildcard; list the names or widen on purpose"};
    case HostFault::DoubleStar:
      return {DiagnosticId::DoubleStarSuffix,
              fmt::format("{} uses `**.`, which this runtime does not know", quoted), double_star_help(text)};
    case HostFault::SingleLabel:
      return {DiagnosticId::HostSingleLabel, fmt::format("{} is a single label", quoted),
              single_label_help(text)};
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
