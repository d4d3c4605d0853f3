#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "env_faults.hpp"
#include "forge/policy/utf8.hpp"
#include "host_judge.hpp"
#include "lowering.hpp"

namespace forge::compiler {
namespace {

using grammar::NodeKind;
using policy::DiagnosticId;
using policy::EnvName;

constexpr std::string_view kPointer = "/sandbox/network/secrets";

class SecretList {
 public:
  SecretList(policy::Lan lan, Lowering& out) : lan_(lan), out_(out) {}

  void add(const NodeRef& element, std::size_t index) {
    const std::string pointer = pointer_to(kPointer, index);
    const auto name = entry_name(element, index, pointer);
    auto hosts = entry_hosts(element, index, pointer);
    if (!name || hosts.empty()) {
      return;
    }
    if (const auto first = first_.find(*name); first != first_.end()) {
      merge(element, *name, first->second, pointer, std::move(hosts));
      return;
    }
    first_.emplace(*name, out_.config.network.secrets.size());
    out_.config.network.secrets.push_back({*name, std::move(hosts), index, element.span()});
  }

  // Placeholders are replaced as text, so no name may begin with another one.
  void refuse_prefixes() {
    auto& secrets = out_.config.network.secrets;
    std::vector<SecretEntry> kept;
    std::map<std::string_view, const SecretEntry*> names;
    for (const SecretEntry& secret : secrets) {
      const SecretEntry* other = clash_of(secret, names);
      if (other == nullptr) {
        names.emplace(secret.env.text(), &secret);
        kept.push_back(secret);
        continue;
      }
      const auto& [shorter, longer] =
          std::minmax(secret.env.text(), other->env.text(),
                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
      out_.config.dropped.push_back({secret.env.text(), fmt::format("secret:{}", secret.env.text()),
                                     DiagnosticId::SecretPlaceholderPrefix,
                                     fmt::format("secret:{}", other->env.text()), secret.span});
      out_.sink.report(
          {DiagnosticId::SecretPlaceholderPrefix,
           fmt::format("`{}` begins with `{}`, so their placeholders would be confused", longer, shorter),
           secret.span,
           pointer_to(kPointer, secret.index),
           "rename one of the two variables",
           {{"the other secret", other->span}}});
    }
    secrets = std::move(kept);
  }

  void refuse_plain_copies() {
    auto& env = out_.config.network.env;
    std::erase_if(env, [&](const EnvEntry& entry) {
      const auto secret = written_.find(entry.name);
      if (secret == written_.end()) {
        return false;
      }
      out_.config.dropped.push_back({entry.name.text(), fmt::format("env[{}]", entry.index),
                                     DiagnosticId::SecretAlsoEnv, fmt::format("secret:{}", entry.name.text()),
                                     entry.span});
      out_.sink.report({DiagnosticId::SecretAlsoEnv,
                        fmt::format("`{}` is a secret and also passed in the clear", entry.name.text()),
                        entry.span,
                        pointer_to("/sandbox/network/env", entry.index),
                        "remove the name here; as a secret it never enters the guest",
                        {{"bound as a secret here", secret->second}}});
      return true;
    });
  }

 private:
  // INVARIANT: no name in `names` begins with another one, so a prefix of the new
  // name can only be its neighbour before, and a longer name its neighbour behind.
  static const SecretEntry* clash_of(const SecretEntry& secret,
                                     const std::map<std::string_view, const SecretEntry*>& names) {
    const std::string_view name = secret.env.text();
    const auto behind = names.lower_bound(name);
    if (behind != names.end() && behind->first.starts_with(name)) {
      return behind->second;
    }
    if (behind != names.begin() && name.starts_with(std::prev(behind)->first)) {
      return std::prev(behind)->second;
    }
    return nullptr;
  }

  std::optional<EnvName> entry_name(const NodeRef& element, std::size_t index, const std::string& pointer) {
    const std::string origin = fmt::format("secrets[{}]", index);
    const auto node = element.member("env");
    if (!node) {
      const Entry whole{element, {}, index, pointer, origin};
      out_.report(DiagnosticId::SecretNameInvalid, whole, "this secret names no variable",
                  "add `env` with the name of the host variable");
      return std::nullopt;
    }
    if (!node->is(NodeKind::String)) {
      return std::nullopt;  // reported as a wrong type
    }
    const Entry entry{*node, node->text(), index, pointer_to(pointer, "env"), origin};
    const auto name = grammar::parse_env_name(entry.text);
    if (!name) {
      out_.report(DiagnosticId::SecretNameInvalid, entry, describe_env_fault(entry.text, name.error()),
                  "name the host variable that holds the secret", name.error().where);
      return std::nullopt;
    }
    if (name->text().starts_with("MSB_")) {
      out_.report(DiagnosticId::SecretNameInvalid, entry,
                  fmt::format("`{}` is a name of the runtime itself", name->text()), "rename the variable");
      return std::nullopt;
    }
    written_.emplace(*name, node->span());
    return *name;
  }

  std::vector<SecretHost> entry_hosts(const NodeRef& element, std::size_t index, const std::string& pointer) {
    std::vector<SecretHost> hosts;
    std::set<policy::HostRule> seen;
    const auto list = element.member("hosts");
    std::size_t written = 0;
    if (list && list->is(NodeKind::Array)) {
      list->for_each_element([&](const NodeRef&) { ++written; });
    }
    if (!list || (list->is(NodeKind::Array) && written == 0)) {
      const Entry whole{list ? *list : element,
                        {},
                        index,
                        list ? pointer_to(pointer, "hosts") : pointer,
                        fmt::format("secrets[{}]", index)};
      out_.report(DiagnosticId::SecretWithoutHosts, whole, "this secret has no hosts it may be sent to",
                  "list the exact hosts that need the secret");
      return hosts;
    }
    for_each_text(element, "hosts", pointer_to(pointer, "hosts"), [&](Entry entry) {
      entry.origin = fmt::format("secrets[{}].{}", index, entry.origin);
      const JudgedHost judged = judge_host(entry, HostUse::Secret, lan_, out_);
      if (judged.rule && seen.insert(*judged.rule).second) {
        hosts.push_back({*judged.rule, entry.node.span()});
      }
    });
    return hosts;
  }

  void merge(const NodeRef& element, const EnvName& name, std::size_t first, const std::string& pointer,
             std::vector<SecretHost> hosts) {
    SecretEntry& target = out_.config.network.secrets[first];
    std::set<policy::HostRule> seen;
    for (const SecretHost& host : target.hosts) {
      seen.insert(host.rule);
    }
    for (SecretHost& host : hosts) {
      if (seen.insert(host.rule).second) {
        target.hosts.push_back(std::move(host));
      }
    }
    out_.sink.report({DiagnosticId::SecretMerged,
                      fmt::format("the entries for `{}` are merged", name.text()),
                      element.span(),
                      pointer,
                      "put all its hosts into one entry",
                      {{"first entry here", target.span}}});
  }

  policy::Lan lan_;
  Lowering& out_;
  std::map<EnvName, std::size_t> first_;     // place in config.network.secrets
  std::map<EnvName, policy::Span> written_;  // every well-formed name, whatever else is wrong
};

}  // namespace

void lower_secrets(const std::optional<NodeRef>& network, policy::Lan lan, Lowering& out) {
  const auto list = network ? network->member("secrets") : std::nullopt;
  SecretList secrets(lan, out);
  if (list && list->is(NodeKind::Array)) {
    std::size_t index = 0;
    list->for_each_element([&](const NodeRef& element) {
      if (element.is(NodeKind::Object)) {
        secrets.add(element, index);
      }
      ++index;
    });
  }
  secrets.refuse_prefixes();
  secrets.refuse_plain_copies();
}

}  // namespace forge::compiler
