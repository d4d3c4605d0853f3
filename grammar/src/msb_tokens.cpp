// A subset of what msb takes, never more: a text that msb would trim, fold or
// normalise first is nothing here, because no emitter of ours writes it.
#include "forge/grammar/msb_tokens.hpp"

#include <utility>

#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;

constexpr std::uint64_t kMebibytesPerGibibyte = 1024;
constexpr std::uint64_t kLargestSize = UINT32_MAX;  // what msb stores, in mebibytes

// Measured: a longer name ends in "File name too long", after msb's own suffix.
constexpr std::size_t kMaxVolumeNameBytes = 247;

struct colon : pegtl::one<':'> {};
struct comma : pegtl::one<','> {};
struct dot : pegtl::one<'.'> {};

struct path_text : pegtl::seq<pegtl::one<'/'>, pegtl::star<pegtl::not_one<':', ',', ';'>>> {};
struct host_path : path_text {};
struct guest_path : path_text {};
struct read_only : pegtl::string<'r', 'o'> {};
struct read_write : pegtl::string<'r', 'w'> {};
struct volume : pegtl::seq<host_path, colon, guest_path, pegtl::opt<colon, pegtl::sor<read_only, read_write>>,
                           pegtl::eof> {};

struct mebibytes : pegtl::seq<pegtl::plus<pegtl::digit>, pegtl::opt<pegtl::one<'M'>>> {};
struct gibibytes : pegtl::seq<pegtl::plus<pegtl::digit>, pegtl::one<'G'>> {};
struct size : pegtl::sor<gibibytes, mebibytes> {};
struct size_argument : pegtl::seq<size, pegtl::eof> {};

struct name_char : pegtl::sor<pegtl::alnum, pegtl::one<'.', '-', '_'>> {};
struct volume_name : pegtl::seq<pegtl::alnum, pegtl::star<name_char>> {};
struct kind_option : pegtl::string<'k', 'i', 'n', 'd', '=', 'd', 'i', 's', 'k'> {};
struct size_option : pegtl::seq<pegtl::string<'s', 'i', 'z', 'e', '='>, size> {};
struct disk_options
    : pegtl::sor<pegtl::seq<kind_option, comma, size_option>, pegtl::seq<size_option, comma, kind_option>> {};
struct named_disk : pegtl::seq<volume_name, colon, guest_path, colon, disk_options, pegtl::eof> {};

// A rule with an action ends in eof where another alternative could still match:
// what an action has noted is not taken back.
struct exact_name : pegtl::plus<name_char> {};
struct suffix_name : pegtl::plus<name_char> {};
struct private_group : pegtl::seq<pegtl::string<'p', 'r', 'i', 'v', 'a', 't', 'e'>, pegtl::eof> {};
struct wildcard : pegtl::string<'*', '.'> {};
struct suffix_rule
    : pegtl::seq<pegtl::sor<wildcard, pegtl::string<'s', 'u', 'f', 'f', 'i', 'x', '='>>, suffix_name> {};
struct domain_rule : pegtl::seq<pegtl::string<'d', 'o', 'm', 'a', 'i', 'n', '='>, exact_name> {};
struct address_text : pegtl::plus<pegtl::sor<pegtl::digit, dot>> {};
struct network_rule : pegtl::seq<address_text, pegtl::one<'/'>, pegtl::plus<pegtl::digit>, pegtl::eof> {};
struct address_rule : pegtl::seq<address_text, pegtl::eof> {};
// Without a dot it would be a keyword or an error.
struct dotted_name : pegtl::seq<pegtl::at<pegtl::until<dot>>, exact_name> {};

// The order is msb's: the first alternative that matches decides.
struct target : pegtl::sor<private_group, suffix_rule, domain_rule, network_rule, address_rule, dotted_name> {
};
struct allow_rule : pegtl::seq<pegtl::string<'a', 'l', 'l', 'o', 'w', '@'>, target, pegtl::eof> {};

struct env_name : pegtl::identifier {};
struct secret_host : pegtl::sor<pegtl::seq<wildcard, suffix_name>, exact_name> {};
struct secret : pegtl::seq<env_name, pegtl::one<'@'>, pegtl::list<secret_host, comma>, pegtl::eof> {};

// What the actions note. They refuse what is not canonical, which fails the rule.
struct Notes {
  std::optional<policy::MountPath> host_path;
  std::optional<policy::MountPath> guest_path;
  policy::Access access = policy::Access::ReadWrite;
  std::string volume_name;
  policy::Mebibytes size;
  std::optional<policy::EnvName> env;
  std::vector<policy::HostRule> hosts;
};

bool note_host_path(std::string_view text, Notes& notes) {
  notes.host_path = policy::MountPath::from_canonical(text);
  return notes.host_path.has_value();
}

bool note_guest_path(std::string_view text, Notes& notes) {
  notes.guest_path = policy::MountPath::from_canonical(text);
  return notes.guest_path.has_value();
}

void note_read_only(std::string_view, Notes& notes) { notes.access = policy::Access::ReadOnly; }

bool note_volume_name(std::string_view text, Notes& notes) {
  notes.volume_name = text;
  return text.size() <= kMaxVolumeNameBytes;
}

bool note_size(std::string_view digits, std::uint64_t unit, Notes& notes) {
  std::uint64_t count = 0;
  for (const char digit : digits) {
    count = std::min(count * 10 + static_cast<std::uint64_t>(digit - '0'), kLargestSize + 1);
  }
  count *= unit;
  notes.size = policy::Mebibytes{static_cast<std::uint32_t>(count)};
  return count >= 1 && count <= kLargestSize;
}

bool note_mebibytes(std::string_view text, Notes& notes) {
  return note_size(text.substr(0, text.find('M')), 1, notes);
}

bool note_gibibytes(std::string_view text, Notes& notes) {
  return note_size(text.substr(0, text.size() - 1), kMebibytesPerGibibyte, notes);
}

bool note_env(std::string_view text, Notes& notes) {
  notes.env = policy::EnvName::from_canonical(text);
  return notes.env.has_value();
}

template <const char* Kind>
bool note_host(std::string_view text, Notes& notes) {
  const auto rule = policy::host_rule_from_canonical(Kind, text);
  if (rule) {
    notes.hosts.push_back(*rule);
  }
  return rule.has_value();
}

constexpr char kDomain[] = "domain";
constexpr char kSuffix[] = "suffix";
constexpr char kIp[] = "ip";
constexpr char kCidr[] = "cidr";
constexpr char kGroup[] = "group";

using value_text::noted;

template <class Rule>
struct action : pegtl::nothing<Rule> {};
template <>
struct action<host_path> : noted<note_host_path> {};
template <>
struct action<guest_path> : noted<note_guest_path> {};
template <>
struct action<read_only> : noted<note_read_only> {};
template <>
struct action<volume_name> : noted<note_volume_name> {};
template <>
struct action<mebibytes> : noted<note_mebibytes> {};
template <>
struct action<gibibytes> : noted<note_gibibytes> {};
template <>
struct action<env_name> : noted<note_env> {};
template <>
struct action<exact_name> : noted<note_host<kDomain>> {};
template <>
struct action<suffix_name> : noted<note_host<kSuffix>> {};
template <>
struct action<address_rule> : noted<note_host<kIp>> {};
template <>
struct action<network_rule> : noted<note_host<kCidr>> {};
template <>
struct action<private_group> : noted<note_host<kGroup>> {};

template <class Rule>
std::optional<Notes> read(std::string_view text) {
  Notes notes;
  const bool good = text.size() <= kMaxTokenBytes && value_text::matches<Rule, action>(text, notes);
  return good ? std::optional(std::move(notes)) : std::nullopt;
}

}  // namespace

std::optional<MsbVolume> parse_msb_volume(std::string_view text) {
  const auto notes = read<volume>(text);
  if (!notes) {
    return std::nullopt;
  }
  return MsbVolume{notes->host_path->text(), notes->guest_path->text(), notes->access};
}

std::optional<MsbNamedDisk> parse_msb_named_disk(std::string_view text) {
  const auto notes = read<named_disk>(text);
  if (!notes) {
    return std::nullopt;
  }
  return MsbNamedDisk{notes->volume_name, notes->guest_path->text(), notes->size};
}

std::optional<policy::HostRule> parse_msb_allow_rule(std::string_view token) {
  const auto notes = read<allow_rule>(token);
  return notes ? std::optional(notes->hosts.front()) : std::nullopt;
}

std::optional<MsbSecret> parse_msb_secret(std::string_view text) {
  const auto notes = read<secret>(text);
  return notes ? std::optional(MsbSecret{*notes->env, notes->hosts}) : std::nullopt;
}

std::optional<policy::Mebibytes> parse_msb_size(std::string_view text) {
  const auto notes = read<size_argument>(text);
  return notes ? std::optional(notes->size) : std::nullopt;
}

}  // namespace forge::grammar
