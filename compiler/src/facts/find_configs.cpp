#include <algorithm>
#include <boost/filesystem/operations.hpp>
#include <cctype>
#include <utility>

#include "forge/compiler/host_paths.hpp"

namespace forge::compiler {
namespace {

namespace fs = boost::filesystem;

constexpr std::string_view kConfigName = "forge-config.jsonc";
constexpr const char* kOperation = "search the folder";

// Folders that hold other people's files by the ten thousand.
bool is_skipped(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == "node_modules";
}

// In lower case, as everything else that failed is told.
policy::Error failed(const char* operation, const boost::system::error_code& error) {
  std::string why = error.message();
  if (!why.empty()) {
    why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
  }
  return {policy::ErrorKind::Io, operation, std::move(why), error.value()};
}

/// One search with its own list of folders to visit, so that an unreadable one
/// ends nothing but itself.
class Search {
 public:
  FoundConfigs run(const std::string& folder) && {
    waiting_.push_back({folder, 0});
    while (!waiting_.empty()) {
      const Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      if (next.depth > kMaxSearchDepth) {
        leave_out(next.folder, {policy::ErrorKind::TooLarge, kOperation, "too deep; name the file"});
      } else if (!visit(next)) {
        leave_out(folder, {policy::ErrorKind::TooLarge, kOperation, "too many entries; name the files"});
        break;
      }
    }
    std::sort(found_.configs.begin(), found_.configs.end());
    std::sort(found_.unsearched.begin(), found_.unsearched.end(),
              [](const Unsearched& left, const Unsearched& right) { return left.path < right.path; });
    return std::move(found_);
  }

 private:
  struct Waiting {
    fs::path folder;
    int depth = 0;
  };

  // False when there are too many entries.
  bool visit(const Waiting& here) {
    boost::system::error_code error;
    fs::directory_iterator at(here.folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      if (++seen_ > kMaxSearchedEntries) {
        return false;
      }
      look_at(*at, here.depth);
    }
    if (error) {
      leave_out(here.folder, failed(kOperation, error));
    }
    return true;
  }

  void look_at(const fs::directory_entry& entry, int depth) {
    boost::system::error_code error;
    const fs::file_status status = entry.symlink_status(error);
    const bool is_named = entry.path().filename() == std::string(kConfigName);
    if (status.type() == fs::directory_file) {
      if (!is_skipped(entry.path())) {
        waiting_.push_back({entry.path(), depth + 1});
      }
    } else if (is_named && status.type() == fs::regular_file) {
      found_.configs.push_back(entry.path().string());
    } else if (is_named) {
      look_at_link(entry.path());
    } else if (status.type() == fs::status_error) {
      leave_out(entry.path(), failed("look at the file", error));
    }
  }

  // A config by name that is no regular file itself: what it leads to counts.
  // Never opened here or later unless it is a regular file: a pipe would hang.
  void look_at_link(const fs::path& path) {
    boost::system::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::regular_file) {
      found_.configs.push_back(path.string());
    } else if (error) {
      leave_out(path, failed("open the file", error));
    } else {
      leave_out(path, {policy::ErrorKind::Unsupported, "open the file", "it is not a regular file"});
    }
  }

  void leave_out(const fs::path& path, policy::Error error) {
    found_.unsearched.push_back({path.string(), std::move(error)});
  }

  FoundConfigs found_;
  std::vector<Waiting> waiting_;
  std::size_t seen_ = 0;
};

}  // namespace

FoundConfigs find_configs(const std::string& folder) { return Search().run(folder); }

}  // namespace forge::compiler
