#include "idna.hpp"

#include <fmt/format.h>
#include <idn2.h>
#include <unictype.h>
#include <uniname.h>
#include <unistring/version.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "forge/policy/utf8.hpp"

namespace forge::compiler {
namespace {

struct IdnFree {
  void operator()(void* memory) const { idn2_free(memory); }
};

constexpr int kFlags = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL;

using Scripts = std::set<std::string_view>;

// The scripts that one language's text may combine (UTS 39 section 5.2).
constexpr std::array<std::array<std::string_view, 4>, 3> kCombinations = {{
    {"Latin", "Han", "Hiragana", "Katakana"},
    {"Latin", "Han", "Bopomofo", ""},
    {"Latin", "Han", "Hangul", ""},
}};

bool is_one_language(const Scripts& scripts) {
  return std::any_of(kCombinations.begin(), kCombinations.end(), [&](const auto& allowed) {
    return std::all_of(scripts.begin(), scripts.end(), [&](std::string_view script) {
      return std::find(allowed.begin(), allowed.end(), script) != allowed.end();
    });
  });
}

bool label_mixes(std::string_view label) {
  Scripts scripts;
  while (!label.empty()) {
    const policy::CodePoint point = policy::decode_utf8(label);
    if (point.length == 0) {
      return true;
    }
    const uc_script_t* script = uc_script(point.value);
    const std::string_view name = script != nullptr ? script->name : "Unknown";
    if (name != "Common" && name != "Inherited") {
      scripts.insert(name);
    }
    label.remove_prefix(point.length);
  }
  return scripts.size() > 1 && !is_one_language(scripts);
}

}  // namespace

std::optional<std::string> to_a_labels(const std::string& name) {
  std::uint8_t* raw = nullptr;
  const int status = idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(name.c_str()), &raw, kFlags);
  const std::unique_ptr<std::uint8_t, IdnFree> owner(raw);
  if (status != IDN2_OK || raw == nullptr) {
    return std::nullopt;
  }
  std::string out(reinterpret_cast<const char*>(raw));
  if (out.ends_with('.')) {
    out.pop_back();
  }
  return out;
}

std::optional<std::string> to_unicode(const std::string& name) {
  char* raw = nullptr;
  const int status = idn2_to_unicode_8z8z(name.c_str(), &raw, kFlags);
  const std::unique_ptr<char, IdnFree> owner(raw);
  if (status != IDN2_OK || raw == nullptr) {
    return std::nullopt;
  }
  std::string out(raw);
  // Decoding alone also takes encodings that no encoder makes; only a name that
  // comes back the same is the name that DNS knows.
  const auto again = to_a_labels(out);
  return again && *again == name ? std::optional(std::move(out)) : std::nullopt;
}

bool mixes_scripts(std::string_view unicode_name) {
  while (true) {
    const std::size_t dot = unicode_name.find('.');
    if (label_mixes(unicode_name.substr(0, dot))) {
      return true;
    }
    if (dot == std::string_view::npos) {
      return false;
    }
    unicode_name.remove_prefix(dot + 1);
  }
}

std::string idna_version() {
  return fmt::format("libidn2 {}, libunistring {}.{}", IDN2_VERSION, _LIBUNISTRING_VERSION >> 16U,
                     (_LIBUNISTRING_VERSION >> 8U) & 0xFFU);
}

}  // namespace forge::compiler
