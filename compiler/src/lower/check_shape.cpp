#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "forge/compiler/schema.hpp"
#include "forge/compiler/suggestion.hpp"
#include "forge/compiler/tree_walk.hpp"
#include "forge/policy/utf8.hpp"
#include "key_suggestion.hpp"

namespace forge::compiler {
namespace {

using grammar::NodeKind;
using policy::Diagnostic;
using policy::DiagnosticId;

std::string_view describe(NodeKind kind) {
  switch (kind) {
    case NodeKind::Object:
      return "an object";
    case NodeKind::Array:
      return "a list";
    case NodeKind::String:
      return "a text";
    case NodeKind::Number:
      return "a number";
    case NodeKind::True:
    case NodeKind::False:
      return "a boolean";
    case NodeKind::Null:
      return "null";
  }
  return "";
}

std::string_view describe(KeyType type) {
  switch (type) {
    case KeyType::Section:
    case KeyType::SectionMap:
    case KeyType::FreeObject:
      return "an object";
    case KeyType::SectionList:
      return "a list of objects";
    case KeyType::Boolean:
      return "true or false";
    case KeyType::Text:
      return "a text";
    case KeyType::TextOrNull:
      return "a text or null";
    case KeyType::Integer:
      return "a whole number";
    case KeyType::Number:
      return "a number";
    case KeyType::TextList:
      return "a list of texts";
    case KeyType::TextOrSectionList:
      return "a list of texts or objects";
    case KeyType::Legacy:
    case KeyType::Hint:
      return "anything";
  }
  return "";
}

// What a person can do about a value of the wrong type.
std::string type_help(KeyType type, const NodeRef& value) {
  if (type == KeyType::Boolean && value.is(NodeKind::String)) {
    const std::string text = value.text();
    return text == "true" || text == "false" ? fmt::format("remove the quotes: {}", text)
                                             : "write true or false, without quotes";
  }
  const bool wants_text = type == KeyType::Text || type == KeyType::TextOrNull;
  if (wants_text && (value.is(NodeKind::Number) || value.is_boolean())) {
    return "put it in quotes";
  }
  const bool wants_number = type == KeyType::Integer || type == KeyType::Number;
  if (wants_number && value.is(NodeKind::String)) {
    return "remove the quotes";
  }
  if (type == KeyType::TextList && value.is(NodeKind::String)) {
    return "put it in brackets, even if it is the only entry";
  }
  return value.is(NodeKind::Null) ? "remove the key to get the default" : "";
}

class ShapeCheck {
 public:
  explicit ShapeCheck(policy::DiagnosticSink& sink) : sink_(sink) {}

  void root(const NodeRef& value) {
    if (!value.is(NodeKind::Object)) {
      sink_.report({DiagnosticId::NotAnObject,
                    fmt::format("the config is {}, not an object", describe(value.kind())),
                    value.span(),
                    {},
                    "put the settings into { }",
                    {}});
      return;
    }
    section(value, "", "");
  }

 private:
  void wrong_type(const NodeRef& value, KeyType type, std::string_view name, std::string pointer) {
    sink_.report({DiagnosticId::WrongType,
                  fmt::format("`{}` is {}, but must be {}", name, describe(value.kind()), describe(type)),
                  value.span(),
                  std::move(pointer),
                  type_help(type, value),
                  {}});
  }

  // `path` is the row's path of this object, with `[]` and `*` in it.
  void section(const NodeRef& object, const std::string& path, const std::string& pointer) {
    object.for_each_member([&](const NodeRef& key, const NodeRef& value) {
      const std::string name = key.text();
      const std::string child = path.empty() ? name : path + '.' + name;
      const KeyRow* row = name.find_first_of(".[]*") == std::string::npos ? find_key(child) : nullptr;
      if (row == nullptr || row->type == KeyType::Hint) {
        // A key that is no plain word may be a value; its object is pointed at then.
        unknown(key, name, path, row, policy::is_plain_word(name) ? pointer_to(pointer, name) : pointer);
      } else {
        known(key, value, *row, pointer_to(pointer, name));
      }
    });
  }

  void unknown(const NodeRef& key, const std::string& name, const std::string& path, const KeyRow* hint,
               std::string pointer) {
    const auto place = path.empty() ? std::string("at the top level") : fmt::format("in `{}`", path);
    const std::string shown =
        policy::is_plain_word(name) ? fmt::format("key `{}`", name) : std::string("key");
    Diagnostic finding{DiagnosticId::UnknownKey,
                       fmt::format("unknown {} {}", shown, place),
                       key.span(),
                       std::move(pointer),
                       {},
                       {}};
    // Keys come in source order, and only so many are shown; the rest is only counted.
    if (++unknown_keys_ > policy::kMaxDiagnostics) {
      sink_.report(std::move(finding));
      return;
    }
    const auto siblings = keys_in(path);
    const std::string_view near = nearest(name, siblings);
    const auto homes = sections_that_know(name);
    if (hint != nullptr) {
      finding.help = hint->doc;
    } else if (!near.empty()) {
      finding.help = fmt::format("did you mean `{}`?", near);
    } else if (!homes.empty()) {
      finding.id = DiagnosticId::MisplacedKey;
      finding.message = fmt::format("{} has no meaning {}", shown, place);
      finding.help = fmt::format("it belongs to `{}`", fmt::join(homes, "` or `"));
    } else {
      finding.help = siblings.empty() ? std::string("remove it")
                                      : fmt::format("known keys here: {}", fmt::join(siblings, ", "));
    }
    sink_.report(std::move(finding));
  }

  void known(const NodeRef& key, const NodeRef& value, const KeyRow& row, std::string pointer) {
    const std::string_view name = row.path.substr(row.path.rfind('.') + 1);
    switch (row.type) {
      case KeyType::Section:
        return in_object(value, row, name, pointer, [&] { section(value, std::string(row.path), pointer); });
      case KeyType::FreeObject:
        return in_object(value, row, name, pointer, [] {});
      case KeyType::SectionMap:
        return in_object(value, row, name, pointer, [&] { map(value, row, pointer); });
      case KeyType::SectionList:
      case KeyType::TextList:
      case KeyType::TextOrSectionList:
        return list(value, row, name, pointer);
      case KeyType::Boolean:
        return expect(value.is_boolean(), value, row, name, std::move(pointer));
      case KeyType::Text:
        return expect(value.is(NodeKind::String), value, row, name, std::move(pointer));
      case KeyType::TextOrNull:
        return expect(value.is(NodeKind::String) || value.is(NodeKind::Null), value, row, name,
                      std::move(pointer));
      case KeyType::Integer:
      case KeyType::Number:
        return number(value, row, name, std::move(pointer));
      case KeyType::Legacy:
        sink_.report({DiagnosticId::LegacyKey,
                      fmt::format("`{}` is no longer used", row.path),
                      key.span(),
                      std::move(pointer),
                      std::string(row.doc),
                      {}});
        return;
      case KeyType::Hint:
        return;  // reported as unknown before
    }
  }

  void expect(bool fits, const NodeRef& value, const KeyRow& row, std::string_view name,
              std::string pointer) {
    if (!fits) {
      wrong_type(value, row.type, name, std::move(pointer));
    }
  }

  template <class Inside>
  void in_object(const NodeRef& value, const KeyRow& row, std::string_view name, const std::string& pointer,
                 Inside inside) {
    if (value.is(NodeKind::Object)) {
      inside();
    } else {
      wrong_type(value, row.type, name, pointer);
    }
  }

  void map(const NodeRef& object, const KeyRow& row, const std::string& pointer) {
    object.for_each_member([&](const NodeRef& key, const NodeRef& value) {
      const std::string name = key.text();
      const std::string item_pointer = policy::is_plain_word(name) ? pointer_to(pointer, name) : pointer;
      in_object(value, row, policy::is_plain_word(name) ? std::string_view(name) : "this entry", item_pointer,
                [&] { section(value, fmt::format("{}.*", row.path), item_pointer); });
    });
  }

  void list(const NodeRef& value, const KeyRow& row, std::string_view name, const std::string& pointer) {
    if (!value.is(NodeKind::Array)) {
      wrong_type(value, row.type, name, pointer);
      return;
    }
    const bool texts = row.type != KeyType::SectionList;
    const bool sections = row.type != KeyType::TextList;
    std::size_t index = 0;
    value.for_each_element([&](const NodeRef& element) {
      const auto at = [&] { return pointer_to(pointer, index); };
      if (index >= kMaxListEntries) {
        // reported once, below
      } else if (sections && element.is(NodeKind::Object)) {
        section(element, fmt::format("{}[]", row.path), at());
      } else if (!(texts && element.is(NodeKind::String))) {
        wrong_element(element, sections, texts, fmt::format("{}[{}]", name, index), at());
      }
      ++index;
    });
    if (index > kMaxListEntries) {
      sink_.report({DiagnosticId::TooManyEntries,
                    fmt::format("`{}` has {} entries, more than {}", name, index, kMaxListEntries),
                    value.span(),
                    pointer,
                    "shorten the list",
                    {}});
    }
  }

  void wrong_element(const NodeRef& element, bool sections, bool texts, std::string_view name,
                     std::string pointer) {
    if (!(sections && texts)) {
      wrong_type(element, sections ? KeyType::Section : KeyType::Text, name, std::move(pointer));
      return;
    }
    sink_.report({DiagnosticId::WrongType,
                  fmt::format("`{}` is {}, but must be a text or an object", name, describe(element.kind())),
                  element.span(),
                  std::move(pointer),
                  {},
                  {}});
  }

  void number(const NodeRef& value, const KeyRow& row, std::string_view name, std::string pointer) {
    if (!value.is(NodeKind::Number)) {
      wrong_type(value, row.type, name, std::move(pointer));
      return;
    }
    const std::string_view text = value.source();
    double parsed = 0;
    std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (row.type == KeyType::Integer && parsed != std::floor(parsed)) {
      wrong_type(value, row.type, name, std::move(pointer));
      return;
    }
    const bool bounded = row.maximum > row.minimum;
    if (parsed < row.minimum || (bounded && parsed > row.maximum)) {
      const std::string range = bounded ? fmt::format("from {} to {}", row.minimum, row.maximum)
                                        : fmt::format("{} or more", row.minimum);
      sink_.report(
          {DiagnosticId::ValueNotAccepted,
           fmt::format("`{}` must be {}", name, range),
           value.span(),
           std::move(pointer),
           row.default_value.empty() ? std::string() : fmt::format("the default is {}", row.default_value),
           {}});
    }
  }

  policy::DiagnosticSink& sink_;
  std::size_t unknown_keys_ = 0;
};

}  // namespace

void check_shape(const grammar::SyntaxTree& tree, policy::DiagnosticSink& sink) {
  if (const auto root = root_of(tree)) {
    ShapeCheck(sink).root(*root);
  }
}

}  // namespace forge::compiler
