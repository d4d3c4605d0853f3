// Which parts of a config may be shown.
#pragma once

#include <string>
#include <string_view>

#include "forge/grammar/syntax_tree.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace forge::compiler {

/// Marks what of the text holds no value of a variable, no password and no token:
/// known keys, switches, and the values of known keys where they look like what
/// belongs there. People write `NAME=value` and `user:password@host` where only a
/// name belongs; such text stays hidden, and so does everything unknown.
void reveal_plain(const grammar::SyntaxTree& tree, policy::DiagnosticSink& sink);

/// What of a written host may be repeated: all of it when it looks like a host,
/// else its beginning up to the first character that no host has; nothing when
/// it holds an `@`, because a token may stand before it.
[[nodiscard]] std::string shown_host(std::string_view text);

/// The leading name of what was written for a variable; `...` stands for the rest.
[[nodiscard]] std::string shown_name(std::string_view text);

/// An absolute path whole; of anything else the part before `=`, `@` or `:`.
[[nodiscard]] std::string shown_path(std::string_view text);

/// An image reference, unless credentials may stand in it.
[[nodiscard]] std::string shown_image(std::string_view text);

/// A short plain text (a number with a unit) whole, else `...`.
[[nodiscard]] std::string shown_short(std::string_view text);

}  // namespace forge::compiler
