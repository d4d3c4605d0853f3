// The name of an environment variable.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace forge::policy {

/// `[A-Za-z_][A-Za-z0-9_]*` (POSIX.1-2017 section 8.1, lower case admitted).
/// Never a value: the library does not read one.
class EnvName {
 public:
  [[nodiscard]] static std::optional<EnvName> from_canonical(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

  friend auto operator<=>(const EnvName&, const EnvName&) = default;

 private:
  explicit EnvName(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace forge::policy
