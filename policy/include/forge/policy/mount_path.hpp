// A path that a mount can name.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace forge::policy {

inline constexpr std::size_t kMaxPathBytes = 4095;  ///< PATH_MAX of Linux without the final NUL

/// An absolute path in lexically normal form: UTF-8, no `.` or `..` component,
/// no doubled or trailing slash, no control, direction-changing or invisible
/// character, and none of `: , ;`, which the runtime's mount syntax cannot express. `/` itself is not one.
class MountPath {
 public:
  [[nodiscard]] static std::optional<MountPath> from_canonical(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

  /// True when this path is `other` or lies below it, by whole components.
  [[nodiscard]] bool is_at_or_below(const MountPath& other) const;

  friend auto operator<=>(const MountPath&, const MountPath&) = default;

 private:
  explicit MountPath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// True when `path` is `ancestor` or lies below it; both absolute and normal.
/// `/` is an ancestor of every path.
[[nodiscard]] bool path_is_at_or_below(std::string_view path, std::string_view ancestor);

}  // namespace forge::policy
