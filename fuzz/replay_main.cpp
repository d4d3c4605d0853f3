// Runs a fuzz target over checked-in inputs, without a fuzzing engine: every
// file named, and every file below every folder named.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& path) {
  if (!fs::is_directory(path)) {
    return {path};
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  return files;
}

bool replay(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    (void)std::fprintf(stderr, "cannot read %s\n", file.c_str());
    return false;
  }
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  // A violated property traps: without this line nobody would know where.
  (void)std::printf("%s\n", file.c_str());
  (void)std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return true;
}

// The number of inputs that were run; 0 also where one could not be read.
std::size_t replay_all(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& file : files_below(argv[i])) {
      if (!replay(file)) {
        return 0;
      }
      ++count;
    }
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::size_t count = replay_all(argc, argv);
    (void)std::printf("%zu inputs replayed\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& problem) {
    (void)std::fprintf(stderr, "%s\n", problem.what());
    return EXIT_FAILURE;
  }
}
