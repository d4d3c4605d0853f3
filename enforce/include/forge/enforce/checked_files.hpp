// File and stream operations that check what they touch. Errors say which step
// failed and why, with errno; they never hold file contents.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "forge/policy/result.hpp"

namespace forge::enforce {

/// All bytes of `path`, links followed. A named pipe or character device is read
/// to its end (waiting for a writer). `-` is a file name here: who takes it for
/// standard input calls read_stdin_bounded. The size is found by reading, never
/// believed from the file system: at most `limit + 1` bytes are read. Errors:
/// NotFound, IsDirectory, NotPermitted, TooLarge, Malformed (a NUL in `path`), Io.
[[nodiscard]] policy::Result<std::string> read_bounded(const std::string& path, std::size_t limit);

/// The same of standard input.
[[nodiscard]] policy::Result<std::string> read_stdin_bounded(std::size_t limit);

/// Makes `path` a file of exactly `bytes` and `mode` (whatever the umask) or
/// leaves it as it was: a temporary file in the same folder, flushed, renamed.
/// Links in the folder's own path are followed; `path` itself must be absent or
/// a regular file. Errors: SymbolicLink, IsDirectory, Unsupported (a device,
/// pipe or socket), NotFound (no such folder), NotPermitted, Malformed, Io. An
/// error of the step "flush the folder" comes after the rename: the new file is
/// there, but may be lost with the power.
[[nodiscard]] policy::Result<void> write_file_atomically(const std::string& path, std::string_view bytes,
                                                         mode_t mode);

/// Writes everything, waiting where the stream is non-blocking. A reader that
/// went away is an Io error with errno EPIPE once ignore_broken_pipes was called;
/// without that the signal ends the process.
[[nodiscard]] policy::Result<void> write_stdout(std::string_view bytes);
[[nodiscard]] policy::Result<void> write_stderr(std::string_view bytes);

/// Makes a broken pipe, and a limit on file sizes, an error of the write. The whole process and what it
/// starts inherit this: undo it in a child before it runs another program.
void ignore_broken_pipes();

enum class Stream : std::uint8_t { Input, Output, Error };

/// False also when the stream is closed.
[[nodiscard]] bool is_terminal(Stream stream);

/// What makes a file the same file on one host, whatever its name.
struct FileIdentity {
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// The identity of what `path` leads to, links followed.
[[nodiscard]] policy::Result<FileIdentity> identity_of(const std::string& path);

enum class EntryType : std::uint8_t { RegularFile, Directory, SymbolicLink, Other };

/// Whether a symbolic link is looked at itself or followed.
enum class Links : std::uint8_t { Keep, Follow };

/// What is known of an entry without opening it.
struct EntryFacts {
  EntryType type = EntryType::Other;
  FileIdentity identity;
  bool is_own = false;        ///< it belongs to the effective user
  bool others_write = false;  ///< its group or everyone may write to it
};

/// Errors: NotFound (also where a component on the way is no folder), SymbolicLink
/// (a loop of links), NotPermitted, Malformed, Io.
[[nodiscard]] policy::Result<EntryFacts> facts_of_entry(const std::string& path, Links links);

/// All bytes of a regular file of at most `limit` bytes. Unlike read_bounded it
/// follows no link in the last component, never waits, and refuses everything
/// that is no regular file, so it can be used on names that a stranger chose.
/// Errors: those of read_bounded, and Unsupported (a link, too).
[[nodiscard]] policy::Result<std::string> read_small_file(const std::string& path, std::size_t limit);

/// The home folder that the password database names for the effective user, as
/// it stands there. NotFound when there is no entry or it names no absolute path.
[[nodiscard]] policy::Result<std::string> home_from_password_database();

}  // namespace forge::enforce
