// The reference of a container image.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace forge::policy {

inline constexpr std::size_t kMaxImageReferenceBytes = 512;  ///< repository 255, tag 128, digest, with room

/// An OCI image reference as the runtime takes it: lower-case repository,
/// optional registry host, tag and digest; never anything the runtime would
/// read as an option or a path. An absent tag means `latest`.
class ImageReference {
 public:
  /// Builds from parts the grammar has checked; refuses what a command line
  /// could read as something else. `text` is kept as written.
  [[nodiscard]] static std::optional<ImageReference> from_canonical(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

  friend bool operator==(const ImageReference&, const ImageReference&) = default;

 private:
  explicit ImageReference(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace forge::policy
