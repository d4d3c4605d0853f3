// Reads the members of one JSON object, each exactly once, and refuses the rest.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/policy/json.hpp"
#include "forge/policy/plan_words.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::policy {

/// The first thing that was wrong with a document, shared by all its readers.
struct DecodeProblem {
  std::string text;
  /// Keeps the first problem, safe to show: what is told may quote the document.
  void note(std::string_view what) {
    if (text.empty()) {
      text = escape_for_display(what);
    }
  }
  [[nodiscard]] bool any() const { return !text.empty(); }
};

/// Every getter returns a default and notes a problem when the member is not
/// there or has another shape; `finish` notes members nobody asked for.
class FieldReader {
 public:
  FieldReader(const Json& json, std::string where, DecodeProblem& problem)
      : members_(json.object()), where_(std::move(where)), problem_(problem) {
    if (members_ == nullptr) {
      problem_.note(where_ + " is not an object");
    } else {
      seen_.resize(members_->size());
    }
  }

  const Json& get(std::string_view key) {
    static const Json kNull;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if ((*members_)[i].first == key) {
        seen_[i] = true;
        return (*members_)[i].second;
      }
    }
    wrong(key, "is missing");
    return kNull;
  }

  std::string string(std::string_view key) {
    const std::string* text = get(key).string();
    return text != nullptr ? *text : (wrong(key, "is not a string"), std::string());
  }

  bool boolean(std::string_view key) {
    const bool* flag = get(key).boolean();
    return flag != nullptr ? *flag : (wrong(key, "is not a boolean"), false);
  }

  std::uint32_t unsigned32(std::string_view key) {
    return number_in(get(key), key, 0, std::numeric_limits<std::uint32_t>::max());
  }

  std::uint32_t number_in(const Json& value, std::string_view key, std::uint32_t least, std::uint32_t most) {
    const std::int64_t* number = value.integer();
    if (number == nullptr || *number < least || *number > most) {
      wrong(key, "is not a number in range");
      return 0;
    }
    return static_cast<std::uint32_t>(*number);
  }

  /// A 64-bit quantity as a decimal string.
  std::uint64_t decimal64(std::string_view key) {
    const std::string text = string(key);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || fmt::format("{}", value) != text) {
      wrong(key, "is not a decimal string");
    }
    return value;
  }

  template <class T>
  T choice(std::string_view key) {
    const auto value = from_word<T>(string(key));
    return value ? *value : (wrong(key, "is not a known word"), T{});
  }

  /// A member whose value can only be `expected`.
  void constant(std::string_view key, std::string_view expected) {
    if (string(key) != expected) {
      wrong(key, fmt::format("is not `{}`", excerpt(expected)));
    }
  }

  template <class ReadItem>
  void list(std::string_view key, ReadItem read_item) {
    const JsonArray* items = get(key).array();
    if (items == nullptr) {
      wrong(key, "is not an array");
      return;
    }
    for (std::size_t i = 0; i < items->size() && !problem_.any(); ++i) {
      read_item((*items)[i], fmt::format("{}/{}[{}]", where_, key, i));
    }
  }

  void wrong(std::string_view key, std::string_view what) {
    problem_.note(fmt::format("{}/{} {}", where_, key, what));
  }

  void finish() {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (!seen_[i]) {
        wrong(excerpt((*members_)[i].first), "is not known to this version");
      }
    }
  }

  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] DecodeProblem& problem() { return problem_; }

 private:
  const JsonObject* members_;
  std::string where_;
  DecodeProblem& problem_;
  std::vector<bool> seen_;
};

}  // namespace forge::policy
