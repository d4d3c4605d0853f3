#include <boost/filesystem/operations.hpp>

#include "forge/compiler/facts.hpp"

namespace forge::compiler {
namespace {

namespace fs = boost::filesystem;
using policy::PathFact;
using policy::PathKind;

PathKind kind_of(fs::file_type type) {
  switch (type) {
    case fs::regular_file:
      return PathKind::File;
    case fs::directory_file:
      return PathKind::Directory;
    case fs::file_not_found:
      return PathKind::Missing;
    default:  // the library's own open list: devices, sockets, pipes, errors
      return type == fs::status_error ? PathKind::Unreadable : PathKind::Other;
  }
}

}  // namespace

PathFact SystemHostFiles::look(const std::string& path) const {
  boost::system::error_code error;
  const fs::file_status status = fs::status(path, error);
  const PathKind kind = kind_of(status.type());
  if (kind == PathKind::Missing || kind == PathKind::Unreadable) {
    return {path, kind, {}, 0, 0};
  }
  const fs::path real = fs::canonical(path, error);
  if (error) {
    return {path, PathKind::Unreadable, {}, 0, 0};
  }
  const auto [dev, ino] = identity_(real.string());
  return {path, kind, real.string(), dev, ino};
}

}  // namespace forge::compiler
