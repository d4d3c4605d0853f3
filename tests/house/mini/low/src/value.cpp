#include "forge/low/value.hpp"

namespace forge::low {

std::string value() { return "value"; }

}  // namespace forge::low
