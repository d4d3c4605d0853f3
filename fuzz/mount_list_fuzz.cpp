// Bytes as orders that build a host in memory, a config and a session, which are then
// compiled. Properties of every plan: the worktree is the first mount and writable; every
// mount has, where it is seen, the access that it declares; no hooks directory that the
// plan keeps can be written anywhere it is seen; nothing writable lies at, around or inside
// of what is protected; its document reads back equal; its own facts give the same bytes.
// Of every compilation: no pass finds a defect of the compiler itself.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forge/compiler/compile.hpp"
#include "forge/policy/mount_path.hpp"
#include "forge/policy/plan_document.hpp"
#include "forge/policy/protected_paths.hpp"
#include "forge/seal/digest.hpp"

namespace {

using namespace forge;
using policy::Access;
using policy::Lying;
using policy::PathKind;
using policy::ProtectedKind;

constexpr std::size_t kMaxOrders = 60;
constexpr std::string_view kHome = "/home/u";

void require(bool holds) {
  if (!holds) {
    __builtin_trap();
  }
}

/// The bytes, one choice after the other; 0 when they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool any() const { return at_ < size_; }
  std::size_t below(std::size_t count) { return any() ? data_[at_++] % count : 0; }
  template <std::size_t N>
  std::string of(const std::array<const char*, N>& words) {
    return words[below(N)];
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

constexpr std::array kTops = {"/w",
                              "/w/sub",
                              "/r",
                              "/r/s",
                              "/wt",
                              "/g",
                              "/srv",
                              "/srv/a",
                              "/l",
                              "/tmp",
                              "/tmp/e",
                              "/etc",
                              "/home",
                              "/home/u",
                              "/home/u/data",
                              "/home/u/data/worktrees",
                              "/home/u/data/worktrees/m",
                              "/home/u/.ssh",
                              "/home/u/p",
                              "/opt/forge",
                              "/usr/lib/x",
                              "/var/lib/docker"};
constexpr std::array kRests = {"",
                               "",
                               "",
                               "/.git",
                               "/.git/hooks",
                               "/.git/modules/s",
                               "/.git/modules",
                               "/.git/modules/s/modules/i",
                               "/.git/worktrees/n",
                               "/.git/objects",
                               "/.git/refs",
                               "/.git/logs",
                               "/hooks",
                               "/x",
                               "/x/y",
                               "/a:b"};
constexpr std::array kConfigs = {"[core]\nbare = false\n",          "",
                                 "[core]\nbare = true\n",           "[core]\nworktree = /w\n",
                                 "[core]\nworktree = ../../../s\n", "[core]\nhooksPath = .hooks\n",
                                 "[core]\nhooksPath = /srv/a\n",    "[core\n"};

// One choice a statement: of two in one expression nobody knows which comes first.
std::string path(Choices& choices) {
  std::string out = choices.of(kTops);
  out += choices.of(kRests);
  return out;
}

/// A host that stays coherent: nothing is replaced, and what lies behind a link is put
/// where the link leads.
class Host {
 public:
  Host() {
    for (const char* directory : {"/w", "/tmp", "/home/u"}) {
      put(directory, PathKind::Directory);
    }
  }

  void put(const std::string& where, PathKind kind, const std::string& text = {}) {
    const std::string real = place(where);
    if (real.empty()) {
      return;
    }
    if (kind == PathKind::File) {
      files.add_file(real, text);
    } else {
      files.add(real, kind, kind == PathKind::Unreadable ? std::string() : real);
    }
  }
  void link(const std::string& where, const std::string& target) {
    const std::string real = place(where);
    if (!real.empty() && !policy::path_is_at_or_below(target, real)) {
      files.add_link(real, target);
    }
  }
  void git_dir(const std::string& where, const std::string& config, bool hooks) {
    put(where + "/HEAD", PathKind::File);
    put(where + "/objects", PathKind::Directory);
    put(where + "/refs", PathKind::Directory);
    put(where + "/config", PathKind::File, config);
    if (hooks) {
      put(where + "/hooks", PathKind::Directory);
    }
  }
  /// The same directory by another way, as a bind mount makes it.
  void alias(const std::string& where, const std::string& of) {
    const policy::PathFact fact = files.look(of);
    put(where, PathKind::Directory);
    if (fact.kind == PathKind::Directory && files.look(where).real_path == where) {
      files.fact(where).dev = fact.dev;
      files.fact(where).ino = fact.ino;
    }
  }

  compiler::InMemoryHostFiles files;

 private:
  // Where a new entry goes; empty when there is one, or no directory to hold it.
  std::string place(const std::string& where) {
    const std::size_t slash = where.rfind('/');
    const std::string folder = slash == 0 ? "/" : where.substr(0, slash);
    policy::PathFact above = files.look(folder);
    if (folder != "/" && above.kind == PathKind::Missing && !above.is_link) {
      put(folder, PathKind::Directory);
      above = files.look(folder);
    }
    const policy::PathFact fact = files.look(where);
    if ((folder != "/" && above.kind != PathKind::Directory) || fact.kind != PathKind::Missing ||
        fact.is_link) {
      return {};
    }
    return (folder == "/" ? std::string() : above.real_path) + where.substr(slash);
  }
};

struct Session {
  Host host;
  compiler::CompileRequest request;
  std::string entries;

  Session() {
    request.config_path = "fuzz";
    request.config_sha256 = std::string(64, '0');
    request.context = {"/w", "/w", std::string(kHome), "/home/u/data", "/home/u/out", "/tmp/e"};
    request.session = policy::Session::Host;
    request.name = "fuzz";
    request.control_plane = {{"/home/u/data", policy::ControlPlaneKind::DataDirectory},
                             {"/home/u/.config/opencode", policy::ControlPlaneKind::EditorConfig}};
  }

  void mount(const std::string& where, bool writable) {
    entries += (entries.empty() ? "" : ",") + (R"({"host":")" + where) +
               (writable ? R"(","readonly":false})" : "\"}");
  }
};

void order_about_git(std::size_t order, Choices& choices, Session& session) {
  Host& host = session.host;
  const std::string where = path(choices);
  switch (order) {
    case 0:
    case 1: {
      const std::string config = choices.of(kConfigs);
      return host.git_dir(order == 0 ? where : where + "/.git", config, choices.below(2) == 0);
    }
    case 2:
      return host.put(where + "/.git", PathKind::File, "gitdir: " + path(choices) + "\n");
    case 3: {  // a linked worktree as git makes it
      const std::string common = path(choices);
      host.put(where + "/.git", PathKind::File, "gitdir: " + common + "/worktrees/n\n");
      host.put(common + "/worktrees/n/gitdir", PathKind::File, where + "/.git\n");
      return host.put(common + "/worktrees/n/commondir", PathKind::File, "../..\n");
    }
    case 4:
      return host.link(where + "/hooks", path(choices));
    case 5: {
      const std::string first = path(choices) + "\n";
      return host.put(where + "/objects/info/alternates", PathKind::File, first + path(choices) + "\n");
    }
    default:
      return host.put(where + "/commondir", PathKind::File, path(choices) + "\n");
  }
}

void order(Choices& choices, Session& session) {
  constexpr std::size_t kGitOrders = 7;
  const std::size_t order = choices.below(kGitOrders + 11);
  if (order < kGitOrders) {
    return order_about_git(order, choices, session);
  }
  policy::Context& context = session.request.context;
  const std::string where = path(choices);
  switch (order - kGitOrders) {
    case 0:
      return session.host.put(where, PathKind::Directory);
    case 1:
      return session.host.link(where, path(choices));
    case 2:
      return session.host.put(
          where, std::array{PathKind::File, PathKind::Other, PathKind::Unreadable}[choices.below(3)]);
    case 3:
      return session.mount(where, true);
    case 4:
      return session.mount(where, false);
    case 5:
      context.worktree = where;
      return;
    case 6:
      context.project = where;
      session.request.session = policy::Session::Loop;
      return;
    case 7:
      session.request.git_mode = policy::GitMode::Split;
      return;
    case 8:
      context.tmp = where;
      return;
    case 9:
      return session.host.alias(where, path(choices));
    default:
      session.request.control_plane.push_back({where, policy::ControlPlaneKind::Config});
  }
}

// ---- properties ----

const policy::Mount* deepest(const policy::Plan& plan, const std::string& guest) {
  const policy::Mount* found = nullptr;
  for (const policy::Mount& mount : plan.mounts) {
    if (policy::path_is_at_or_below(guest, mount.guest.text()) &&
        (found == nullptr || mount.guest.text().size() > found->guest.text().size())) {
      found = &mount;
    }
  }
  return found;
}

// By every way on which the guest comes to it.
bool is_writable(const policy::Plan& plan, const std::string& host) {
  for (const policy::Mount& mount : plan.mounts) {
    const auto* source = std::get_if<policy::PathSource>(&mount.source);
    if (source != nullptr && policy::path_is_at_or_below(host, source->host.text()) &&
        deepest(plan, mount.guest.text() + host.substr(source->host.text().size()))->access ==
            Access::ReadWrite) {
      return true;
    }
  }
  return false;
}

void check_protected(const policy::Plan& plan, const policy::Mount& mount, std::string_view what,
                     ProtectedKind kind) {
  const auto& host = std::get<policy::PathSource>(mount.source).host.text();
  const policy::PathFact* fact = plan.facts.find(what);
  const policy::PathFact* own = plan.facts.find(host);
  const bool inside_is_fine = kind == ProtectedKind::Root || kind == ProtectedKind::Home;
  for (const std::string_view spelling : {what, fact == nullptr ? what : std::string_view(fact->real_path)}) {
    const Lying lying = spelling.empty() ? Lying::Apart : policy::lying_of(host, spelling);
    require(lying == Lying::Apart || (lying == Lying::Inside && inside_is_fine));
  }
  require(fact == nullptr || own == nullptr || own->ino == 0 || fact->ino != own->ino ||
          fact->dev != own->dev);
}

// The session's own worktree may lie in the data directory, but not where others do.
bool is_own_worktree(const policy::Plan& plan, const policy::Mount& mount) {
  return mount.origin == policy::MountOrigin::Worktree &&
         policy::lying_of(std::get<policy::PathSource>(mount.source).host.text(),
                          plan.context.data_dir + "/worktrees") == Lying::Inside;
}

void check_writable(const policy::Plan& plan) {
  for (const policy::Mount& mount : plan.mounts) {
    if (mount.access == Access::ReadOnly || !std::holds_alternative<policy::PathSource>(mount.source)) {
      continue;
    }
    for (const policy::ProtectedRow& row : policy::protected_rows()) {
      const bool at_home = row.base == policy::ProtectedBase::Home;
      check_protected(plan, mount,
                      at_home ? std::string(kHome) + '/' + std::string(row.path) : std::string(row.path),
                      row.kind);
    }
    check_protected(plan, mount, kHome, ProtectedKind::Home);
    if (!is_own_worktree(plan, mount)) {
      check_protected(plan, mount, plan.context.data_dir, ProtectedKind::ControlPlane);
    }
  }
}

void check_plan(const policy::Plan& plan) {
  require(!plan.mounts.empty() && plan.mounts.front().origin == policy::MountOrigin::Worktree);
  require(plan.mounts.front().access == Access::ReadWrite);
  for (const policy::Mount& mount : plan.mounts) {
    require(deepest(plan, mount.guest.text())->access == mount.access);
  }
  for (const std::string& hooks : plan.git.hooks) {
    const policy::PathFact* fact = plan.facts.find(hooks);
    require(fact != nullptr && !is_writable(plan, hooks) && !is_writable(plan, fact->real_path));
  }
  check_writable(plan);
}

void check_documents(const policy::Plan& plan, const policy::Plan& again) {
  const auto sealed = seal::seal_plan(plan);
  require(sealed.has_value());
  const auto read = seal::read_sealed_plan(*sealed);
  require(read.has_value() && *read == plan);
  require(seal::seal_plan(again) == sealed);
  const auto facts = policy::decode_facts(policy::encode_facts(plan.facts));
  require(facts.has_value() && *facts == plan.facts);
}

std::optional<policy::Plan> compile(const compiler::Config& config, const policy::HostFacts& facts,
                                    const Session& session, const policy::SourceText& source) {
  policy::DiagnosticSink sink;
  auto plan = compiler::resolve(config, facts, session.request, source, sink);
  require(plan.has_value() != sink.stops_plan());
  for (const policy::Diagnostic& finding : sink.sorted()) {
    require(finding.id != policy::DiagnosticId::HooksWritable &&
            finding.id != policy::DiagnosticId::VectorMeansOther);
  }
  return plan;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  Session session;
  for (std::size_t i = 0; i < kMaxOrders && choices.any(); ++i) {
    order(choices, session);
  }
  const policy::SourceText source("fuzz", R"({"sandbox":{"mounts":[)" + session.entries + "]}}");
  policy::DiagnosticSink sink;
  const compiler::Config config = compiler::read_config(source, {}, sink);
  const auto facts =
      compiler::collect_facts(compiler::questions_for(config, session.request), session.host.files,
                              [](const policy::EnvName&) { return false; });
  if (const auto plan = compile(config, facts, session, source)) {
    check_plan(*plan);
    const auto again = compile(config, plan->facts, session, source);
    require(again.has_value());
    check_documents(*plan, *again);
  }
  return 0;
}
