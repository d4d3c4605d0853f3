#include "forge/policy/image_reference.hpp"

#include <algorithm>

namespace forge::policy {
namespace {

bool is_lower_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alnum(char c) { return is_lower_alnum(c) || (c >= 'A' && c <= 'Z'); }

// Separators inside a path component: one `.`, one or two `_`, any run of `-`.
bool is_separator(std::string_view run) {
  return run == "." || run == "_" || run == "__" || run.find_first_not_of('-') == std::string_view::npos;
}

bool is_path_component(std::string_view part) {
  if (part.empty() || !is_lower_alnum(part.front()) || !is_lower_alnum(part.back())) {
    return false;
  }
  for (std::size_t i = 0; i < part.size();) {
    if (is_lower_alnum(part[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < part.size() && !is_lower_alnum(part[i])) {
      ++i;
    }
    if (!is_separator(part.substr(begin, i - begin))) {
      return false;
    }
  }
  return true;
}

bool is_registry_host(std::string_view part) {
  const std::size_t colon = part.find(':');
  const std::string_view host = part.substr(0, colon);
  if (colon != std::string_view::npos) {
    const std::string_view port = part.substr(colon + 1);
    if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string_view::npos) {
      return false;
    }
  }
  return !host.empty() && is_alnum(host.front()) && is_alnum(host.back()) &&
         host.find("..") == std::string_view::npos && host.find(".-") == std::string_view::npos &&
         host.find("-.") == std::string_view::npos &&
         std::all_of(host.begin(), host.end(), [](char c) { return is_alnum(c) || c == '.' || c == '-'; });
}

// Upper case alone makes no registry: Docker would read one in `A/b`, msb reads
// a path of Docker Hub.
bool names_registry(std::string_view part) {
  return part == "localhost" || part.find_first_of(".:") != std::string_view::npos;
}

constexpr std::size_t kMaxRepositoryBytes = 255;
// msb counts a name without a slash as `library/NAME`, its path at Docker Hub.
constexpr std::string_view kImpliedPath = "library/";

bool is_repository(std::string_view text) {
  const std::size_t implied = text.find('/') == std::string_view::npos ? kImpliedPath.size() : 0;
  if (text.size() + implied > kMaxRepositoryBytes) {
    return false;
  }
  bool first = true;
  while (true) {
    const std::size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    const bool registry = first && slash != std::string_view::npos && names_registry(part);
    if (!(registry ? is_registry_host(part) : is_path_component(part))) {
      return false;
    }
    if (slash == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(slash + 1);
    first = false;
  }
}

bool is_tag(std::string_view tag) {
  return !tag.empty() && tag.size() <= 128 && (is_alnum(tag.front()) || tag.front() == '_') &&
         std::all_of(tag.begin(), tag.end(),
                     [](char c) { return is_alnum(c) || c == '_' || c == '.' || c == '-'; });
}

bool is_digest(std::string_view digest) {
  constexpr std::string_view kSha256 = "sha256:";
  return digest.starts_with(kSha256) && digest.size() == kSha256.size() + 64 &&
         digest.substr(kSha256.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::optional<ImageReference> ImageReference::from_canonical(std::string_view text) {
  if (text.size() > kMaxImageReferenceBytes) {
    return std::nullopt;
  }
  std::string_view rest = text;
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    if (!is_digest(rest.substr(at + 1))) {
      return std::nullopt;
    }
    rest = rest.substr(0, at);
  }
  const std::size_t slash = rest.rfind('/');
  const std::size_t colon = rest.find(':', slash == std::string_view::npos ? 0 : slash);
  if (colon != std::string_view::npos) {
    if (!is_tag(rest.substr(colon + 1))) {
      return std::nullopt;
    }
    rest = rest.substr(0, colon);
  }
  return is_repository(rest) ? std::optional(ImageReference(std::string(text))) : std::nullopt;
}

}  // namespace forge::policy
