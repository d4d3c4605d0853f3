// JSON with comments: RFC 8259 plus `//` and `/* */` comments, one trailing
// comma in arrays and objects, and one leading byte order mark.
#pragma once

#include <cstddef>
#include <string_view>

#include "forge/grammar/syntax_tree.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace forge::grammar {

inline constexpr std::size_t kMaxConfigBytes = std::size_t{8} << 20U;  ///< 8 MiB
inline constexpr std::size_t kMaxNesting = 64;                         ///< levels of arrays and objects
inline constexpr std::size_t kMaxSyntaxErrors = 1000;                  ///< reading stops there

/// Reads `text` and reports every fault with its place (FP1001 to FP1013), and
/// warns of invisible characters (FP1022). After a fault inside an array or object
/// it goes on at the next member where that is safe; the faulty member is left out
/// of the tree. Duplicate keys are reported at each later key, with the first one
/// as the related place; all stay in the tree. Integers beyond 2^53 - 1 are out of
/// range (RFC 7493 section 2.2). Never throws.
[[nodiscard]] SyntaxTree parse_jsonc(std::string_view text, policy::DiagnosticSink& sink);

}  // namespace forge::grammar
