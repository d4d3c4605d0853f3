#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "forge/policy/utf8.hpp"
#include "lowering.hpp"

namespace forge::compiler {
namespace {

using grammar::NodeKind;
using policy::DiagnosticId;

enum class LoopClass : std::uint8_t { Required, Managed };

struct LoopPermission {
  std::string_view name;
  LoopClass klass;
};

constexpr std::array kLoopPermissions = {
#define FORGE_LOOP_PERMISSION(name, klass) LoopPermission{name, LoopClass::klass},
#include "loop_permissions.def"
#undef FORGE_LOOP_PERMISSION
};

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

class Permissions {
 public:
  explicit Permissions(Lowering& out) : out_(out) {}

  void auto_approve(const NodeRef& rule, std::size_t index) {
    const std::string pointer = pointer_to("/autoApprove/deny", index);
    const auto action = non_blank(rule, "action", pointer,
                                  rule.member("pattern") ? "`pattern` is called `resource` here" : "");
    const auto resource = non_blank(rule, "resource", pointer,
                                    rule.member("pattern") ? "write `resource` instead of `pattern`" : "");
    if (action && resource) {
      out_.config.permissions.deny.push_back({trimmed(*action), trimmed(*resource)});
    }
  }

  void loop_deny(const NodeRef& rule, std::size_t index) {
    const std::string pointer = pointer_to("/loop/permissions/deny", index);
    if (rule.is(NodeKind::String)) {
      if (is_blank(rule.text())) {
        malformed(rule, pointer, "this deny rule is blank", "name the tool it denies");
        return;
      }
      add_loop_deny(rule, trimmed(rule.text()), "*", pointer);
      return;
    }
    const auto permission = non_blank(rule, "permission", pointer, "");
    const auto pattern = rule.member("pattern");
    if (!permission || (pattern && !pattern->is(NodeKind::String))) {
      return;
    }
    const std::string text = pattern ? trimmed(pattern->text()) : std::string();
    add_loop_deny(rule, trimmed(*permission), text.empty() ? "*" : text, pointer);
  }

 private:
  void malformed(const NodeRef& node, std::string pointer, std::string message, std::string help) {
    out_.sink.report({DiagnosticId::DenyRuleMalformed,
                      std::move(message),
                      node.span(),
                      std::move(pointer),
                      std::move(help),
                      {}});
  }

  std::optional<std::string> non_blank(const NodeRef& rule, std::string_view key, const std::string& pointer,
                                       std::string help) {
    const auto value = rule.member(key);
    if (!value) {
      malformed(rule, pointer, fmt::format("this deny rule has no `{}`", key),
                help.empty() ? fmt::format("add `{}`", key) : std::move(help));
      return std::nullopt;
    }
    if (!value->is(NodeKind::String)) {
      return std::nullopt;  // reported as a wrong type
    }
    if (is_blank(value->text())) {
      malformed(*value, pointer_to(pointer, key), fmt::format("`{}` of this deny rule is blank", key),
                "write what it denies, `*` for everything");
      return std::nullopt;
    }
    if (policy::escape_for_display(value->text()) != value->text()) {
      malformed(*value, pointer_to(pointer, key),
                fmt::format("`{}` of this deny rule holds an invisible character", key),
                "remove it; a rule must match what it shows");
      return std::nullopt;
    }
    return value->text();
  }

  // Why the plugin would not apply the rule; empty when it does. A wildcard in the
  // name counts as every name it matches.
  static std::string refusal(const std::string& permission, const std::string& pattern) {
    std::string why;
    for (const LoopPermission& row : kLoopPermissions) {
      if (!matches(permission, row.name)) {
        continue;
      }
      if (row.klass == LoopClass::Managed) {
        return "the plugin decides it itself";
      }
      if (pattern.find_first_not_of('*') == std::string::npos) {
        why = "a loop cannot run without it; deny it with a pattern";
      }
    }
    return why;
  }

  // `*` any run, `?` one character; two pointers, so no pattern makes it slow.
  static bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    for (std::size_t t = 0; t < text.size();) {
      if (p < pattern.size() && (pattern[p] == text[t] || pattern[p] == '?')) {
        ++p;
        ++t;
      } else if (p < pattern.size() && pattern[p] == '*') {
        star = p++;
        resume = t;
      } else if (star != std::string_view::npos) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
  }

  void add_loop_deny(const NodeRef& rule, const std::string& permission, const std::string& pattern,
                     const std::string& pointer) {
    const std::string why = refusal(permission, pattern);
    if (!why.empty()) {
      out_.config.permissions.loop_deny_refused.push_back({permission, pattern});
      out_.sink.report({DiagnosticId::LoopDenyRefused,
                        fmt::format("denying `{}` in loops has no effect", policy::excerpt(permission)),
                        rule.span(),
                        pointer,
                        why,
                        {}});
    } else if (seen_.emplace(permission, pattern).second) {
      out_.config.permissions.loop_deny.push_back({permission, pattern});
    }
  }

  Lowering& out_;
  std::set<std::pair<std::string, std::string>> seen_;
};

template <class F>
void for_each(const std::optional<NodeRef>& section, std::string_view key, F f) {
  const auto list = section ? section->member(key) : std::nullopt;
  if (!list || !list->is(NodeKind::Array)) {
    return;
  }
  std::size_t index = 0;
  list->for_each_element([&](const NodeRef& element) { f(element, index++); });
}

}  // namespace

void lower_permissions(const std::optional<NodeRef>& root, Lowering& out) {
  Permissions permissions(out);
  for_each(root ? root->member("autoApprove") : std::nullopt, "deny",
           [&](const NodeRef& rule, std::size_t index) {
             if (rule.is(NodeKind::Object)) {
               permissions.auto_approve(rule, index);
             }
           });
  const auto loop = root ? root->member("loop") : std::nullopt;
  const auto section = loop ? loop->member("permissions") : std::nullopt;
  for_each(section, "deny", [&](const NodeRef& rule, std::size_t index) {
    if (rule.is(NodeKind::Object) || rule.is(NodeKind::String)) {
      permissions.loop_deny(rule, index);
    }
  });
}

}  // namespace forge::compiler
