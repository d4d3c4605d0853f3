// The config with its meaning: typed values that still know their place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forge/policy/plan.hpp"

namespace forge::compiler {

/// A value and the place it was written at.
template <class T>
struct Located {
  T value;
  policy::Span span;
};

struct AllowEntry {
  policy::HostRule rule;
  std::size_t index = 0;  ///< in sandbox.network.allow
  policy::Span span;
};

struct SecretHost {
  policy::HostRule rule;
  policy::Span span;
};

/// One variable; entries for the same variable are merged.
struct SecretEntry {
  policy::EnvName env;
  std::vector<SecretHost> hosts;
  std::size_t index = 0;  ///< of the first entry in sandbox.network.secrets
  policy::Span span;
};

struct EnvEntry {
  policy::EnvName name;
  std::size_t index = 0;
  policy::Span span;
};

struct MountEntry {
  policy::MountPath path;
  policy::Access access = policy::Access::ReadOnly;
  policy::MountOrigin origin = policy::MountOrigin::Custom;
  std::size_t index = 0;
  policy::Span span;
};

/// What the text of the allow list and the secrets ask of egress. It depends on
/// the text alone: a wrong entry and an unset variable restrict as well.
enum class EgressIntent : std::uint8_t { Public, Restricted };

struct Network {
  EgressIntent intent = EgressIntent::Public;
  std::vector<AllowEntry> allow;
  policy::Lan lan = policy::Lan::Closed;
  std::vector<EnvEntry> env;
  std::vector<SecretEntry> secrets;
};

struct ResourceConfig {
  std::optional<Located<std::uint32_t>> cpus;
  std::optional<Located<policy::Mebibytes>> memory;
  std::optional<Located<policy::Mebibytes>> docker_disk;
  std::optional<Located<policy::Mebibytes>> cache_disk;
};

enum class ProjectMount : std::uint8_t { Off, ReadOnly };

struct Config {
  explicit Config(policy::ImageReference default_image) : image(std::move(default_image)) {}

  policy::Enabled enabled = policy::Enabled::On;
  std::optional<policy::Span> enabled_span;
  policy::ImageReference image;
  ResourceConfig resources;
  ProjectMount project_mount = ProjectMount::ReadOnly;
  std::vector<MountEntry> mounts;  ///< sandbox.mounts, then loop.allowExternalDirectories
  Network network;
  policy::Permissions permissions;
  std::string data_dir;                  ///< empty when not set
  std::vector<policy::Dropped> dropped;  ///< entries left out for what is written in them
};

}  // namespace forge::compiler
