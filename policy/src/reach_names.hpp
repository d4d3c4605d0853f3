// All names on one line, so that the rules of two policies about names are stretches of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

  enum class Of : std::uint8_t { A, B };

  /// The places that a rule is about that is of this name in a policy; nothing for a name
  /// that nobody can ask.
  [[nodiscard]] std::optional<Stretch> stretch(Of policy, NameTable::Number name,
                                               NameRule::Holds holds) const;
  [[nodiscard]] Stretch gateway_name() const { return own_place(nodes_[gateway_node_]); }

  /// The first rule about each place, whatever its services.
  [[nodiscard]] std::vector<RuleIndex> first_rules(Of policy, const ReachIndex& index) const;

  /// A name of that place.
  [[nodiscard]] std::string name_at(std::uint32_t place) const;

 private:
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t children = 0;
    std::uint32_t own = 1;   // places for the name itself
    std::uint32_t rest = 1;  // places for the names below it without a node
    Stretch places;
  };
  static constexpr std::uint32_t kNoNode = NameTable::kNone;

  static Stretch own_place(const Node& node) { return {node.places.begin, node.places.begin + 1}; }

  std::uint32_t add(std::string_view name);
  void place_nodes();
  [[nodiscard]] std::string_view name_of(std::uint32_t node) const;
  [[nodiscard]] bool has_fresh_below(std::uint32_t node) const;
  [[nodiscard]] std::string fresh_below(std::string_view name) const;

  NameTable table_;          // a name's node is its number and one
  std::vector<Node> nodes_;  // the first is above all names; parents come before children
  std::array<std::vector<std::uint32_t>, 2> node_of_;  // by policy and the name's number there
  std::uint32_t gateway_node_ = 0;
};

}  // namespace forge::policy
