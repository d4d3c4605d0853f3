#include "reveal.hpp"

#include <algorithm>

#include "forge/compiler/schema.hpp"
#include "forge/compiler/tree_walk.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::compiler {
namespace {

using grammar::NodeKind;

constexpr std::string_view kCut = "...";
constexpr std::size_t kMaxShortBytes = 32;

bool is_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// ASCII that hosts are written with, and everything beyond ASCII.
bool is_host_char(char c) {
  return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view(".*_-, ").find(c) != std::string_view::npos;
}

bool is_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The host itself may be followed by a port or a prefix length, which are digits.
bool is_plain_host(std::string_view text) {
  for (const std::string_view prefix : {"domain=", "suffix="}) {
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
    }
  }
  const auto end = std::find_if_not(text.begin(), text.end(), is_host_char);
  const auto rest = text.substr(static_cast<std::size_t>(end - text.begin()));
  return rest.empty() || ((rest.front() == ':' || rest.front() == '/') && is_digits(rest.substr(1)));
}

std::size_t name_length(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) { return is_alnum(c) || c == '_'; });
  return static_cast<std::size_t>(end - text.begin());
}

std::string whole_or_cut(std::string_view text, std::size_t length) {
  return length == text.size() ? std::string(text) : std::string(text.substr(0, length)) + std::string(kCut);
}

// `{env:NAME}`, which another program would replace by a value; here it is text.
std::size_t placeholder_length(std::string_view text) {
  constexpr std::string_view kOpen = "{env:";
  if (!text.starts_with(kOpen)) {
    return 0;
  }
  const std::size_t length = kOpen.size() + name_length(text.substr(kOpen.size()));
  return length < text.size() && text[length] == '}' ? length + 1 : 0;
}

enum class Shown { Plain, Host, Name, Path, Image, Short, Never };

Shown rule_of(std::string_view path) {
  if (path == "sandbox.network.allow" || path == "sandbox.network.secrets[].hosts") {
    return Shown::Host;
  }
  if (path == "sandbox.network.env" || path == "sandbox.network.secrets[].env") {
    return Shown::Name;
  }
  if (path == "sandbox.mounts[].host" || path == "loop.allowExternalDirectories" || path == "dataDir") {
    return Shown::Path;
  }
  if (path == "sandbox.image") {
    return Shown::Image;
  }
  if (path.starts_with("sandbox.resources.") || path == "sandbox.mode") {
    return Shown::Short;
  }
  return path.starts_with("remotes") ? Shown::Never : Shown::Plain;
}

bool may_show(Shown rule, std::string_view text) {
  switch (rule) {
    case Shown::Plain:
      return true;
    case Shown::Host:
      return shown_host(text) == text;
    case Shown::Name:
      return shown_name(text) == text;
    case Shown::Path:
      return shown_path(text) == text;
    case Shown::Image:
      return shown_image(text) == text;
    case Shown::Short:
      return shown_short(text) == text;
    case Shown::Never:
      return false;
  }
  return false;
}

class Reveal {
 public:
  explicit Reveal(policy::DiagnosticSink& sink) : sink_(sink) {}

  void section(const NodeRef& object, const std::string& path) {
    object.for_each_member([&](const NodeRef& key, const NodeRef& value) {
      const std::string name = key.text();
      const std::string child = path.empty() ? name : path + '.' + name;
      const KeyRow* row = name.find_first_of(".[]*") == std::string::npos ? find_key(child) : nullptr;
      if (row != nullptr || policy::is_plain_word(name)) {
        sink_.reveal(key.span());
      }
      if (row != nullptr) {
        known(value, *row);
      } else {
        words(value);
      }
    });
  }

 private:
  // true, false, null and placeholders say nothing wherever they stand.
  void words(const NodeRef& value) {
    const bool placeholder = value.is(NodeKind::String) && !value.text().empty() &&
                             placeholder_length(value.text()) == value.text().size();
    if (value.is_boolean() || value.is(NodeKind::Null) || placeholder) {
      sink_.reveal(value.span());
    }
  }

  void known(const NodeRef& value, const KeyRow& row) {
    const std::string path(row.path);
    const bool list = row.type == KeyType::SectionList || row.type == KeyType::TextList ||
                      row.type == KeyType::TextOrSectionList;
    if (row.type == KeyType::Section && value.is(NodeKind::Object)) {
      section(value, path);
    } else if (row.type == KeyType::SectionMap && value.is(NodeKind::Object)) {
      map(value, path);
    } else if (list && value.is(NodeKind::Array)) {
      value.for_each_element([&](const NodeRef& element) {
        if (row.type != KeyType::TextList && element.is(NodeKind::Object)) {
          section(element, path + "[]");
        } else {
          scalar(element, path, row.type == KeyType::SectionList ? Shown::Never : rule_of(path));
        }
      });
    } else {
      scalar(value, path,
             !takes(row.type, value)        ? Shown::Never
             : row.type == KeyType::Boolean ? Shown::Short
                                            : rule_of(path));
    }
  }

  static bool takes(KeyType type, const NodeRef& value) {
    const bool text = type == KeyType::Text || type == KeyType::TextOrNull;
    const bool number = type == KeyType::Number || type == KeyType::Integer;
    return (text || type == KeyType::Boolean) ? value.is(NodeKind::String)
                                              : number && value.is(NodeKind::Number);
  }

  void scalar(const NodeRef& value, const std::string& path, Shown rule) {
    const bool number =
        value.is(NodeKind::Number) && !path.starts_with("remotes") && !path.starts_with("sandbox.network");
    if (number || (value.is(NodeKind::String) && may_show(rule, value.text()))) {
      sink_.reveal(value.span());
    } else {
      words(value);
    }
  }

  void map(const NodeRef& object, const std::string& path) {
    object.for_each_member([&](const NodeRef& key, const NodeRef& value) {
      if (policy::is_plain_word(key.text())) {
        sink_.reveal(key.span());
      }
      if (value.is(NodeKind::Object)) {
        section(value, path + ".*");
      }
    });
  }

  policy::DiagnosticSink& sink_;
};

}  // namespace

void reveal_plain(const grammar::SyntaxTree& tree, policy::DiagnosticSink& sink) {
  const auto root = root_of(tree);
  if (root && root->is(NodeKind::Object)) {
    Reveal(sink).section(*root, "");
  }
}

std::string shown_host(std::string_view text) {
  if (text.find('@') != std::string_view::npos) {
    return std::string(kCut);
  }
  if (is_plain_host(text)) {
    return std::string(text);
  }
  const auto end = std::find_if_not(text.begin(), text.end(), is_host_char);
  return whole_or_cut(text, static_cast<std::size_t>(end - text.begin()));
}

std::string shown_name(std::string_view text) {
  // Blank text and stray spaces are no value.
  if (text.find_first_not_of(' ') == std::string_view::npos) {
    return std::string(text);
  }
  return whole_or_cut(text, name_length(text));
}

std::string shown_path(std::string_view text) {
  const std::size_t cut =
      text.starts_with('/') ? std::string_view::npos : text.find_first_of("=@:", placeholder_length(text));
  return whole_or_cut(text, std::min(cut, text.size()));
}

std::string shown_image(std::string_view text) {
  const std::size_t at = text.find('@');
  const bool digest = at == std::string_view::npos || text.substr(at).starts_with("@sha256:");
  return digest && text.find("://") == std::string_view::npos ? std::string(text) : std::string(kCut);
}

std::string shown_short(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || std::string_view(".+-_ ").find(c) != std::string_view::npos;
  });
  return plain && text.size() <= kMaxShortBytes ? std::string(text) : std::string(kCut);
}

}  // namespace forge::compiler
