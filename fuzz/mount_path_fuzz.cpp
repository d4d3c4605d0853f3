// A mount path in normal form is one already, and the verdict is that of a plain walk over the
// components.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"

namespace {

using namespace forge;
using grammar::MountPathFault;

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

std::vector<std::string> components_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == '/') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  std::erase_if(out, [](const std::string& part) { return part.empty() || part == "."; });
  return out;
}

struct Verdict {
  std::optional<MountPathFault> fault;
  std::string normal;
};

std::optional<MountPathFault> fault_of_text(std::string_view text) {
  if (text.find_first_not_of(' ') == std::string_view::npos) {
    return MountPathFault::Blank;
  }
  if (text.front() != '/') {
    return MountPathFault::NotAbsolute;
  }
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      return MountPathFault::ControlCharacter;
    }
  }
  if (!policy::is_valid_utf8(text)) {
    return MountPathFault::ControlCharacter;
  }
  return text.find_first_of(":,;") == std::string_view::npos ? std::nullopt
                                                             : std::optional(MountPathFault::NotExpressible);
}

Verdict verdict_of(std::string_view text) {
  if (const auto fault = fault_of_text(text)) {
    return {fault, {}};
  }
  std::string normal;
  for (const std::string& part : components_of(text)) {
    if (part == "..") {
      return {MountPathFault::ParentComponent, {}};
    }
    normal += "/" + part;
  }
  if (normal.empty()) {
    return {MountPathFault::Root, {}};
  }
  if (normal.size() > policy::kMaxPathBytes) {
    return {MountPathFault::TooLong, {}};
  }
  return {std::nullopt, normal};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= grammar::kMaxValueBytes) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto parsed = grammar::parse_mount_path(text);
  const Verdict expected = verdict_of(text);
  require(parsed.has_value() == !expected.fault.has_value());
  if (!parsed) {
    require(parsed.error().fault == *expected.fault);
    require(parsed.error().where.begin <= parsed.error().where.end && parsed.error().where.end <= size);
    return 0;
  }
  require(parsed->text() == expected.normal);
  require(policy::MountPath::from_canonical(parsed->text()).has_value());
  require(grammar::parse_mount_path(parsed->text()) == *parsed);
  return 0;
}
