#include "syscalls.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

namespace forge::enforce::sys {

using policy::ErrorKind;
using policy::fail;
using policy::Result;

namespace {

constexpr std::size_t kMaxPasswordEntryBytes = std::size_t{1} << 20U;

// Repeats a call that a signal interrupted before it did anything.
template <class Call>
auto retry(Call call) {
  auto outcome = call();
  while (outcome < 0 && errno == EINTR) {
    outcome = call();
  }
  return outcome;
}

ErrorKind kind_of(int errno_value) {
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
      return ErrorKind::NotFound;
    case EISDIR:
      return ErrorKind::IsDirectory;
    case ELOOP:
      return ErrorKind::SymbolicLink;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorKind::NotPermitted;
    case ENOSYS:
    case EOPNOTSUPP:
      return ErrorKind::Unsupported;
    default:
      return ErrorKind::Io;
  }
}

Result<void> done_or_failure(int outcome, const char* operation) {
  if (outcome < 0) {
    return failure(operation, errno);
  }
  return {};
}

// A C string ends at the first NUL, so such a path would name another file.
Result<Fd> open_checked(const std::string& path, int flags, const char* operation) {
  if (path.find('\0') != std::string::npos) {
    return fail(ErrorKind::Malformed, operation, "the path holds a NUL byte");
  }
  const int number = retry([&] { return ::open(path.c_str(), flags | O_CLOEXEC); });
  if (number < 0) {
    return failure(operation, errno);
  }
  return Fd(number);
}

// Waits until the descriptor can go on. An error is left to the next read or
// write, which names it better.
void wait_until_ready(FdRef fd, short events) {
  pollfd entry{fd.number, events, 0};
  ::poll(&entry, 1, -1);
}

bool would_block(int errno_value) { return errno_value == EAGAIN || errno_value == EWOULDBLOCK; }

}  // namespace

Fd::~Fd() {
  if (number_ >= 0) {
    ::close(number_);
  }
}

std::string describe_errno(int errno_value) {
  const char* text = ::strerrordesc_np(errno_value);
  if (text == nullptr) {
    return fmt::format("error {}", errno_value);
  }
  std::string description = text;
  // "Permission denied" becomes lower case, "RFS specific error" stays.
  if (description.size() > 1 && std::islower(static_cast<unsigned char>(description[1])) != 0) {
    description[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(description[0])));
  }
  return description;
}

tl::unexpected<policy::Error> failure(std::string operation, int errno_value) {
  return fail(kind_of(errno_value), std::move(operation), describe_errno(errno_value), errno_value);
}

Result<Fd> open_file(const std::string& path) {
  return open_checked(path, O_RDONLY | O_NOCTTY, "open the file");
}

// Not O_PATH: such a descriptor could not be flushed.
Result<Fd> open_folder(const std::string& path) {
  return open_checked(path, O_RDONLY | O_DIRECTORY, "open the folder");
}

Result<Fd> create_file(FdRef folder, const std::string& name) {
  const int number = retry([&] {
    return ::openat(folder.number, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    S_IRUSR | S_IWUSR);
  });
  if (number < 0) {
    return failure("create a temporary file in the folder", errno);
  }
  return Fd(number);
}

Result<EntryKind> entry_kind(FdRef folder, const std::string& name) {
  struct stat status {};
  if (::fstatat(folder.number, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) < 0) {
    if (errno == ENOENT) {
      return EntryKind::Missing;
    }
    return failure("look at the target", errno);
  }
  if (S_ISREG(status.st_mode)) {
    return EntryKind::RegularFile;
  }
  if (S_ISDIR(status.st_mode)) {
    return EntryKind::Directory;
  }
  return S_ISLNK(status.st_mode) ? EntryKind::SymbolicLink : EntryKind::Other;
}

Result<std::size_t> read_some(FdRef from, std::span<char> into) {
  while (true) {
    const ssize_t count = retry([&] { return ::read(from.number, into.data(), into.size()); });
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (!would_block(errno)) {
      return failure("read the file", errno);
    }
    wait_until_ready(from, POLLIN);
  }
}

Result<void> write_all(FdRef to, std::string_view bytes, std::string_view operation) {
  while (!bytes.empty()) {
    const ssize_t count = retry([&] { return ::write(to.number, bytes.data(), bytes.size()); });
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count == 0) {
      return failure(std::string(operation), EIO);  // no progress and no reason: do not spin
    } else if (would_block(errno)) {
      wait_until_ready(to, POLLOUT);
    } else {
      return failure(std::string(operation), errno);
    }
  }
  return {};
}

Result<void> set_mode(FdRef file, mode_t mode) {
  return done_or_failure(::fchmod(file.number, mode), "set the mode of the file");
}

Result<void> flush_file(FdRef file) {
  return done_or_failure(retry([&] { return ::fsync(file.number); }), "flush the file");
}

Result<void> flush_folder(FdRef folder) {
  const int outcome = retry([&] { return ::fsync(folder.number); });
  // EINVAL: this file system has no flush of folders (fsync(2)), so none is owed.
  return outcome < 0 && errno == EINVAL ? Result<void>{} : done_or_failure(outcome, "flush the folder");
}

Result<void> rename_entry(FdRef folder, const std::string& from, const std::string& to) {
  return done_or_failure(::renameat(folder.number, from.c_str(), folder.number, to.c_str()),
                         "replace the file");
}

void remove_entry(FdRef folder, const std::string& name) noexcept {
  ::unlinkat(folder.number, name.c_str(), 0);
}

Result<std::array<std::uint8_t, 16>> random_bytes() {
  std::array<std::uint8_t, 16> bytes{};
  // getrandom(2): a request of up to 256 bytes is never cut short.
  const ssize_t count = retry([&] { return ::getrandom(bytes.data(), bytes.size(), 0); });
  if (count < 0) {
    return failure("get random bytes", errno);
  }
  return bytes;
}

namespace {

EntryKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) {
    return EntryKind::RegularFile;
  }
  if (S_ISDIR(mode)) {
    return EntryKind::Directory;
  }
  return S_ISLNK(mode) ? EntryKind::SymbolicLink : EntryKind::Other;
}

Status from_stat(const struct stat& status) {
  return {kind_of_mode(status.st_mode),
          {status.st_dev, status.st_ino},
          status.st_uid == ::geteuid(),
          (status.st_mode & (S_IWGRP | S_IWOTH)) != 0};
}

}  // namespace

Result<Status> status_of(const std::string& path, FollowLinks follow) {
  constexpr const char* kOperation = "look at the file";
  if (path.find('\0') != std::string::npos) {
    return fail(ErrorKind::Malformed, kOperation, "the path holds a NUL byte");
  }
  struct stat status {};
  const int flags = follow == FollowLinks::Yes ? 0 : AT_SYMLINK_NOFOLLOW;
  if (::fstatat(AT_FDCWD, path.c_str(), &status, flags) < 0) {
    return failure(kOperation, errno);
  }
  return from_stat(status);
}

Result<Status> status_of(FdRef file) {
  struct stat status {};
  if (::fstat(file.number, &status) < 0) {
    return failure("look at the file", errno);
  }
  return from_stat(status);
}

Result<Fd> open_without_links(const std::string& path) {
  return open_checked(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, "open the file");
}

bool is_terminal(FdRef stream) { return ::isatty(stream.number) == 1; }

// SIGXFSZ too: with it ignored, a write past the file size limit is EFBIG and the
// temporary file is cleaned up, where the signal would leave it half-written.
void ignore_broken_pipes() {
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

Result<std::string> home_of_effective_user() {
  constexpr const char* kOperation = "read the password database";
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> buffer(1024);
  int error = ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  while (error == ERANGE && buffer.size() < kMaxPasswordEntryBytes) {
    buffer.resize(buffer.size() * 2);
    error = ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  }
  if (error != 0) {
    return failure(kOperation, error);
  }
  if (found == nullptr) {
    return fail(ErrorKind::NotFound, kOperation, "no entry for this user");
  }
  return std::string(found->pw_dir == nullptr ? "" : found->pw_dir);
}

}  // namespace forge::enforce::sys
