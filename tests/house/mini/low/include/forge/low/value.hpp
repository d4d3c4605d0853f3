// A header that compiles alone.
#pragma once

#include <string>

namespace forge::low {

std::string value();

}  // namespace forge::low
