// International names (UTS 46, non-transitional) by libidn2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace forge::compiler {

/// The A-label form of a name in UTF-8, lower-case, without a trailing dot;
/// nothing when UTS 46 does not allow the name.
[[nodiscard]] std::optional<std::string> to_a_labels(const std::string& name);

/// The Unicode form of an ASCII name; nothing when an `xn--` label is not the
/// encoding of an allowed label.
[[nodiscard]] std::optional<std::string> to_unicode(const std::string& name);

/// True when a label of the Unicode form mixes writing systems in a way that no
/// language does (UTS 39, highly restrictive profile).
[[nodiscard]] bool mixes_scripts(std::string_view unicode_name);

/// The versions of the libraries and data behind these answers.
[[nodiscard]] std::string idna_version();

}  // namespace forge::compiler
