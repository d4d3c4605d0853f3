#include "app.hpp"
#include "forge/enforce/checked_files.hpp"

int main(int argc, char** argv) {
  forge::enforce::ignore_broken_pipes();
  return static_cast<int>(forge::cli::run_tool(argc, argv));
}
