#include <algorithm>

#include "forge/grammar/values.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;

struct zero : pegtl::one<'0'> {};
struct count : pegtl::seq<pegtl::sor<zero, pegtl::plus<pegtl::digit>>, pegtl::eof> {};

// One past the largest is as much out of range as any larger number.
std::uint32_t saturating_count(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char digit : digits) {
    value = std::min(value * 10 + static_cast<std::uint32_t>(digit - '0'), kMaxCpus + 1);
  }
  return value;
}

}  // namespace

tl::expected<std::uint32_t, ValueProblem<CpusFault>> parse_cpus(std::string_view text) {
  using Problem = ValueProblem<CpusFault>;
  const value_text::Part core = value_text::trim_spaces(text.substr(0, kMaxValueBytes));
  if (text.size() > kMaxValueBytes || core.text.empty()) {
    return tl::unexpected(Problem{CpusFault::NotACount, value_text::whole(text)});
  }
  if (!value_text::matches<count>(core.text)) {
    return tl::unexpected(Problem{CpusFault::NotACount, value_text::span_of(core)});
  }
  const std::uint32_t value = saturating_count(core.text);
  if (value == 0 || value > kMaxCpus) {
    return tl::unexpected(Problem{CpusFault::OutOfRange, value_text::span_of(core)});
  }
  return value;
}

}  // namespace forge::grammar
