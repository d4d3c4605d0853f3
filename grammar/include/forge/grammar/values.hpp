// The small values of a config: sizes, processor counts, variable names, image
// references, mount paths. Each parser says where a value goes wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "forge/policy/env_name.hpp"
#include "forge/policy/image_reference.hpp"
#include "forge/policy/mount_path.hpp"
#include "forge/policy/plan.hpp"
#include "forge/policy/span.hpp"

namespace forge::grammar {

/// A fault of `Kind` at a place relative to the text that was given.
template <class Kind>
struct ValueProblem {
  Kind fault{};
  policy::Span where;
};

/// A longer text is refused unread: with TooLong where there is such a fault,
/// otherwise as one that is none of its kind.
inline constexpr std::size_t kMaxValueBytes = 65536;

enum class SizeFault : std::uint8_t { NotASize, OutOfRange };

inline constexpr std::uint64_t kMaxMebibytes = 4294967295;  ///< what the runtime stores

/// A size and whether something was cut off to reach whole mebibytes.
struct Size {
  policy::Mebibytes mebibytes;
  bool rounded = false;
};

/// `[0-9]+(.[0-9]+)?` and `k`, `m` or `g` (binary), an optional `b`, case-blind,
/// surrounding spaces taken off: `8g`, `1.5GB`, `1024m`. Exact arithmetic;
/// rounded down to whole mebibytes; OutOfRange for 0 and above kMaxMebibytes.
[[nodiscard]] tl::expected<Size, ValueProblem<SizeFault>> parse_size(std::string_view text);

enum class CpusFault : std::uint8_t { NotACount, OutOfRange };

inline constexpr std::uint32_t kMaxCpus = 255;  ///< one byte in the runtime

/// Decimal digits without sign or leading zero, 1 to kMaxCpus, surrounding spaces taken off.
[[nodiscard]] tl::expected<std::uint32_t, ValueProblem<CpusFault>> parse_cpus(std::string_view text);

enum class EnvNameFault : std::uint8_t { Blank, BadCharacter, StartsWithDigit };

/// Exactly the names that policy::EnvName knows; nothing is taken off.
[[nodiscard]] tl::expected<policy::EnvName, ValueProblem<EnvNameFault>> parse_env_name(std::string_view text);

enum class ImageFault : std::uint8_t { Blank, LooksLikeOption, LooksLikePath, NotAReference, TooLong };

/// An OCI reference: `[host[:port]/]path[:tag][@sha256:…]`, lower-case path. The
/// first component is a host only with a dot or a port in it, or as `localhost`.
/// TooLong: the repository has more than 255 bytes, counting the `library/` that
/// msb puts before a name without a slash.
[[nodiscard]] tl::expected<policy::ImageReference, ValueProblem<ImageFault>> parse_image_reference(
    std::string_view text);

enum class MountPathFault : std::uint8_t {
  Blank,
  NotAbsolute,       ///< also `~/x`, `$HOME/x`, `{env:X}`, `relative/x`
  ControlCharacter,  ///< control, direction-changing or invisible; also bytes that are no UTF-8
  NotExpressible,    ///< `:`, `,` or `;`
  ParentComponent,   ///< `..`
  Root,              ///< `/` in any spelling
  TooLong,
};

/// An absolute path. Doubled slashes, `.` components and a trailing slash are
/// taken out; nothing is expanded and nothing is looked up. Bytes that are no UTF-8
/// are told as ControlCharacter. The length that counts is that of the normal form.
[[nodiscard]] tl::expected<policy::MountPath, ValueProblem<MountPathFault>> parse_mount_path(
    std::string_view text);

}  // namespace forge::grammar
