// Where the answers about the host come from: the real file system and environment,
// or a file of stored facts.
#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "context_flags.hpp"
#include "forge/enforce/checked_files.hpp"
#include "forge/grammar/env_file.hpp"
#include "forge/policy/plan_document.hpp"
#include "forge/seal/digest.hpp"
#include "io.hpp"

namespace forge::cli {
namespace {

using policy::ErrorKind;
using policy::fail;
using policy::Result;

constexpr std::size_t kMaxEnvFileBytes = std::size_t{1} << 20U;
constexpr std::string_view kFactsBegin = "{\"env_set\":";  // a plan begins with `actions`

compiler::EntryStatus::Type type_of(enforce::EntryType type) {
  switch (type) {
    case enforce::EntryType::RegularFile:
      return compiler::EntryStatus::Type::RegularFile;
    case enforce::EntryType::Directory:
      return compiler::EntryStatus::Type::Directory;
    case enforce::EntryType::SymbolicLink:
      return compiler::EntryStatus::Type::SymbolicLink;
    case enforce::EntryType::Other:
      break;
  }
  return compiler::EntryStatus::Type::Other;
}

compiler::EntryStatus entry_status(const std::string& path) {
  compiler::EntryStatus out;
  const auto entry = enforce::facts_of_entry(path, enforce::Links::Keep);
  if (!entry) {
    out.type = entry.error().kind == ErrorKind::NotFound ? compiler::EntryStatus::Type::Missing
                                                         : compiler::EntryStatus::Type::Unknown;
    return out;
  }
  return {type_of(entry->type), entry->identity.dev, entry->identity.ino,
          entry->is_own ? policy::Owner::Self : policy::Owner::Other, entry->others_write};
}

}  // namespace

Result<compiler::EnvIsSet> env_source(const ContextFlags& flags) {
  if (flags.env_file.empty()) {
    return [](const policy::EnvName& name) { return std::getenv(name.text().c_str()) != nullptr; };
  }
  const auto text = read_input(flags.env_file, kMaxEnvFileBytes);
  if (!text) {
    policy::Error error = text.error();
    error.operation = fmt::format("{}: {}", shown_input(flags.env_file), error.operation);
    return tl::unexpected(std::move(error));
  }
  const auto names = grammar::parse_env_file(*text);
  if (!names) {
    return fail(ErrorKind::Malformed, shown_input(flags.env_file),
                fmt::format("line {} is neither NAME nor NAME=VALUE", names.error().line));
  }
  const std::set<policy::EnvName> set(names->begin(), names->end());
  return [set](const policy::EnvName& name) { return set.contains(name); };
}

compiler::SystemHostFiles system_files() {
  return compiler::SystemHostFiles({entry_status, enforce::read_small_file});
}

Result<policy::HostFacts> facts_for(const ContextFlags& flags, const compiler::FactQuestions& questions,
                                    const compiler::EnvIsSet& env_is_set) {
  if (flags.facts.empty()) {
    return compiler::collect_facts(questions, system_files(), env_is_set);
  }
  auto bytes = read_input(flags.facts, policy::kMaxPlanBytes);
  if (bytes && bytes->ends_with('\n')) {
    bytes->pop_back();  // what a line-wise tool leaves behind the document
  }
  auto facts = bytes.and_then([](const std::string& text) {
    return text.starts_with(kFactsBegin)
               ? policy::decode_facts(text)
               : seal::read_sealed_plan(text).map([](const policy::Plan& plan) { return plan.facts; });
  });
  if (!facts) {
    policy::Error error = facts.error();
    error.operation = fmt::format("{}: {}", shown_input(flags.facts), error.operation);
    return tl::unexpected(std::move(error));
  }
  return facts;
}

}  // namespace forge::cli
