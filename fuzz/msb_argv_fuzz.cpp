// Any NUL-separated arguments as a create vector. Properties: what is understood
// means the same when it is written again from its meaning; an allow list is
// never read from a vector without a deny base.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>

#include "forge/compiler/targets.hpp"
#include "forge/policy/overloaded.hpp"

namespace {

using namespace forge;
using compiler::Argv;
using compiler::VectorMeaning;

void require(bool holds) {
  if (!holds) {
    __builtin_trap();
  }
}

Argv split(std::string_view text) {
  Argv argv;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    argv.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return argv;
}

std::string rule_text(const policy::HostRule& rule) {
  const auto* exact = std::get_if<policy::ExactHost>(&rule);
  return exact != nullptr ? "domain=" + exact->name.text() : policy::spelling_of(rule);
}

// Written independently of the emitter, in another order.
Argv write(const VectorMeaning& meaning) {
  Argv argv = {"create"};
  for (const auto& secret : meaning.secrets) {
    std::vector<std::string> hosts;
    for (const policy::HostRule& host : secret.hosts) {
      hosts.push_back(policy::spelling_of(host));
    }
    argv.push_back(fmt::format("--secret={}@{}", secret.env, fmt::join(hosts, ",")));
  }
  for (const std::string& name : meaning.env) {
    argv.push_back("--env=" + name);
  }
  const bool open = meaning.mode == policy::EgressMode::PublicAndPrivate;
  const bool listed = meaning.mode == policy::EgressMode::AllowList ||
                      meaning.mode == policy::EgressMode::AllowListAndPrivate;
  for (const policy::HostRule& rule : meaning.rules) {
    argv.push_back("--net-rule=allow@" + rule_text(rule));
  }
  if (open || listed) {
    argv.emplace_back(open ? "--net=public,private" : "--net-default=deny");
  }
  for (const auto& disk : meaning.disks) {
    argv.push_back(
        fmt::format("--mount-named={}:{}:size={}M,kind=disk", disk.volume, disk.guest, disk.size.count));
  }
  for (const auto& mount : meaning.mounts) {
    argv.push_back(fmt::format("--volume={}:{}:{}", mount.host, mount.guest,
                               mount.access == policy::Access::ReadOnly ? "ro" : "rw"));
  }
  argv.push_back(fmt::format("--memory={}", meaning.memory.count));
  argv.push_back(fmt::format("--cpus={}", meaning.cpus));
  argv.push_back("--name=" + meaning.name);
  argv.push_back(meaning.image);
  return argv;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Argv argv = split({reinterpret_cast<const char*>(data), size});
  const auto meaning = compiler::parse_msb_create(argv);
  if (!meaning) {
    return 0;
  }
  const auto again = compiler::parse_msb_create(write(*meaning));
  require(again.has_value() && *again == *meaning);
  if (!meaning->rules.empty()) {
    Argv open = argv;
    std::erase(open, "--net-default=deny");
    require(!compiler::parse_msb_create(open).has_value());
  }
  return 0;
}
