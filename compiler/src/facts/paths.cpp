#include <boost/filesystem/operations.hpp>

#include "forge/compiler/host_paths.hpp"

namespace forge::compiler {
namespace {

namespace fs = boost::filesystem;

bool has_parent_component(const fs::path& path) {
  for (const fs::path& component : path) {
    if (component == "..") {
      return true;
    }
  }
  return false;
}

}  // namespace

policy::Result<std::string> absolute_path(const std::string& path) {
  boost::system::error_code error;
  fs::path full = path.starts_with('/') ? fs::path(path) : fs::current_path(error) / path;
  if (!error && has_parent_component(full)) {
    full = fs::weakly_canonical(full, error);
  }
  if (error) {
    return policy::fail(policy::ErrorKind::Io, "resolve a path", error.message(), error.value());
  }
  std::string text = full.lexically_normal().string();
  while (text.size() > 1 && (text.ends_with('/') || text.ends_with("/."))) {
    text.pop_back();
  }
  return text.starts_with("//") ? text.substr(1) : text;
}

bool is_directory(const std::string& path) {
  boost::system::error_code error;
  return fs::is_directory(path, error);
}

}  // namespace forge::compiler
