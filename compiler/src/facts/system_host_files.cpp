#include <algorithm>
#include <boost/filesystem/operations.hpp>

#include "forge/compiler/facts.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

namespace fs = boost::filesystem;
using policy::PathFact;
using policy::PathKind;
using Type = EntryStatus::Type;

PathKind kind_of(Type type) {
  switch (type) {
    case Type::Missing:
      return PathKind::Missing;
    case Type::RegularFile:
      return PathKind::File;
    case Type::Directory:
      return PathKind::Directory;
    case Type::Other:
      return PathKind::Other;
    case Type::SymbolicLink:  // one that was not followed
    case Type::Unknown:
      break;
  }
  return PathKind::Unreadable;
}

PathFact made_of(const std::string& path, const std::string& real, const EntryStatus& status) {
  const PathKind kind = kind_of(status.type);
  if (kind == PathKind::Missing || kind == PathKind::Unreadable) {
    return {path, kind, {}, 0, 0, false, policy::Owner::Unknown, false};
  }
  return {path, kind, real, status.dev, status.ino, false, status.owner, status.others_write};
}

// A link to a directory may end in a slash.
std::string normal_without_slash(const fs::path& path) {
  std::string text = path.lexically_normal().string();
  while (text.size() > 1 && (text.ends_with('/') || text.ends_with("/."))) {
    text.pop_back();
  }
  return text;
}

}  // namespace

// INVARIANT: `path` is absolute and lexically normal.
// Only directories are remembered: a stranger's path can name any number of others.
PathFact SystemHostFiles::directory(const std::string& path) const {
  const auto known = directories_.find(path);
  if (known != directories_.end()) {
    return known->second;
  }
  PathFact fact = look(path);
  if (fact.kind == PathKind::Directory) {
    directories_.emplace(path, fact);
  }
  return fact;
}

PathFact SystemHostFiles::look(const std::string& path) const {
  if (path == "/") {
    return made_of(path, path, calls_.status_of(path));
  }
  const std::size_t slash = path.rfind('/');
  const PathFact above = directory(folder_of(path));
  switch (above.kind) {
    case PathKind::Directory:
      break;
    case PathKind::Missing:
    case PathKind::File:
    case PathKind::Other:
      return {path, PathKind::Missing, {}, 0, 0, false, policy::Owner::Unknown, false};
    case PathKind::Unreadable:
    case PathKind::Unnameable:
      return {path, PathKind::Unreadable, {}, 0, 0, false, policy::Owner::Unknown, false};
  }
  const std::string full = join_path(above.real_path, std::string_view(path).substr(slash + 1));
  const EntryStatus status = calls_.status_of(full);
  if (status.type != Type::SymbolicLink) {
    return made_of(path, full, status);
  }
  boost::system::error_code error;
  const fs::path real = fs::canonical(full, error);
  const bool dangling = error == boost::system::errc::no_such_file_or_directory;
  PathFact fact = error ? PathFact{path,
                                   dangling ? PathKind::Missing : PathKind::Unreadable,
                                   {},
                                   0,
                                   0,
                                   true,
                                   policy::Owner::Unknown,
                                   false}
                        : made_of(path, real.string(), calls_.status_of(real.string()));
  fact.is_link = true;
  const fs::path target = fs::read_symlink(full, error);
  const fs::path meant = target.is_absolute() ? target : fs::path(above.real_path) / target;
  fact.is_chain = error || climbs_after_name(target.string()) || normal_without_slash(meant) != real.string();
  return fact;
}

policy::Result<std::string> SystemHostFiles::read(const std::string& path, std::size_t limit) const {
  return calls_.read(path, limit);
}

policy::ListingFact SystemHostFiles::list(const std::string& path) const {
  policy::ListingFact fact{path, policy::ListingState::Listed, {}};
  boost::system::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    if (++seen > kMaxListedEntries) {
      fact.state = policy::ListingState::Truncated;
      return fact;
    }
    boost::system::error_code unknown;
    const fs::file_type type = at->symlink_status(unknown).type();
    if (type == fs::directory_file || type == fs::symlink_file || unknown) {
      fact.entries.push_back({at->path().filename().string(), type != fs::directory_file});
    }
  }
  if (error) {
    const bool missing = error == boost::system::errc::no_such_file_or_directory;
    return {path, missing ? policy::ListingState::Missing : policy::ListingState::Unreadable, {}};
  }
  return fact;
}

}  // namespace forge::compiler
