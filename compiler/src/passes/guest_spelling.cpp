// The guest's path of every directory or file leads to its host source, so that host
// tools and the sandbox mean one file by one path.
#include <fmt/format.h>

#include "passes.hpp"
#include "path_text.hpp"

namespace forge::compiler {
namespace {

// Where `path` leads by the facts: what is known of the nearest path at or above it, and
// the rest behind. Only what is not there itself is judged by what is above it.
std::string where_it_leads(const policy::HostFacts& facts, const std::string& path) {
  std::string rest;
  for (std::string up = path; up != "/"; up = folder_of(up)) {
    const policy::PathFact* fact = facts.find(up);
    if (fact != nullptr && !fact->real_path.empty()) {
      return fact->real_path == "/" ? rest : fact->real_path + rest;
    }
    if (fact != nullptr && fact->is_link) {
      return {};  // nobody knows where it will lead
    }
    rest.insert(0, up.substr(up.rfind('/')));
  }
  return rest;
}

}  // namespace

void verify_guest_spelling(const policy::Plan& plan, policy::DiagnosticSink& sink) {
  for (const policy::Mount& mount : plan.mounts) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    if (source != nullptr && where_it_leads(plan.facts, mount.guest.text()) != source->host.text()) {
      refute(sink, policy::DiagnosticId::GuestPathMoved,
             fmt::format("{} of the host is mounted at {}, which does not lead there",
                         quoted_path(source->host.text()), quoted_path(mount.guest.text())));
    }
  }
}

}  // namespace forge::compiler
