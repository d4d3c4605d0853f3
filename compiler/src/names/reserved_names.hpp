// Names that an allow list must not open by accident (reserved_names.def).
#pragma once

#include <cstdint>
#include <string_view>

#include "forge/policy/domain_name.hpp"

namespace forge::compiler {

enum class ReservedClass : std::uint8_t { Host, LanOnly };

struct ReservedName {
  std::string_view name;
  ReservedClass klass;
  std::string_view why;
};

/// The first reserved name that `name` is or lies below; null when there is none.
[[nodiscard]] const ReservedName* reserved_name_of(const policy::DomainName& name);

/// The same for everything at or below `name`: also the reserved names that lie below it.
[[nodiscard]] const ReservedName* reserved_name_under(const policy::DomainName& name);

}  // namespace forge::compiler
