// A processor count is what printing it gives back, and nothing else is one.
#include <cstddef>
#include <cstdint>
#include <string>

#include "forge/grammar/values.hpp"

namespace {

using namespace forge;
using grammar::CpusFault;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

std::string without_spaces(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
         (text == "0" || text.front() != '0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= grammar::kMaxValueBytes) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string core = without_spaces(text);
  const auto parsed = grammar::parse_cpus(text);
  if (parsed) {
    require(*parsed >= 1 && *parsed <= grammar::kMaxCpus && std::to_string(*parsed) == core);
    return 0;
  }
  const auto where = parsed.error().where;
  require(where.begin <= where.end && where.end <= size);
  const bool out_of_range = parsed.error().fault == CpusFault::OutOfRange;
  require(out_of_range == is_number(core));
  require(!out_of_range || core == "0" || core.size() > 3 || std::stoul(core) > grammar::kMaxCpus);
  return 0;
}
