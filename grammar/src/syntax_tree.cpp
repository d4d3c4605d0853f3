#include "forge/grammar/syntax_tree.hpp"

#include <algorithm>
#include <optional>

#include "forge/policy/utf8.hpp"

namespace forge::grammar {
namespace {

// A four-digit code unit at the front of `text`.
std::optional<char32_t> code_unit(std::string_view text) {
  if (text.size() < 4) {
    return std::nullopt;
  }
  char32_t value = 0;
  for (const char c : text.substr(0, 4)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    const std::size_t digit = kDigits.find(lower);
    if (digit == std::string_view::npos) {
      return std::nullopt;
    }
    value = value * 16 + static_cast<char32_t>(digit);
  }
  return value;
}

bool is_high(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

struct Decoded {
  char32_t value = 0;
  std::size_t length = 0;  // of the escape; 0 where it is none
};

// `\uXXXX`, or two of them that make a pair.
Decoded long_escape(std::string_view text) {
  const std::optional<char32_t> first = code_unit(text.substr(2));
  if (!first || is_low(*first)) {
    return {};
  }
  if (!is_high(*first)) {
    return {*first, 6};
  }
  const std::string_view rest = text.substr(6);
  const std::optional<char32_t> second = rest.starts_with("\\u") ? code_unit(rest.substr(2)) : std::nullopt;
  if (!second || !is_low(*second)) {
    return {};
  }
  return {0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00), 12};
}

// The escape at the front of `text`, which begins with a backslash.
Decoded escape(std::string_view text) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (text.size() < 2) {
    return {};
  }
  if (text[1] == 'u') {
    return long_escape(text);
  }
  const std::size_t index = kNames.find(text[1]);
  return index == std::string_view::npos ? Decoded{} : Decoded{static_cast<char32_t>(kMeanings[index]), 2};
}

std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) {
      break;
    }
    const Decoded decoded = escape(text);
    if (decoded.length == 0) {  // reported when it was read; it stays as written
      out += '\\';
      text.remove_prefix(1);
      continue;
    }
    policy::append_utf8(out, decoded.value);
    text.remove_prefix(decoded.length);
  }
  return out;
}

// Bytes of a faulty string that are no UTF-8 are left out: they were reported,
// and no plan is made from a tree that is not complete.
std::string valid_part(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = policy::decode_utf8(text).length;
    out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace

std::string string_value(const SyntaxTree& tree, const Node& node) {
  const std::string_view text = source_text(tree, node);
  const std::string_view body = text.substr(1, text.size() - 2);
  std::string value = node.escaped ? unescaped(body) : std::string(body);
  return tree.complete || policy::is_valid_utf8(value) ? value : valid_part(value);
}

std::string_view source_text(const SyntaxTree& tree, const Node& node) {
  return tree.text.substr(node.span.begin, node.span.end - node.span.begin);
}

}  // namespace forge::grammar
