#include "jsonc_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "forge/policy/utf8.hpp"

namespace forge::grammar::jsonc {
namespace {

constexpr std::size_t kShownBytes = 40;

enum class TokenKind : std::uint8_t { SingleQuoted, Word, NumberLike, Character };

struct Token {
  TokenKind kind;
  std::string_view text;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }

// A letter in the widest sense: all of what is not ASCII, safe to show and no
// punctuation of the kind that word processors put in place of quotes and spaces.
bool is_foreign_letter(const policy::CodePoint& point) {
  const bool punctuation = point.value <= 0xBF || (point.value >= 0x2000 && point.value <= 0x206F) ||
                           (point.value >= 0x3000 && point.value <= 0x303F);
  return point.length > 1 && !punctuation && !policy::is_unsafe_to_show(point.value);
}

std::size_t word_length(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size()) {
    const char c = rest[length];
    if (is_letter(c) || is_digit(c) || c == '.' || c == '+' || c == '-') {
      ++length;
      continue;
    }
    const policy::CodePoint point = policy::decode_utf8(rest.substr(length));
    if (!is_foreign_letter(point)) {
      break;
    }
    length += point.length;
  }
  return length;
}

// Up to the next quote on the same line; the quote alone where there is none.
std::size_t single_quoted_length(std::string_view rest) {
  const std::size_t end = rest.find_first_of("'\r\n", 1);
  return end != std::string_view::npos && rest[end] == '\'' ? end + 1 : 1;
}

Token token_at(std::string_view rest) {
  const char c = rest.front();
  if (c == '\'') {
    return {TokenKind::SingleQuoted, rest.substr(0, single_quoted_length(rest))};
  }
  const std::size_t length = word_length(rest);
  if (length == 0) {
    return {TokenKind::Character, rest.substr(0, policy::decode_utf8(rest).length)};
  }
  const bool number = is_digit(c) || c == '+' || c == '.' || (c == '-' && length > 1 && is_digit(rest[1]));
  return {number ? TokenKind::NumberLike : TokenKind::Word, rest.substr(0, length)};
}

struct Advice {
  std::string_view found;
  std::string_view help;
};

constexpr std::string_view kWriteTrue = "write `true`";
constexpr std::string_view kWriteFalse = "write `false`";
constexpr std::string_view kWriteNull = "write `null`";
constexpr std::string_view kNoSuchNumber = "JSON has no such number";

// In lower case; what other languages call the words of JSON.
constexpr std::array kWordAdvice = {
    Advice{"true", kWriteTrue},        Advice{"yes", kWriteTrue},     Advice{"on", kWriteTrue},
    Advice{"false", kWriteFalse},      Advice{"no", kWriteFalse},     Advice{"off", kWriteFalse},
    Advice{"null", kWriteNull},        Advice{"none", kWriteNull},    Advice{"nil", kWriteNull},
    Advice{"undefined", kWriteNull},   Advice{"nan", kNoSuchNumber},  Advice{"inf", kNoSuchNumber},
    Advice{"infinity", kNoSuchNumber}, Advice{"-inf", kNoSuchNumber}, Advice{"-infinity", kNoSuchNumber},
};

constexpr std::string_view kAnyWordHelp = "put text in double quotes";

std::string_view word_help(std::string_view word) {
  std::string lower(word.substr(0, kShownBytes));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto row = std::find_if(kWordAdvice.begin(), kWordAdvice.end(),
                                [&](const Advice& advice) { return advice.found == lower; });
  return row == kWordAdvice.end() ? kAnyWordHelp : row->help;
}

std::string_view number_help(std::string_view text) {
  const std::string_view digits = text.substr(text.front() == '-' || text.front() == '+' ? 1 : 0);
  if (text.front() == '+') {
    return "remove the plus sign";
  }
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    return "write the number in decimal";
  }
  if (digits.starts_with('.')) {
    return "write a digit before the point";
  }
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) {
    return "remove the leading zero";
  }
  if (digits.ends_with('.')) {
    return "write a digit after the point";
  }
  return "write a number such as 8 or 0.5, or put text in double quotes";
}

bool is_foreign_quote(char32_t c) {
  return (c >= 0x2018 && c <= 0x201F) || c == 0xAB || c == 0xBB || c == 0x2032 || c == 0x2033 || c == '`';
}

bool is_foreign_space(char32_t c) {
  return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::string_view character_help(char32_t c) {
  if (is_foreign_quote(c)) {
    return "write plain double quotes";
  }
  if (is_foreign_space(c)) {
    return "write a plain space";
  }
  switch (c) {
    case 0xFEFF:
      return "remove it; one byte order mark may stand at the very beginning";
    case '/':
      return "begin a comment with `//` or `/*`";
    case ';':
      return "write a comma";
    case '=':
      return "write a colon";
    default:
      return "";
  }
}

std::string shown(const Token& token) {
  const char32_t c = policy::decode_utf8(token.text).value;
  if (token.kind == TokenKind::Character && (policy::is_unsafe_to_show(c) || is_foreign_space(c))) {
    return fmt::format("the character U+{:04X}", static_cast<std::uint32_t>(c));
  }
  // A word or text in place of a value may be a password; only what other
  // languages call the words of JSON is repeated.
  if (token.kind == TokenKind::SingleQuoted) {
    return "this text";
  }
  if (token.kind == TokenKind::Word && word_help(token.text) == kAnyWordHelp) {
    return "this word";
  }
  return fmt::format("`{}`", policy::excerpt(token.text, kShownBytes));
}

std::string_view wanted_phrase(Wanted wanted) {
  switch (wanted) {
    case Wanted::Value:
      return "a value";
    case Wanted::Key:
      return "a key in double quotes";
    case Wanted::Colon:
      return "`:` after the key";
    case Wanted::ObjectSeparator:
      return "`,` or `}`";
    case Wanted::ArraySeparator:
      return "`,` or `]`";
    case Wanted::DocumentEnd:
      return "the end of the file";
  }
  return "";
}

std::string_view wanted_help(Wanted wanted, const Token& token) {
  switch (wanted) {
    case Wanted::Value:
      return "write text, a number, `true`, `false`, `null`, `[ ]` or `{ }`";
    case Wanted::Key:
      return "put the key in double quotes";
    case Wanted::Colon:
      return "write a colon between the key and its value";
    case Wanted::ObjectSeparator:
      return "put a comma between two members";
    case Wanted::ArraySeparator:
      return token.text == ":" ? "a key and its value belong inside `{ }`" : "put a comma between two values";
    case Wanted::DocumentEnd:
      return "a file holds one value";
  }
  return "";
}

// The advice that the token itself calls for, where something like it is wanted.
std::string_view token_help(Wanted wanted, const Token& token) {
  const bool value = wanted == Wanted::Value;
  switch (token.kind) {
    case TokenKind::SingleQuoted:
      return value || wanted == Wanted::Key ? "write double quotes" : "";
    case TokenKind::Word:
      return value ? word_help(token.text) : "";
    case TokenKind::NumberLike:
      return value ? number_help(token.text) : "";
    case TokenKind::Character:
      return character_help(policy::decode_utf8(token.text).value);
  }
  return "";
}

std::string message_for(Wanted wanted, const Token& token) {
  const std::string name = shown(token);
  const bool text = wanted == Wanted::Value || wanted == Wanted::Key;
  if (text && token.kind == TokenKind::SingleQuoted) {
    return fmt::format("{} is in single quotes", name);
  }
  if (wanted == Wanted::Key && token.kind == TokenKind::Word) {
    return policy::is_plain_word(token.text) ? fmt::format("the key `{}` has no quotes", token.text)
                                             : std::string("this key has no quotes");
  }
  if (wanted == Wanted::Value && token.kind == TokenKind::NumberLike) {
    return fmt::format("{} is no number of JSON", name);
  }
  if (wanted == Wanted::Value && token.kind == TokenKind::Word) {
    return fmt::format("{} is no value of JSON", name);
  }
  return fmt::format("expected {}, not {}", wanted_phrase(wanted), name);
}

}  // namespace

Unexpected explain_unexpected(std::string_view rest, Wanted wanted) {
  const Token token = token_at(rest);
  const std::string_view own = token_help(wanted, token);
  const std::string_view help = own.empty() ? wanted_help(wanted, token) : own;
  return {token.text.size(), message_for(wanted, token), std::string(help)};
}

}  // namespace forge::grammar::jsonc
