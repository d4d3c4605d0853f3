// Visits a closed variant without a default branch.
#pragma once

namespace forge::policy {

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

}  // namespace forge::policy
