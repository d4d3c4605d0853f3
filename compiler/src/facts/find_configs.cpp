#include <algorithm>
#include <boost/filesystem/operations.hpp>

#include "forge/compiler/host_paths.hpp"

namespace forge::compiler {
namespace {

namespace fs = boost::filesystem;

constexpr std::string_view kConfigName = "forge-config.jsonc";

// Folders that hold other people's files by the ten thousand.
bool is_skipped(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == "node_modules";
}

policy::Error failed(const std::string& folder, const boost::system::error_code& error) {
  return {policy::ErrorKind::Io, "search " + folder, error.message(), error.value()};
}

}  // namespace

policy::Result<std::vector<std::string>> find_configs(const std::string& folder) {
  std::vector<std::string> found;
  boost::system::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  std::size_t seen = 0;
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (++seen > kMaxSearchedEntries) {
      return policy::fail(policy::ErrorKind::TooLarge, "search " + folder,
                          "too many entries; name the files");
    }
    const fs::file_status status = at->symlink_status(error);
    if (error) {
      break;
    }
    if (status.type() == fs::directory_file && (is_skipped(at->path()) || at.depth() >= kMaxSearchDepth)) {
      at.disable_recursion_pending();
    } else if (status.type() == fs::regular_file && at->path().filename() == std::string(kConfigName)) {
      found.push_back(at->path().string());
    }
  }
  if (error) {
    return tl::unexpected(failed(folder, error));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace forge::compiler
