#include "context_flags.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "choice.hpp"
#include "forge/compiler/host_paths.hpp"
#include "forge/enforce/checked_files.hpp"
#include "forge/grammar/env_file.hpp"
#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"
#include "forge/seal/digest.hpp"

namespace forge::cli {
namespace {

using policy::ErrorKind;
using policy::fail;
using policy::Result;

constexpr std::size_t kMaxEnvFileBytes = std::size_t{1} << 20U;
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

// The first text that is not empty, made absolute.
Result<std::string> first_of(const std::string& flag, const std::string& fallback) {
  return compiler::absolute_path(flag.empty() ? fallback : flag);
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

Result<policy::Context> make_context(const ContextFlags& flags, const std::string& config_data_dir) {
  const auto home = home_directory(flags.home);
  if (!home) {
    return tl::unexpected(home.error());
  }
  const std::string data_home = directory_from_env("XDG_DATA_HOME", *home + "/.local/share");
  const std::string temp = directory_from_env("TMPDIR", "/tmp");
  policy::Context context;
  context.home = *home;
  const std::pair<std::string*, Result<std::string>> fields[] = {
      {&context.worktree, compiler::absolute_path(flags.worktree)},
      {&context.project, first_of(flags.project, flags.worktree)},
      {&context.data_dir,
       first_of(flags.data_dir, config_data_dir.empty() ? data_home + "/opencode/forge" : config_data_dir)},
      {&context.tool_output, first_of(flags.tool_output, data_home + "/opencode/tool-output")},
      {&context.tmp, first_of(flags.tmp, temp + "/opencode")},
  };
  for (const auto& [field, value] : fields) {
    if (!value) {
      return tl::unexpected(value.error());
    }
    if (!policy::is_valid_utf8(*value)) {
      return fail(ErrorKind::Malformed, "read the context flags",
                  "a path is not UTF-8, which the runtime cannot take");
    }
    *field = *value;
  }
  return context;
}

std::vector<policy::ControlPlaneEntry> control_plane_of(const policy::Context& context,
                                                        const std::string& config_path) {
  const std::string config_home = directory_from_env("XDG_CONFIG_HOME", context.home + "/.config");
  std::vector<policy::ControlPlaneEntry> entries = {
      {context.data_dir, 0, 0, "the plugin's data directory"},
      {config_home + "/opencode", 0, 0, "the editor's configuration and plugins"},
      {directory_from_env("MSB_HOME", context.home + "/.microsandbox"), 0, 0, "the runtime's state"},
  };
  if (const auto config = compiler::absolute_path(config_path); config && config_path != "-") {
    entries.push_back({*config, 0, 0, "the policy itself"});
  }
  return entries;
}

}  // namespace

void ContextFlags::add(CLI::App& verb) {
  const auto text = [&](const char* flag, std::string& value, const char* type, const char* help) {
    verb.add_option(flag, value, help)->type_name(type)->group("Context");
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
  for (const std::string* flag : {&worktree, &project, &name, &data_dir, &tool_output, &tmp}) {
    if (!flag->empty()) {
      return true;
    }
  }
  return session.has_value();
}

Result<policy::Overrides> ContextFlags::overrides() const {
  policy::Overrides out;
  if (!cpus.empty()) {
    const auto count = grammar::parse_cpus(cpus);
    if (!count) {
      return bad_override("cpus", cpus, "a whole number from 1 to 255");
    }
    out.cpus = *count;
  }
  const std::tuple<std::string_view, const std::string&, std::optional<policy::Mebibytes>&> sizes[] = {
      {"memory", memory, out.memory},
      {"docker-disk", docker_disk, out.docker_disk},
      {"cache-disk", cache_disk, out.cache_disk}};
  for (const auto& [flag, text, value] : sizes) {
    const auto size = size_override(flag, text);
    if (!size) {
      return tl::unexpected(size.error());
    }
    value = *size;
  }
  out.lan = lan;
  out.sandbox = sandbox;
  return out;
}

Result<compiler::CompileRequest> make_request(const ContextFlags& flags, const std::string& config_path,
                                              const std::string& config_data_dir,
                                              std::string_view config_bytes) {
  if (flags.worktree.empty()) {
    return fail(ErrorKind::Malformed, "make a plan",
                "--worktree DIR is missing: a plan is made for one directory");
  }
  auto context = make_context(flags, config_data_dir);
  const auto overrides = flags.overrides();
  const auto digest = seal::sha256_hex(config_bytes);
  if (!context) {
    return tl::unexpected(context.error());
  }
  if (!overrides) {
    return tl::unexpected(overrides.error());
  }
  if (!digest) {
    return tl::unexpected(digest.error());
  }
  compiler::CompileRequest request;
  request.config_path = policy::escape_for_display(config_path);
  request.config_sha256 = *digest;
  request.session = session_of(flags, *context);
  auto name = session_name(flags, *context, request.session);
  if (!name) {
    return tl::unexpected(name.error());
  }
  request.name = *name;
  request.overrides = *overrides;
  request.control_plane = control_plane_of(*context, config_path);
  request.context = std::move(*context);
  return request;
}

Result<compiler::EnvIsSet> env_source(const ContextFlags& flags) {
  if (flags.env_file.empty()) {
    return [](const policy::EnvName& name) { return std::getenv(name.text().c_str()) != nullptr; };
  }
  const auto text = enforce::read_bounded(flags.env_file, kMaxEnvFileBytes);
  if (!text) {
    return tl::unexpected(text.error());
  }
  const auto names = grammar::parse_env_file(*text);
  if (!names) {
    return fail(ErrorKind::Malformed, "read " + flags.env_file,
                fmt::format("line {} is neither NAME nor NAME=VALUE", names.error().line));
  }
  const std::set<policy::EnvName> set(names->begin(), names->end());
  return [set](const policy::EnvName& name) { return set.contains(name); };
}

compiler::SystemHostFiles system_files() {
  return compiler::SystemHostFiles([](const std::string& path) {
    const auto identity = enforce::identity_of(path);
    return identity ? std::pair{identity->dev, identity->ino} : std::pair<std::uint64_t, std::uint64_t>{0, 0};
  });
}

Result<std::string> default_config_path() {
  return home_directory({}).map([](const std::string& home) {
    return directory_from_env("XDG_CONFIG_HOME", home + "/.config") + "/opencode/forge-config.jsonc";
  });
}

}  // namespace forge::cli
