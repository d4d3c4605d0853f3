#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "forge/policy/json.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::policy {
namespace {

// RFC 8785 section 3.2.3 sorts keys by UTF-16 code units. Comparing code points
// differs from that only where one side is beyond the BMP and the other in
// U+E000..U+FFFF, so those are lifted above the surrogates' place.
bool key_less(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const CodePoint left = decode_utf8(a);
    const CodePoint right = decode_utf8(b);
    if (left.value != right.value) {
      const auto unit = [](char32_t c) { return c >= 0x10000 ? 0xD800 + ((c - 0x10000) >> 10U) : c; };
      return unit(left.value) != unit(right.value) ? unit(left.value) < unit(right.value)
                                                   : left.value < right.value;
    }
    a.remove_prefix(left.length);
    b.remove_prefix(right.length);
  }
  return a.size() < b.size();
}

// Recursive descent over canonical bytes; bounded by kMaxJsonDepth.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Json> document() {
    auto value = read_value(0);
    if (value && at_ != text_.size()) {
      return refuse("bytes after the document");
    }
    return value;
  }

  [[nodiscard]] std::string problem() const { return fmt::format("{} at byte {}", problem_, at_); }

 private:
  std::nullopt_t refuse(std::string_view problem) {
    problem_ = problem;
    return std::nullopt;
  }

  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  std::optional<Json> read_value(std::size_t depth) {
    if (depth > kMaxJsonDepth) {
      return refuse("nesting too deep");
    }
    if (take("null")) {
      return Json();
    }
    if (take("true")) {
      return Json(Json::Value(true));
    }
    if (take("false")) {
      return Json(Json::Value(false));
    }
    if (take("[")) {
      return read_array(depth);
    }
    if (take("{")) {
      return read_object(depth);
    }
    if (at_ < text_.size() && text_[at_] == '"') {
      auto text = read_string();
      return text ? std::optional(Json(Json::Value(std::move(*text)))) : std::nullopt;
    }
    return read_integer();
  }

  std::optional<Json> read_array(std::size_t depth) {
    JsonArray items;
    if (take("]")) {
      return Json(Json::Value(std::move(items)));
    }
    do {
      auto item = read_value(depth + 1);
      if (!item) {
        return std::nullopt;
      }
      items.push_back(std::move(*item));
    } while (take(","));
    if (!take("]")) {
      return refuse("expected `,` or `]`");
    }
    return Json(Json::Value(std::move(items)));
  }

  std::optional<Json> read_object(std::size_t depth) {
    JsonObject members;
    if (take("}")) {
      return Json(Json::Value(std::move(members)));
    }
    do {
      auto name = read_string();
      if (!name) {
        return std::nullopt;
      }
      if (!members.empty() && !key_less(members.back().first, *name)) {
        return refuse("keys not sorted or not unique");
      }
      if (!take(":")) {
        return refuse("expected `:`");
      }
      auto member = read_value(depth + 1);
      if (!member) {
        return std::nullopt;
      }
      members.emplace_back(std::move(*name), std::move(*member));
    } while (take(","));
    if (!take("}")) {
      return refuse("expected `,` or `}`");
    }
    return Json(Json::Value(std::move(members)));
  }

  std::optional<Json> read_integer() {
    const std::size_t begin = at_;
    const bool negative = take("-");
    std::int64_t value = 0;
    const std::size_t digits = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && value <= kMaxJsonInteger) {
      value = value * 10 + (text_[at_++] - '0');
    }
    const bool leading_zero = at_ - digits > 1 && text_[digits] == '0';
    if (at_ == digits || leading_zero || value > kMaxJsonInteger || (negative && value == 0)) {
      at_ = begin;
      return refuse("expected a value");
    }
    return Json(Json::Value(negative ? -value : value));
  }

  std::optional<std::string> read_string() {
    if (!take("\"")) {
      return refuse("expected a string");
    }
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (!(text_[at_] == '\\' ? read_escape(out) : read_plain(out))) {
        return std::nullopt;
      }
    }
    if (!take("\"")) {
      return refuse("string without an end");
    }
    return out;
  }

  bool read_plain(std::string& out) {
    const CodePoint point = decode_utf8(text_.substr(at_));
    if (point.length == 0 || point.value < 0x20) {
      problem_ = "invalid UTF-8 or a raw control character";
      return false;
    }
    out += text_.substr(at_, point.length);
    at_ += point.length;
    return true;
  }

  // Only the escapes that the writer makes.
  bool read_escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\btnfr";
    constexpr std::string_view kMeanings = "\"\\\b\t\n\f\r";
    const char name = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (const std::size_t index = kNames.find(name); name != '\0' && index != std::string_view::npos) {
      out += kMeanings[index];
      at_ += 2;
      return true;
    }
    for (unsigned control = 0; control < 0x20; ++control) {
      const bool short_form = kMeanings.find(static_cast<char>(control)) != std::string_view::npos;
      if (!short_form && take(fmt::format("\\u{:04x}", control))) {
        out += static_cast<char>(control);
        return true;
      }
    }
    problem_ = "an escape that is not canonical";
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view problem_ = "not a value";
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  const JsonObject* members = object();
  if (members == nullptr) {
    return nullptr;
  }
  const auto hit = std::find_if(members->begin(), members->end(),
                                [key](const JsonMember& member) { return member.first == key; });
  return hit == members->end() ? nullptr : &hit->second;
}

Result<Json> read_canonical_json(std::string_view text) {
  if (text.size() > kMaxPlanBytes) {
    return fail(ErrorKind::TooLarge, "read canonical JSON", fmt::format("more than {} bytes", kMaxPlanBytes));
  }
  Reader reader(text);
  auto value = reader.document();
  if (!value) {
    return fail(ErrorKind::Malformed, "read canonical JSON", reader.problem());
  }
  return std::move(*value);
}

}  // namespace forge::policy
