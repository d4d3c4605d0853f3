// A DNS name in canonical form.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace forge::policy {

inline constexpr std::size_t kMaxLabelBytes = 63;    ///< RFC 1035 section 2.3.4
inline constexpr std::size_t kMaxDomainBytes = 253;  ///< RFC 1035, presentation form without the final dot

/// A lower-case DNS name in ASCII (A-labels), without a trailing dot: labels of
/// 1 to 63 letters, digits, hyphens and underscores, no hyphen at an edge, at
/// most 253 bytes, and a last label that is no number, neither all digits nor
/// `0x` and hex digits (such a name would be read as an address, WHATWG URL
/// section 3.5; the grammar of host entries refuses the same).
class DomainName {
 public:
  /// Takes exactly the canonical spelling; anything else is nothing.
  [[nodiscard]] static std::optional<DomainName> from_canonical(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::size_t label_count() const;

  /// True when this name is `parent` or lies below it, on a label boundary.
  [[nodiscard]] bool is_at_or_below(const DomainName& parent) const;

  friend bool operator==(const DomainName&, const DomainName&) = default;
  friend auto operator<=>(const DomainName&, const DomainName&) = default;

 private:
  explicit DomainName(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace forge::policy
