// What the small value grammars share: input without positions, trimming, places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tao/pegtl.hpp>

#include "forge/policy/span.hpp"

namespace forge::grammar::value_text {

namespace pegtl = tao::pegtl;

// Lazy positions: a place is computed from pointers, and only where a fault is told.
using Input = pegtl::memory_input<pegtl::tracking_mode::lazy, pegtl::eol::lf_crlf, const char*>;

/// A part of a text and where it begins there.
struct Part {
  std::string_view text;
  std::uint32_t offset = 0;
};

/// INVARIANT: callers have bounded `text`, so that an offset fits.
[[nodiscard]] inline policy::Span span_of(const Part& part) {
  return {part.offset, part.offset + static_cast<std::uint32_t>(part.text.size())};
}

/// The whole of a text that may be longer than an offset can say.
[[nodiscard]] inline policy::Span whole(std::string_view text) {
  constexpr std::size_t kLargest = UINT32_MAX;
  return {0, static_cast<std::uint32_t>(std::min(text.size(), kLargest))};
}

/// What lies past a limit, for a text that is refused unread.
[[nodiscard]] inline policy::Span past_limit(std::string_view text, std::size_t limit) {
  return {static_cast<std::uint32_t>(limit), whole(text).end};
}

/// Takes U+0020 off both ends, and nothing else that looks like a space.
[[nodiscard]] inline Part trim_spaces(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ') + 1;
  return {text.substr(begin, begin < end ? end - begin : 0), static_cast<std::uint32_t>(begin)};
}

[[nodiscard]] inline bool is_blank(std::string_view text) { return trim_spaces(text).text.empty(); }

/// Runs `Rule` over `text` from its front; a rule that must see it all ends in eof.
template <class Rule, template <class...> class Action = pegtl::nothing, class... States>
[[nodiscard]] bool matches(std::string_view text, States&&... states) {
  Input input(text.data(), text.size(), "");
  return pegtl::parse<Rule, Action>(input, states...);
}

/// An action that hands the matched text to `Note`, a function of (text, state);
/// where it returns bool, false makes the rule fail.
template <auto Note>
struct noted {
  template <class ActionInput, class State>
  static auto apply(const ActionInput& in, State& state) {
    return Note(in.string_view(), state);
  }
};

/// A rule whose match is the place that find() reports.
template <class... Rules>
struct place : pegtl::seq<Rules...> {};

template <class Rule>
struct note_place : pegtl::nothing<Rule> {};

template <class... Rules>
struct note_place<place<Rules...>> {
  template <class ActionInput>
  static void apply(const ActionInput& in, std::string_view& found) {
    found = std::string_view(in.begin(), in.size());
  }
};

/// Where the `place` inside `Rule` matched, or nothing when `Rule` does not match.
template <class Rule>
[[nodiscard]] std::optional<policy::Span> find(const Part& part) {
  std::string_view found;
  if (!matches<Rule, note_place>(part.text, found)) {
    return std::nullopt;
  }
  const auto begin = static_cast<std::uint32_t>(found.data() - part.text.data());
  return span_of({found, part.offset + begin});
}

/// One code point; a single byte where the bytes are no UTF-8.
struct code_point : pegtl::sor<pegtl::utf8::any, pegtl::any> {};

}  // namespace forge::grammar::value_text
