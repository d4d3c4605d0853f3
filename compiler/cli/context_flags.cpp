#include "context_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "forge/compiler/disk_size.hpp"
#include "forge/compiler/host_paths.hpp"
#include "forge/enforce/checked_files.hpp"
#include "forge/grammar/values.hpp"
#include "forge/policy/json.hpp"
#include "forge/policy/plan_document.hpp"
#include "forge/policy/utf8.hpp"
#include "forge/seal/digest.hpp"
#include "io.hpp"

namespace forge::cli {
namespace {

using policy::ErrorKind;
using policy::fail;
using policy::Result;

constexpr std::size_t kSessionDigits = 12;

// An unset or empty variable, and one that is not absolute (XDG asks to ignore
// those), give the fallback.
std::string directory_from_env(const char* variable, std::string fallback) {
  const char* value = std::getenv(variable);
  return value != nullptr && value[0] == '/' ? std::string(value) : std::move(fallback);
}

Result<std::string> home_directory(const std::string& flag) {
  if (!flag.empty()) {
    return compiler::absolute_path(flag);
  }
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') {
    return compiler::absolute_path(home);
  }
  return enforce::home_from_password_database();
}

template <class T>
tl::unexpected<policy::Error> bad_override(std::string_view flag, const T& text, std::string_view wanted) {
  return fail(ErrorKind::Malformed, fmt::format("--{}", flag),
              fmt::format("`{}` is not {}", policy::excerpt(text), wanted));
}

Result<std::optional<policy::Mebibytes>> size_override(std::string_view flag, const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  const auto size = grammar::parse_size(text);
  return size ? Result<std::optional<policy::Mebibytes>>(size->mebibytes)
              : bad_override(flag, text, "a size like 8g");
}

Result<std::string> session_name(const ContextFlags& flags, const policy::Context& context,
                                 policy::Session session) {
  if (!flags.name.empty()) {
    return flags.name;
  }
  if (session == policy::Session::Loop) {
    return context.worktree.substr(context.worktree.rfind('/') + 1);
  }
  return seal::sha256_hex(context.project).map([](const std::string& hex) {
    return "host-session-" + hex.substr(0, kSessionDigits);
  });
}

policy::Session session_of(const ContextFlags& flags, const policy::Context& context) {
  if (flags.session) {
    return *flags.session;
  }
  return context.project != context.worktree ? policy::Session::Loop : policy::Session::Host;
}

// A path of a flag or of the environment, absolute and text.
Result<std::string> context_path(std::string_view flag, const std::string& path) {
  auto full = compiler::absolute_path(path);
  if (full && !policy::is_valid_utf8(*full)) {
    return fail(ErrorKind::Malformed, fmt::format("--{}", flag),
                fmt::format("`{}` is not UTF-8, which the runtime cannot take", *full));
  }
  return full;
}

Result<policy::Context> make_context(const ContextFlags& flags) {
  const auto home =
      home_directory(flags.home).and_then([](const std::string& path) { return context_path("home", path); });
  if (!home) {
    return tl::unexpected(home.error());
  }
  const std::string data_home = directory_from_env("XDG_DATA_HOME", *home + "/.local/share");
  const std::string temp = directory_from_env("TMPDIR", "/tmp");
  const auto either = [](const std::string& flag, const std::string& fallback) {
    return flag.empty() ? fallback : flag;
  };
  policy::Context context;
  context.home = *home;
  const std::tuple<std::string*, std::string_view, std::string> fields[] = {
      {&context.worktree, "worktree", flags.worktree},
      {&context.project, "project", either(flags.project, flags.worktree)},
      {&context.data_dir, "data-dir", either(flags.data_dir, data_home + "/opencode/forge")},
      {&context.tool_output, "tool-output", either(flags.tool_output, data_home + "/opencode/tool-output")},
      {&context.tmp, "tmp", either(flags.tmp, temp + "/opencode")},
  };
  for (const auto& [field, flag, path] : fields) {
    auto full = context_path(flag, path);
    if (!full) {
      return tl::unexpected(full.error());
    }
    *field = std::move(*full);
  }
  return context;
}

// The size of an override of a disk, which must be one the runtime makes as asked.
Result<std::optional<policy::Mebibytes>> disk_override(std::string_view flag, const std::string& text) {
  auto size = size_override(flag, text);
  if (!size || !*size) {
    return size;
  }
  const auto bounded = std::clamp((*size)->count, compiler::kMinDiskMebibytes, compiler::kMaxDiskMebibytes);
  const auto fitted = compiler::fit_disk({bounded});
  if (fitted && !fitted->rounded && bounded == (*size)->count) {
    return size;
  }
  return bad_override(flag, text,
                      fmt::format("a disk size that the runtime can make; the nearest is {}m",
                                  fitted ? fitted->size.count : bounded));
}

Result<policy::Overrides> read_overrides(const ContextFlags& flags) {
  policy::Overrides out;
  if (!flags.cpus.empty()) {
    const auto count = grammar::parse_cpus(flags.cpus);
    if (!count) {
      return bad_override("cpus", flags.cpus, "a whole number from 1 to 255");
    }
    out.cpus = *count;
  }
  const std::pair<std::optional<policy::Mebibytes>*, Result<std::optional<policy::Mebibytes>>> sizes[] = {
      {&out.memory, size_override("memory", flags.memory)},
      {&out.docker_disk, disk_override("docker-disk", flags.docker_disk)},
      {&out.cache_disk, disk_override("cache-disk", flags.cache_disk)}};
  for (const auto& [value, size] : sizes) {
    if (!size) {
      return tl::unexpected(size.error());
    }
    *value = *size;
  }
  out.lan = flags.lan;
  out.sandbox = flags.sandbox;
  return out;
}

// What the sandbox must not reach. Paths of the environment are made plain like
// those of flags, else an odd spelling would guard nothing.
Result<std::vector<policy::ControlPlaneEntry>> control_plane_of(const policy::Context& context,
                                                                const std::string& config_path) {
  const std::string config_home = directory_from_env("XDG_CONFIG_HOME", context.home + "/.config");
  const std::string runtime = directory_from_env("MSB_HOME", context.home + "/.microsandbox");
  std::vector<policy::ControlPlaneEntry> entries;
  entries.push_back({context.data_dir, policy::ControlPlaneKind::DataDirectory});
  std::vector<std::pair<std::string, policy::ControlPlaneKind>> more = {
      {config_home + "/opencode", policy::ControlPlaneKind::EditorConfig},
      {runtime, policy::ControlPlaneKind::Runtime},
  };
  for (const char* variable : {"OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"}) {
    if (std::string path = directory_from_env(variable, {}); !path.empty()) {
      more.emplace_back(std::move(path), policy::ControlPlaneKind::EditorConfig);
    }
  }
  for (const auto& [path, kind] : more) {
    auto full = compiler::absolute_path(path);
    if (!full) {
      return tl::unexpected(full.error());
    }
    entries.push_back({std::move(*full), kind});
  }
  if (const auto config = compiler::absolute_path(config_path); config && config_path != kStandardStream) {
    entries.push_back({*config, policy::ControlPlaneKind::Config});
  }
  return entries;
}

// Stored facts answer for a host that may not be this one: nothing is asked here.
Result<void> check_facts_usage(const ContextFlags& flags) {
  if (flags.facts.empty()) {
    return {};
  }
  if (!flags.env_file.empty()) {
    return fail(ErrorKind::Malformed, "--facts",
                "the facts say which variables are set; leave out --env-file");
  }
  for (const std::string* path :
       {&flags.worktree, &flags.project, &flags.data_dir, &flags.tool_output, &flags.tmp, &flags.home}) {
    if ((*path + '/').find("/../") != std::string::npos || path->starts_with("../")) {
      return fail(ErrorKind::Malformed, "--facts",
                  fmt::format("where `{}` leads would have to be asked here; write the absolute path",
                              policy::excerpt(*path)));
    }
  }
  return {};
}

}  // namespace

void ContextFlags::add(CLI::App& verb) {
  const auto text = [&](const char* flag, std::string& value, const char* type, const char* help) {
    verb.add_option(flag, value, help)->check(not_empty())->type_name(type)->group("Context");
  };
  text("--worktree", worktree, "DIR", "the active directory");
  text("--project", project, "DIR", "the source project; default: the worktree is the project");
  text("--name", name, "NAME", "loop or session name the sandbox is named after");
  text("--data-dir", data_dir, "DIR", "the plugin's data directory");
  text("--tool-output", tool_output, "DIR", "the editor's tool-output directory");
  text("--tmp", tmp, "DIR", "the editor's temp directory");
  text("--home", home, "DIR", "the user's home directory");
  text("--env-file", env_file, "FILE",
       "names that count as set (NAME or NAME=VALUE lines); default: the environment");
  add_choice<policy::TargetId>(verb, "--target", target, {{"msb", policy::TargetId::Msb}}, "the runtime")
      ->type_name("RUNTIME")
      ->group("Context");
  add_choice<std::optional<policy::Session>>(
      verb, "--session", session, {{"loop", policy::Session::Loop}, {"host", policy::Session::Host}},
      "what the sandbox is for; default: loop if --project differs from --worktree")
      ->type_name("KIND")
      ->group("Context");
  add_choice<policy::GitMode>(
      verb, "--git-layout", git_mode,
      {{"compatible", policy::GitMode::Compatible}, {"split", policy::GitMode::Split}},
      "how much of the shared git directory is writable; default: compatible")
      ->type_name("LAYOUT")
      ->group("Context");
  text("--facts", facts, "FILE",
       "compile from stored facts, asking the host nothing: a plan, or its `facts`");
  text("--cpus", cpus, "N", "override the processors");
  text("--memory", memory, "SIZE", "override the memory");
  text("--docker-disk", docker_disk, "SIZE", "override the docker disk");
  text("--cache-disk", cache_disk, "SIZE", "override the cache disk");
  add_choice<std::optional<policy::Lan>>(
      verb, "--lan", lan, {{"on", policy::Lan::Open}, {"off", policy::Lan::Closed}}, "override allowLan")
      ->type_name("SWITCH")
      ->group("Context");
  add_choice<policy::Enabled>(verb, "--sandbox", sandbox, {{"off", policy::Enabled::Off}},
                              "override sandbox.enabled; it can only be turned off")
      ->type_name("SWITCH")
      ->group("Context");
}

bool ContextFlags::ask_for_plan() const {
  for (const std::string* flag : {&worktree, &project, &name, &data_dir, &tool_output, &tmp, &facts}) {
    if (!flag->empty()) {
      return true;
    }
  }
  return session.has_value() || git_mode != policy::GitMode::Compatible;
}

Result<Settings> read_settings(const ContextFlags& flags, PlanWanted wanted) {
  const auto overrides = read_overrides(flags);
  if (!overrides) {
    return tl::unexpected(overrides.error());
  }
  Settings settings{*overrides, std::nullopt};
  if (wanted == PlanWanted::IfAsked && !flags.ask_for_plan()) {
    return settings;
  }
  if (const auto usable = check_facts_usage(flags); !usable) {
    return tl::unexpected(usable.error());
  }
  if (flags.worktree.empty()) {
    return fail(ErrorKind::Malformed, "make a plan",
                "--worktree DIR is missing: a plan is made for one directory");
  }
  return make_context(flags).map([&](policy::Context context) {
    settings.context = std::move(context);
    return settings;
  });
}

Result<compiler::CompileRequest> make_request(const ContextFlags& flags, const Settings& settings,
                                              const std::string& config_path,
                                              const std::string& config_data_dir,
                                              std::string_view config_bytes) {
  compiler::CompileRequest request;
  request.context = settings.context.value();
  if (flags.data_dir.empty() && !config_data_dir.empty()) {
    auto data_dir = context_path("data-dir", config_data_dir);
    if (!data_dir) {
      return tl::unexpected(data_dir.error());
    }
    request.context.data_dir = std::move(*data_dir);
  }
  auto digest = seal::sha256_hex(config_bytes);
  if (!digest) {
    return tl::unexpected(digest.error());
  }
  request.config_path = policy::escape_for_display(config_path);
  request.config_sha256 = std::move(*digest);
  request.session = session_of(flags, request.context);
  auto name = session_name(flags, request.context, request.session);
  if (!name) {
    return tl::unexpected(name.error());
  }
  request.name = std::move(*name);
  request.overrides = settings.overrides;
  request.git_mode = flags.git_mode;
  return control_plane_of(request.context, config_path)
      .map([&](std::vector<policy::ControlPlaneEntry> entries) {
        request.control_plane = std::move(entries);
        return std::move(request);
      });
}

Result<std::string> default_config_path() {
  return home_directory({}).map([](const std::string& home) {
    return directory_from_env("XDG_CONFIG_HOME", home + "/.config") + "/opencode/forge-config.jsonc";
  });
}

}  // namespace forge::cli
