// What the writers of a plan's parts share.
#pragma once

#include <string_view>
#include <vector>

#include "forge/policy/env_name.hpp"
#include "forge/policy/host_facts.hpp"
#include "forge/policy/json.hpp"

namespace forge::policy {

template <class List, class WriteItem>
void write_list(JsonWriter& out, std::string_view name, const List& list, WriteItem write_item) {
  out.key(name);
  out.begin_array();
  for (const auto& item : list) {
    write_item(out, item);
  }
  out.end_array();
}

inline void write_env_names(JsonWriter& out, std::string_view name, const std::vector<EnvName>& names) {
  write_list(out, name, names, [](JsonWriter& w, const EnvName& env) { w.string(env.text()); });
}

void write_facts(JsonWriter& out, const HostFacts& facts);

}  // namespace forge::policy
