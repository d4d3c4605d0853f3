#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "forge/grammar/git_files.hpp"
#include "git_path.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

constexpr std::string_view kGitFilePrefix = "gitdir: ";

}  // namespace

namespace git_path {
namespace {

namespace rules {

struct slashes : pegtl::plus<pegtl::one<'/'>> {};
struct step_end : pegtl::sor<slashes, pegtl::eof> {};
struct here : pegtl::seq<pegtl::one<'.'>, step_end> {};
struct parent : pegtl::seq<pegtl::string<'.', '.'>, step_end> {};
struct name : pegtl::plus<pegtl::not_one<'/'>> {};
struct named_step : pegtl::seq<pegtl::not_at<parent>, name, step_end> {};
struct downward : pegtl::star<pegtl::sor<here, named_step>> {};
struct upward : pegtl::star<pegtl::sor<here, parent>> {};
struct from_root : slashes {};
struct path : pegtl::seq<pegtl::sor<from_root, upward>, downward, pegtl::eof> {};

}  // namespace rules

// The directory to start from, then the names below it.
struct Walk {
  std::string_view start;
  std::string names;
  bool above_root = false;
};

template <class Rule>
struct action : pegtl::nothing<Rule> {};

template <>
struct action<rules::from_root> {
  static void apply0(Walk& walk) { walk.start = "/"; }
};

template <>
struct action<rules::parent> {
  static void apply0(Walk& walk) {
    walk.above_root = walk.start == "/";  // and stays so: the start stays there
    walk.start = walk.start.substr(0, std::max<std::size_t>(walk.start.rfind('/'), 1));
  }
};

template <>
struct action<rules::name> {
  template <class ActionInput>
  static void apply(const ActionInput& in, Walk& walk) {
    walk.names += '/';
    walk.names += in.string_view();
  }
};

}  // namespace

tl::expected<std::string, GitFileFault> resolve(std::string_view path, std::string_view base) {
  if (path.empty()) {
    return tl::unexpected(GitFileFault::Empty);
  }
  if (path.size() > kMaxGitPointerBytes) {
    return tl::unexpected(GitFileFault::TooLong);
  }
  Walk walk{base, {}};
  if (!value_text::matches<rules::path, action>(path, walk)) {
    return tl::unexpected(GitFileFault::ParentComponent);
  }
  if (walk.above_root) {
    return tl::unexpected(GitFileFault::AboveRoot);
  }
  if (walk.start == "/" && !walk.names.empty()) {
    return std::move(walk.names);
  }
  return std::string(walk.start) + walk.names;
}

}  // namespace git_path

tl::expected<std::string, GitFileFault> parse_git_pointer(GitPointer kind, std::string_view text,
                                                          std::string_view base) {
  if (text.size() > kMaxGitPointerBytes) {
    return tl::unexpected(GitFileFault::TooLong);
  }
  std::string_view path = text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0));
  if (path.empty()) {
    return tl::unexpected(GitFileFault::Empty);
  }
  if (kind == GitPointer::GitFile) {
    if (!path.starts_with(kGitFilePrefix)) {
      return tl::unexpected(GitFileFault::NotAPointer);
    }
    path.remove_prefix(kGitFilePrefix.size());
  }
  if (const auto fault = git_path::find_unsafe<git_path::safe_char>(path)) {
    return tl::unexpected(*fault);
  }
  return git_path::resolve(path, base);
}

std::string_view describe(GitFileFault fault) {
  switch (fault) {
    case GitFileFault::TooLong:
      return "it is larger than 4096 bytes, or than 65536 as a list of alternates";
    case GitFileFault::Empty:
      return "it names no path";
    case GitFileFault::NotAPointer:
      return "it does not begin with `gitdir: `";
    case GitFileFault::ControlCharacter:
      return "it has a control or invisible character";
    case GitFileFault::NotText:
      return "it is not UTF-8";
    case GitFileFault::ParentComponent:
      return "it has `..` after the first name of a path";
    case GitFileFault::AboveRoot:
      return "it leads above the root directory";
    case GitFileFault::Quoted:
      return "it has a path in quotation marks";
    case GitFileFault::TooMany:
      return "it names more than 64 alternates";
  }
  return "";
}

}  // namespace forge::grammar
