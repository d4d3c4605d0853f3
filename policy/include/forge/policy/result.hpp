// What the machine did wrong. What the user wrote wrong is a Diagnostic.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace forge::policy {

/// The kinds of failure a caller can react to differently.
enum class ErrorKind {
  NotFound,      ///< the file or directory does not exist
  IsDirectory,   ///< a directory stands where a file was asked for
  SymbolicLink,  ///< a symbolic link stands where none may be followed
  NotPermitted,  ///< the operating system refused
  TooLarge,      ///< a named limit was exceeded
  Malformed,     ///< the bytes are not what the format says
  Unsupported,   ///< a version or feature this build does not know
  Io,            ///< any other failure of a system call
};

/// One failed operation. `operation` says what was attempted, `detail` why it
/// failed; neither ever holds file contents or a value of a variable.
struct Error {
  ErrorKind kind = ErrorKind::Io;
  std::string operation;
  std::string detail;
  int errno_value = 0;  ///< 0 when no system call was involved

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for the failing branch: `return fail(ErrorKind::Io, "read", "…");`
inline tl::unexpected<Error> fail(ErrorKind kind, std::string operation, std::string detail,
                                  int errno_value = 0) {
  return tl::unexpected<Error>(Error{kind, std::move(operation), std::move(detail), errno_value});
}

}  // namespace forge::policy
