#include "forge/grammar/env_file.hpp"

#include <tao/pegtl.hpp>

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;

namespace rules {

struct name : pegtl::identifier {};
struct rest_of_line : pegtl::until<pegtl::at<pegtl::eolf>> {};
struct value : pegtl::seq<pegtl::one<'='>, rest_of_line> {};
struct spaces : pegtl::star<pegtl::blank> {};
struct comment : pegtl::seq<pegtl::one<'#'>, rest_of_line> {};
struct keyword : pegtl::seq<pegtl::string<'e', 'x', 'p', 'o', 'r', 't'>, pegtl::plus<pegtl::blank>> {};
struct assignment : pegtl::seq<pegtl::opt<keyword>, name, pegtl::sor<value, spaces>> {};
struct line : pegtl::seq<spaces, pegtl::opt<pegtl::sor<comment, assignment>>, pegtl::at<pegtl::eolf>> {};

}  // namespace rules

template <class Rule>
struct action : pegtl::nothing<Rule> {};

template <>
struct action<rules::name> {
  template <class Input>
  static void apply(const Input& in, std::vector<policy::EnvName>& names) {
    // INVARIANT: an identifier of PEGTL is a variable name of ours.
    names.push_back(*policy::EnvName::from_canonical(in.string_view()));
  }
};

}  // namespace

tl::expected<std::vector<policy::EnvName>, EnvFileProblem> parse_env_file(std::string_view text) {
  std::vector<policy::EnvName> names;
  pegtl::memory_input<pegtl::tracking_mode::lazy> in(text.data(), text.size(), "");
  for (std::uint32_t line = 1; !in.empty(); ++line) {
    if (!pegtl::parse<rules::line, action>(in, names)) {
      return tl::unexpected(EnvFileProblem{line});
    }
    pegtl::parse<pegtl::opt<pegtl::eol>>(in);
  }
  return names;
}

}  // namespace forge::grammar
