#include "host_rule_faults.hpp"

#include <array>

#include "host_rule_rules.hpp"

namespace forge::grammar::host_rules {
namespace {

using value_text::code_point;
using value_text::place;

template <class Target>
struct first : pegtl::seq<pegtl::until<pegtl::at<Target>>, place<Target>> {};
template <class... Rules>
struct all_of_it : pegtl::seq<place<Rules...>, pegtl::eof> {};

// One slash is no bad character: behind something like an address, or before
// something like a length. Then the entry was meant to be a network.
struct like_address : pegtl::plus<pegtl::sor<pegtl::digit, dot>> {};
struct like_length : pegtl::seq<pegtl::plus<pegtl::digit>, pegtl::eof> {};
struct network_head : pegtl::sor<pegtl::seq<like_address, slash>,
                                 pegtl::seq<pegtl::star<name_char>, slash, pegtl::at<like_length>>> {};
struct good_char : pegtl::sor<name_char, star_sign, wide_char> {};
struct bad_character : pegtl::seq<pegtl::opt<pegtl::sor<network_head, any_prefix>>, pegtl::star<good_char>,
                                  place<code_point>> {};

// Empty labels do not count: `*..com` and `suffix=com.` name one label.
struct one_label_at_most
    : pegtl::seq<pegtl::star<any_stop>, pegtl::opt<wide_label>, pegtl::star<any_stop>, pegtl::eof> {};
struct wildcard_too_broad : pegtl::seq<place<suffix_prefix, one_label_at_most>> {};

struct double_star_head : pegtl::string<'*', '*', '.'> {};
struct wildcard_inside
    : pegtl::seq<pegtl::opt<pegtl::sor<double_star_head, pegtl::string<'*', '.'>>>, first<star_sign>> {};
struct double_star : pegtl::seq<pegtl::at<double_star_head>, place<star_sign, star_sign>> {};

// A bare number is no name that lacks a dot, but an address badly written.
struct single_label
    : all_of_it<pegtl::not_at<any_prefix>, pegtl::not_at<number_at_end>, wide_label, pegtl::opt<any_stop>> {};

template <class... Rules>
struct in_name : pegtl::seq<pegtl::opt<any_prefix>, Rules...> {};

struct empty_label
    : pegtl::sor<in_name<pegtl::star<wide_label, any_stop>, place<any_stop>>, all_of_it<domain_prefix>> {};

struct some_label : pegtl::plus<label_char> {};
struct short_label : pegtl::rep_min_max<1, policy::kMaxLabelBytes, label_char> {};
struct long_label : pegtl::seq<pegtl::rep<policy::kMaxLabelBytes, label_char>, some_label> {};
struct label_too_long : in_name<pegtl::star<short_label, dot>, place<long_label>> {};

struct name_too_long : in_name<place<pegtl::rep<policy::kMaxDomainBytes, name_char>, pegtl::not_at<name_end>,
                                     pegtl::plus<name_char>>> {};

struct hyphen : pegtl::one<'-'> {};
struct label_body : pegtl::seq<edge_char, pegtl::star<pegtl::star<hyphen>, edge_char>> {};
struct trailing_hyphen : pegtl::seq<label_body, pegtl::star<hyphen, pegtl::at<hyphen>>, place<hyphen>> {};
struct hyphen_at_edge : in_name<pegtl::star<label_body, dot>, pegtl::sor<place<hyphen>, trailing_hyphen>> {};

struct labels_before_number : pegtl::star<pegtl::not_at<number_at_end>, some_label, dot> {};
struct name_like_address : in_name<place<labels_before_number, number_at_end>> {};

struct four_numbers : pegtl::seq<number, dot, number, dot, number, dot, number> {};
struct network_like_address : pegtl::seq<pegtl::not_at<address, slash>, place<four_numbers>, slash> {};
struct address_not_canonical : pegtl::sor<name_like_address, network_like_address> {};

struct network_malformed
    : pegtl::seq<pegtl::not_at<network, pegtl::eof>, network_head, pegtl::star<pegtl::any>> {};

using Search = std::optional<policy::Span> (*)(const value_text::Part&);

struct Row {
  HostFault fault;
  Search search;
};

// In the order of HostFault: the first that is found is told. Blank is judged
// before, and a network that is written well is left over after all of them.
constexpr std::array kSearches = {
    Row{HostFault::Comma, value_text::find<first<pegtl::one<','>>>},
    Row{HostFault::Colon, value_text::find<first<pegtl::one<':'>>>},
    Row{HostFault::At, value_text::find<first<pegtl::one<'@'>>>},
    Row{HostFault::BadCharacter, value_text::find<bad_character>},
    Row{HostFault::WildcardTooBroad, value_text::find<wildcard_too_broad>},
    Row{HostFault::WildcardInside, value_text::find<wildcard_inside>},
    Row{HostFault::DoubleStar, value_text::find<double_star>},
    Row{HostFault::SingleLabel, value_text::find<single_label>},
    Row{HostFault::EmptyLabel, value_text::find<empty_label>},
    Row{HostFault::LabelTooLong, value_text::find<label_too_long>},
    Row{HostFault::NameTooLong, value_text::find<name_too_long>},
    Row{HostFault::HyphenAtEdge, value_text::find<hyphen_at_edge>},
    Row{HostFault::AddressNotCanonical, value_text::find<address_not_canonical>},
    Row{HostFault::NetworkMalformed, value_text::find<all_of_it<network_malformed>>},
};

// Address and length are well written here, so only their relation can be wrong.
HostFault fault_of_network(std::string_view text) {
  return policy::Ipv4Network::from_canonical(text) ? HostFault::NetworkTooWide : HostFault::NetworkHostBits;
}

}  // namespace

HostProblem explain(const value_text::Part& core) {
  for (const Row& row : kSearches) {
    if (const auto where = row.search(core)) {
      return {row.fault, *where};
    }
  }
  return {fault_of_network(core.text), value_text::span_of(core)};
}

}  // namespace forge::grammar::host_rules
