#include <fmt/format.h>

#include <set>

#include "resolution.hpp"

namespace forge::compiler {
namespace {

using policy::Binding;
using policy::DiagnosticId;
using policy::EgressMode;
using policy::Lan;

constexpr std::string_view kExportHelp = "export it in the environment that starts the editor";

EgressMode mode_of(const Network& network) {
  const bool lan = network.lan == Lan::Open;
  if (network.intent == EgressIntent::Public) {
    return lan ? EgressMode::PublicAndPrivate : EgressMode::Public;
  }
  return lan ? EgressMode::AllowListAndPrivate : EgressMode::AllowList;
}

// The hosts of secrets that no entry of the allow list names.
void add_secret_hosts(const Network& network, policy::Egress& egress) {
  if (network.secrets.empty()) {
    return;
  }
  std::set<policy::HostRule> seen;
  for (const AllowEntry& entry : network.allow) {
    seen.insert(entry.rule);
  }
  for (const SecretEntry& secret : network.secrets) {
    for (const SecretHost& host : secret.hosts) {
      if (seen.insert(host.rule).second) {
        egress.rules.push_back({host.rule, fmt::format("secret:{}", secret.env.text())});
      }
    }
  }
}

void resolve_rules(const Network& network, policy::Egress& egress) {
  egress.mode = mode_of(network);
  if (network.intent == EgressIntent::Public) {
    return;
  }
  egress.rules.reserve(network.allow.size() + 1);
  for (const AllowEntry& entry : network.allow) {
    egress.rules.push_back({entry.rule, fmt::format("allow[{}]", entry.index)});
  }
  add_secret_hosts(network, egress);
  if (network.lan == Lan::Open) {
    egress.rules.push_back({policy::GroupHost{policy::Group::Private}, "allowLan"});
  }
}

void resolve_env(Resolution& out) {
  for (const EnvEntry& entry : out.config.network.env) {
    if (out.facts.is_set(entry.name)) {
      out.plan.env.push_back(entry.name);
    } else {
      out.plan.dropped.push_back(
          {entry.name.text(), fmt::format("env[{}]", entry.index), DiagnosticId::EnvUnset, {}, entry.span});
    }
  }
}

void resolve_secrets(Resolution& out) {
  for (const SecretEntry& entry : out.config.network.secrets) {
    policy::Secret secret{entry.env, {}, out.facts.is_set(entry.env) ? Binding::Bound : Binding::Unbound};
    for (const SecretHost& host : entry.hosts) {
      secret.hosts.push_back(host.rule);
    }
    out.plan.secrets.push_back(std::move(secret));
  }
}

}  // namespace

void report_unset(const Config& config, const policy::HostFacts& facts, policy::DiagnosticSink& sink) {
  for (const EnvEntry& entry : config.network.env) {
    if (!facts.is_set(entry.name)) {
      sink.report({DiagnosticId::EnvUnset,
                   fmt::format("`{}` is not set on the host, so it is not passed", entry.name.text()),
                   entry.span,
                   fmt::format("/sandbox/network/env/{}", entry.index),
                   std::string(kExportHelp),
                   {}});
    }
  }
  for (const SecretEntry& entry : config.network.secrets) {
    if (!facts.is_set(entry.env)) {
      sink.report({DiagnosticId::SecretUnbound,
                   fmt::format("`{}` is not set on the host, so this secret is not bound", entry.env.text()),
                   entry.span,
                   fmt::format("/sandbox/network/secrets/{}", entry.index),
                   std::string(kExportHelp),
                   {}});
    }
  }
}

void resolve_network(Resolution& out) {
  resolve_rules(out.config.network, out.plan.egress);
  resolve_env(out);
  resolve_secrets(out);
  report_unset(out.config, out.facts, out.sink);
}

}  // namespace forge::compiler
