#include "forge/policy/plan_words.hpp"

#include <array>

namespace forge::policy {
namespace {

template <class T>
struct Words;

// INVARIANT: the index of a word is the value of its enumerator.
template <>
struct Words<Access> {
  static constexpr std::array<std::string_view, 2> kAll = {"ro", "rw"};
};
template <>
struct Words<Session> {
  static constexpr std::array<std::string_view, 2> kAll = {"loop", "host"};
};
template <>
struct Words<TargetId> {
  static constexpr std::array<std::string_view, 1> kAll = {"msb"};
};
template <>
struct Words<MountOrigin> {
  static constexpr std::array<std::string_view, 12> kAll = {
      "worktree",    "git-dir", "git-common-dir", "git-data", "git-hooks",   "project",
      "tool-output", "tmp",     "custom",         "external", "docker-disk", "cache-disk"};
};
template <>
struct Words<PathMountKind> {
  static constexpr std::array<std::string_view, 2> kAll = {"dir", "file"};
};
template <>
struct Words<EgressMode> {
  static constexpr std::array<std::string_view, 4> kAll = {"public", "public+private", "allow-list",
                                                           "allow-list+private"};
};
template <>
struct Words<ValueOrigin> {
  static constexpr std::array<std::string_view, 3> kAll = {"default", "config", "override"};
};
template <>
struct Words<PathKind> {
  static constexpr std::array<std::string_view, 6> kAll = {"missing", "dir",        "file",
                                                           "other",   "unreadable", "unnameable"};
};
template <>
struct Words<Owner> {
  static constexpr std::array<std::string_view, 3> kAll = {"unknown", "self", "other"};
};
template <>
struct Words<GitFileKind> {
  static constexpr std::array<std::string_view, 5> kAll = {"git-file", "commondir", "gitdir", "alternates",
                                                           "config"};
};
template <>
struct Words<GitFileState> {
  static constexpr std::array<std::string_view, 4> kAll = {"missing", "read", "malformed", "unreadable"};
};
template <>
struct Words<ListingState> {
  static constexpr std::array<std::string_view, 4> kAll = {"missing", "listed", "truncated", "unreadable"};
};
template <>
struct Words<GitLayout> {
  static constexpr std::array<std::string_view, 8> kAll = {
      "none", "checkout", "linked-worktree", "subdirectory", "separate", "submodule", "link", "bare"};
};
template <>
struct Words<ControlPlaneKind> {
  static constexpr std::array<std::string_view, 4> kAll = {"the plugin's data directory",
                                                           "the editor's configuration and plugins",
                                                           "the runtime's state", "the policy itself"};
};
template <>
struct Words<GitMode> {
  static constexpr std::array<std::string_view, 2> kAll = {"compatible", "split"};
};

template <class T>
std::string_view spell(T value) {
  return Words<T>::kAll[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view target_versions(TargetId target) {
  switch (target) {
    case TargetId::Msb:
      return "0.6.18 - 0.7.2";
  }
  return "";
}

template <class T>
std::optional<T> from_word(std::string_view text) {
  for (std::size_t i = 0; i < Words<T>::kAll.size(); ++i) {
    if (Words<T>::kAll[i] == text) {
      return static_cast<T>(i);
    }
  }
  return std::nullopt;
}

#define FORGE_PLAN_WORD(Type)                                \
  std::string_view word(Type value) { return spell(value); } \
  template std::optional<Type> from_word<Type>(std::string_view);
FORGE_PLAN_WORDS(FORGE_PLAN_WORD)
#undef FORGE_PLAN_WORD

}  // namespace forge::policy
