#pragma once

namespace forge::high {

int use();

}  // namespace forge::high
