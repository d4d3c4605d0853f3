#include <algorithm>

#include "forge/grammar/values.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;

struct whole_part : pegtl::plus<pegtl::digit> {};
struct fraction_part : pegtl::plus<pegtl::digit> {};
struct kibi : pegtl::one<'k', 'K'> {};
struct mebi : pegtl::one<'m', 'M'> {};
struct gibi : pegtl::one<'g', 'G'> {};
struct size : pegtl::seq<whole_part, pegtl::opt<pegtl::one<'.'>, fraction_part>, pegtl::sor<kibi, mebi, gibi>,
                         pegtl::opt<pegtl::one<'b', 'B'>>, pegtl::eof> {};

enum class Unit : std::uint8_t { Kibi, Mebi, Gibi };

struct SizeText {
  std::string_view whole;
  std::string_view fraction;
  Unit unit = Unit::Mebi;
};

void note_whole(std::string_view text, SizeText& out) { out.whole = text; }
void note_fraction(std::string_view text, SizeText& out) { out.fraction = text; }
void note_kibi(std::string_view, SizeText& out) { out.unit = Unit::Kibi; }
void note_gibi(std::string_view, SizeText& out) { out.unit = Unit::Gibi; }

template <class Rule>
struct action : pegtl::nothing<Rule> {};
template <>
struct action<whole_part> : value_text::noted<note_whole> {};
template <>
struct action<fraction_part> : value_text::noted<note_fraction> {};
template <>
struct action<kibi> : value_text::noted<note_kibi> {};
template <>
struct action<gibi> : value_text::noted<note_gibi> {};

constexpr std::uint64_t kThousandTwentyFour = 1024;

// Above every size that counts as one, and small enough to be scaled in 64 bits.
constexpr std::uint64_t kSaturated = 1'000'000'000'000'000;
static_assert(kSaturated / kThousandTwentyFour > kMaxMebibytes);
static_assert(kSaturated < UINT64_MAX / (2 * kThousandTwentyFour));

std::uint64_t saturating_number(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char digit : digits) {
    value = std::min(value * 10 + static_cast<std::uint64_t>(digit - '0'), kSaturated);
  }
  return value;
}

bool is_zero(std::string_view digits) { return digits.find_first_not_of('0') == std::string_view::npos; }

struct Scaled {
  std::uint64_t floor = 0;
  bool rest = false;
};

// floor(0.fraction * 1024), exact for any number of digits: n/1024 has ten
// decimals at most, so the digits after the tenth never reach the next whole.
Scaled gibi_fraction(std::string_view fraction) {
  constexpr std::size_t kDecimals = 10;
  constexpr std::uint64_t kOne = 10'000'000'000;
  std::uint64_t ten = saturating_number(fraction.substr(0, kDecimals));
  for (std::size_t digits = fraction.size(); digits < kDecimals; ++digits) {
    ten *= 10;
  }
  const std::string_view tail = fraction.substr(std::min(fraction.size(), kDecimals));
  const std::uint64_t scaled = ten * kThousandTwentyFour;
  return {scaled / kOne, scaled % kOne != 0 || !is_zero(tail)};
}

Scaled mebibytes_of(const SizeText& text) {
  const std::uint64_t number = saturating_number(text.whole);
  switch (text.unit) {
    case Unit::Kibi:
      return {number / kThousandTwentyFour, number % kThousandTwentyFour != 0 || !is_zero(text.fraction)};
    case Unit::Mebi:
      return {number, !is_zero(text.fraction)};
    case Unit::Gibi: {
      const Scaled fraction = gibi_fraction(text.fraction);
      return {number * kThousandTwentyFour + fraction.floor, fraction.rest};
    }
  }
  return {};
}

}  // namespace

tl::expected<Size, ValueProblem<SizeFault>> parse_size(std::string_view text) {
  using Problem = ValueProblem<SizeFault>;
  const value_text::Part core = value_text::trim_spaces(text.substr(0, kMaxValueBytes));
  SizeText parts;
  if (text.size() > kMaxValueBytes || core.text.empty()) {
    return tl::unexpected(Problem{SizeFault::NotASize, value_text::whole(text)});
  }
  if (!value_text::matches<size, action>(core.text, parts)) {
    return tl::unexpected(Problem{SizeFault::NotASize, value_text::span_of(core)});
  }
  const Scaled scaled = mebibytes_of(parts);
  if (scaled.floor == 0 || scaled.floor > kMaxMebibytes) {
    return tl::unexpected(Problem{SizeFault::OutOfRange, value_text::span_of(core)});
  }
  return Size{policy::Mebibytes{static_cast<std::uint32_t>(scaled.floor)}, scaled.rest};
}

}  // namespace forge::grammar
