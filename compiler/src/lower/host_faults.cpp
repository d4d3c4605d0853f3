#include "host_faults.hpp"

#include <fmt/format.h>

#include <array>

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

// What is said of each fault: the sentence goes on behind the written text.
struct FaultRow {
  HostFault fault;
  DiagnosticId id;
  std::string_view sentence;
  std::string_view help;
};

constexpr std::array kFaults = {
    FaultRow{HostFault::Blank, DiagnosticId::HostBlank, "is a blank entry", "remove it or write the host"},
    FaultRow{HostFault::Comma, DiagnosticId::HostHasComma, "holds a comma", "write one entry per host"},
    FaultRow{HostFault::Colon, DiagnosticId::HostHasColon,
             "holds a colon; ports and IPv6 addresses cannot be named", ""},
    FaultRow{HostFault::At, DiagnosticId::HostHasAt, "holds an `@`", ""},
    FaultRow{HostFault::BadCharacter, DiagnosticId::HostBadCharacter,
             "holds a character that no host name has",
             "a name has letters, digits, hyphens, underscores and dots"},
    FaultRow{HostFault::WildcardTooBroad, DiagnosticId::WildcardTooBroad, "covers a whole top-level domain",
             "name at least two labels, like `*.example.com`"},
    FaultRow{HostFault::WildcardInside, DiagnosticId::WildcardInside, "has a `*` that is not a leading `*.`",
             "only `*.` at the front is a wildcard; list the names or widen on purpose"},
    FaultRow{HostFault::DoubleStar, DiagnosticId::DoubleStarSuffix,
             "uses `**.`, which this runtime does not know", ""},
    FaultRow{HostFault::SingleLabel, DiagnosticId::HostSingleLabel, "is a single label", ""},
    FaultRow{HostFault::EmptyLabel, DiagnosticId::HostBadLabel, "has an empty label", "remove the extra dot"},
    FaultRow{HostFault::LabelTooLong, DiagnosticId::HostBadLabel, "has a label of more than 63 bytes", ""},
    FaultRow{HostFault::NameTooLong, DiagnosticId::HostBadLabel, "is longer than 253 bytes", ""},
    FaultRow{HostFault::HyphenAtEdge, DiagnosticId::HostBadLabel,
             "has a label that begins or ends with a hyphen", ""},
    FaultRow{HostFault::AddressNotCanonical, DiagnosticId::AddressNotCanonical,
             "would be read as an address by some programs and as a name by others",
             "write four decimal numbers without leading zeros, or a name whose last label is not a number"},
    FaultRow{HostFault::NetworkMalformed, DiagnosticId::NetworkMalformed, "is not a network",
             "write a.b.c.d/len with len from 8 to 32"},
    FaultRow{HostFault::NetworkHostBits, DiagnosticId::NetworkHostBits, "has bits set behind its prefix",
             "clear them, or write the address without a prefix"},
    FaultRow{HostFault::NetworkTooWide, DiagnosticId::NetworkTooWide, "is wider than /8",
             "name narrower networks; `*` opens public egress on purpose"},
};

// INVARIANT: the index of a row is the value of its fault.
constexpr bool in_order() {
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (static_cast<std::size_t>(kFaults[i].fault) != i) {
      return false;
    }
  }
  return kFaults.size() == static_cast<std::size_t>(HostFault::NetworkTooWide) + 1;
}
static_assert(in_order(), "one row for each fault, in their order");
static_assert(policy::kMaxLabelBytes == 63 && policy::kMaxDomainBytes == 253 && policy::kMinCidrPrefix == 8,
              "the sentences name these limits");

// Help that depends on what was written; empty where the row says it all.
std::string help_for(const WrittenHost& host, HostFault fault) {
  const bool path = fault == HostFault::BadCharacter && host.text.find('/') != std::string_view::npos;
  if (fault == HostFault::Colon || fault == HostFault::At || path) {
    return suggest_bare(host);
  }
  if (fault == HostFault::DoubleStar) {
    return double_star_help(host);
  }
  return fault == HostFault::SingleLabel ? single_label_help(host) : std::string();
}

}  // namespace

HostFaultText describe_host_fault(const WrittenHost& host, const grammar::HostProblem& problem) {
  const FaultRow& row = kFaults[static_cast<std::size_t>(problem.fault)];
  const bool url = problem.fault == HostFault::Colon && host.text.find("://") != std::string_view::npos;
  const std::string special = help_for(host, problem.fault);
  return {
      row.id,
      fmt::format("`{}` {}", policy::excerpt(host.shown), url ? "is a URL, not a host name" : row.sentence),
      special.empty() ? std::string(row.help) : special};
}

}  // namespace forge::compiler
