// Which numbers of RFC 8259 a reader can keep.
#pragma once

#include <string_view>

#include "jsonc_reader.hpp"

namespace forge::grammar::jsonc {

/// Reports an integer beyond 2^53 - 1 (RFC 7493 section 2.2: above it doubles
/// are no longer exact) and a number whose double is infinite. `text` is a
/// number of the grammar inside the reader's text.
void check_number(Reader& reader, std::string_view text);

}  // namespace forge::grammar::jsonc
