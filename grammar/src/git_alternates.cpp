#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forge/grammar/git_files.hpp"
#include "git_path.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;

namespace rules {

// A carriage return is a control character here: git would make it part of the path.
struct line_feed : pegtl::one<'\n'> {};
struct safe : pegtl::sor<git_path::safe_char, line_feed> {};
struct rest_of_line : pegtl::star<pegtl::not_one<'\n'>> {};
struct comment : pegtl::seq<pegtl::one<'#'>, rest_of_line> {};
struct quoted : pegtl::one<'"'> {};
struct path : pegtl::plus<pegtl::not_one<'\n'>> {};
struct line : pegtl::sor<line_feed, comment, pegtl::if_then_else<pegtl::at<quoted>, quoted, path>> {};
struct file : pegtl::seq<pegtl::star<line>, pegtl::eof> {};

}  // namespace rules

struct Reading {
  std::string_view base;
  std::vector<std::string> paths;
  std::optional<GitFileFault> fault;
};

bool note_quoted(std::string_view /*quote*/, Reading& reading) {
  reading.fault = GitFileFault::Quoted;
  return false;
}

bool note_path(std::string_view path, Reading& reading) {
  auto resolved = git_path::resolve(path, reading.base);
  if (!resolved) {
    reading.fault = resolved.error();
  } else if (reading.paths.size() == kMaxAlternates) {
    reading.fault = GitFileFault::TooMany;
  } else {
    reading.paths.push_back(*std::move(resolved));
  }
  return !reading.fault;
}

template <class Rule>
struct action : pegtl::nothing<Rule> {};
template <>
struct action<rules::quoted> : value_text::noted<note_quoted> {};
template <>
struct action<rules::path> : value_text::noted<note_path> {};

}  // namespace

tl::expected<std::vector<std::string>, GitFileFault> parse_git_alternates(std::string_view text,
                                                                          std::string_view base) {
  if (text.size() > kMaxAlternatesBytes) {
    return tl::unexpected(GitFileFault::TooLong);
  }
  if (const auto fault = git_path::find_unsafe<rules::safe>(text)) {
    return tl::unexpected(*fault);
  }
  Reading reading{base, {}, {}};
  if (!value_text::matches<rules::file, action>(text, reading)) {
    // INVARIANT: only an action refuses, and it says why.
    return tl::unexpected(*reading.fault);
  }
  return std::move(reading.paths);
}

}  // namespace forge::grammar
