#include "resolution.hpp"

namespace forge::compiler {
namespace {

using policy::ValueOrigin;

// Override, then config, then default, for each value by itself.
template <class T>
void choose(T& value, ValueOrigin& origin, const std::optional<T>& override_value,
            const std::optional<Located<T>>& configured) {
  if (override_value) {
    value = *override_value;
    origin = ValueOrigin::Override;
  } else if (configured) {
    value = configured->value;
    origin = ValueOrigin::Config;
  }
}

}  // namespace

void resolve_resources(Resolution& out) {
  const policy::Overrides& overrides = out.request.overrides;
  const ResourceConfig& config = out.config.resources;
  policy::Resources& resources = out.plan.resources;
  choose(resources.cpus, resources.cpus_origin, overrides.cpus, config.cpus);
  choose(resources.memory, resources.memory_origin, overrides.memory, config.memory);
  choose(resources.docker_disk, resources.docker_disk_origin, overrides.docker_disk, config.docker_disk);
  choose(resources.cache_disk, resources.cache_disk_origin, overrides.cache_disk, config.cache_disk);
}

}  // namespace forge::compiler
