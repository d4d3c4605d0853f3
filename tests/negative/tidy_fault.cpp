// Planted faults, one of each family of checks. No target builds this file:
// `./dev lint` demands that clang-tidy reports each line under the name that
// stands on it, so that a lint configuration that went blind is noticed.
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace forge::negative {

struct Base {
  int a = 0;
};
struct Derived : Base {
  int b = 0;
};

struct Implicit {
  Implicit(int value) : value_(value) {}  // FAULT: google-explicit-constructor
  int value_;
};

std::size_t moved_from(std::string text) {
  std::string taken = std::move(text);
  return taken.size() + text.size();  // FAULT: bugprone-use-after-move
}

bool same_on_both_sides(int a) {
  return a == a;  // FAULT: misc-redundant-expression
}

std::size_t copies(const std::vector<std::string>& all) {
  std::size_t sum = 0;
  for (const std::string each : all) {  // FAULT: performance-for-range-copy
    sum += each.size();
  }
  return sum;
}

int runs_a_shell() {
  return std::system("true");  // FAULT: cert-env33-c
}

void fills(std::vector<std::string>& all) {
  all.push_back(std::string("text"));  // FAULT: modernize-use-emplace
}

int too_many(int a, int b, int c, int d, int e, int f, int g) {  // FAULT: readability-function-size
  return a + b + c + d + e + f + g;
}

Base slices(const Derived& derived) {
  return derived;  // FAULT: cppcoreguidelines-slicing
}

}  // namespace forge::negative
