// The name of a sandbox, and the names derived from it.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace forge::policy {

/// The longest name the runtime takes (measured on msb 0.6.18 and 0.7.2).
inline constexpr std::size_t kMaxSandboxNameBytes = 128;
/// The derived part is cut here, before the `forge-` prefix.
inline constexpr std::size_t kMaxNameStemBytes = 60;

/// `forge-` and 1 to 60 of `[a-z0-9.-]`, starting and ending alphanumeric-or-dash-free.
class SandboxName {
 public:
  /// Takes a name that the runtime accepts and that `derive` could have made.
  [[nodiscard]] static std::optional<SandboxName> from_canonical(std::string_view text);

  /// The name for a loop or session called `raw`: lower case, every run of other
  /// characters one `-`, edges trimmed, cut at 60; `sandbox` when nothing is left.
  [[nodiscard]] static SandboxName derive(std::string_view raw);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string docker_volume() const { return text_ + "-docker-data"; }
  [[nodiscard]] std::string cache_volume() const { return text_ + "-cache-data"; }

  friend auto operator<=>(const SandboxName&, const SandboxName&) = default;

 private:
  explicit SandboxName(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace forge::policy
