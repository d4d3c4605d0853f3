// The grammar. Every choice is decided by one byte, so nothing is read twice and
// actions may write to the tree as they go.
#pragma once

#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/function.hpp>

#include "jsonc_members.hpp"
#include "jsonc_reader.hpp"
#include "jsonc_scan.hpp"
#include "jsonc_text.hpp"

namespace forge::grammar::jsonc {

namespace pegtl = tao::pegtl;

// Leaves that are loops over bytes: the time of a reading is spent here.

inline bool take_blanks(Input& in, Reader& /*reader*/) {
  in.bump(static_cast<std::size_t>(skip_blanks(in.current(), in.end()) - in.current()));
  return true;
}

inline bool take_plain(Input& in, Reader& /*reader*/) {
  const auto length = static_cast<std::size_t>(skip_plain(in.current(), in.end()) - in.current());
  in.bump(length);
  return length != 0;
}

namespace rules {

// clang-format off

// White space and comments.
struct blanks : pegtl::function<take_blanks> {};
struct line_comment : pegtl::function<take_line_comment> {};
struct block_comment : pegtl::function<take_block_comment> {};
struct hash_comment : pegtl::function<take_hash_comment> {};
struct comment : pegtl::sor<line_comment, block_comment, hash_comment> {};
struct gap : pegtl::seq<blanks, pegtl::star<pegtl::at<pegtl::one<'/', '#'>>, comment, blanks>> {};

// Strings. A faulty piece is reported and taken; the string goes on.
struct hex_pair : pegtl::rep<2, pegtl::xdigit> {};
struct high_half : pegtl::seq<pegtl::one<'d', 'D'>, pegtl::ranges<'8', '9', 'a', 'b', 'A', 'B'>, hex_pair> {};
struct low_half : pegtl::seq<pegtl::one<'d', 'D'>, pegtl::ranges<'c', 'f', 'C', 'F'>, hex_pair> {};
struct surrogate_pair : pegtl::seq<high_half, pegtl::string<'\\', 'u'>, low_half> {};
struct code_unit : pegtl::seq<pegtl::not_at<pegtl::sor<high_half, low_half>>, hex_pair, hex_pair> {};
struct short_escape : pegtl::one<'"', '\\', '/', 'b', 'f', 'n', 'r', 't'> {};
struct long_escape : pegtl::seq<pegtl::one<'u'>, pegtl::sor<surrogate_pair, code_unit>> {};
struct escape : pegtl::seq<pegtl::one<'\\'>, pegtl::sor<short_escape, long_escape>> {};
struct plain_text : pegtl::function<take_plain> {};
struct non_ascii_text : pegtl::function<take_non_ascii> {};
struct faulty_text : pegtl::function<take_faulty_text> {};
struct opening_quote : pegtl::one<'"'> {};
struct closing_quote : pegtl::one<'"'> {};
struct string_body : pegtl::star<pegtl::sor<plain_text, escape, non_ascii_text, faulty_text>> {};
struct string : pegtl::seq<opening_quote, string_body, pegtl::must<closing_quote>> {};

// Numbers and words. What runs on (`01`, `1.`, `nullx`) is none of them.
struct word_byte : pegtl::ranges<'a', 'z', 'A', 'Z', '0', '9', '+', '+', '-', '.', '_', '_', '$'> {};
struct word_end : pegtl::not_at<word_byte> {};
struct digits : pegtl::plus<pegtl::digit> {};
struct whole : pegtl::sor<pegtl::one<'0'>, digits> {};
struct fraction : pegtl::seq<pegtl::one<'.'>, digits> {};
struct exponent : pegtl::seq<pegtl::one<'e', 'E'>, pegtl::opt<pegtl::one<'+', '-'>>, digits> {};
struct minus : pegtl::one<'-'> {};
struct number : pegtl::seq<pegtl::opt<minus>, whole, pegtl::opt<fraction>, pegtl::opt<exponent>, word_end> {};
struct true_word : pegtl::seq<pegtl::string<'t', 'r', 'u', 'e'>, word_end> {};
struct false_word : pegtl::seq<pegtl::string<'f', 'a', 'l', 's', 'e'>, word_end> {};
struct null_word : pegtl::seq<pegtl::string<'n', 'u', 'l', 'l'>, word_end> {};

// Containers. `members` is a list that recovers (jsonc_members.hpp).
struct value;
struct key : string {};
struct colon : pegtl::sor<pegtl::one<':'>, pegtl::function<missing_colon>> {};
struct member : pegtl::seq<pegtl::must<key>, gap, colon, gap, pegtl::must<value>, gap> {};
struct element : pegtl::seq<pegtl::must<value>, gap> {};
struct stray_comma : pegtl::one<','> {};
struct stray_commas : pegtl::star<stray_comma, gap> {};
struct separator : pegtl::seq<pegtl::one<','>, gap, stray_commas> {};
struct object_begin : pegtl::one<'{'> {};
struct object_end : pegtl::one<'}'> {};
struct object : pegtl::seq<object_begin, gap, stray_commas, members<member, separator, object_end>> {};
struct array_begin : pegtl::one<'['> {};
struct array_end : pegtl::one<']'> {};
struct array : pegtl::seq<array_begin, gap, stray_commas, members<element, separator, array_end>> {};
struct value : pegtl::sor<string, object, array, number, true_word, false_word, null_word> {};

struct byte_order_mark : pegtl::string<'\xEF', '\xBB', '\xBF'> {};
struct document_end : pegtl::eof {};
struct document
    : pegtl::seq<pegtl::opt<byte_order_mark>, gap, pegtl::must<value>, gap, pegtl::must<document_end>> {};

// What a skipped member is made of (see skip_member).
struct quote : pegtl::one<'"'> {};
struct skipped_escape : pegtl::seq<pegtl::one<'\\'>, pegtl::not_one<'\n', '\r'>> {};
struct skipped_text : pegtl::star<pegtl::sor<skipped_escape, pegtl::not_one<'"', '\n', '\r'>>> {};
struct skipped_string : pegtl::seq<quote, skipped_text, pegtl::opt<quote>> {};
struct skipped_comment : pegtl::sor<line_comment, block_comment> {};
struct skipped_gap : pegtl::seq<blanks, pegtl::star<pegtl::at<pegtl::one<'/'>>, skipped_comment, blanks>> {};

// clang-format on

}  // namespace rules
}  // namespace forge::grammar::jsonc
