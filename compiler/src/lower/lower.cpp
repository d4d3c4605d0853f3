#include "forge/compiler/lower.hpp"

#include <fmt/format.h>

#include "forge/compiler/schema.hpp"
#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"
#include "lowering.hpp"
#include "reveal.hpp"

namespace forge::compiler {
namespace {

using grammar::NodeKind;
using policy::DiagnosticId;
using policy::Enabled;

constexpr std::string_view kDefaultImage = "oc-forge-sandbox:latest";

std::optional<NodeRef> boolean_member(const std::optional<NodeRef>& section, std::string_view key) {
  const auto value = section ? section->member(key) : std::nullopt;
  return value && value->is_boolean() ? value : std::nullopt;
}

// What the older mode meant that the present one does not do.
std::string mode_help(const std::string& mode) {
  if (mode == "off") {
    return "set `sandbox.enabled` to false to turn the sandbox off";
  }
  if (mode == "sbx") {
    return "under sbx only listed hosts could be reached; now public egress is open unless "
           "`sandbox.network.allow` "
           "names a host ([\"nothing.invalid\"] reaches nothing)";
  }
  return "remove the key";
}

void lower_mode(const std::optional<NodeRef>& sandbox, Lowering& out) {
  const auto mode = sandbox ? sandbox->member("mode") : std::nullopt;
  if (!mode || !mode->is(NodeKind::String) || mode->text() == "msb") {
    return;
  }
  out.sink.report({DiagnosticId::LegacyMode,
                   fmt::format("mode `{}` is not used; the sandbox runs under msb",
                               policy::excerpt(shown_short(mode->text()))),
                   mode->span(),
                   "/sandbox/mode",
                   mode_help(mode->text()),
                   {}});
}

void lower_enabled(const std::optional<NodeRef>& sandbox, Lowering& out) {
  const auto enabled = boolean_member(sandbox, "enabled");
  if (!enabled || enabled->is(NodeKind::True)) {
    return;
  }
  out.config.enabled = Enabled::Off;
  out.config.enabled_span = enabled->span();
  out.sink.report({DiagnosticId::SandboxOff,
                   "the sandbox is off: commands run on the host without a boundary",
                   enabled->span(),
                   "/sandbox/enabled",
                   {},
                   {}});
}

void lower_switches(const std::optional<NodeRef>& sandbox, Lowering& out) {
  const auto project = boolean_member(sandbox, "mountProjectReadonly");
  if (project && project->is(NodeKind::False)) {
    out.config.project_mount = ProjectMount::Off;
  }
  const auto approve = boolean_member(sandbox, "autoApprovePermissions");
  if (approve && approve->is(NodeKind::False)) {
    out.config.permissions.auto_approve = Enabled::Off;
  }
}

void lower_data_dir(const std::optional<NodeRef>& root, Lowering& out) {
  const auto data_dir = root ? root->member("dataDir") : std::nullopt;
  if (!data_dir || !data_dir->is(NodeKind::String) || data_dir->text().empty()) {
    return;
  }
  const auto path = grammar::parse_mount_path(data_dir->text());
  if (path) {
    out.config.data_dir = path->text();
    return;
  }
  out.sink.report({DiagnosticId::DataDirUnusable,
                   fmt::format("`{}` is not an absolute path", policy::excerpt(shown_path(data_dir->text()))),
                   data_dir->span(),
                   "/dataDir",
                   "write the absolute path; `~` and variables are not expanded, and `..` is not resolved",
                   {}});
}

}  // namespace

void Lowering::report(DiagnosticId id, const Entry& entry, std::string message, std::string help,
                      std::optional<policy::Span> where) {
  policy::Diagnostic finding{id,
                             std::move(message),
                             where ? part_of(entry.node, *where) : entry.node.span(),
                             entry.pointer,
                             std::move(help),
                             {}};
  if (entry.shown != entry.text) {
    finding.span = entry.node.span();  // where in the text the fault lies would tell how long its parts are
  }
  if (finding.severity() == policy::Severity::Error) {
    config.dropped.push_back(
        {policy::escape_for_display(entry.shown), entry.origin, id, {}, entry.node.span()});
  }
  sink.report(std::move(finding));
}

policy::Span part_of(const NodeRef& node, policy::Span where) {
  const policy::Span whole = node.span();
  const bool plain = node.source().find('\\') == std::string_view::npos;
  const std::uint32_t first = whole.begin + 1;  // behind the opening quote
  const bool fits = where.begin < where.end && first + where.end < whole.end;
  return plain && fits ? policy::Span{first + where.begin, first + where.end} : whole;
}

Config lower(const grammar::SyntaxTree& tree, const LowerOptions& options, policy::DiagnosticSink& sink) {
  check_shape(tree, sink);
  // INVARIANT: the default is a reference, so the stand-in is never used.
  Config config(*policy::ImageReference::from_canonical(kDefaultImage));
  Lowering out{config, sink};
  const auto root = root_of(tree);
  const auto sandbox = root ? root->member("sandbox") : std::nullopt;
  lower_mode(sandbox, out);
  lower_enabled(sandbox, out);
  lower_switches(sandbox, out);
  lower_data_dir(root, out);
  lower_resources(sandbox, out);
  lower_mounts(root, out);
  lower_network(sandbox, options, out);
  lower_permissions(root, out);
  reveal_plain(tree, sink);
  return config;
}

}  // namespace forge::compiler
