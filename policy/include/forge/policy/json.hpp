// Canonical JSON (RFC 8785), written and strictly read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "forge/policy/result.hpp"

namespace forge::policy {

inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxPlanBytes = std::size_t{64} << 20U;           ///< 64 MiB
inline constexpr std::int64_t kMaxJsonInteger = (std::int64_t{1} << 53U) - 1;  ///< exact in a double

class Json;
using JsonArray = std::vector<Json>;
using JsonMember = std::pair<std::string, Json>;
using JsonObject = std::vector<JsonMember>;  ///< sorted by key, keys unique

/// A JSON value without fractions: plans hold none.
class Json {
 public:
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::string, JsonArray, JsonObject>;

  Json() : value_(nullptr) {}
  explicit Json(Value value) : value_(std::move(value)) {}

  [[nodiscard]] const Value& value() const { return value_; }
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&value_); }
  [[nodiscard]] const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value_); }
  [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&value_); }
  [[nodiscard]] const JsonArray* array() const { return std::get_if<JsonArray>(&value_); }
  [[nodiscard]] const JsonObject* object() const { return std::get_if<JsonObject>(&value_); }

  /// The member `key` of an object, or null.
  [[nodiscard]] const Json* find(std::string_view key) const;

  friend bool operator==(const Json&, const Json&) = default;

 private:
  Value value_;
};

/// Reads exactly the bytes that `encode` would write: UTF-8, sorted and unique
/// keys, shortest escapes, integers only, no insignificant space. Errors:
/// Malformed (with the byte offset in `detail`), TooLarge.
[[nodiscard]] Result<Json> read_canonical_json(std::string_view text);

[[nodiscard]] std::string encode(const Json& value);

/// Writes canonical JSON front to back. The caller names object keys in
/// canonical order; a value of the wrong shape cannot be expressed.
class JsonWriter {
 public:
  /// Canonical: RFC 8785. Safe: characters that must not reach a terminal or log
  /// raw are written as escapes; the same value to every reader.
  enum class Text : std::uint8_t { Canonical, Safe };

  explicit JsonWriter(Text text = Text::Canonical) : text_(text) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name);
  void string(std::string_view text);
  void integer(std::int64_t value);
  void boolean(bool value);
  void null();
  void value(const Json& json);

  void member(std::string_view name, std::string_view text) { key(name), string(text); }
  void member(std::string_view name, const char* text) { key(name), string(text); }
  void member(std::string_view name, const std::string& text) { key(name), string(text); }
  void member(std::string_view name, std::int64_t number) { key(name), integer(number); }
  void member(std::string_view name, bool flag) { key(name), boolean(flag); }

  /// Bytes written so far; between two members of an object a caller may note
  /// the place to insert another one later.
  [[nodiscard]] std::size_t size() const { return out_.size(); }
  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();

  void append_foreign(std::string_view text, std::size_t& at, std::size_t& plain);

  std::string out_;
  Text text_;
  bool after_value_ = false;
};

}  // namespace forge::policy
