#include "reach_names.hpp"

#include <algorithm>

#include "forge/policy/domain_name.hpp"

namespace forge::policy {
namespace {

// Of what a new label is made; none may begin with a hyphen.
constexpr std::string_view kLetters = "xabcdefghijklmnopqrstuvwyz0123456789_";

bool can_be_asked(std::string_view name) {
  std::size_t label = 0;
  for (const char letter : name) {
    if (letter == '.' && label == 0) {
      return false;
    }
    label = letter == '.' ? 0 : label + 1;
    if (label > kMaxLabelBytes) {
      return false;
    }
  }
  return label != 0 && name.size() <= kMaxDomainBytes;
}

// The labels by length, then by letter.
std::string label_of(std::size_t number) {
  std::string label;
  for (std::size_t rest = number + 1; rest != 0; rest = (rest - 1) / kLetters.size()) {
    label.insert(label.begin(), kLetters[(rest - 1) % kLetters.size()]);
  }
  return label;
}

}  // namespace

NameLine::NameLine(const ReachIndex& a, const ReachIndex& b) {
  nodes_.emplace_back().own = 0;
  gateway_node_ = add(kGatewayName);
  const std::array<const ReachIndex*, 2> policies = {&a, &b};
  for (std::size_t policy = 0; policy < policies.size(); ++policy) {
    const NameTable& names = policies.at(policy)->names;
    for (NameTable::Number i = 0; i < names.size(); ++i) {
      node_of_.at(policy).push_back(can_be_asked(names[i]) ? add(names[i]) : kNoNode);
    }
  }
  place_nodes();
}

std::uint32_t NameLine::add(std::string_view name) {
  if (const NameTable::Number known = table_.find(name); known != NameTable::kNone) {
    return known + 1;
  }
  const std::size_t dot = name.find('.');
  const std::uint32_t parent = dot == std::string_view::npos ? 0 : add(name.substr(dot + 1));
  ++nodes_[parent].children;
  nodes_.emplace_back().parent = parent;
  return table_.add(name) + 1;
}

std::string_view NameLine::name_of(std::uint32_t node) const {
  return node == 0 ? std::string_view() : table_[node - 1];
}

void NameLine::place_nodes() {
  std::vector<std::uint32_t> sizes(nodes_.size(), 0);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    node.rest = has_fresh_below(static_cast<std::uint32_t>(i)) ? 1 : 0;
    sizes[i] += node.own + node.rest;
    if (i > 0) {
      sizes[node.parent] += sizes[i];
    }
  }
  nodes_.front().places = {0, sizes.front()};
  std::vector<std::uint32_t> next(nodes_.size(), 0);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    std::uint32_t& begin = next[node.parent];
    node.places = {begin, begin + sizes[i]};
    begin += sizes[i];
    next[i] = node.places.begin + node.own;
  }
}

// With fewer children than letters some letter alone is a new label.
bool NameLine::has_fresh_below(std::uint32_t node) const {
  const std::string_view name = name_of(node);
  const bool is_short = name.empty() || name.size() + 2 <= kMaxDomainBytes;
  return is_short && (nodes_[node].children < kLetters.size() || !fresh_below(name).empty());
}

// Empty where no name below is short enough.
std::string NameLine::fresh_below(std::string_view name) const {
  for (std::size_t number = 0;; ++number) {
    std::string fresh = label_of(number);
    if (!name.empty()) {
      fresh += '.';
      fresh += name;
    }
    if (fresh.size() > kMaxDomainBytes) {
      return {};
    }
    if (table_.find(fresh) == NameTable::kNone) {
      return fresh;
    }
  }
}

std::optional<Stretch> NameLine::stretch(Of policy, NameTable::Number name, NameRule::Holds holds) const {
  const std::uint32_t node = node_of_.at(static_cast<std::size_t>(policy))[name];
  if (node == kNoNode) {
    return std::nullopt;
  }
  return holds == NameRule::Holds::NameAndBelow ? nodes_[node].places : own_place(nodes_[node]);
}

std::vector<RuleIndex> NameLine::first_rules(Of policy, const ReachIndex& index) const {
  const std::vector<std::uint32_t>& nodes = node_of_.at(static_cast<std::size_t>(policy));
  std::vector<RuleIndex> of_name(nodes_.size(), kNoRule);
  std::vector<RuleIndex> of_below(nodes_.size(), kNoRule);
  for (NameTable::Number name = 0; name < index.names.size(); ++name) {
    if (nodes[name] == kNoNode) {
      continue;
    }
    index.each_rule_of(name, [&](const NameRule& rule) {
      const bool is_exact = rule.holds == NameRule::Holds::Name;
      auto& first = is_exact ? of_name[nodes[name]] : of_below[nodes[name]];
      first = std::min(first, rule.rule);
      return is_exact;  // behind a rule for the name and all below it none comes first
    });
  }
  std::vector<RuleIndex> out(whole().size(), kNoRule);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    of_below[i] = std::min(of_below[i], of_below[node.parent]);
    out[node.places.begin] = std::min(of_name[i], of_below[i]);
    if (node.rest != 0) {
      out[node.places.end - 1] = of_below[i];
    }
  }
  return out;
}

std::string NameLine::name_at(std::uint32_t place) const {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.own != 0 && place == node.places.begin) {
      return std::string(name_of(i));
    }
    if (node.rest != 0 && place == node.places.end - 1) {
      return fresh_below(name_of(i));
    }
  }
  return {};
}

}  // namespace forge::policy
