#include "jsonc_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "forge/policy/utf8.hpp"

namespace forge::grammar::jsonc {
namespace {

constexpr std::string_view kLargestExact = "9007199254740991";

// The place of the first significant digit, counted in powers of ten from just
// left of the point: 1 for 7.5, 0 for 0.75, -1 for 0.075.
std::int64_t magnitude(std::string_view digits, std::int64_t exponent) {
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::int64_t>(digits.find_first_of("123456789"));
  return (first < point ? point - first : point - first + 1) + exponent;
}

// Saturates: a text of 8 MiB cannot shift an exponent of that size back.
std::int64_t exponent_value(std::string_view text) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
  const bool negative = text.starts_with('-');
  std::int64_t value = 0;
  for (const char c : text) {
    if (c != '-' && c != '+') {
      value = std::min(value * 10 + (c - '0'), kHuge);
    }
  }
  return negative ? -value : value;
}

// Whether from_chars' "out of range" means too large, and not too small.
bool is_large(std::string_view digits) {
  const std::size_t mark = digits.find_first_of("eE");
  const std::string_view exponent = mark == std::string_view::npos ? "" : digits.substr(mark + 1);
  return magnitude(digits.substr(0, mark), exponent_value(exponent)) > 0;
}

bool overflows(std::string_view digits) {
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return result.ec == std::errc::result_out_of_range && is_large(digits);
}

bool is_exact_integer(std::string_view digits) {
  return digits.size() < kLargestExact.size() ||
         (digits.size() == kLargestExact.size() && digits <= kLargestExact);
}

}  // namespace

void check_number(Reader& reader, std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const policy::Span where = reader.span(text.data(), text.data() + text.size());
  if (digits.find_first_of(".eE") == std::string_view::npos) {
    if (!is_exact_integer(digits)) {
      reader.fault(where, {policy::DiagnosticId::NumberOutOfRange,
                           fmt::format("`{}` is beyond the integers that every reader keeps exact",
                                       policy::excerpt(text, 40)),
                           fmt::format("write a number up to {}", kLargestExact)});
    }
  } else if (overflows(digits)) {
    reader.fault(where, {policy::DiagnosticId::NumberOutOfRange,
                         fmt::format("`{}` is beyond what a number can hold", policy::excerpt(text, 40)),
                         "write a number below 1.8e308"});
  }
}

}  // namespace forge::grammar::jsonc
