// Any bytes as facts that stand alone. Properties: what is read is canonical (encoding it
// gives the same bytes), its lists are in their order, every entry is found by its path, and
// a value in a place for another kind of it is never taken.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "forge/policy/plan_document.hpp"
#include "forge/policy/utf8.hpp"

namespace {

using namespace forge;

void require(bool holds) {
  if (!holds) {
    __builtin_trap();
  }
}

void check_path(std::string_view path) {
  require(path.starts_with('/') && policy::is_valid_utf8(path) && policy::escape_for_display(path) == path);
  require(path.find("/../") == std::string_view::npos && path.find("//") == std::string_view::npos);
  require(path == "/" || !path.ends_with('/'));
}

void check(const policy::HostFacts& facts) {
  policy::HostFacts sorted = facts;
  sorted.normalise();
  require(sorted == facts);
  for (const policy::PathFact& fact : facts.paths) {
    check_path(fact.path);
    require(facts.find(fact.path) == &fact);
    const bool is_real = fact.kind == policy::PathKind::Directory || fact.kind == policy::PathKind::File ||
                         fact.kind == policy::PathKind::Other;
    require(is_real != fact.real_path.empty());
    if (is_real) {
      check_path(fact.real_path);
    }
  }
  for (const policy::GitFileFact& fact : facts.git_files) {
    check_path(fact.path);
    require(facts.find_git_file(fact.path) == &fact);
    require(fact.values.empty() || fact.state == policy::GitFileState::Read);
  }
  for (const policy::ListingFact& fact : facts.listings) {
    check_path(fact.path);
    require(facts.find_listing(fact.path) == &fact);
    for (const policy::ListedEntry& entry : fact.entries) {
      require(!entry.name.empty() && entry.name.find('/') == std::string::npos);
    }
  }
  require(std::all_of(facts.env_set.begin(), facts.env_set.end(),
                      [&](const policy::EnvName& name) { return facts.is_set(name); }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto facts = policy::decode_facts(bytes);
  if (!facts) {
    require(!facts.error().detail.empty() &&
            policy::escape_for_display(facts.error().detail) == facts.error().detail);
    return 0;
  }
  require(policy::encode_facts(*facts) == bytes);
  check(*facts);
  return 0;
}
