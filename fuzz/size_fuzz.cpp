// A size equals what long arithmetic on its decimal digits gives, and a larger text never means less.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/values.hpp"

namespace {

using namespace forge;
using grammar::SizeFault;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

// A natural number as decimal digits, the most significant first.
using Digits = std::vector<unsigned>;

void multiply(Digits& number, unsigned factor) {
  unsigned carry = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    const unsigned value = number[i] * factor + carry;
    number[i] = value % 10;
    carry = value / 10;
  }
  for (; carry > 0; carry /= 10) {
    number.insert(number.begin(), carry % 10);
  }
}

unsigned divide(Digits& number, unsigned divisor) {
  unsigned rest = 0;
  for (unsigned& digit : number) {
    rest = rest * 10 + digit;
    digit = rest / divisor;
    rest %= divisor;
  }
  return rest;
}

struct Expected {
  std::optional<std::uint32_t> mebibytes;  ///< absent: out of range
  bool rounded = false;
};

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::uint32_t> in_range(const Digits& number) {
  std::uint64_t value = 0;
  for (const unsigned digit : number) {
    value = value * 10 + digit;
    if (value > grammar::kMaxMebibytes) {
      return std::nullopt;
    }
  }
  return value == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(value));
}

Expected scaled(std::string_view whole, std::string_view fraction, char unit) {
  Digits number;
  for (const char c : std::string(whole) + std::string(fraction)) {
    number.push_back(static_cast<unsigned>(c - '0'));
  }
  bool rounded = false;
  if (unit == 'g') {
    multiply(number, 1024);
  } else if (unit == 'k') {
    rounded = divide(number, 1024) != 0;
  }
  for (std::size_t i = 0; i < fraction.size(); ++i) {
    rounded = rounded || number.back() != 0;
    number.pop_back();
  }
  return {in_range(number), rounded};
}

// Nothing where the text has not the form of a size.
std::optional<Expected> expected_of(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  std::string_view rest = text;
  if (rest.ends_with('b')) {
    rest.remove_suffix(1);
  }
  if (rest.empty() || std::string_view("kmg").find(rest.back()) == std::string_view::npos) {
    return std::nullopt;
  }
  const char unit = rest.back();
  rest.remove_suffix(1);
  const std::size_t dot = rest.find('.');
  const std::string_view whole = rest.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  if (!all_digits(whole) || (dot != std::string_view::npos && !all_digits(fraction))) {
    return std::nullopt;
  }
  return scaled(whole, fraction, unit);
}

// Every one of these texts means at least as much as `text`, or too much.
void check_monotone(const std::string& text, std::uint32_t mebibytes) {
  const std::size_t first = text.find_first_not_of(' ');
  const std::size_t unit = text.find_first_of("kKmM");
  std::string longer = text;
  longer.insert(first, "1");
  std::string larger_unit = text;
  if (unit != std::string::npos) {
    larger_unit[unit] = 'g';
  }
  for (const std::string& more : {longer, larger_unit}) {
    const auto size = grammar::parse_size(more);
    require(size ? size->mebibytes.count >= mebibytes : size.error().fault == SizeFault::OutOfRange);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= grammar::kMaxValueBytes) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto parsed = grammar::parse_size(text);
  const auto expected = expected_of(text);
  if (parsed) {
    require(expected && expected->mebibytes == parsed->mebibytes.count &&
            expected->rounded == parsed->rounded);
    check_monotone(text, parsed->mebibytes.count);
  } else {
    require(parsed.error().where.begin <= parsed.error().where.end && parsed.error().where.end <= size);
    const bool out_of_range = parsed.error().fault == SizeFault::OutOfRange;
    require(out_of_range ? expected && !expected->mebibytes : !expected);
  }
  return 0;
}
