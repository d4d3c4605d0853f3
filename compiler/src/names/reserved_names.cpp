#include "reserved_names.hpp"

#include <algorithm>
#include <array>

namespace forge::compiler {
namespace {

constexpr std::array kReserved = {
#define FORGE_RESERVED(name, klass, why) ReservedName{name, ReservedClass::klass, why},
#include "reserved_names.def"
#undef FORGE_RESERVED
};

bool at_or_below(std::string_view name, std::string_view parent) {
  return name.ends_with(parent) &&
         (name.size() == parent.size() || name[name.size() - parent.size() - 1] == '.');
}

template <class Matches>
const ReservedName* first(Matches matches) {
  const auto hit = std::find_if(kReserved.begin(), kReserved.end(), matches);
  return hit == kReserved.end() ? nullptr : &*hit;
}

}  // namespace

const ReservedName* reserved_name_of(const policy::DomainName& name) {
  return first([&](const ReservedName& row) { return at_or_below(name.text(), row.name); });
}

const ReservedName* reserved_name_under(const policy::DomainName& name) {
  return first([&](const ReservedName& row) {
    return at_or_below(name.text(), row.name) || at_or_below(row.name, name.text());
  });
}

}  // namespace forge::compiler
