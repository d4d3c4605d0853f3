// The pieces that the grammar of host entries and the search for faults share.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <tao/pegtl/contrib/integer.hpp>

#include "forge/policy/domain_name.hpp"
#include "forge/policy/utf8.hpp"
#include "value_text.hpp"

namespace forge::grammar::host_rules {

namespace pegtl = tao::pegtl;

struct dot : pegtl::one<'.'> {};
struct star_sign : pegtl::one<'*'> {};

// A name may end in one dot (RFC 1034 section 3.1: the root label); it is not part of it.
struct name_end : pegtl::seq<pegtl::opt<dot>, pegtl::eof> {};

struct domain_prefix : pegtl::string<'d', 'o', 'm', 'a', 'i', 'n', '='> {};
struct suffix_prefix : pegtl::sor<pegtl::string<'*', '.'>, pegtl::string<'s', 'u', 'f', 'f', 'i', 'x', '='>> {
};
struct any_prefix : pegtl::sor<domain_prefix, suffix_prefix> {};

// Underscores are no host name by RFC 952, but DNS carries them and the runtime takes them.
struct edge_char : pegtl::sor<pegtl::alnum, pegtl::one<'_'>> {};
struct label_char : pegtl::sor<edge_char, pegtl::one<'-'>> {};
struct name_char : pegtl::sor<label_char, dot> {};

// A number as a resolver may read it (WHATWG URL section 3.5, inet_aton): a name
// that ends in one is an address to somebody, whatever stands before it.
struct number : pegtl::sor<pegtl::seq<pegtl::one<'0'>, pegtl::one<'x', 'X'>, pegtl::star<pegtl::xdigit>>,
                           pegtl::plus<pegtl::digit>> {};
struct number_at_end : pegtl::seq<number, name_end> {};

struct octet : pegtl::maximum_rule<std::uint8_t> {};
struct address : pegtl::seq<octet, dot, octet, dot, octet, dot, octet> {};
struct slash : pegtl::one<'/'> {};
struct prefix_length : pegtl::maximum_rule<std::uint8_t, 32> {};
struct network : pegtl::seq<address, slash, prefix_length> {};

// The four full stops that UTS 46 section 4 takes for a dot.
struct any_stop : pegtl::sor<dot, pegtl::utf8::one<0x3002, 0xFF0E, 0xFF61>> {};

// Spaces, and what the IDNA mapping removes without a trace and nobody sees:
// such a character could make a label vanish after it was counted here.
[[nodiscard]] inline bool is_refused_point(char32_t value) {
  struct Range {
    char32_t first;
    char32_t last;
  };
  constexpr std::array kRanges = {
      Range{0xA0, 0xA0},     Range{0x34F, 0x34F},   Range{0x1680, 0x1680},
      Range{0x2000, 0x200A}, Range{0x202F, 0x202F}, Range{0x205F, 0x205F},
      Range{0x3000, 0x3000}, Range{0xFE00, 0xFE0F}, Range{0x1BCA0, 0x1BCA3},
  };
  return policy::is_unsafe_to_show(value) ||
         std::any_of(kRanges.begin(), kRanges.end(),
                     [value](const Range& range) { return value >= range.first && value <= range.last; });
}

/// One character beyond ASCII that a name may hold until it is converted.
struct wide_char {
  using rule_t = wide_char;
  using subs_t = pegtl::empty_list;

  template <class ParseInput>
  [[nodiscard]] static bool match(ParseInput& in) {
    if (in.empty()) {
      return false;
    }
    const auto point = policy::decode_utf8(std::string_view(in.current(), in.size()));
    if (point.length < 2 || is_refused_point(point.value)) {
      return false;
    }
    in.bump_in_this_line(point.length);
    return true;
  }
};

struct wide_label_char : pegtl::seq<pegtl::not_at<any_stop>, pegtl::sor<label_char, wide_char>> {};
struct wide_label : pegtl::plus<wide_label_char> {};

// True at the front of a text with a byte beyond ASCII somewhere.
struct has_wide : pegtl::at<pegtl::star<pegtl::seven>, pegtl::any> {};

}  // namespace forge::grammar::host_rules
