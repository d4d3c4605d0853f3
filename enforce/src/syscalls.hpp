// Every raw system call of the product, each as a function that retries what may
// be retried and says which step failed. Nothing outside this pair of files
// includes a system header.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "forge/policy/result.hpp"

namespace forge::enforce::sys {

/// A descriptor that somebody else closes.
struct FdRef {
  int number = -1;
};

inline constexpr FdRef kStandardInput{0};
inline constexpr FdRef kStandardOutput{1};
inline constexpr FdRef kStandardError{2};

/// A descriptor that is closed with its owner.
class Fd {
 public:
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd();

  [[nodiscard]] FdRef ref() const { return {number_}; }

 private:
  int number_;
};

/// The text of an errno in lower case, the same in every locale.
[[nodiscard]] std::string describe_errno(int errno_value);

/// The failing branch of a system call.
[[nodiscard]] tl::unexpected<policy::Error> failure(std::string operation, int errno_value);

/// Opens for reading, links followed; waits for the writer of a named pipe.
[[nodiscard]] policy::Result<Fd> open_file(const std::string& path);

/// Opens a folder to work in: for names relative to it and to flush it.
[[nodiscard]] policy::Result<Fd> open_folder(const std::string& path);

/// Creates `name` in `folder` for writing, readable by its owner alone. Fails
/// with EEXIST when anything bears that name, a dangling link included.
[[nodiscard]] policy::Result<Fd> create_file(FdRef folder, const std::string& name);

enum class EntryKind : std::uint8_t { Missing, RegularFile, Directory, SymbolicLink, Other };

/// What stands under `name` in `folder`; a link is not followed.
[[nodiscard]] policy::Result<EntryKind> entry_kind(FdRef folder, const std::string& name);

/// Reads at least one byte unless the end is reached (0); waits for a non-blocking descriptor.
[[nodiscard]] policy::Result<std::size_t> read_some(FdRef from, std::span<char> into);

/// Writes everything; waits for a non-blocking descriptor. `operation` names the step in an error.
[[nodiscard]] policy::Result<void> write_all(FdRef to, std::string_view bytes, std::string_view operation);

/// Sets the mode to exactly `mode`: unlike a mode at creation, the umask has no say.
[[nodiscard]] policy::Result<void> set_mode(FdRef file, mode_t mode);

[[nodiscard]] policy::Result<void> flush_file(FdRef file);
[[nodiscard]] policy::Result<void> flush_folder(FdRef folder);

/// Renames within `folder`. What stood under `to` is replaced, a link as such.
[[nodiscard]] policy::Result<void> rename_entry(FdRef folder, const std::string& from, const std::string& to);

/// Removes a file or says nothing: the caller already has a worse error to report.
void remove_entry(FdRef folder, const std::string& name) noexcept;

/// Bytes that nobody can foretell.
[[nodiscard]] policy::Result<std::array<std::uint8_t, 16>> random_bytes();

struct DeviceAndInode {
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
};

/// Status of a path or of an open file, as far as anybody asks for it.
struct Status {
  EntryKind kind = EntryKind::Other;
  DeviceAndInode identity;
  bool is_own = false;
  bool others_write = false;
};
enum class FollowLinks : std::uint8_t { No, Yes };
[[nodiscard]] policy::Result<Status> status_of(const std::string& path, FollowLinks follow);
[[nodiscard]] policy::Result<Status> status_of(FdRef file);

/// Opens for reading without waiting for anybody; a link in the last component is
/// not followed.
[[nodiscard]] policy::Result<Fd> open_without_links(const std::string& path);

[[nodiscard]] bool is_terminal(FdRef stream);
void ignore_broken_pipes();

/// The home folder in the password database's entry of the effective user; may be empty.
[[nodiscard]] policy::Result<std::string> home_of_effective_user();

}  // namespace forge::enforce::sys
