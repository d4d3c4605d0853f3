#include "forge/enforce/checked_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "syscalls.hpp"

namespace forge::enforce {

using policy::ErrorKind;
using policy::fail;
using policy::Result;

namespace {

constexpr std::size_t kFirstReadBytes = std::size_t{16} << 10U;  // most configs and plans in one read
constexpr int kMaxNameTries = 8;  // a name of 128 random bits is taken already only by an attack

Result<std::string> read_to_end(sys::FdRef from, std::size_t limit) {
  const std::size_t most = limit == std::numeric_limits<std::size_t>::max() ? limit : limit + 1;
  std::string bytes;
  std::size_t used = 0;
  while (used < most) {
    if (used == bytes.size()) {
      bytes.resize(std::min(most, std::max(kFirstReadBytes, bytes.size() * 2)));
    }
    const auto count = sys::read_some(from, std::span(bytes).subspan(used));
    if (!count) {
      return tl::unexpected(count.error());
    }
    if (*count == 0) {
      bytes.resize(used);
      return bytes;
    }
    used += *count;
  }
  return fail(ErrorKind::TooLarge, "read the file", fmt::format("more than {} bytes", limit));
}

/// A path taken apart into the folder to open and the name in it.
struct Target {
  std::string folder;
  std::string name;
};

Result<Target> split_target(const std::string& path) {
  constexpr const char* kOperation = "look at the target";
  if (path.empty()) {
    return sys::failure(kOperation, ENOENT);
  }
  // The folder's part is checked where it is opened.
  if (path.find('\0') != std::string::npos) {
    return fail(ErrorKind::Malformed, kOperation, "the path holds a NUL byte");
  }
  const std::size_t slash = path.rfind('/');
  Target target{".", path};
  if (slash != std::string::npos) {
    target = {path.substr(0, std::max<std::size_t>(slash, 1)), path.substr(slash + 1)};
  }
  if (target.name.empty() || target.name == "." || target.name == "..") {
    return sys::failure(kOperation, EISDIR);
  }
  return target;
}

Result<void> refuse_unless_replaceable(sys::FdRef folder, const std::string& name) {
  constexpr const char* kOperation = "replace the file";
  const auto kind = sys::entry_kind(folder, name);
  if (!kind) {
    return tl::unexpected(kind.error());
  }
  switch (*kind) {
    case sys::EntryKind::Missing:
    case sys::EntryKind::RegularFile:
      return {};
    case sys::EntryKind::Directory:
      return sys::failure(kOperation, EISDIR);
    case sys::EntryKind::SymbolicLink:
      return fail(ErrorKind::SymbolicLink, kOperation, "the target is a symbolic link", ELOOP);
    case sys::EntryKind::Other:
      break;
  }
  return fail(ErrorKind::Unsupported, kOperation, "the target is not a regular file");
}

Result<std::string> unpredictable_name() {
  return sys::random_bytes().map([](const auto& bytes) {
    std::string name = ".forge-";
    for (const std::uint8_t byte : bytes) {
      fmt::format_to(std::back_inserter(name), "{:02x}", byte);
    }
    return name + ".tmp";
  });
}

/// A file under a name of its own that is removed unless it got its final name.
class TemporaryFile {
 public:
  static Result<TemporaryFile> create_in(sys::FdRef folder) {
    Result<TemporaryFile> made = try_once(folder);
    for (int tries = 1; !made && made.error().errno_value == EEXIST && tries < kMaxNameTries; ++tries) {
      made = try_once(folder);
    }
    return made;
  }

  TemporaryFile(TemporaryFile&& other) noexcept
      : folder_(other.folder_),
        name_(std::exchange(other.name_, std::nullopt)),
        file_(std::move(other.file_)) {}
  TemporaryFile& operator=(TemporaryFile&& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(name_, other.name_);
    std::swap(file_, other.file_);
    return *this;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (name_) {
      sys::remove_entry(folder_, *name_);
    }
  }

  Result<void> fill(std::string_view bytes, mode_t mode) {
    return sys::set_mode(file_.ref(), mode)
        .and_then([&] { return sys::write_all(file_.ref(), bytes, "write the file"); })
        .and_then([&] { return sys::flush_file(file_.ref()); });
  }

  Result<void> rename_to(const std::string& name) {
    auto renamed = sys::rename_entry(folder_, *name_, name);
    if (renamed) {
      name_.reset();
    }
    return renamed;
  }

 private:
  TemporaryFile(sys::FdRef folder, std::string name, sys::Fd file)
      : folder_(folder), name_(std::move(name)), file_(std::move(file)) {}

  static Result<TemporaryFile> try_once(sys::FdRef folder) {
    return unpredictable_name().and_then([&](std::string name) {
      return sys::create_file(folder, name).map([&](sys::Fd file) {
        return TemporaryFile(folder, std::move(name), std::move(file));
      });
    });
  }

  sys::FdRef folder_;
  std::optional<std::string> name_;
  sys::Fd file_;
};

// Everything below happens inside one held folder: renaming the folder or
// putting a link in its place leads nowhere else.
Result<void> replace_in(sys::FdRef folder, const std::string& name, std::string_view bytes, mode_t mode) {
  return refuse_unless_replaceable(folder, name)
      .and_then([&] { return TemporaryFile::create_in(folder); })
      .and_then([&](TemporaryFile file) {
        return file.fill(bytes, mode).and_then([&] { return file.rename_to(name); });
      })
      .and_then([&] { return sys::flush_folder(folder); });
}

constexpr sys::FdRef descriptor_of(Stream stream) {
  switch (stream) {
    case Stream::Input:
      return sys::kStandardInput;
    case Stream::Output:
      return sys::kStandardOutput;
    case Stream::Error:
      break;
  }
  return sys::kStandardError;
}

}  // namespace

Result<std::string> read_bounded(const std::string& path, std::size_t limit) {
  return sys::open_file(path).and_then([&](const sys::Fd& file) { return read_to_end(file.ref(), limit); });
}

Result<std::string> read_stdin_bounded(std::size_t limit) { return read_to_end(sys::kStandardInput, limit); }

Result<void> write_file_atomically(const std::string& path, std::string_view bytes, mode_t mode) {
  return split_target(path).and_then([&](const Target& target) {
    return sys::open_folder(target.folder).and_then([&](const sys::Fd& folder) {
      return replace_in(folder.ref(), target.name, bytes, mode);
    });
  });
}

Result<void> write_stdout(std::string_view bytes) {
  return sys::write_all(sys::kStandardOutput, bytes, "write standard output");
}

Result<void> write_stderr(std::string_view bytes) {
  return sys::write_all(sys::kStandardError, bytes, "write standard error");
}

void ignore_broken_pipes() { sys::ignore_broken_pipes(); }

bool is_terminal(Stream stream) { return sys::is_terminal(descriptor_of(stream)); }

Result<FileIdentity> identity_of(const std::string& path) {
  return facts_of_entry(path, Links::Follow).map([](const EntryFacts& entry) { return entry.identity; });
}

namespace {

EntryType type_of(sys::EntryKind kind) {
  switch (kind) {
    case sys::EntryKind::RegularFile:
      return EntryType::RegularFile;
    case sys::EntryKind::Directory:
      return EntryType::Directory;
    case sys::EntryKind::SymbolicLink:
      return EntryType::SymbolicLink;
    case sys::EntryKind::Missing:
    case sys::EntryKind::Other:
      break;
  }
  return EntryType::Other;
}

Result<void> refuse_unless_regular(const Result<sys::Status>& status) {
  if (!status) {
    return tl::unexpected(status.error());
  }
  if (status->kind != sys::EntryKind::RegularFile) {
    return fail(ErrorKind::Unsupported, "open the file", "it is not a regular file");
  }
  return {};
}

}  // namespace

Result<EntryFacts> facts_of_entry(const std::string& path, Links links) {
  const auto follow = links == Links::Follow ? sys::FollowLinks::Yes : sys::FollowLinks::No;
  return sys::status_of(path, follow).map([](const sys::Status& status) {
    return EntryFacts{
        type_of(status.kind), {status.identity.dev, status.identity.ino}, status.is_own, status.others_write};
  });
}

// Looked at before it is opened, since opening a device may do something, and
// again when it is open, since the name may lead elsewhere by then.
Result<std::string> read_small_file(const std::string& path, std::size_t limit) {
  if (const auto usable = refuse_unless_regular(sys::status_of(path, sys::FollowLinks::No)); !usable) {
    return tl::unexpected(usable.error());
  }
  const auto file = sys::open_without_links(path);
  if (!file) {
    return tl::unexpected(file.error());
  }
  if (const auto usable = refuse_unless_regular(sys::status_of(file->ref())); !usable) {
    return tl::unexpected(usable.error());
  }
  return read_to_end(file->ref(), limit);
}

Result<std::string> home_from_password_database() {
  return sys::home_of_effective_user().and_then([](std::string home) -> Result<std::string> {
    if (!home.starts_with('/')) {
      return fail(ErrorKind::NotFound, "read the password database", "the entry names no home folder");
    }
    return home;
  });
}

}  // namespace forge::enforce
