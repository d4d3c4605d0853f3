#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "forge/policy/json.hpp"
#include "forge/policy/overloaded.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::policy {
namespace {

// RFC 8785 section 3.2.2.2: the two-character escapes where JSON has one, the
// other control characters as lower-case \u00xx, everything else as it is.
void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Most text is plain: one look-up a byte decides whether there is anything to ask.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) {
    table.at(c) = c != '"' && c != '\\';
  }
  return table;
}();

}  // namespace

void JsonWriter::separate() {
  if (after_value_) {
    out_ += ',';
  }
  after_value_ = true;
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  after_value_ = false;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  after_value_ = true;
}

void JsonWriter::key(std::string_view name) {
  string(name);
  out_ += ':';
  after_value_ = false;
}

void JsonWriter::string(std::string_view text) {
  separate();
  out_ += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (kPlain[static_cast<unsigned char>(text[i])]) {
      continue;
    }
    if (needs_escape(text[i])) {
      out_ += text.substr(plain, i - plain);
      append_escaped(out_, text[i]);
      plain = i + 1;
    } else if (text_ == Text::Safe && static_cast<unsigned char>(text[i]) >= 0x7F) {
      append_foreign(text, i, plain);
    }
  }
  out_ += text.substr(plain);
  out_ += '"';
}

// Looks at the code point at `at`; one that is unsafe to show becomes an escape.
void JsonWriter::append_foreign(std::string_view text, std::size_t& at, std::size_t& plain) {
  const CodePoint point = decode_utf8(text.substr(at));
  const std::size_t length = std::max<std::size_t>(point.length, 1);
  if (point.length > 0 && is_unsafe_to_show(point.value)) {
    out_ += text.substr(plain, at - plain);
    const auto unit = [this](std::uint32_t code) {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", code);
    };
    const auto value = static_cast<std::uint32_t>(point.value);
    if (value < 0x10000) {
      unit(value);
    } else {
      unit(0xD800 + ((value - 0x10000) >> 10U));
      unit(0xDC00 + ((value - 0x10000) & 0x3FFU));
    }
    plain = at + length;
  }
  at += length - 1;
}

void JsonWriter::integer(std::int64_t value) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  separate();
  out_ += "null";
}

void JsonWriter::value(const Json& json) {
  std::visit(overloaded{[this](std::nullptr_t) { null(); }, [this](bool flag) { boolean(flag); },
                        [this](std::int64_t number) { integer(number); },
                        [this](const std::string& text) { string(text); },
                        [this](const JsonArray& items) {
                          begin_array();
                          for (const Json& item : items) {
                            value(item);
                          }
                          end_array();
                        },
                        [this](const JsonObject& members) {
                          begin_object();
                          for (const auto& [name, member_value] : members) {
                            key(name);
                            value(member_value);
                          }
                          end_object();
                        }},
             json.value());
}

std::string encode(const Json& value) {
  JsonWriter writer;
  writer.value(value);
  return std::move(writer).take();
}

}  // namespace forge::policy
