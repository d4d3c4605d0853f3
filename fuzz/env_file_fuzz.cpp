// Any text as a file of variable names. Properties: every name is one, and a
// name that was read stands at the start of a line.
#include <cstdint>
#include <string>

#include "forge/grammar/env_file.hpp"

namespace {

void require(bool holds) {
  if (!holds) {
    __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto names = forge::grammar::parse_env_file(text);
  if (!names) {
    require(names.error().line >= 1);
    return 0;
  }
  std::string again;
  for (const forge::policy::EnvName& name : *names) {
    require(forge::policy::EnvName::from_canonical(name.text()) == name);
    require(text.find(name.text()) != std::string_view::npos);
    again += "export " + name.text() + "=x\r\n";
  }
  const auto reread = forge::grammar::parse_env_file(again);
  require(reread.has_value() && *reread == *names);
  return 0;
}
