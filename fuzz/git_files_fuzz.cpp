// Any bytes as one of git's small files; the first byte chooses which, and where it lies.
// Pointers and alternates: the verdict is that of a plain walk over the components, and a
// result is absolute, normal, fit to show, and its own reading. Config: names are lower case,
// and the entries written again, line ends of the other kind or a byte order mark in front
// read as the same entries.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/git_files.hpp"
#include "forge/policy/utf8.hpp"

namespace {

using namespace forge;
using grammar::GitConfigEntry;
using grammar::GitFileFault;
using grammar::GitPointer;
using Entries = std::vector<GitConfigEntry>;

constexpr std::string_view kPrefix = "gitdir: ";
constexpr std::array<std::string_view, 3> kBases = {"/", "/a", "/home/u/repo/.git"};

void require(bool property) {
  if (!property) {
    __builtin_trap();
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == separator) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += "/" + name;
  }
  return out.empty() ? "/" : out;
}

struct Verdict {
  std::optional<GitFileFault> fault;
  std::string path;
};

std::optional<GitFileFault> fault_of_characters(std::string_view text) {
  while (!text.empty()) {
    const policy::CodePoint point = policy::decode_utf8(text);
    if (point.length == 0) {
      return GitFileFault::NotText;
    }
    if (policy::is_unsafe_to_show(point.value)) {
      return GitFileFault::ControlCharacter;
    }
    text.remove_prefix(point.length);
  }
  return std::nullopt;
}

Verdict walk(std::string_view path, std::string_view base) {
  std::vector<std::string> names = path.front() == '/' ? std::vector<std::string>() : split(base, '/');
  std::erase(names, "");
  bool may_ascend = path.front() != '/';
  bool above_root = false;
  for (const std::string& step : split(path, '/')) {
    if (step.empty() || step == ".") {
      continue;
    }
    if (step != "..") {
      names.push_back(step);
      may_ascend = false;
    } else if (!may_ascend) {
      return {GitFileFault::ParentComponent, {}};
    } else if (names.empty()) {
      above_root = true;
    } else {
      names.pop_back();
    }
  }
  return above_root ? Verdict{GitFileFault::AboveRoot, {}} : Verdict{std::nullopt, joined(names)};
}

Verdict verdict_of(GitPointer kind, std::string_view text, std::string_view base) {
  if (text.size() > grammar::kMaxGitPointerBytes) {
    return {GitFileFault::TooLong, {}};
  }
  if (text.ends_with('\n')) {
    text.remove_suffix(1);
  }
  if (text.empty() || (kind == GitPointer::GitFile && text == kPrefix)) {
    return {GitFileFault::Empty, {}};
  }
  if (kind == GitPointer::GitFile) {
    if (text.substr(0, kPrefix.size()) != kPrefix) {
      return {GitFileFault::NotAPointer, {}};
    }
    text = text.substr(kPrefix.size());
  }
  if (const auto fault = fault_of_characters(text)) {
    return {fault, {}};
  }
  return walk(text, base);
}

void check_path(const std::string& path) {
  require(path.front() == '/' && policy::escape_for_display(path) == path);
  require(path == "/" || !path.ends_with('/'));
  for (const std::string_view part : {"//", "/./", "/../"}) {
    require((path + "/").find(part) == std::string::npos || path == "/");
  }
}

void check_pointer(GitPointer kind, std::string_view text, std::string_view base) {
  const auto parsed = grammar::parse_git_pointer(kind, text, base);
  const Verdict expected = verdict_of(kind, text, base);
  require(parsed.has_value() == !expected.fault.has_value());
  if (!parsed) {
    require(parsed.error() == *expected.fault && !grammar::describe(parsed.error()).empty());
    return;
  }
  require(*parsed == expected.path);
  check_path(*parsed);
  const std::string again = (kind == GitPointer::GitFile ? std::string(kPrefix) : "") + *parsed + "\n";
  if (again.size() <= grammar::kMaxGitPointerBytes) {
    require(grammar::parse_git_pointer(kind, again, "/elsewhere") == parsed);
  }
}

std::optional<GitFileFault> fault_of_alternates(std::string_view text) {
  if (text.size() > grammar::kMaxAlternatesBytes) {
    return GitFileFault::TooLong;
  }
  std::string flat(text);
  std::replace(flat.begin(), flat.end(), '\n', '/');
  return fault_of_characters(flat);
}

void check_alternates(std::string_view text, std::string_view base) {
  std::optional<GitFileFault> fault = fault_of_alternates(text);
  std::vector<std::string> paths;
  for (const std::string& line : split(text, '\n')) {
    if (fault || line.empty() || line.front() == '#') {
      continue;
    }
    const Verdict verdict = line.front() == '"' ? Verdict{GitFileFault::Quoted, {}}
                                                : verdict_of(GitPointer::CommonDir, line, base);
    fault = verdict.fault;
    paths.push_back(verdict.path);
    if (!fault && paths.size() > grammar::kMaxAlternates) {
      fault = GitFileFault::TooMany;
    }
  }
  const auto parsed = grammar::parse_git_alternates(text, base);
  require(parsed.has_value() == !fault.has_value());
  if (!parsed) {
    require(parsed.error() == *fault);
    return;
  }
  require(*parsed == paths);
  std::string again;
  bool fits = true;
  for (const std::string& path : *parsed) {
    check_path(path);
    again += path + "\n";
    fits = fits && path.size() <= grammar::kMaxGitPointerBytes;
  }
  fits = fits && again.size() <= grammar::kMaxAlternatesBytes;
  require(!fits || grammar::parse_git_alternates(again, "/elsewhere") == parsed);
}

bool is_name(std::string_view text, std::string_view also) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || also.find(c) != std::string_view::npos;
  });
}

// As a subsection or a value: between quotation marks, what git would take for more behind a backslash.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

std::string written(const Entries& entries) {
  std::string out;
  for (const GitConfigEntry& entry : entries) {
    require(is_name(entry.section, "-") && is_name(entry.key, "-"));
    require(entry.key.front() >= 'a' && entry.subsection.find('\n') == std::string::npos);
    out += "[" + entry.section + (entry.subsection.empty() ? "" : " " + quoted(entry.subsection)) + "]\n";
    out += entry.key + (entry.value ? " = " + quoted(*entry.value) : "") + "\n";
  }
  return out;
}

std::string with_returns(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  return out;
}

void check_config(std::string_view text) {
  const auto parsed = grammar::parse_git_config(text);
  if (!parsed) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require(parsed.error().line >= 1 && parsed.error().line <= lines);
    return;
  }
  require(text.find('\0') == std::string_view::npos && parsed->size() <= grammar::kMaxGitConfigEntries);
  const auto reads_the_same = [&](const std::string& other) {
    const auto reread = grammar::parse_git_config(other);
    return other.size() > grammar::kMaxGitConfigBytes || (reread && *reread == *parsed);
  };
  require(reads_the_same(written(*parsed)));
  require(text.find('\r') != std::string_view::npos || reads_the_same(with_returns(text)));
  require(text.starts_with("\xEF") || reads_the_same("\xEF\xBB\xBF" + std::string(text)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view base = kBases[data[0] / 5U % kBases.size()];
  switch (data[0] % 5U) {
    case 0:
      check_pointer(GitPointer::GitFile, text, base);
      break;
    case 1:
      check_pointer(GitPointer::CommonDir, text, base);
      break;
    case 2:
      check_pointer(GitPointer::GitDir, text, base);
      break;
    case 3:
      check_alternates(text, base);
      break;
    default:
      check_config(text);
  }
  return 0;
}
