// One entry of an allow list or of a secret's hosts, taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

#include "forge/policy/ipv4.hpp"
#include "forge/policy/span.hpp"

namespace forge::grammar {

inline constexpr std::size_t kMaxEntryBytes = 65536;  ///< a longer text is NameTooLong, unread

/// Why an entry is no host rule. Each has its own diagnostic.
enum class HostFault : std::uint8_t {
  Blank,  ///< nothing but spaces
  Comma,
  Colon,  ///< a port, a scheme, an IPv6 address
  At,
  BadCharacter,      ///< space, slash, backslash, control or invisible character, no UTF-8, `#`, …
  WildcardTooBroad,  ///< `*.com`, `suffix=com`: fewer than two labels, empty ones not counted
  WildcardInside,    ///< an asterisk anywhere but a leading `*.` or `**.`
  DoubleStar,        ///< a leading `**.`
  SingleLabel,       ///< a bare name without a dot inside; a bare number is an address instead
  EmptyLabel,        ///< `a..b`, `.a`, `.`
  LabelTooLong,
  NameTooLong,
  HyphenAtEdge,         ///< of a label
  AddressNotCanonical,  ///< `127.1`, `0x7f.1`, `010.0.0.1`, `999.1.1.1`, `1.2.3.4.`, a numeric last label
  NetworkMalformed,     ///< `10.0.0.0/33`, `10/8`, `a.example/8`; any other slash is a BadCharacter
  NetworkHostBits,
  NetworkTooWide,  ///< shorter than /8
};

/// `*` or `**` alone.
struct EverythingEntry {};

enum class NameForm : std::uint8_t { Exact, Suffix };

/// A name as written: prefix (`domain=`, `suffix=`, `*.`) and trailing dot taken
/// off, ASCII letters lower-cased. `ascii` true: policy::DomainName takes it as it
/// is. `ascii` false: still to be converted (UTS 46), and to be judged again after
/// that: only its characters, asterisks and that no label is missing or empty were
/// judged here (the three ideographic full stops count as dots, and the last one
/// stays). It may still hold long labels, hyphens at an edge, numbers, and
/// full-width forms of `*`, `:` or `@`.
struct NameEntry {
  NameForm form = NameForm::Exact;
  std::string name;
  bool ascii = true;
  bool trailing_dot = false;
};

struct AddressEntry {
  policy::Ipv4Address address;
};

struct NetworkEntry {
  policy::Ipv4Network network;
};

using HostEntry = std::variant<EverythingEntry, NameEntry, AddressEntry, NetworkEntry>;

/// `where` is relative to the text that was given.
struct HostProblem {
  HostFault fault = HostFault::Blank;
  policy::Span where;
};

/// Takes one entry apart. Surrounding spaces are taken off first (only U+0020).
/// The order of judgement is that of HostFault where several faults apply, the
/// leftmost place first within one fault.
[[nodiscard]] tl::expected<HostEntry, HostProblem> parse_host_entry(std::string_view text);

}  // namespace forge::grammar
