// Comments, and the parts of strings that are not plain ASCII. These run rarely,
// so they are ordinary functions.
#pragma once

#include "jsonc_reader.hpp"

namespace forge::grammar::jsonc {

/// `//` up to, not including, the end of the line.
bool take_line_comment(Input& in, Reader& reader);

/// `/* */`. One without an end is reported at its beginning and ends the reading.
bool take_block_comment(Input& in, Reader& reader);

/// `#` up to the end of the line: reported, and then taken for the comment it was meant to be.
bool take_hash_comment(Input& in, Reader& reader);

/// A run of bytes from 0x7F on inside a string. False when there is none here.
bool take_non_ascii(Input& in, Reader& reader);

/// An escape that is none, or raw control characters. False at the string's end.
bool take_faulty_text(Input& in, Reader& reader);

/// The end of the bytes from `at` on that are no UTF-8; `at` itself when they are.
[[nodiscard]] const char* skip_invalid_utf8(const char* at, const char* end);

/// Reports the bytes [begin, end), which are no UTF-8.
void report_invalid_utf8(Reader& reader, const char* begin, const char* end);

/// The end of the line that `at` is in: a line feed, a carriage return, or `end`.
[[nodiscard]] const char* line_end(const char* at, const char* end);

}  // namespace forge::grammar::jsonc
