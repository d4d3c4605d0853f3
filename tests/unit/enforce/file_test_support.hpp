// What the tests of enforce's file operations share.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "forge/enforce/checked_files.hpp"
#include "temp_dir.hpp"

namespace forge::enforce {

using policy::Error;
using policy::ErrorKind;
using tests::bytes_of;
using tests::TempDir;
namespace fs = std::filesystem;

inline constexpr std::size_t kRoomy = 1 << 20;

// The failure of a call: kind, errno and text of the reason.
MATCHER_P3(FailsWith, kind, errno_value, detail, "") {
  if (arg.has_value()) {
    *result_listener << "succeeded";
    return false;
  }
  const Error& error = arg.error();
  *result_listener << error.operation << ": " << error.detail << " (errno " << error.errno_value << ")";
  return error.kind == kind && error.errno_value == errno_value && error.detail == detail;
}

MATCHER(Succeeds, "") {
  if (!arg.has_value()) {
    *result_listener << arg.error().operation << ": " << arg.error().detail;
  }
  return arg.has_value();
}

inline mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777U;
}

inline std::vector<std::string> names_in(const TempDir& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir.path())) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::ptrdiff_t open_descriptors() {
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator{});
}

// Runs `body` in a child whose stream `number` is `replacement`; its exit status.
inline int in_child_with(int number, int replacement, const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(replacement, number);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(std::size_t end) {
    if (ends[end] >= 0) {
      ::close(ends[end]);
      ends[end] = -1;
    }
  }
  [[nodiscard]] int reader() const { return ends[0]; }
  [[nodiscard]] int writer() const { return ends[1]; }
  std::array<int, 2> ends{-1, -1};
};

class UmaskGuard {
 public:
  explicit UmaskGuard(mode_t mask) : before_(::umask(mask)) {}
  ~UmaskGuard() { ::umask(before_); }
  UmaskGuard(const UmaskGuard&) = delete;
  UmaskGuard& operator=(const UmaskGuard&) = delete;

 private:
  mode_t before_;
};

}  // namespace forge::enforce
