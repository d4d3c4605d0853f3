#include "forge/grammar/host_rule.hpp"

#include <algorithm>

#include "host_rule_faults.hpp"
#include "host_rule_rules.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

using namespace host_rules;

struct everything : pegtl::seq<star_sign, pegtl::opt<star_sign>, pegtl::eof> {};
struct address_entry : pegtl::seq<address, pegtl::eof> {};
struct network_entry : pegtl::seq<network, pegtl::eof> {};

// The bounds look ahead, so that the rules behind them need not count.
struct name_bound : pegtl::at<pegtl::rep_opt<policy::kMaxDomainBytes, name_char>, name_end> {};
struct label_bound
    : pegtl::at<pegtl::rep_min_max<1, policy::kMaxLabelBytes, label_char>, pegtl::sor<dot, pegtl::eof>> {};
struct label : pegtl::seq<label_bound, pegtl::not_at<number_at_end>, edge_char,
                          pegtl::star<pegtl::star<pegtl::one<'-'>>, edge_char>> {};
struct ascii_name : pegtl::seq<name_bound, pegtl::list<label, dot>> {};
struct ascii_name_with_dot : pegtl::seq<name_bound, label, pegtl::plus<dot, label>> {};

// Only what conversion cannot change is judged here: the characters, and that no
// label is empty. A full stop that conversion turns into the last dot stays.
struct last_wide_stop : pegtl::seq<pegtl::not_at<dot>, any_stop, pegtl::eof> {};
struct wide_name : pegtl::seq<has_wide, pegtl::list<wide_label, any_stop>, pegtl::opt<last_wide_stop>> {};
struct wide_name_with_dot
    : pegtl::seq<has_wide, wide_label, pegtl::plus<any_stop, wide_label>, pegtl::opt<last_wide_stop>> {};

struct exact_form : pegtl::seq<domain_prefix, pegtl::sor<ascii_name, wide_name>> {};
struct suffix_form : pegtl::seq<suffix_prefix, pegtl::sor<ascii_name_with_dot, wide_name_with_dot>> {};
struct bare_form : pegtl::sor<ascii_name_with_dot, wide_name_with_dot> {};
struct trailing_dot : dot {};
struct name_entry
    : pegtl::seq<pegtl::sor<exact_form, suffix_form, bare_form>, pegtl::opt<trailing_dot>, pegtl::eof> {};

struct entry : pegtl::sor<everything, address_entry, network_entry, name_entry> {};

struct Draft {
  NameForm form = NameForm::Exact;
  HostEntry entry;
};

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

void note_everything(std::string_view, Draft& draft) { draft.entry = EverythingEntry{}; }
void note_suffix(std::string_view, Draft& draft) { draft.form = NameForm::Suffix; }
void note_trailing_dot(std::string_view, Draft& draft) {
  std::get<NameEntry>(draft.entry).trailing_dot = true;
}

template <bool Ascii>
void note_name(std::string_view text, Draft& draft) {
  draft.entry = NameEntry{draft.form, lowered(text), Ascii, false};
}

bool note_address(std::string_view text, Draft& draft) {
  const auto parsed = policy::Ipv4Address::from_canonical(text);
  draft.entry = AddressEntry{parsed.value_or(policy::Ipv4Address{})};
  return parsed.has_value();
}

bool note_network(std::string_view text, Draft& draft) {
  const auto parsed = policy::Ipv4Network::from_canonical(text);
  draft.entry = NetworkEntry{parsed.value_or(policy::Ipv4Network{})};
  return parsed.has_value() && parsed->prefix >= policy::kMinCidrPrefix;
}

using value_text::noted;

template <class Rule>
struct action : pegtl::nothing<Rule> {};
template <>
struct action<everything> : noted<note_everything> {};
template <>
struct action<address_entry> : noted<note_address> {};
template <>
struct action<network_entry> : noted<note_network> {};
template <>
struct action<suffix_prefix> : noted<note_suffix> {};
template <>
struct action<ascii_name> : noted<note_name<true>> {};
template <>
struct action<ascii_name_with_dot> : noted<note_name<true>> {};
template <>
struct action<wide_name> : noted<note_name<false>> {};
template <>
struct action<wide_name_with_dot> : noted<note_name<false>> {};
template <>
struct action<trailing_dot> : noted<note_trailing_dot> {};

}  // namespace

tl::expected<HostEntry, HostProblem> parse_host_entry(std::string_view text) {
  if (text.size() > kMaxEntryBytes) {
    return tl::unexpected(HostProblem{HostFault::NameTooLong, value_text::whole(text)});
  }
  const value_text::Part core = value_text::trim_spaces(text);
  if (core.text.empty()) {
    return tl::unexpected(HostProblem{HostFault::Blank, value_text::whole(text)});
  }
  Draft draft;
  if (value_text::matches<entry, action>(core.text, draft)) {
    return std::move(draft.entry);
  }
  return tl::unexpected(explain(core));
}

}  // namespace forge::grammar
