#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "forge/policy/utf8.hpp"
#include "host_judge.hpp"
#include "lowering.hpp"
#include "reveal.hpp"

namespace forge::compiler {
namespace {

using grammar::NodeKind;
using policy::DiagnosticId;
using policy::Lan;

constexpr std::string_view kAllowPointer = "/sandbox/network/allow";

// Docker Hub pulls need all of these (measured by the user's document).
constexpr std::array<std::string_view, 4> kDockerHub = {
    "registry-1.docker.io", "auth.docker.io", "production.cloudfront.docker.com", "*.cloudfront.net"};

struct AllowScan {
  std::size_t entries = 0;  ///< all of them, wrong types too
  std::optional<Entry> everything;
  std::size_t concrete = 0;  ///< entries that are not `*` or `**`
};

class AllowList {
 public:
  AllowList(Lan lan, Lowering& out) : lan_(lan), out_(out) {}

  AllowScan scan(const std::optional<NodeRef>& network) {
    AllowScan scan;
    const auto list = network ? network->member("allow") : std::nullopt;
    if (list && list->is(NodeKind::Array)) {
      list->for_each_element([&](const NodeRef&) { ++scan.entries; });
      warn_empty(*list, scan);
    }
    for_each_text(network, "allow", kAllowPointer, shown_host,
                  [&](const Entry& entry) { judge(entry, scan); });
    drop_duplicates();
    scan.concrete = scan.entries - everything_count_;
    return scan;
  }

 private:
  void warn_empty(const NodeRef& list, const AllowScan& scan) {
    if (scan.entries == 0) {
      out_.sink.report({DiagnosticId::EmptyAllowList,
                        "an empty allow list restricts nothing",
                        list.span(),
                        std::string(kAllowPointer),
                        "remove it, or write [\"nothing.invalid\"] to reach nothing",
                        {}});
    }
  }

  void judge(const Entry& entry, AllowScan& scan) {
    const JudgedHost judged = judge_host(entry, HostUse::Allow, lan_, out_);
    if (judged.everything) {
      ++everything_count_;
      if (!scan.everything) {
        scan.everything = entry;
      }
      return;
    }
    if (judged.rule) {
      out_.config.network.allow.push_back({*judged.rule, entry.index, entry.node.span()});
    }
  }

  // Sorting once costs less than a tree of all rules, and no choice of names
  // makes it slow.
  void drop_duplicates() {
    std::vector<AllowEntry>& allow = out_.config.network.allow;
    std::vector<std::size_t> order(allow.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const auto by_rule = allow[a].rule <=> allow[b].rule;
      return by_rule < 0 || (by_rule == 0 && a < b);
    });
    std::vector<bool> repeated(allow.size());
    for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
      if (allow[order[i]].rule == allow[order[first]].rule) {
        repeated[order[i]] = true;
        report_duplicate(allow[order[i]], allow[order[first]]);
      } else {
        first = i;
      }
    }
    std::size_t at = 0;
    std::erase_if(allow, [&](const AllowEntry&) { return repeated[at++]; });
  }

  void report_duplicate(const AllowEntry& entry, const AllowEntry& first) {
    out_.config.dropped.push_back({policy::spelling_of(entry.rule), fmt::format("allow[{}]", entry.index),
                                   DiagnosticId::HostDuplicate, fmt::format("allow[{}]", first.index),
                                   entry.span});
    out_.sink.report(
        {DiagnosticId::HostDuplicate,
         fmt::format("`{}` is already allowed", policy::excerpt(policy::spelling_of(entry.rule))),
         entry.span,
         pointer_to(kAllowPointer, entry.index),
         {},
         {{"first allowed here", first.span}}});
  }

  Lan lan_;
  Lowering& out_;
  std::size_t everything_count_ = 0;
};

void report_everything(const AllowScan& scan, bool any_secret, Lowering& out) {
  if (!scan.everything) {
    return;
  }
  const bool overrides = scan.concrete > 0 || any_secret;
  out.sink.report({overrides ? DiagnosticId::WildcardOverrides : DiagnosticId::WildcardOpens,
                   overrides ? fmt::format("`{}` opens public egress and overrides {}", scan.everything->text,
                                           scan.concrete > 0 ? "the other entries" : "the secrets' hosts")
                             : fmt::format("`{}` opens public egress", scan.everything->text),
                   scan.everything->node.span(),
                   scan.everything->pointer,
                   overrides ? "remove it to restrict egress to the other hosts" : "",
                   {}});
}

Lan lower_lan(const std::optional<NodeRef>& network, const LowerOptions& options, Lowering& out) {
  const auto lan = network ? network->member("allowLan") : std::nullopt;
  const bool wanted = lan && lan->is(NodeKind::True);
  const Lan effective = options.lan.value_or(wanted ? Lan::Open : Lan::Closed);
  if (effective == Lan::Open) {
    policy::Diagnostic note{
        DiagnosticId::LanOpen, "the local network is open to the sandbox", std::nullopt, {}, {}, {}};
    if (wanted) {
      note.span = lan->span();
      note.pointer = "/sandbox/network/allowLan";
    }
    out.sink.report(std::move(note));
  }
  return effective;
}

// Any entry counts, wrong ones too: what was written, not what was understood.
bool has_entries(const std::optional<NodeRef>& network, std::string_view key) {
  bool any = false;
  const auto list = network ? network->member(key) : std::nullopt;
  if (list && list->is(NodeKind::Array)) {
    list->for_each_element([&](const NodeRef&) { any = true; });
  }
  return any;
}

void note_docker_hub(const std::optional<NodeRef>& sandbox, Lowering& out) {
  const auto resources = sandbox->member("resources");
  const auto disk = resources ? resources->member("dockerDisk") : std::nullopt;
  if (!disk || !disk->is(NodeKind::String)) {
    return;
  }
  std::vector<std::string_view> missing;
  for (const std::string_view host : kDockerHub) {
    const bool suffix = host.starts_with("*.");
    const auto wanted =
        policy::host_rule_from_canonical(suffix ? "suffix" : "domain", suffix ? host.substr(2) : host);
    const auto& allow = out.config.network.allow;
    const bool covered = wanted && std::any_of(allow.begin(), allow.end(), [&](const AllowEntry& entry) {
                           return policy::covers(entry.rule, *wanted);
                         });
    if (!covered) {
      missing.push_back(host);
    }
  }
  if (!missing.empty()) {
    out.sink.report({DiagnosticId::DockerHubMissing,
                     fmt::format("pulling from Docker Hub also needs {}", fmt::join(missing, ", ")),
                     disk->span(),
                     "/sandbox/resources/dockerDisk",
                     "add them to `sandbox.network.allow` if images are pulled there",
                     {}});
  }
}

// The hosts beside an asterisk decide nothing, so they are listed as left out.
void drop_overridden(const AllowScan& scan, Lowering& out) {
  if (!scan.everything) {
    return;
  }
  for (const AllowEntry& entry : out.config.network.allow) {
    out.config.dropped.push_back({policy::spelling_of(entry.rule), fmt::format("allow[{}]", entry.index),
                                  DiagnosticId::WildcardOverrides,
                                  fmt::format("allow[{}]", scan.everything->index), entry.span});
  }
}

}  // namespace

void lower_network(const std::optional<NodeRef>& sandbox, const LowerOptions& options, Lowering& out) {
  const auto network = sandbox ? sandbox->member("network") : std::nullopt;
  out.config.network.lan = lower_lan(network, options, out);
  const AllowScan scan = AllowList(out.config.network.lan, out).scan(network);
  const bool any_secret = has_entries(network, "secrets");
  lower_env(network, out);
  lower_secrets(network, out.config.network.lan, out);
  report_everything(scan, any_secret, out);
  // The decision looks at the text only. A list with nothing but wrong entries,
  // and a secret whose variable is not set, restrict as well.
  const bool restricted = !scan.everything && (scan.concrete > 0 || any_secret);
  out.config.network.intent = restricted ? EgressIntent::Restricted : EgressIntent::Public;
  note_env(out);
  drop_overridden(scan, out);
  if (restricted) {
    note_docker_hub(sandbox, out);
  }
}

}  // namespace forge::compiler
