// A range of bytes in a source text. Lines and columns are computed from it
// only when something is printed (see source_text.hpp).
#pragma once

#include <cstdint>

namespace forge::policy {

/// Half-open range [begin, end) of byte offsets, counted from 0.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
  friend auto operator<=>(const Span&, const Span&) = default;
};

}  // namespace forge::policy
