#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "env_faults.hpp"
#include "forge/policy/utf8.hpp"
#include "host_judge.hpp"
#include "lowering.hpp"
#include "reveal.hpp"

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
    auto hosts = entry_hosts(element, index, pointer, name);
    if (!name || hosts.empty()) {
      return;
    }
    const auto [known, fresh] = known_.try_emplace(*name);
    if (fresh) {
      known->second.place = out_.config.network.secrets.size();
      out_.config.network.secrets.push_back({*name, {}, index, element.span()});
    } else {
      report_merged(element, *name, known->second.place, pointer);
    }
    add_hosts(known->second, std::move(hosts), *name);
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
      const Entry whole{element, {}, index, pointer, origin, {}};
      out_.report(DiagnosticId::SecretNameInvalid, whole, "this secret names no variable",
                  "add `env` with the name of the host variable");
      return std::nullopt;
    }
    if (!node->is(NodeKind::String)) {
      return std::nullopt;  // reported as a wrong type
    }
    const Entry entry{
        *node, node->text(), index, pointer_to(pointer, "env"), origin, shown_name(node->text())};
    const auto name = grammar::parse_env_name(entry.text);
    if (!name) {
      remember_meant(entry.text, *node);
      out_.report(DiagnosticId::SecretNameInvalid, entry, describe_env_fault(entry.shown, name.error().fault),
                  "name the host variable that holds the secret", name.error().where);
      return std::nullopt;
    }
    written_.emplace(*name, node->span());
    if (const std::string_view why = why_env_is_forbidden(*name); !why.empty()) {
      out_.report(DiagnosticId::SecretNameInvalid, entry,
                  fmt::format("`{}` cannot be a secret: {}", name->text(), why), "rename the variable");
      return std::nullopt;
    }
    return *name;
  }

  // ` TOKEN` and `TOKEN=x` are no names, but they say which variable is a secret:
  // it must not be passed in the clear because of a slip.
  void remember_meant(std::string_view text, const NodeRef& node) {
    const std::size_t first = std::min(text.find_first_not_of(" \t$"), text.size());
    constexpr std::string_view kNameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const std::size_t end = std::min(text.find_first_not_of(kNameChars, first), text.size());
    if (const auto meant = EnvName::from_canonical(text.substr(first, end - first))) {
      written_.emplace(*meant, node.span());
    }
  }

  std::vector<SecretHost> entry_hosts(const NodeRef& element, std::size_t index, const std::string& pointer,
                                      const std::optional<EnvName>& name) {
    std::vector<SecretHost> hosts;
    const auto list = element.member("hosts");
    std::size_t written = 0;
    if (list && list->is(NodeKind::Array)) {
      list->for_each_element([&](const NodeRef&) { ++written; });
    }
    if (!list || (list->is(NodeKind::Array) && written == 0)) {
      const std::string called = name ? name->text() : std::string();
      const Entry whole{list ? *list : element,
                        called,
                        index,
                        list ? pointer_to(pointer, "hosts") : pointer,
                        fmt::format("secrets[{}]", index),
                        called};
      out_.report(DiagnosticId::SecretWithoutHosts, whole, "this secret has no hosts it may be sent to",
                  "list the exact hosts that need the secret");
      return hosts;
    }
    for_each_text(element, "hosts", pointer_to(pointer, "hosts"), shown_host, [&](Entry entry) {
      entry.origin = fmt::format("secrets[{}].{}", index, entry.origin);
      const JudgedHost judged = judge_host(entry, HostUse::Secret, lan_, out_);
      if (judged.rule) {
        hosts.push_back({*judged.rule, entry.node.span()});
      }
    });
    if (hosts.empty() && written > 0 && name) {
      out_.config.dropped.push_back({name->text(),
                                     fmt::format("secrets[{}]", index),
                                     DiagnosticId::SecretWithoutHosts,
                                     {},
                                     element.span()});
    }
    return hosts;
  }

  struct Known {
    std::size_t place = 0;  ///< in config.network.secrets
    std::set<policy::HostRule> hosts;
  };

  void add_hosts(Known& known, std::vector<SecretHost> hosts, const EnvName& name) {
    SecretEntry& target = out_.config.network.secrets[known.place];
    for (SecretHost& host : hosts) {
      if (known.hosts.insert(host.rule).second) {
        target.hosts.push_back(std::move(host));
      } else {
        const std::string spelling = policy::spelling_of(host.rule);
        out_.config.dropped.push_back({spelling, fmt::format("secret:{}", name.text()),
                                       DiagnosticId::HostDuplicate, spelling, host.span});
      }
    }
  }

  void report_merged(const NodeRef& element, const EnvName& name, std::size_t place,
                     const std::string& pointer) {
    out_.sink.report({DiagnosticId::SecretMerged,
                      fmt::format("the entries for `{}` are merged", name.text()),
                      element.span(),
                      pointer,
                      "put all its hosts into one entry",
                      {{"first entry here", out_.config.network.secrets[place].span}}});
  }

  policy::Lan lan_;
  Lowering& out_;
  std::map<EnvName, Known> known_;
  std::map<EnvName, policy::Span> written_;  // every well-formed name, whatever else is wrong
};

}  // namespace

void lower_secrets(const std::optional<NodeRef>& network, policy::Lan lan, Lowering& out) {
  const auto list = network ? network->member("secrets") : std::nullopt;
  SecretList secrets(lan, out);
  if (list && list->is(NodeKind::Array)) {
    std::size_t index = 0;
    list->for_each_element([&](const NodeRef& element) {
      if (index < kMaxListEntries && element.is(NodeKind::Object)) {
        secrets.add(element, index);
      }
      ++index;
    });
  }
  secrets.refuse_prefixes();
  secrets.refuse_plain_copies();
}

}  // namespace forge::compiler
