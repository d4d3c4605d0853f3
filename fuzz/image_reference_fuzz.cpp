// The grammar of image references and the reader of canonical plans take the same texts, and
// never one that a command line could read as an option or a path.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "forge/grammar/values.hpp"

namespace {

using namespace forge;
using grammar::ImageFault;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

void check_accepted(std::string_view text) {
  constexpr std::string_view kAll = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./:@_-";
  require(text.find_first_not_of(kAll) == std::string_view::npos);
  require(std::string_view("-./:@_").find(text.front()) == std::string_view::npos);
  require(text.find("..") == std::string_view::npos || text.find(':') < text.find(".."));
  require(text.find("//") == std::string_view::npos);
}

void check_refused(std::string_view text, ImageFault fault) {
  const bool blank = text.find_first_not_of(' ') == std::string_view::npos;
  require((fault == ImageFault::Blank) == blank);
  require((fault == ImageFault::LooksLikeOption) == text.starts_with('-'));
  require((fault == ImageFault::LooksLikePath) == (text.starts_with('.') || text.starts_with('/')));
  require(fault != ImageFault::TooLong || text.size() > 247);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= grammar::kMaxValueBytes) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto parsed = grammar::parse_image_reference(text);
  const auto canonical = policy::ImageReference::from_canonical(text);
  require(parsed.has_value() == canonical.has_value());
  if (parsed) {
    require(*parsed == *canonical && parsed->text() == text);
    check_accepted(text);
  } else {
    require(parsed.error().where.begin <= parsed.error().where.end && parsed.error().where.end <= size);
    check_refused(text, parsed.error().fault);
  }
  return 0;
}
