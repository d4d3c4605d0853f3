#include <fmt/format.h>

#include <algorithm>

#include "resolution.hpp"

namespace forge::compiler {
namespace {

using policy::EgressMode;
using policy::HostRule;

bool names_a_host(const policy::EgressRule& rule) {
  return std::holds_alternative<policy::ExactHost>(rule.to) ||
         std::holds_alternative<policy::SuffixHost>(rule.to);
}

void warn_egress(const policy::Egress& egress, std::vector<std::string>& warnings) {
  const bool open = egress.mode == EgressMode::Public || egress.mode == EgressMode::PublicAndPrivate;
  const bool lan =
      egress.mode == EgressMode::PublicAndPrivate || egress.mode == EgressMode::AllowListAndPrivate;
  if (open) {
    warnings.emplace_back(
        "every public address is reachable, among them 168.63.129.16, which Azure answers on");
  }
  if (lan) {
    warnings.emplace_back(
        "the private group is reachable as a whole, among it 100.100.100.200 and fd00:ec2::254, which answer "
        "with cloud "
        "metadata on some clouds");
  }
  if (!open && std::any_of(egress.rules.begin(), egress.rules.end(), names_a_host)) {
    warnings.emplace_back(
        "a host is allowed by the addresses its name resolves to: without TLS, other sites on the same "
        "address are "
        "reachable too, and so is every port");
    warnings.emplace_back(
        "exactly the allowed names can be looked up, and a looked-up name can carry data to its owner");
  }
}

}  // namespace

// What the runtime cannot express or promise, for whoever reads the plan.
void resolve_warnings(Resolution& out) {
  std::vector<std::string>& warnings = out.plan.warnings;
  if (out.plan.enabled == policy::Enabled::Off) {
    warnings.emplace_back("the sandbox is off: commands run on the host without a boundary");
  }
  warn_egress(out.plan.egress, warnings);
  for (const policy::EnvName& name : out.plan.env) {
    warnings.push_back(
        fmt::format("{} is readable in the guest, and the runtime stores its value in clear", name.text()));
  }
  if (!out.plan.secrets.empty()) {
    warnings.emplace_back(
        "secrets are substituted in TLS requests on port 443 only: in headers and basic authentication, not "
        "in bodies, "
        "not in plain HTTP");
  }
}

}  // namespace forge::compiler
