// What a sandbox should not be given of the host, and what a mount must not hide
// in the guest: two tables, and what they say of one path.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "forge/policy/plan.hpp"

namespace forge::policy {

/// A mount is judged by how it lies to a protected path. Writable: always an error,
/// at it, around it or inside it (but for what is said at Root and Home).
enum class ProtectedKind : std::uint8_t {
  Root,          ///< at it: error; inside: not judged by this row
  Home,          ///< at or around it: error; inside: not judged by this row
  Kernel,        ///< at, around or inside it: error
  Sockets,       ///< read-only too: error, since a socket takes commands all the same
  State,         ///< read-only too: error; holds other sandboxes' data
  ControlPlane,  ///< read-only: around it error, at or inside it a warning
  Credential,    ///< the same
  StartFile,     ///< the same
  System,        ///< the same
};

enum class ProtectedBase : std::uint8_t { Root, Home };

struct ProtectedRow {
  ProtectedBase base;
  std::string_view path;  ///< absolute, or relative to the home directory
  ProtectedKind kind;
  std::string_view what;  ///< for people: "SSH keys"
};

/// All rows, in the order of the table.
[[nodiscard]] std::span<const ProtectedRow> protected_rows();

enum class GuestPathKind : std::uint8_t { Runtime, Image };

struct GuestPathRow {
  std::string_view path;
  GuestPathKind kind;
  std::string_view what;
};

[[nodiscard]] std::span<const GuestPathRow> guest_path_rows();

/// How one path lies to another, by whole components.
enum class Lying : std::uint8_t { Apart, At, Around, Inside };

/// Where `one` lies, seen from `two`: Around when it is an ancestor of it.
[[nodiscard]] Lying lying_of(std::string_view one, std::string_view two);

enum class Judgement : std::uint8_t { Fine, Warned, Refused };

/// True for `/proc`, `/sys`, `/dev` and everything in them.
[[nodiscard]] bool lies_in_kernel_tree(std::string_view path);

/// What a mount with this access gets that lies so to a path of this kind.
[[nodiscard]] Judgement judge(ProtectedKind kind, Lying lying, Access access);
[[nodiscard]] Judgement judge(GuestPathKind kind, Lying lying);

}  // namespace forge::policy
