#include <fmt/format.h>

#include "forge/policy/plan_document.hpp"
#include "forge/policy/plan_words.hpp"
#include "plan_encode_parts.hpp"

namespace forge::policy {
namespace {

void write_git_file(JsonWriter& out, const GitFileFact& fact) {
  out.begin_object();
  out.member("kind", word(fact.kind));
  out.member("path", fact.path);
  out.member("problem", fact.problem);
  out.member("state", word(fact.state));
  write_list(out, "values", fact.values, [](JsonWriter& w, const GitFileValue& value) {
    w.begin_object();
    w.member("key", value.key);
    w.member("value", value.value);
    w.end_object();
  });
  out.end_object();
}

void write_listing(JsonWriter& out, const ListingFact& fact) {
  out.begin_object();
  write_list(out, "entries", fact.entries, [](JsonWriter& w, const ListedEntry& entry) {
    w.begin_object();
    w.member("link", entry.is_link);
    w.member("name", entry.name);
    w.end_object();
  });
  out.member("path", fact.path);
  out.member("state", word(fact.state));
  out.end_object();
}

void write_path_fact(JsonWriter& out, const PathFact& fact) {
  out.begin_object();
  out.member("chain", fact.is_chain);
  out.member("dev", fmt::format("{}", fact.dev));
  out.member("ino", fmt::format("{}", fact.ino));
  out.member("kind", word(fact.kind));
  out.member("link", fact.is_link);
  out.member("others_write", fact.others_write);
  out.member("owner", word(fact.owner));
  out.member("path", fact.path);
  out.member("real_path", fact.real_path);
  out.end_object();
}

}  // namespace

void write_facts(JsonWriter& out, const HostFacts& facts) {
  out.begin_object();
  write_env_names(out, "env_set", facts.env_set);
  write_list(out, "git_files", facts.git_files, write_git_file);
  write_list(out, "listings", facts.listings, write_listing);
  write_list(out, "paths", facts.paths, write_path_fact);
  out.member("platform", facts.platform);
  out.end_object();
}

std::string encode_facts(const HostFacts& facts) {
  JsonWriter out;
  write_facts(out, facts);
  return std::move(out).take();
}

}  // namespace forge::policy
