#include <fmt/format.h>

#include <algorithm>

#include "forge/policy/utf8.hpp"
#include "resolution.hpp"

namespace forge::compiler {
namespace {

using policy::DiagnosticId;

constexpr std::string_view kHostSession = "host-session-";
constexpr std::size_t kHostSessionDigits = 12;
constexpr std::size_t kMaxRawNameBytes = 4096;

bool is_host_session_name(std::string_view stem) {
  return stem.starts_with(kHostSession) && stem.size() == kHostSession.size() + kHostSessionDigits &&
         stem.substr(kHostSession.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_presentable(std::string_view name) {
  return name.size() <= kMaxRawNameBytes && policy::is_valid_utf8(name) && policy::is_shown_as_written(name);
}

}  // namespace

void resolve_name(Resolution& out) {
  const std::string& raw = out.request.name;
  if (raw.empty() || !is_presentable(raw)) {
    out.report(
        DiagnosticId::NameUnusable,
        raw.empty() ? "the sandbox has no name" : fmt::format("`{}` cannot be a name", policy::excerpt(raw)),
        "give --name a plain name");
    return;
  }
  out.plan.name = policy::SandboxName::derive(raw);
  const std::string_view stem =
      std::string_view(out.plan.name.text()).substr(std::string_view("forge-").size());
  if (out.request.session == policy::Session::Loop && is_host_session_name(stem)) {
    out.report(DiagnosticId::NameReserved,
               fmt::format("`{}` is the name of a host session's sandbox", policy::excerpt(raw)),
               "choose another name with --name");
    return;
  }
  if (stem != raw) {
    out.report(DiagnosticId::NameAltered,
               fmt::format("the name `{}` becomes `{}`; names that differ only in what was replaced or cut "
                           "share one sandbox",
                           policy::excerpt(raw), out.plan.name.text()),
               "choose a name of lower-case letters, digits, dots and hyphens with --name");
  }
}

}  // namespace forge::compiler
