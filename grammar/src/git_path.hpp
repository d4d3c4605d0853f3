// What git's files that name paths share: which characters a path may have, and
// what it leads to from where it is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "forge/grammar/git_files.hpp"
#include "forge/policy/utf8.hpp"
#include "value_text.hpp"

namespace forge::grammar::git_path {

namespace pegtl = tao::pegtl;

/// One code point that may be shown.
struct safe_char {
  using rule_t = safe_char;
  using subs_t = pegtl::empty_list;
  template <class ParseInput>
  static bool match(ParseInput& in) {
    const auto point = in.empty() ? policy::CodePoint{} : policy::decode_utf8({in.current(), in.size()});
    if (point.length == 0 || policy::is_unsafe_to_show(point.value)) {
      return false;
    }
    in.bump(point.length);
    return true;
  }
};

/// What is wrong with the first character of `text` that is no `Safe`, if there is one.
template <class Safe>
[[nodiscard]] std::optional<GitFileFault> find_unsafe(std::string_view text) {
  value_text::Input in(text.data(), text.size(), "");
  pegtl::parse<pegtl::star<Safe>>(in);
  if (in.empty()) {
    return std::nullopt;
  }
  const bool is_text = policy::decode_utf8({in.current(), in.size()}).length != 0;
  return is_text ? GitFileFault::ControlCharacter : GitFileFault::NotText;
}

/// `path`, whose characters are safe, from `base`: Empty, TooLong, ParentComponent, AboveRoot.
[[nodiscard]] tl::expected<std::string, GitFileFault> resolve(std::string_view path, std::string_view base);

}  // namespace forge::grammar::git_path
