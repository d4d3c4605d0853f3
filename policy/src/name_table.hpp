// Names by number, found by one probe or a few.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

namespace forge::policy {

/// Numbers names in the order in which they come. They are looked at and not kept: whoever
/// owns them outlives the table.
class NameTable {
 public:
  using Number = std::uint32_t;
  static constexpr Number kNone = std::numeric_limits<Number>::max();

  /// kNone for a name that is not there.
  [[nodiscard]] Number find(std::string_view name) const {
    return names_.empty() ? kNone : slots_[slot_of(name, hash(name))].number;
  }

  /// The name's number, which is the count of names before where it is new.
  Number add(std::string_view name) {
    if (2 * names_.size() >= slots_.size()) {
      grow();
    }
    const std::uint32_t of = hash(name);
    Slot& slot = slots_[slot_of(name, of)];
    if (slot.number == kNone) {
      slot = {of, static_cast<Number>(names_.size())};
      names_.push_back(name);
    }
    return slot.number;
  }

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] std::string_view operator[](Number number) const { return names_[number]; }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    Number number = kNone;
  };

  static std::uint32_t hash(std::string_view name) {
    const std::size_t wide = std::hash<std::string_view>{}(name);
    return static_cast<std::uint32_t>(wide ^ wide >> 32U);
  }

  // Where the name is, or else belongs. INVARIANT: half of the slots are free.
  [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint32_t of) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = of & mask;
    while (slots_[at].number != kNone && (slots_[at].hash != of || names_[slots_[at].number] != name)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void grow() {
    constexpr std::size_t kFewest = 16;
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? kFewest : 2 * old.size(), {});
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.number != kNone) {
        std::size_t at = slot.hash & mask;
        while (slots_[at].number != kNone) {
          at = (at + 1) & mask;
        }
        slots_[at] = slot;
      }
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::string_view> names_;
};

}  // namespace forge::policy
