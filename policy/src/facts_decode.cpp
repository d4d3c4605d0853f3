// Reads the facts of a plan, or facts that stand alone.
#include <algorithm>

#include "field_reader.hpp"
#include "forge/policy/plan_document.hpp"
#include "plan_decode_checks.hpp"

namespace forge::policy {
namespace {

PathFact read_path_fact(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  PathFact out{fields.string("path"),         fields.choice<PathKind>("kind"), fields.string("real_path"),
               fields.decimal64("dev"),       fields.decimal64("ino"),         fields.boolean("link"),
               fields.choice<Owner>("owner"), fields.boolean("others_write"),  fields.boolean("chain")};
  fields.finish();
  const bool named =
      out.kind == PathKind::Directory || out.kind == PathKind::File || out.kind == PathKind::Other;
  if (!is_normal_path(out.path)) {
    fields.wrong("path", "is not an absolute path in normal form");
  }
  if (named ? !is_normal_path(out.real_path) : !out.real_path.empty()) {
    fields.wrong("real_path", "is not what its kind has");
  }
  return out;
}

GitFileFact read_git_file(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  GitFileFact out{fields.string("path"),
                  fields.choice<GitFileKind>("kind"),
                  fields.choice<GitFileState>("state"),
                  fields.string("problem"),
                  {}};
  fields.list("values", [&](const Json& item, const std::string& item_where) {
    FieldReader value(item, item_where, problem);
    out.values.push_back({value.string("key"), value.string("value")});
    value.finish();
    if (out.kind != GitFileKind::Config && !is_normal_path(out.values.back().value)) {
      value.wrong("value", "is not an absolute path in normal form");
    }
  });
  fields.finish();
  if (!is_normal_path(out.path)) {
    fields.wrong("path", "is not an absolute path in normal form");
  }
  if (out.state != GitFileState::Read && !out.values.empty()) {
    fields.wrong("values", "are given of a file that was not read");
  }
  return out;
}

ListingFact read_listing(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  ListingFact out{fields.string("path"), fields.choice<ListingState>("state"), {}};
  fields.list("entries", [&](const Json& item, const std::string& item_where) {
    FieldReader entry(item, item_where, problem);
    out.entries.push_back({entry.string("name"), entry.boolean("link")});
    entry.finish();
    const std::string& name = out.entries.back().name;
    if (name.find('/') != std::string::npos || !is_normal_path("/" + name) || name.empty()) {
      entry.wrong("name", "is not the name of an entry");
    }
  });
  fields.finish();
  if (!is_normal_path(out.path)) {
    fields.wrong("path", "is not an absolute path in normal form");
  }
  const auto before = [](const ListedEntry& a, const ListedEntry& b) { return a.name < b.name; };
  if (std::adjacent_find(out.entries.begin(), out.entries.end(),
                         [&](const auto& a, const auto& b) { return !before(a, b); }) != out.entries.end()) {
    fields.wrong("entries", "are not sorted and unique");
  }
  return out;
}

}  // namespace

// A text that does not parse is a problem, and a stand-in keeps the reading going
// until the problem is looked at.
EnvName to_env(const Json& json, const std::string& where, DecodeProblem& problem) {
  const std::string* text = json.string();
  auto name = text != nullptr ? EnvName::from_canonical(*text) : std::nullopt;
  if (!name) {
    problem.note(where + " is not an environment variable name");
    name = EnvName::from_canonical("_");
  }
  return *name;
}

std::vector<EnvName> read_env_names(FieldReader& fields, std::string_view key) {
  std::vector<EnvName> names;
  fields.list(key, [&](const Json& json, const std::string& where) {
    names.push_back(to_env(json, where, fields.problem()));
  });
  return names;
}

HostFacts read_facts(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  HostFacts out;
  out.platform = fields.string("platform");
  out.env_set = read_env_names(fields, "env_set");
  fields.list("paths", [&](const Json& item, const std::string& at) {
    out.paths.push_back(read_path_fact(item, at, problem));
  });
  fields.list("git_files", [&](const Json& item, const std::string& at) {
    out.git_files.push_back(read_git_file(item, at, problem));
  });
  fields.list("listings", [&](const Json& item, const std::string& at) {
    out.listings.push_back(read_listing(item, at, problem));
  });
  fields.finish();
  HostFacts sorted = out;
  sorted.normalise();
  if (!(sorted == out)) {
    fields.wrong("paths", "or another list is not sorted and unique");
  }
  return out;
}

Result<HostFacts> decode_facts(std::string_view bytes) {
  constexpr const char* kOperation = "read the facts";
  auto json = read_canonical_json(bytes);
  if (!json) {
    return fail(json.error().kind, kOperation, json.error().detail);
  }
  DecodeProblem problem;
  HostFacts facts = read_facts(*json, "", problem);
  if (problem.any()) {
    return fail(ErrorKind::Malformed, kOperation, problem.text);
  }
  if (encode_facts(facts) != bytes) {
    return fail(ErrorKind::Malformed, kOperation, "the document is not in canonical form");
  }
  return facts;
}

}  // namespace forge::policy
