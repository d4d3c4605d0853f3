// Properties of reading a host entry: what is accepted is canonical and reads the same again
// when spelled out; what is refused is refused for a reason that can be seen at the place told.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "forge/grammar/host_rule.hpp"
#include "forge/policy/domain_name.hpp"
#include "forge/policy/overloaded.hpp"
#include "forge/policy/utf8.hpp"

namespace {

using namespace forge;
using grammar::HostFault;
using grammar::NameForm;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

bool has(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

// Written apart from the grammar: a last label that inet_aton could read.
bool ends_in_number(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  const bool hex = last.starts_with("0x") || last.starts_with("0X");
  return hex ? last.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos
             : last.find_first_not_of("0123456789") == std::string_view::npos;
}

void check_spelling(const std::string& spelling, const grammar::NameEntry& entry) {
  const auto again = grammar::parse_host_entry(spelling);
  require(again.has_value());
  const auto* name = std::get_if<grammar::NameEntry>(&*again);
  require(name != nullptr && name->form == entry.form && name->name == entry.name &&
          name->ascii == entry.ascii && !name->trailing_dot);
}

void check_ascii(const grammar::NameEntry& entry) {
  const auto name = policy::DomainName::from_canonical(entry.name);
  require(name && !ends_in_number(entry.name));
  require(entry.form == NameForm::Exact || name->label_count() >= 2);
  if (entry.form == NameForm::Exact && name->label_count() >= 2) {
    check_spelling(entry.name, entry);
  }
}

void check_wide(const grammar::NameEntry& entry) {
  require(policy::escape_for_display(entry.name) == entry.name);
  bool beyond_ascii = false;
  for (const char c : entry.name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    beyond_ascii = beyond_ascii || byte >= 0x80;
    require(byte >= 0x80 || letter);
  }
  require(beyond_ascii);
}

void check_name(std::string_view core, const grammar::NameEntry& entry) {
  entry.ascii ? check_ascii(entry) : check_wide(entry);
  const bool suffix = entry.form == NameForm::Suffix;
  check_spelling((suffix ? "*." : "domain=") + entry.name, entry);
  if (suffix) {
    check_spelling("suffix=" + entry.name, entry);
  }
  require(core.find('*', suffix ? 1 : 0) == std::string_view::npos && !has(core, '/'));
  require(entry.trailing_dot == core.ends_with('.'));
}

void check_accepted(std::string_view core, const grammar::HostEntry& entry) {
  require(!has(core, ',') && !has(core, ':') && !has(core, '@') && !has(core, ' '));
  std::visit(policy::overloaded{
                 [&](const grammar::EverythingEntry&) { require(core == "*" || core == "**"); },
                 [&](const grammar::NameEntry& name) { check_name(core, name); },
                 [&](const grammar::AddressEntry& host) { require(host.address.text() == core); },
                 [&](const grammar::NetworkEntry& host) {
                   require(host.network.text() == core && host.network.prefix >= policy::kMinCidrPrefix &&
                           policy::Ipv4Network::from_canonical(core));
                 }},
             entry);
}

bool is_one_character(std::string_view text) {
  const std::size_t length = text.empty() ? 0 : policy::decode_utf8(text).length;
  return text.size() == (length == 0 ? 1 : length);
}

// A network of which only address and length are right.
bool is_shaped_like_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && policy::Ipv4Address::from_canonical(text.substr(0, slash)) &&
         policy::Ipv4Network::from_canonical("0.0.0.0" + std::string(text.substr(slash)));
}

bool is_stop(std::string_view text) {
  return text == "." || text == "\u3002" || text == "\uff0e" || text == "\uff61";
}

bool can_be_seen(HostFault fault, std::string_view place, std::string_view text) {
  const auto network = policy::Ipv4Network::from_canonical(place);
  switch (fault) {
    case HostFault::Blank:
      return place == text && without_spaces(text).empty();
    case HostFault::Comma:
      return place == ",";
    case HostFault::Colon:
      return place == ":" && !has(text, ',');
    case HostFault::At:
      return place == "@" && !has(text, ',') && !has(text, ':');
    case HostFault::BadCharacter:
      return is_one_character(place);
    case HostFault::WildcardTooBroad:
      return place.starts_with("*.") || place.starts_with("suffix=");
    case HostFault::WildcardInside:
      return place == "*";
    case HostFault::DoubleStar:
      return place == "**";
    case HostFault::SingleLabel:
      return place.find('.') >= place.size() - 1 && place != ".";
    case HostFault::EmptyLabel:
      return is_stop(place) || place == "domain=";
    case HostFault::LabelTooLong:
      return place.size() > policy::kMaxLabelBytes && !has(place, '.');
    case HostFault::NameTooLong:
      return place.size() > policy::kMaxDomainBytes;
    case HostFault::HyphenAtEdge:
      return place == "-";
    case HostFault::AddressNotCanonical:
      return ends_in_number(place.ends_with('.') ? place.substr(0, place.size() - 1) : place);
    case HostFault::NetworkMalformed:
      return has(place, '/') && !is_shaped_like_network(place);
    case HostFault::NetworkHostBits:
      return is_shaped_like_network(place) && !network;
    case HostFault::NetworkTooWide:
      return network && network->prefix < policy::kMinCidrPrefix;
  }
  return false;
}

void check_refused(std::string_view text, const grammar::HostProblem& problem) {
  require(problem.where.begin <= problem.where.end && problem.where.end <= text.size());
  const auto place = text.substr(problem.where.begin, problem.where.end - problem.where.begin);
  require(can_be_seen(problem.fault, place, text));
  const std::string_view core = without_spaces(text);
  const auto name = policy::DomainName::from_canonical(core);
  require(!name || name->label_count() < 2 || ends_in_number(core));
  require(!policy::Ipv4Address::from_canonical(core));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto parsed = forge::grammar::parse_host_entry(text);
  if (parsed) {
    check_accepted(without_spaces(text), *parsed);
  } else {
    check_refused(text, parsed.error());
  }
  return 0;
}
