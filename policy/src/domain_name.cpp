#include "forge/policy/domain_name.hpp"

#include <algorithm>

namespace forge::policy {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_label_char(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_'; }

// As inet_aton and WHATWG URL read one; `0x` alone is a zero.
bool is_number(std::string_view label) {
  const auto is_hex_digit = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  return label.starts_with("0x") ? std::all_of(label.begin() + 2, label.end(), is_hex_digit)
                                 : std::all_of(label.begin(), label.end(), is_digit);
}

bool is_label(std::string_view label) {
  return !label.empty() && label.size() <= kMaxLabelBytes && label.front() != '-' && label.back() != '-' &&
         std::all_of(label.begin(), label.end(), is_label_char);
}

}  // namespace

std::optional<DomainName> DomainName::from_canonical(std::string_view text) {
  if (text.empty() || text.size() > kMaxDomainBytes) {
    return std::nullopt;
  }
  std::string_view label;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    label = text.substr(begin, end - begin);
    if (!is_label(label)) {
      return std::nullopt;
    }
    begin = end + 1;
  }
  if (is_number(label)) {
    return std::nullopt;
  }
  return DomainName(std::string(text));
}

std::size_t DomainName::label_count() const {
  return static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '.')) + 1;
}

bool DomainName::is_at_or_below(const DomainName& parent) const {
  if (!std::string_view(text_).ends_with(parent.text_)) {
    return false;
  }
  const std::size_t rest = text_.size() - parent.text_.size();
  return rest == 0 || text_[rest - 1] == '.';
}

}  // namespace forge::policy
