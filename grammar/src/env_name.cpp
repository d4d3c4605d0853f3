#include "forge/grammar/values.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;
using Problem = ValueProblem<EnvNameFault>;

struct name : pegtl::seq<pegtl::identifier, pegtl::eof> {};
struct bad_character
    : pegtl::seq<pegtl::star<pegtl::identifier_other>, value_text::place<value_text::code_point>> {};

Problem explain(std::string_view text) {
  if (value_text::is_blank(text)) {
    return {EnvNameFault::Blank, value_text::whole(text)};
  }
  if (const auto where = value_text::find<bad_character>({text, 0})) {
    return {EnvNameFault::BadCharacter, *where};
  }
  return {EnvNameFault::StartsWithDigit, {0, 1}};
}

}  // namespace

tl::expected<policy::EnvName, Problem> parse_env_name(std::string_view text) {
  if (text.size() > kMaxValueBytes) {
    return tl::unexpected(Problem{EnvNameFault::BadCharacter, value_text::past_limit(text, kMaxValueBytes)});
  }
  if (value_text::matches<name>(text)) {
    if (auto parsed = policy::EnvName::from_canonical(text)) {
      return *std::move(parsed);
    }
  }
  return tl::unexpected(explain(text));
}

}  // namespace forge::grammar
