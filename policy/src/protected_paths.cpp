#include "forge/policy/protected_paths.hpp"

#include <algorithm>
#include <array>

#include "forge/policy/mount_path.hpp"

namespace forge::policy {
namespace {

constexpr std::array kProtected = {
#define FORGE_PROTECTED(base, path, kind, what) \
  ProtectedRow{ProtectedBase::base, path, ProtectedKind::kind, what},
#include "forge/policy/protected_paths.def"
#undef FORGE_PROTECTED
};

constexpr std::array kGuestPaths = {
#define FORGE_GUEST_PATH(path, kind, what) GuestPathRow{path, GuestPathKind::kind, what},
#include "forge/policy/guest_paths.def"
#undef FORGE_GUEST_PATH
};

}  // namespace

std::span<const ProtectedRow> protected_rows() { return kProtected; }
std::span<const GuestPathRow> guest_path_rows() { return kGuestPaths; }

Lying lying_of(std::string_view one, std::string_view two) {
  if (one == two) {
    return Lying::At;
  }
  if (path_is_at_or_below(one, two)) {
    return Lying::Inside;
  }
  return path_is_at_or_below(two, one) ? Lying::Around : Lying::Apart;
}

bool lies_in_kernel_tree(std::string_view path) {
  return std::any_of(kProtected.begin(), kProtected.end(), [&](const ProtectedRow& row) {
    return row.kind == ProtectedKind::Kernel && path_is_at_or_below(path, row.path);
  });
}

Judgement judge(ProtectedKind kind, Lying lying, Access access) {
  if (lying == Lying::Apart) {
    return Judgement::Fine;
  }
  switch (kind) {
    case ProtectedKind::Root:
    case ProtectedKind::Home:
      return lying == Lying::Inside ? Judgement::Fine : Judgement::Refused;
    case ProtectedKind::Kernel:
    case ProtectedKind::Sockets:
    case ProtectedKind::State:
      return Judgement::Refused;
    case ProtectedKind::ControlPlane:
    case ProtectedKind::Credential:
    case ProtectedKind::StartFile:
    case ProtectedKind::System:
      return access == Access::ReadWrite || lying == Lying::Around ? Judgement::Refused : Judgement::Warned;
  }
  return Judgement::Refused;
}

Judgement judge(GuestPathKind kind, Lying lying) {
  if (lying == Lying::Apart) {
    return Judgement::Fine;
  }
  return kind == GuestPathKind::Image && lying == Lying::Inside ? Judgement::Warned : Judgement::Refused;
}

}  // namespace forge::policy
