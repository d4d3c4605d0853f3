// The flags that say what a plan is made for.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "forge/compiler/compile.hpp"
#include "forge/policy/result.hpp"

namespace forge::cli {

struct ContextFlags {
  std::string worktree;
  std::string project;
  std::string name;
  std::string data_dir;
  std::string tool_output;
  std::string tmp;
  std::string home;
  std::string env_file;
  policy::TargetId target = policy::TargetId::Msb;
  std::optional<policy::Session> session;
  policy::GitMode git_mode = policy::GitMode::Compatible;
  std::string facts;
  std::string cpus;
  std::string memory;
  std::string docker_disk;
  std::string cache_disk;
  std::optional<policy::Lan> lan;
  policy::Enabled sandbox = policy::Enabled::On;

  void add(CLI::App& verb);
  /// True when a flag that needs a plan was given (--env-file and --lan alone do not).
  [[nodiscard]] bool ask_for_plan() const;
};

/// What the flags say for every config alike; read once, before any file.
struct Settings {
  policy::Overrides overrides;
  std::optional<policy::Context> context;  ///< nothing when no plan is asked for
};

enum class PlanWanted { Yes, IfAsked };

/// Errors: Malformed (a value that is none, or --worktree missing where a plan is
/// wanted), and those of finding the home and current directories.
[[nodiscard]] policy::Result<Settings> read_settings(const ContextFlags& flags, PlanWanted wanted);

/// Everything a plan is made for. `settings` has a context; `config_data_dir` is
/// what the config says, if anything.
[[nodiscard]] policy::Result<compiler::CompileRequest> make_request(const ContextFlags& flags,
                                                                    const Settings& settings,
                                                                    const std::string& config_path,
                                                                    const std::string& config_data_dir,
                                                                    std::string_view config_bytes);

/// Which variables count as set: the names of --env-file (`-`: standard input),
/// else the process environment. Errors, which name the file: those of reading
/// it, and Malformed.
[[nodiscard]] policy::Result<compiler::EnvIsSet> env_source(const ContextFlags& flags);

/// The real file system.
[[nodiscard]] compiler::SystemHostFiles system_files();

/// What is known about the host: with --facts what the file says, else what the
/// host and `env_is_set` answer to the config's questions. Errors, which name the
/// file: those of reading it, Malformed (neither facts nor a plan).
[[nodiscard]] policy::Result<policy::HostFacts> facts_for(const ContextFlags& flags,
                                                          const compiler::FactQuestions& questions,
                                                          const compiler::EnvIsSet& env_is_set);

/// The user's own config file. Errors: NotFound when there is no home directory.
[[nodiscard]] policy::Result<std::string> default_config_path();

}  // namespace forge::cli
