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
  nodes_.push_back({});
  nodes_.front().own = 0;
  const std::size_t most = a.names.size() + b.names.size() + 1;
  nodes_.reserve(most);
  by_name_.reserve(most);
  add(kGatewayName);
  for (const ReachIndex* index : {&a, &b}) {
    for (const auto* entry : index->names_in_order) {
      if (can_be_asked(entry->first)) {
        add(entry->first);
      }
    }
  }
  place_nodes();
}

std::uint32_t NameLine::add(std::string_view name) {
  if (const auto hit = by_name_.find(name); hit != by_name_.end()) {
    return hit->second;
  }
  const std::size_t dot = name.find('.');
  const std::uint32_t parent = dot == std::string_view::npos ? 0 : add(name.substr(dot + 1));
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  ++nodes_[parent].children;
  nodes_.push_back({name, parent, 0, 1, 1, {}});
  by_name_.emplace(name, number);
  return number;
}

void NameLine::place_nodes() {
  std::vector<std::uint32_t> sizes(nodes_.size(), 0);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    node.rest = has_fresh_below(node) ? 1 : 0;
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
bool NameLine::has_fresh_below(const Node& node) const {
  const bool is_short = node.name.empty() || node.name.size() + 2 <= kMaxDomainBytes;
  return is_short && (node.children < kLetters.size() || !fresh_below(node.name).empty());
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
    if (by_name_.find(fresh) == by_name_.end()) {
      return fresh;
    }
  }
}

std::optional<Stretch> NameLine::stretch(const std::string& name, NameRule::Holds holds) const {
  const auto hit = by_name_.find(name);
  if (hit == by_name_.end()) {
    return std::nullopt;
  }
  const Stretch places = nodes_[hit->second].places;
  return holds == NameRule::Holds::NameAndBelow ? places : Stretch{places.begin, places.begin + 1};
}

std::vector<RuleIndex> NameLine::first_rules(const ReachIndex& index) const {
  std::vector<RuleIndex> of_name(nodes_.size(), kNoRule);
  std::vector<RuleIndex> of_below(nodes_.size(), kNoRule);
  for (const auto* entry : index.names_in_order) {
    const auto hit = by_name_.find(entry->first);
    if (hit == by_name_.end()) {
      continue;
    }
    for (const NameRule& rule : entry->second) {
      auto& first = rule.holds == NameRule::Holds::Name ? of_name : of_below;
      first[hit->second] = std::min(first[hit->second], rule.rule);
    }
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
  for (const Node& node : nodes_) {
    if (node.own != 0 && place == node.places.begin) {
      return std::string(node.name);
    }
    if (node.rest != 0 && place == node.places.end - 1) {
      return fresh_below(node.name);
    }
  }
  return {};
}

}  // namespace forge::policy
