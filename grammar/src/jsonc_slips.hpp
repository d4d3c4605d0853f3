// What is said where the text leaves the grammar. Each function reports and then
// throws Slip or Stop.
#pragma once

#include <string>

#include "jsonc_reader.hpp"
#include "jsonc_words.hpp"

namespace forge::grammar::jsonc {

void slip_at_value(Reader& reader, const char* at);
void slip_at_key(Reader& reader, const char* at);
/// A string that its line or the text ends.
void slip_in_string(Reader& reader, const char* at);
/// Something after the value of the document.
void slip_after_document(Reader& reader, const char* at);

/// Ends the reading at the end of the text, inside a container.
[[noreturn]] void stop_at_text_end(Reader& reader);

void report_stray_comma(Reader& reader, const char* at);

void report_syntax(Reader& reader, const char* begin, const char* end, std::string message, std::string help);

/// Reports what stands at `at` instead of what is wanted, and tells where it ends;
/// a bracket that opens something stays to be skipped with its content.
const char* report_unexpected(Reader& reader, const char* at, Wanted wanted);

/// True where `at` is a closing bracket that does not fit the innermost container.
[[nodiscard]] bool is_wrong_bracket(const Reader& reader, const char* at);

/// The bracket that ends a container of this kind.
[[nodiscard]] char closing_of(NodeKind kind);

}  // namespace forge::grammar::jsonc
