// Git's own small files: what points to a repository elsewhere, and its config.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace forge::grammar {

inline constexpr std::size_t kMaxGitPointerBytes = 4096;  ///< of a pointer file, and of one alternate
inline constexpr std::size_t kMaxGitConfigBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxAlternatesBytes = std::size_t{1} << 16U;
inline constexpr std::size_t kMaxAlternates = 64;
inline constexpr std::size_t kMaxGitConfigEntries = 20000;
/// Of a section and its subsection together. Every entry repeats them, so they
/// bound what a small file can grow to.
inline constexpr std::size_t kMaxGitSectionBytes = 4096;

enum class GitPointer : std::uint8_t {
  GitFile,    ///< `.git` where it is a file
  CommonDir,  ///< `commondir` in the git directory of a worktree
  GitDir,     ///< `gitdir` there: the way back to the worktree's `.git`
};

enum class GitFileFault : std::uint8_t {
  TooLong,
  Empty,             ///< also a `gitdir: ` that nothing follows
  NotAPointer,       ///< a `.git` file without the prefix `gitdir: `
  ControlCharacter,  ///< control (a carriage return too), direction-changing or invisible
  NotText,           ///< no UTF-8
  ParentComponent,   ///< `..` after a name, or in an absolute path: links decide where it leads
  AboveRoot,         ///< more leading `..` than the base has components
  Quoted,            ///< an alternate in git's C quoting
  TooMany,
};

/// A short phrase about the file, for the end of a message: "it names no path".
[[nodiscard]] std::string_view describe(GitFileFault fault);

/// The absolute, lexically normal path that a pointer file names. One final line
/// feed is no part of it; `~` and `$` are characters like any other. Doubled
/// slashes, `.` components and a trailing slash are taken out; `..` is followed
/// only at the front of a relative path. `base` is the absolute, lexically normal
/// directory that holds the file; with links in it, the result is right only when
/// they were resolved before.
[[nodiscard]] tl::expected<std::string, GitFileFault> parse_git_pointer(GitPointer kind,
                                                                        std::string_view text,
                                                                        std::string_view base);

/// `objects/info/alternates`: a path a line, under the rules of parse_git_pointer;
/// empty lines and lines that begin with `#` are passed over. `base` is the
/// objects directory.
[[nodiscard]] tl::expected<std::vector<std::string>, GitFileFault> parse_git_alternates(
    std::string_view text, std::string_view base);

struct GitConfigEntry {
  std::string section;     ///< lower case, never empty
  std::string subsection;  ///< as written (lower case in `[section.sub]`); empty where there is none
  std::string key;         ///< lower case
  std::optional<std::string> value;  ///< nothing: a key without `=`

  friend bool operator==(const GitConfigEntry&, const GitConfigEntry&) = default;
};

struct GitConfigProblem {
  std::uint32_t line = 1;  ///< counted from 1
};

/// All entries in their order, as `git config -f FILE --list` (2.39.5) reads them;
/// no include is followed. Values and subsections are bytes: they may hold control
/// characters and need not be UTF-8. Besides what git refuses, refused are:
/// - what git takes but cannot be told apart here or means nothing to git: a key
///   before the first section, an empty section name, an empty subsection;
/// - an unquoted tab or carriage return between two parts of a value, which one
///   version of git reads as a space (2.39) and another as itself (2.45);
/// - a NUL byte anywhere, which ends the text for some of git's own readers;
/// - what is over one of the limits above.
[[nodiscard]] tl::expected<std::vector<GitConfigEntry>, GitConfigProblem> parse_git_config(
    std::string_view text);

}  // namespace forge::grammar
