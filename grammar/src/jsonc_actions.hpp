// What the rules do to the tree, and what is said where a rule must match and does not.
#pragma once

#include "jsonc_numbers.hpp"
#include "jsonc_rules.hpp"
#include "jsonc_slips.hpp"

namespace forge::grammar::jsonc {

template <typename Rule>
struct action : pegtl::nothing<Rule> {};

template <NodeKind Kind>
struct adds {
  template <typename Match>
  static void apply(const Match& in, Reader& reader) {
    reader.add(Kind, in.begin(), in.end());
  }
};

template <NodeKind Kind>
struct opens {
  template <typename Match>
  static void apply(const Match& in, Reader& reader) {
    reader.open(Kind, in.begin());
  }
};

struct closes {
  template <typename Match>
  static void apply(const Match& in, Reader& reader) {
    reader.close(in.end());
  }
};

// clang-format off
template <> struct action<rules::true_word> : adds<NodeKind::True> {};
template <> struct action<rules::false_word> : adds<NodeKind::False> {};
template <> struct action<rules::null_word> : adds<NodeKind::Null> {};
template <> struct action<rules::object_begin> : opens<NodeKind::Object> {};
template <> struct action<rules::array_begin> : opens<NodeKind::Array> {};
template <> struct action<rules::object_end> : closes {};
template <> struct action<rules::array_end> : closes {};
// clang-format on

template <>
struct action<rules::opening_quote> {
  template <typename Match>
  static void apply(const Match& in, Reader& reader) {
    reader.begin_string(in.begin());
  }
};

template <>
struct action<rules::escape> {
  static void apply0(Reader& reader) { reader.note_escape(); }
};

template <>
struct action<rules::closing_quote> {
  template <typename Match>
  static void apply(const Match& in, Reader& reader) {
    reader.end_string(in.end());
  }
};

template <>
struct action<rules::number> {
  // With four characters the largest numbers are 9e99 and 9999.
  static constexpr std::size_t kAlwaysInRange = 4;

  template <typename Match>
  static void apply(const Match& in, Reader& reader) {
    reader.add(NodeKind::Number, in.begin(), in.end());
    if (in.size() > kAlwaysInRange) {
      check_number(reader, in.string_view());
    }
  }
};

template <>
struct action<rules::stray_comma> {
  template <typename Match>
  static void apply(const Match& in, Reader& reader) {
    report_stray_comma(reader, in.begin());
  }
};

using SlipAt = void(Reader&, const char*);

/// Reports what stands at a place where `Rule` must match, and throws.
template <typename Rule>
inline constexpr SlipAt* slip = nullptr;
template <>
inline constexpr SlipAt* slip<rules::value> = slip_at_value;
template <>
inline constexpr SlipAt* slip<rules::key> = slip_at_key;
template <>
inline constexpr SlipAt* slip<rules::closing_quote> = slip_in_string;
template <>
inline constexpr SlipAt* slip<rules::document_end> = slip_after_document;

/// PEGTL's own error would count lines up to the place; ours only needs the place.
template <typename Rule>
struct control : pegtl::normal<Rule> {
  static void raise(const Input& in, Reader& reader) {
    static_assert(slip<Rule> != nullptr, "a rule under must<> needs its row above");
    slip<Rule>(reader, in.current());
  }
};

}  // namespace forge::grammar::jsonc
