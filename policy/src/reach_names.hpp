// All names on one line, so that the rules of two policies about names are stretches of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reach_cells.hpp"
#include "reach_index.hpp"

namespace forge::policy {

/// Places: one for each name that a rule names or that lies above one, and behind it and
/// all that is below it one for the names below it that no rule tells apart. The gateway's
/// name has always a place. What lies at or below a name is one stretch.
class NameLine {
 public:
  NameLine(const ReachIndex& a, const ReachIndex& b);

  [[nodiscard]] Stretch whole() const { return {0, nodes_.front().places.size()}; }

  /// The places that a rule of this name is about; nothing for a name that nobody can ask.
  [[nodiscard]] std::optional<Stretch> stretch(const std::string& name, NameRule::Holds holds) const;

  /// The first rule about each place, whatever its services.
  [[nodiscard]] std::vector<RuleIndex> first_rules(const ReachIndex& index) const;

  /// A name of that place.
  [[nodiscard]] std::string name_at(std::uint32_t place) const;

 private:
  struct Node {
    std::string_view name;
    std::uint32_t parent = 0;
    std::uint32_t children = 0;
    std::uint32_t own = 1;   // places for the name itself
    std::uint32_t rest = 1;  // places for the names below it without a node
    Stretch places;
  };

  std::uint32_t add(std::string_view name);
  void place_nodes();
  [[nodiscard]] bool has_fresh_below(const Node& node) const;
  [[nodiscard]] std::string fresh_below(std::string_view name) const;

  std::vector<Node> nodes_;  // the first is above all names; parents come before children
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

}  // namespace forge::policy
