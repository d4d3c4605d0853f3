// Egress rules, environment and secrets.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "forge/policy/overloaded.hpp"
#include "plan_decode_checks.hpp"

namespace forge::policy {
namespace {

bool is_allow_list(EgressMode mode) {
  return mode == EgressMode::AllowList || mode == EgressMode::AllowListAndPrivate;
}

bool is_private(EgressMode mode) {
  return mode == EgressMode::PublicAndPrivate || mode == EgressMode::AllowListAndPrivate;
}

// `allow[i]`, as the compiler writes it.
bool is_allow_origin(std::string_view origin) {
  constexpr std::string_view kBegin = "allow[";
  if (!origin.starts_with(kBegin)) {
    return false;
  }
  std::uint32_t index = 0;
  std::from_chars(origin.data() + kBegin.size(), origin.data() + origin.size(), index);
  return origin == fmt::format("allow[{}]", index);
}

std::string secret_origin(const Secret& secret) { return "secret:" + secret.env.text(); }

// Names that are allowed, and whether they cover a host: what policy::covers
// says of each pair, by looking up the host's ancestors instead of every rule.
class AllowedNames {
 public:
  explicit AllowedNames(const std::vector<EgressRule>& rules) {
    for (const EgressRule& rule : rules) {
      if (const auto* exact = std::get_if<ExactHost>(&rule.to)) {
        exact_.insert(exact->name.text());
      } else if (const auto* suffix = std::get_if<SuffixHost>(&rule.to)) {
        suffixes_.insert(suffix->name.text());
      }
    }
  }

  [[nodiscard]] bool cover(const HostRule& host) const {
    const auto* exact = std::get_if<ExactHost>(&host);
    const auto* suffix = std::get_if<SuffixHost>(&host);
    if (exact != nullptr) {
      return exact_.contains(exact->name.text()) || is_below_suffix(exact->name.text());
    }
    return suffix != nullptr && is_below_suffix(suffix->name.text());
  }

 private:
  [[nodiscard]] bool is_below_suffix(std::string_view name) const {
    while (!suffixes_.contains(name)) {
      const std::size_t dot = name.find('.');
      if (dot == std::string_view::npos) {
        return false;
      }
      name.remove_prefix(dot + 1);
    }
    return true;
  }

  std::set<std::string_view> exact_;
  std::set<std::string_view> suffixes_;
};

class EgressChecks {
 public:
  EgressChecks(const Plan& plan, DecodeProblem& problem) : plan_(plan), problem_(problem) {
    for (const Secret& secret : plan.secrets) {
      for (const HostRule& host : secret.hosts) {
        secret_hosts_.insert(fmt::format("{} {}", secret_origin(secret), spelling_of(host)));
      }
    }
  }

  void run() {
    const auto& rules = plan_.egress.rules;
    if (!is_allow_list(plan_.egress.mode)) {
      if (!rules.empty()) {
        problem_.note("egress/rules is not empty, which its mode asks for");
      }
      return;
    }
    const bool ends_in_group = !rules.empty() && std::holds_alternative<GroupHost>(rules.back().to);
    if (ends_in_group != is_private(plan_.egress.mode)) {
      problem_.note("egress/rules does not end as its mode asks for");
    }
    for (; at_ < rules.size() && !problem_.any(); ++at_) {
      check(rules[at_]);
    }
  }

 private:
  void wrong(std::string_view what) { problem_.note(fmt::format("egress/rules[{}]{}", at_, what)); }

  void check(const EgressRule& rule) {
    if (!seen_.insert(rule.to).second) {
      wrong(" is a rule of before");
    }
    const bool group = std::holds_alternative<GroupHost>(rule.to);
    if (group && at_ + 1 != plan_.egress.rules.size()) {
      wrong(" is a group, which only the last rule is");
    }
    if (group ? rule.origin != "allowLan" : !is_allow_origin(rule.origin) && !is_of_secret(rule)) {
      wrong("/origin is not where such a rule comes from");
    }
    std::visit(overloaded{[](const ExactHost&) {}, [](const SuffixHost&) {}, [](const GroupHost&) {},
                          [&](const AddressHost& host) {
                            if (host.address.is_ipv4()) {
                              check_network({Ipv4Address{static_cast<std::uint32_t>(host.address.low)}, 32});
                            } else {
                              wrong("/value is an IPv6 address");
                            }
                          },
                          [&](const NetworkHost& host) { check_network(host.network); }},
               rule.to);
  }

  [[nodiscard]] bool is_of_secret(const EgressRule& rule) const {
    return secret_hosts_.contains(fmt::format("{} {}", rule.origin, spelling_of(rule.to)));
  }

  void check_network(const Ipv4Network& network) {
    if (network.prefix < kMinCidrPrefix) {
      wrong(fmt::format("/value is wider than /{}", kMinCidrPrefix));
    }
    const SpecialRange* special = special_range_of(network);
    const bool opened =
        special != nullptr && special->klass == RangeClass::Private && is_private(plan_.egress.mode);
    if (special != nullptr && !opened) {
      wrong(fmt::format("/value overlaps {} ({})", special->network.text(), special->what));
    }
  }

  const Plan& plan_;
  DecodeProblem& problem_;
  std::size_t at_ = 0;
  std::set<HostRule> seen_;
  std::set<std::string> secret_hosts_;  // origin and spelling
};

void check_env(const Plan& plan, std::set<EnvName>& taken, DecodeProblem& problem) {
  for (std::size_t i = 0; i < plan.env.size() && !problem.any(); ++i) {
    const EnvName& name = plan.env[i];
    if (!taken.insert(name).second) {
      problem.note(fmt::format("/env[{}] is a name of before", i));
    }
    if (name.text().starts_with("MSB_")) {
      problem.note(fmt::format("/env[{}] is a name of the runtime itself", i));
    }
    if (!plan.facts.is_set(name)) {
      problem.note(fmt::format("/env[{}] is not set by the facts", i));
    }
  }
}

void check_hosts(const Plan& plan, const Secret& secret, const AllowedNames& allowed, std::string_view where,
                 DecodeProblem& problem) {
  std::set<HostRule> seen;
  if (secret.hosts.empty()) {
    problem.note(fmt::format("{}/hosts is empty", where));
  }
  for (std::size_t i = 0; i < secret.hosts.size() && !problem.any(); ++i) {
    const HostRule& host = secret.hosts[i];
    const auto* exact = std::get_if<ExactHost>(&host);
    if (!seen.insert(host).second) {
      problem.note(fmt::format("{}/hosts[{}] is a host of before", where, i));
    }
    if (exact != nullptr && exact->name.label_count() < 2) {
      problem.note(fmt::format("{}/hosts[{}] is a private name", where, i));
    }
    if (is_allow_list(plan.egress.mode) && !allowed.cover(host)) {
      problem.note(fmt::format("{}/hosts[{}] is not reached by any rule", where, i));
    }
  }
}

void check_secrets(const Plan& plan, std::set<EnvName>& taken, DecodeProblem& problem) {
  const AllowedNames allowed(plan.egress.rules);
  for (std::size_t i = 0; i < plan.secrets.size() && !problem.any(); ++i) {
    const Secret& secret = plan.secrets[i];
    const std::string where = fmt::format("/secrets[{}]", i);
    if (!taken.insert(secret.env).second) {
      problem.note(where + "/env is a name of before");
    }
    if (secret.env.text().starts_with("MSB_")) {
      problem.note(where + "/env is a name of the runtime itself");
    }
    if (plan.facts.is_set(secret.env) != (secret.binding == Binding::Bound)) {
      problem.note(where + "/bound is not what the facts say");
    }
    check_hosts(plan, secret, allowed, where, problem);
  }
}

// Placeholders are replaced as text, so no name may begin with another one. In
// byte order a name is followed by the names that begin with it.
void check_placeholders(const Plan& plan, DecodeProblem& problem) {
  std::set<std::string_view> names;
  for (const Secret& secret : plan.secrets) {
    names.insert(secret.env.text());
  }
  const auto clash = std::adjacent_find(names.begin(), names.end(),
                                        [](auto before, auto name) { return name.starts_with(before); });
  if (clash != names.end()) {
    problem.note(fmt::format("/secrets has a name that begins with another one, {}", *clash));
  }
}

}  // namespace

void check_egress(const Plan& plan, DecodeProblem& problem) { EgressChecks(plan, problem).run(); }

void check_names(const Plan& plan, DecodeProblem& problem) {
  std::set<EnvName> taken;
  check_env(plan, taken, problem);
  check_secrets(plan, taken, problem);
  check_placeholders(plan, problem);
}

}  // namespace forge::policy
