#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forge/grammar/git_files.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;

// Every choice is decided by one byte, or two at the end of a line, so nothing is
// read twice and actions may write as they go. What must follow has no second try:
// a rule that fails after an action fails the file.
namespace rules {

struct byte_order_mark : pegtl::string<'\xEF', '\xBB', '\xBF'> {};
struct line_byte : pegtl::seq<pegtl::not_at<pegtl::eol>, pegtl::not_one<'\0'>> {};
struct line_end : pegtl::at<pegtl::eolf> {};
template <class... Stops>
struct text_up_to : pegtl::plus<pegtl::not_at<pegtl::sor<Stops...>>, line_byte> {};

// A carriage return that ends no line is white space, too, where git skips any.
struct space : pegtl::seq<pegtl::not_at<pegtl::eol>, pegtl::one<' ', '\t', '\r'>> {};
struct blanks : pegtl::star<pegtl::blank> {};
struct quote : pegtl::one<'"'> {};
struct backslash : pegtl::one<'\\'> {};
struct comment_sign : pegtl::one<'#', ';'> {};
struct comment : pegtl::seq<comment_sign, pegtl::star<line_byte>> {};

struct key_byte : pegtl::sor<pegtl::alnum, pegtl::one<'-'>> {};
struct section : pegtl::seq<key_byte, pegtl::star<pegtl::sor<key_byte, pegtl::one<'.'>>>> {};
struct subsection_begin : pegtl::seq<pegtl::plus<space>, quote> {};
struct subsection_escaped : line_byte {};
struct subsection_text : text_up_to<quote, backslash> {};
struct subsection_piece : pegtl::sor<subsection_text, pegtl::seq<backslash, subsection_escaped>> {};
struct subsection : pegtl::seq<subsection_begin, pegtl::star<subsection_piece>, quote> {};
struct header_end : pegtl::one<']'> {};
struct header : pegtl::seq<pegtl::one<'['>, section, pegtl::opt<subsection>, header_end> {};

struct escaped : pegtl::one<'n', 't', 'b', '"', '\\'> {};
struct continued : pegtl::eolf {};
struct value_escape : pegtl::seq<backslash, pegtl::sor<escaped, continued>> {};
struct value_quote : quote {};
struct quoted_text : text_up_to<quote, backslash> {};
struct quoted_piece : pegtl::sor<quoted_text, value_escape> {};
struct quoted : pegtl::seq<value_quote, pegtl::star<quoted_piece>, value_quote> {};
struct plain_text : text_up_to<space, quote, backslash, comment_sign> {};
struct value_spaces : pegtl::plus<space> {};
struct value_piece : pegtl::sor<value_spaces, plain_text, quoted, value_escape> {};
struct equals : pegtl::one<'='> {};
struct value : pegtl::seq<equals, pegtl::star<value_piece>, pegtl::opt<comment>> {};

struct key : pegtl::seq<pegtl::alpha, pegtl::star<key_byte>> {};
struct entry : pegtl::seq<key, blanks, pegtl::opt<value>, line_end> {};
struct item : pegtl::sor<pegtl::plus<space>, pegtl::eol, comment, header, entry> {};
struct items : pegtl::seq<pegtl::opt<byte_order_mark>, pegtl::star<item>> {};

}  // namespace rules

struct Reading {
  std::string name;    // of the section: `section` or `section.subsection`
  std::string spaces;  // read, but part of the value only when more of it follows
  std::vector<GitConfigEntry> entries;
  const char* reached;  // the end of what was taken last
};

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

bool note_section(std::string_view text, Reading& reading) {
  reading.name = lower_case(text);
  return reading.name.size() <= kMaxGitSectionBytes;
}

bool note_subsection(std::string_view text, Reading& reading) {
  reading.name += text;
  return reading.name.size() <= kMaxGitSectionBytes;
}

bool note_subsection_begin(std::string_view /*text*/, Reading& reading) {
  return note_subsection(".", reading);
}

// A subsection that is there but empty could not be told from none.
bool note_header_end(std::string_view /*text*/, Reading& reading) {
  return reading.name.find('.') != reading.name.size() - 1;
}

bool note_key(std::string_view text, Reading& reading) {
  if (reading.name.empty() || reading.entries.size() == kMaxGitConfigEntries) {
    return false;
  }
  // git joins all names with dots and cuts at the first and the last of them.
  const std::size_t dot = reading.name.find('.');
  GitConfigEntry entry{reading.name.substr(0, dot), {}, lower_case(text), std::nullopt};
  if (dot != std::string::npos) {
    entry.subsection = reading.name.substr(dot + 1);
  }
  reading.entries.push_back(std::move(entry));
  return true;
}

bool note_equals(std::string_view /*text*/, Reading& reading) {
  reading.entries.back().value.emplace();
  reading.spaces.clear();
  return true;
}

// Held back only behind something: white space in front of a value is no part of it.
bool note_value_spaces(std::string_view text, Reading& reading) {
  if (!reading.entries.back().value->empty()) {
    reading.spaces += text;
  }
  return true;
}

// What follows white space shows that it is inside of the value. A tab or a
// carriage return there means one value to one version of git and another to the next.
bool note_value_text(std::string_view text, Reading& reading) {
  if (reading.spaces.find_first_not_of(' ') != std::string::npos) {
    return false;
  }
  *reading.entries.back().value += reading.spaces;
  *reading.entries.back().value += text;
  reading.spaces.clear();
  return true;
}

// Something without a text of its own: a quotation mark, the end of a continued line.
bool note_value_mark(std::string_view /*text*/, Reading& reading) { return note_value_text("", reading); }

bool note_escaped(std::string_view text, Reading& reading) {
  switch (text.front()) {
    case 'n':
      return note_value_text("\n", reading);
    case 't':
      return note_value_text("\t", reading);
    case 'b':
      return note_value_text("\b", reading);
    default:
      return note_value_text(text, reading);
  }
}

// As value_text::noted, and remembers how far the text was good.
template <auto Note>
struct reached {
  template <class ActionInput>
  static bool apply(const ActionInput& in, Reading& reading) {
    const bool good = Note(in.string_view(), reading);
    reading.reached = good ? in.end() : in.begin();
    return good;
  }
};

template <class Rule>
struct action : pegtl::nothing<Rule> {};
template <>
struct action<rules::section> : reached<note_section> {};
template <>
struct action<rules::subsection_begin> : reached<note_subsection_begin> {};
template <>
struct action<rules::subsection_text> : reached<note_subsection> {};
template <>
struct action<rules::subsection_escaped> : reached<note_subsection> {};
template <>
struct action<rules::header_end> : reached<note_header_end> {};
template <>
struct action<rules::key> : reached<note_key> {};
template <>
struct action<rules::equals> : reached<note_equals> {};
template <>
struct action<rules::value_spaces> : reached<note_value_spaces> {};
template <>
struct action<rules::plain_text> : reached<note_value_text> {};
template <>
struct action<rules::quoted_text> : reached<note_value_text> {};
template <>
struct action<rules::escaped> : reached<note_escaped> {};
template <>
struct action<rules::continued> : reached<note_value_mark> {};
template <>
struct action<rules::value_quote> : reached<note_value_mark> {};

GitConfigProblem problem_at(std::string_view text, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  return {1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'))};
}

}  // namespace

tl::expected<std::vector<GitConfigEntry>, GitConfigProblem> parse_git_config(std::string_view text) {
  if (text.size() > kMaxGitConfigBytes) {
    return tl::unexpected(problem_at(text, kMaxGitConfigBytes));
  }
  Reading reading{{}, {}, {}, text.data()};
  value_text::Input in(text.data(), text.size(), "");
  pegtl::parse<rules::items, action>(in, reading);
  if (!in.empty()) {
    // The item that failed was put back; what it had taken by then may be lines long.
    const char* const place = std::max(in.current(), reading.reached);
    return tl::unexpected(problem_at(text, static_cast<std::size_t>(place - text.data())));
  }
  return std::move(reading.entries);
}

}  // namespace forge::grammar
