// A folder of its own for one test, removed with everything in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace forge::tests {

/// Throws when the folder cannot be made: the test could only lie after that.
class TempDir {
 public:
  TempDir() : path_(make()) {}
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The path of `name` in the folder; nothing is created.
  [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  /// Writes a file and gives its path.
  [[nodiscard]] std::string file(std::string_view name, std::string_view bytes) const {
    std::string where = *this / name;
    std::ofstream out(where, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) {
      throw std::runtime_error("cannot write " + where);
    }
    return where;
  }

 private:
  static std::filesystem::path make() {
    // mkdtemp(3) fills in the last six characters.
    std::string name =
        (std::filesystem::temp_directory_path() / ("forge-test-" + std::string(6, 'X'))).string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make a temporary folder");
    }
    return std::filesystem::canonical(name);
  }

  std::filesystem::path path_;
};

/// The bytes of a file; empty when it cannot be read.
inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace forge::tests
