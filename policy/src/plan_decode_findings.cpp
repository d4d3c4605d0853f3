#include "field_reader.hpp"
#include "plan_decode_checks.hpp"

namespace forge::policy {
namespace {

Position read_position(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  const Position out{fields.unsigned32("line"), fields.unsigned32("column"), fields.unsigned32("offset")};
  fields.finish();
  return out;
}

PlacedRange read_range(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  const PlacedRange out{read_position(fields.get("start"), where + "/start", problem),
                        read_position(fields.get("end"), where + "/end", problem)};
  fields.finish();
  return out;
}

}  // namespace

DiagnosticId to_code(FieldReader& fields, std::string_view key) {
  const auto id = diagnostic_from_code(fields.string(key));
  if (!id) {
    fields.wrong(key, "is not a known diagnostic code");
    return diagnostic_table().front().id;
  }
  return *id;
}

std::string string_or_null(FieldReader& fields, std::string_view key) {
  const Json& json = fields.get(key);
  if (json.is_null()) {
    return {};
  }
  const std::string* text = json.string();
  if (text == nullptr || text->empty()) {
    fields.wrong(key, "is neither null nor a text");
    return {};
  }
  return *text;
}

PlacedDiagnostic read_diagnostic(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  PlacedDiagnostic out{
      to_code(fields, "code"), fields.string("message"), fields.string("file"), std::nullopt, {}, {}, {}};
  const Json& range = fields.get("range");
  const Json& pointer = fields.get("pointer");
  if (!range.is_null()) {
    out.range = read_range(range, where + "/range", problem);
    out.pointer =
        pointer.string() != nullptr ? *pointer.string() : (fields.wrong("pointer", "is not a string"), "");
  } else if (!pointer.is_null()) {
    fields.wrong("pointer", "is given without a range");
  }
  out.help = string_or_null(fields, "help");
  fields.list("related", [&](const Json& item, const std::string& item_where) {
    FieldReader related(item, item_where, problem);
    related.constant("file", out.file);
    out.related.push_back(
        {related.string("message"), read_range(related.get("range"), item_where + "/range", problem)});
    related.finish();
  });
  if (fields.string("severity") != to_string(info(out.id).severity)) {
    fields.wrong("severity", "is not the severity of its code");
  }
  fields.finish();
  return out;
}

}  // namespace forge::policy
