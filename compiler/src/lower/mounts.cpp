#include <fmt/format.h>

#include <optional>

#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"
#include "lowering.hpp"
#include "reveal.hpp"

namespace forge::compiler {
namespace {

using grammar::MountPathFault;
using grammar::NodeKind;
using policy::Access;
using policy::DiagnosticId;
using policy::MountOrigin;

struct MountFaultText {
  DiagnosticId id;
  std::string message;
  std::string help;
};

std::string not_absolute_help(std::string_view text) {
  if (text.starts_with('~')) {
    return "`~` is not expanded; write the absolute path of the home directory";
  }
  if (text.find('$') != std::string_view::npos || text.find("{env:") != std::string_view::npos) {
    return "variables are not expanded; write the absolute path";
  }
  return "write the absolute path";
}

MountFaultText describe(std::string_view text, MountPathFault fault) {
  const std::string quoted = fmt::format("`{}`", policy::excerpt(text));
  switch (fault) {
    case MountPathFault::Blank:
      return {DiagnosticId::MountPathBlank, "this mount names no directory", "write its absolute path"};
    case MountPathFault::NotAbsolute:
      return {DiagnosticId::MountNotAbsolute, fmt::format("{} is not an absolute path", quoted),
              not_absolute_help(text)};
    case MountPathFault::ControlCharacter:
      return {DiagnosticId::MountBadCharacter,
              fmt::format("{} holds a control or invisible character", quoted), "rename the directory"};
    case MountPathFault::NotExpressible:
      return {DiagnosticId::MountNotExpressible,
              fmt::format("{} holds `:`, `,` or `;`, which the runtime cannot express in a mount", quoted),
              "rename the directory, or mount its parent"};
    case MountPathFault::ParentComponent:
      return {DiagnosticId::MountParentComponent, fmt::format("{} holds `..`", quoted),
              "write the path it means"};
    case MountPathFault::Root:
      return {DiagnosticId::MountForbidden, fmt::format("{} is the root of the host", quoted),
              "mount the directory that is needed"};
    case MountPathFault::TooLong:
      return {DiagnosticId::MountPathTooLong,
              fmt::format("this path is longer than {} bytes", policy::kMaxPathBytes), "shorten the path"};
  }
  return {DiagnosticId::MountPathBlank, quoted, ""};
}

// Kernel file systems: a mount of one, or of a part of one, shows the host itself.
constexpr std::string_view kKernelTrees[] = {"/proc", "/sys", "/dev"};

bool is_kernel_tree(const policy::MountPath& path) {
  for (const std::string_view tree : kKernelTrees) {
    if (policy::path_is_at_or_below(path.text(), tree)) {
      return true;
    }
  }
  return false;
}

// `$NAME`, `${NAME}`, `{env:NAME}`, or a component `~`: written to be expanded.
std::optional<std::string_view> variable_in(std::string_view path) {
  const auto begins_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '{';
  };
  for (std::size_t at = path.find('$'); at != std::string_view::npos; at = path.find('$', at + 1)) {
    if (at + 1 < path.size() && begins_name(path[at + 1])) {
      return path.substr(at, path.find('/', at) - at);
    }
  }
  if (const std::size_t at = path.find("{env:"); at != std::string_view::npos) {
    return path.substr(at, path.find('/', at) - at);
  }
  for (std::size_t at = path.find("/~"); at != std::string_view::npos; at = path.find("/~", at + 1)) {
    if (at + 2 == path.size() || path[at + 2] == '/') {
      return path.substr(at + 1, 1);
    }
  }
  return std::nullopt;
}

void lower_path(const Entry& entry, Access access, MountOrigin origin, policy::Span span, Lowering& out) {
  const auto path = grammar::parse_mount_path(entry.text);
  if (!path) {
    const MountFaultText text = describe(entry.shown, path.error().fault);
    out.report(text.id, entry, text.message, text.help, path.error().where);
    return;
  }
  if (const auto variable = variable_in(path->text())) {
    out.report(DiagnosticId::MountHasVariable, entry,
               fmt::format("`{}` holds `{}`, and nothing is expanded", policy::excerpt(entry.shown),
                           policy::excerpt(*variable)),
               "write the path it stands for");
    return;
  }
  if (is_kernel_tree(*path)) {
    out.report(DiagnosticId::MountForbidden, entry,
               fmt::format("`{}` belongs to the kernel", policy::excerpt(entry.shown)), "remove the entry");
    return;
  }
  if (access == Access::ReadWrite) {
    out.report(DiagnosticId::MountWritable, entry,
               fmt::format("`{}` can be changed from inside the sandbox", policy::excerpt(path->text())));
  }
  out.config.mounts.push_back({*path, access, origin, entry.index, span});
}

void lower_mount(const NodeRef& element, std::size_t index, Lowering& out) {
  const std::string pointer = pointer_to("/sandbox/mounts", index);
  const std::string origin = fmt::format("mounts[{}]", index);
  const auto host = element.member("host");
  if (!host) {
    out.report(DiagnosticId::MountPathBlank, Entry{element, {}, index, pointer, origin, {}},
               "this mount names no directory", "add `host` with its absolute path");
    return;
  }
  if (!host->is(NodeKind::String)) {
    return;  // reported as a wrong type
  }
  const auto readonly = element.member("readonly");
  const bool writable = readonly && readonly->is(NodeKind::False);
  lower_path(Entry{*host, host->text(), index, pointer_to(pointer, "host"), origin, shown_path(host->text())},
             writable ? Access::ReadWrite : Access::ReadOnly, MountOrigin::Custom, element.span(), out);
}

}  // namespace

void lower_mounts(const std::optional<NodeRef>& root, Lowering& out) {
  const auto sandbox = root ? root->member("sandbox") : std::nullopt;
  const auto mounts = sandbox ? sandbox->member("mounts") : std::nullopt;
  if (mounts && mounts->is(NodeKind::Array)) {
    std::size_t index = 0;
    mounts->for_each_element([&](const NodeRef& element) {
      if (index < kMaxListEntries && element.is(NodeKind::Object)) {
        lower_mount(element, index, out);
      }
      ++index;
    });
  }
  const auto loop = root ? root->member("loop") : std::nullopt;
  for_each_text(loop, "allowExternalDirectories", "/loop/allowExternalDirectories", shown_path,
                [&](const Entry& entry) {
                  lower_path(entry, Access::ReadOnly, MountOrigin::External, entry.node.span(), out);
                });
}

}  // namespace forge::compiler
