#include <array>
#include <optional>
#include <string>
#include <utility>

#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;
using value_text::place;
using Problem = ValueProblem<MountPathFault>;

struct slash : pegtl::one<'/'> {};
// A character that would hide what is mounted: control, direction-changing, invisible.
struct unsafe {
  using rule_t = unsafe;
  using subs_t = pegtl::empty_list;
  template <class ParseInput>
  static bool match(ParseInput& in) {
    const auto point = in.empty() ? policy::CodePoint{} : policy::decode_utf8({in.current(), in.size()});
    if (point.length == 0 || !policy::is_unsafe_to_show(point.value)) {
      return false;
    }
    in.bump(point.length);
    return true;
  }
};
// Bytes that are no UTF-8 are no text either; they are told as control characters.
struct control : pegtl::sor<unsafe, pegtl::seq<pegtl::not_at<pegtl::utf8::any>, pegtl::any>> {};
struct inexpressible : pegtl::one<':', ',', ';'> {};
struct path_char : pegtl::seq<pegtl::not_at<pegtl::sor<control, inexpressible, slash>>, pegtl::utf8::any> {};
struct component_end : pegtl::at<pegtl::sor<slash, pegtl::eof>> {};
struct here : pegtl::seq<pegtl::one<'.'>, component_end> {};
struct parent : pegtl::seq<pegtl::string<'.', '.'>, component_end> {};
struct component : pegtl::seq<pegtl::not_at<parent>, pegtl::plus<path_char>> {};
struct nothing_named : pegtl::plus<slash, pegtl::opt<here>> {};
struct path : pegtl::seq<nothing_named, pegtl::list<component, nothing_named>, pegtl::opt<nothing_named>,
                         pegtl::eof> {};

struct not_absolute : pegtl::seq<pegtl::not_at<slash>, place<pegtl::plus<pegtl::not_one<'/'>>>> {};
// By whole code points: the second byte of one is no control character.
template <class Target>
struct first : pegtl::seq<pegtl::until<pegtl::at<Target>, value_text::code_point>, place<Target>> {};
struct parent_component : pegtl::seq<pegtl::until<pegtl::at<slash, parent>>, slash, place<parent>> {};
struct root : pegtl::seq<place<nothing_named>, pegtl::eof> {};

template <class Rule>
struct action : pegtl::nothing<Rule> {};

template <>
struct action<component> {
  template <class ActionInput>
  static void apply(const ActionInput& in, std::string& normal) {
    normal += '/';
    normal += in.string_view();
  }
};

struct Row {
  MountPathFault fault;
  std::optional<policy::Span> (*search)(const value_text::Part&);
};

// In the order of MountPathFault.
constexpr std::array kSearches = {
    Row{MountPathFault::NotAbsolute, value_text::find<not_absolute>},
    Row{MountPathFault::ControlCharacter, value_text::find<first<control>>},
    Row{MountPathFault::NotExpressible, value_text::find<first<inexpressible>>},
    Row{MountPathFault::ParentComponent, value_text::find<parent_component>},
    Row{MountPathFault::Root, value_text::find<root>},
};

Problem explain(std::string_view text) {
  for (const Row& row : kSearches) {
    if (const auto where = row.search({text, 0})) {
      return {row.fault, *where};
    }
  }
  return {MountPathFault::TooLong, value_text::whole(text)};
}

}  // namespace

tl::expected<policy::MountPath, Problem> parse_mount_path(std::string_view text) {
  if (text.size() > kMaxValueBytes) {
    return tl::unexpected(Problem{MountPathFault::TooLong, value_text::past_limit(text, kMaxValueBytes)});
  }
  if (value_text::is_blank(text)) {
    return tl::unexpected(Problem{MountPathFault::Blank, value_text::whole(text)});
  }
  std::string normal;
  if (value_text::matches<path, action>(text, normal)) {
    if (auto parsed = policy::MountPath::from_canonical(normal)) {
      return *std::move(parsed);
    }
  }
  return tl::unexpected(explain(text));
}

}  // namespace forge::grammar
