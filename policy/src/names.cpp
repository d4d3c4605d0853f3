#include <algorithm>

#include "forge/policy/env_name.hpp"
#include "forge/policy/sandbox_name.hpp"

namespace forge::policy {
namespace {

constexpr std::string_view kPrefix = "forge-";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_edge(char c) { return c == '-' || c == '.'; }

void trim_edges(std::string& stem) {
  while (!stem.empty() && is_edge(stem.back())) {
    stem.pop_back();
  }
  const auto first = std::find_if_not(stem.begin(), stem.end(), is_edge);
  stem.erase(stem.begin(), first);
}

// The plugin also keeps `+`, which the runtime refuses; here it is replaced like
// any other character.
std::string stem_of(std::string_view raw) {
  std::string stem;
  bool in_run = false;
  for (const char c : raw) {
    const char lower = is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    const bool keep = is_lower(lower) || is_digit(lower) || lower == '.' || lower == '-';
    if (keep) {
      stem += lower;
    } else if (!in_run) {
      stem += '-';
    }
    in_run = !keep;
  }
  trim_edges(stem);
  stem.resize(std::min(stem.size(), kMaxNameStemBytes));
  trim_edges(stem);
  return stem.empty() ? "sandbox" : stem;
}

}  // namespace

std::optional<EnvName> EnvName::from_canonical(std::string_view text) {
  const auto is_name_char = [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_'; };
  if (text.empty() || is_digit(text.front()) || !std::all_of(text.begin(), text.end(), is_name_char)) {
    return std::nullopt;
  }
  return EnvName(std::string(text));
}

SandboxName SandboxName::derive(std::string_view raw) {
  return SandboxName(std::string(kPrefix) + stem_of(raw));
}

std::optional<SandboxName> SandboxName::from_canonical(std::string_view text) {
  if (!text.starts_with(kPrefix)) {
    return std::nullopt;
  }
  auto derived = derive(text.substr(kPrefix.size()));
  return derived.text_ == text ? std::optional(std::move(derived)) : std::nullopt;
}

}  // namespace forge::policy
