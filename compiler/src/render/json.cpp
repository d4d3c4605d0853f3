#include "forge/policy/json.hpp"

#include "forge/compiler/render.hpp"

namespace forge::compiler {

std::string render_json(const std::vector<FileReport>& files) {
  policy::JsonWriter out(policy::JsonWriter::Text::Safe);
  out.begin_object();
  out.key("diagnostics");
  out.begin_array();
  for (const FileReport& file : files) {
    for (const policy::PlacedDiagnostic& diagnostic : file.diagnostics) {
      policy::write_diagnostic(out, diagnostic);
    }
  }
  out.end_array();
  out.key("files");
  out.begin_array();
  for (const FileReport& file : files) {
    out.begin_object();
    out.member("errors", static_cast<std::int64_t>(file.errors));
    out.member("notes", static_cast<std::int64_t>(file.notes));
    out.member("omitted", static_cast<std::int64_t>(file.omitted));
    out.member("path", file.path);
    out.member("sandbox_off", file.sandbox_off);
    out.member("warnings", static_cast<std::int64_t>(file.warnings));
    out.end_object();
  }
  out.end_array();
  out.member("schema", "forge-policy/diagnostics/v1");
  out.end_object();
  return std::move(out).take() + '\n';
}

}  // namespace forge::compiler
