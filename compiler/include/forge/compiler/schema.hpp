// The keys of forge-config.jsonc as a table, and the pass that holds a parsed
// file against it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "forge/grammar/syntax_tree.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace forge::compiler {

enum class KeyType : std::uint8_t {
  Section,
  SectionList,
  SectionMap,
  FreeObject,
  Boolean,
  Text,
  TextOrNull,
  Integer,
  Number,
  TextList,
  TextOrSectionList,
  Legacy,  ///< read by older versions; any value
  Hint,    ///< never existed; an error with a better help
};

struct KeyRow {
  std::string_view path;  ///< `sandbox.mounts[].host`, see schema.def
  KeyType type;
  double minimum;
  double maximum;
  std::string_view default_value;  ///< as JSON; empty where there is none
  std::string_view doc;            ///< of Legacy and Hint: what to do instead
};

/// All rows, sorted by path.
[[nodiscard]] std::span<const KeyRow> schema_table();

/// The row of `path`, or null.
[[nodiscard]] const KeyRow* find_key(std::string_view path);

/// The most entries a list of the config may have.
inline constexpr std::size_t kMaxListEntries = 100'000;

/// Reports unknown and misplaced keys, wrong types, legacy keys, values out of
/// range and lists that are too long (FP1014 to FP1021).
void check_shape(const grammar::SyntaxTree& tree, policy::DiagnosticSink& sink);

}  // namespace forge::compiler
