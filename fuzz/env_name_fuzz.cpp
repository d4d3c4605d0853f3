// The grammar of variable names and the reader of canonical plans take the same names.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"

namespace {

using namespace forge;
using grammar::EnvNameFault;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

bool can_be_seen(EnvNameFault fault, std::string_view place, std::string_view text) {
  switch (fault) {
    case EnvNameFault::Blank:
      return place == text && text.find_first_not_of(' ') == std::string_view::npos;
    case EnvNameFault::BadCharacter: {
      const std::size_t length = policy::decode_utf8(place).length;
      return place.size() == (length == 0 ? 1 : length) &&
             !policy::EnvName::from_canonical("A" + std::string(place));
    }
    case EnvNameFault::StartsWithDigit:
      return policy::EnvName::from_canonical("_" + std::string(text)).has_value();
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= grammar::kMaxValueBytes) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto parsed = grammar::parse_env_name(text);
  const auto canonical = policy::EnvName::from_canonical(text);
  require(parsed.has_value() == canonical.has_value());
  if (parsed) {
    require(*parsed == *canonical && parsed->text() == text);
    return 0;
  }
  const auto where = parsed.error().where;
  require(where.begin <= where.end && where.end <= size);
  require(can_be_seen(parsed.error().fault,
                      std::string_view(text).substr(where.begin, where.end - where.begin), text));
  return 0;
}
