// All services on one line, so that those of a rule are a few stretches of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "reach_cells.hpp"
#include "reach_index.hpp"

namespace forge::policy {

/// Numbers: a TCP port is itself, then follow the ports of UDP and the two ICMPs. A place
/// of the line is a stretch of numbers that no rule of two policies tells apart.
class ServiceLine {
 public:
  ServiceLine(const ReachIndex& a, const ReachIndex& b) : cuts_{0} {
    for (const ReachIndex* index : {&a, &b}) {
      for (const Signature& signature : index->signatures) {
        for (const Stretch& numbers : numbers_of(signature.services)) {
          cuts_.push_back(numbers.begin);
          cuts_.push_back(numbers.end);
        }
      }
    }
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
    if (cuts_.back() == kNumbers) {
      cuts_.pop_back();
    }
  }

  [[nodiscard]] Stretch whole() const { return {0, static_cast<std::uint32_t>(cuts_.size())}; }

  [[nodiscard]] std::vector<Stretch> of(const Services& services) const {
    std::vector<Stretch> out = numbers_of(services);
    for (Stretch& stretch : out) {
      stretch = {place(stretch.begin), place(stretch.end)};
    }
    return out;
  }

  /// A service of that place, as protocol and port; ICMP has port 0.
  [[nodiscard]] std::pair<Protocol, std::uint16_t> at(std::uint32_t place) const {
    const std::uint32_t number = cuts_[place];
    if (number >= 2 * kPorts) {
      return {number == 2 * kPorts ? Protocol::IcmpV4 : Protocol::IcmpV6, std::uint16_t{0}};
    }
    return {number < kPorts ? Protocol::Tcp : Protocol::Udp, static_cast<std::uint16_t>(number % kPorts)};
  }

 private:
  static constexpr std::uint32_t kPorts = 65536;
  static constexpr std::uint32_t kNumbers = 2 * kPorts + 2;

  [[nodiscard]] std::uint32_t place(std::uint32_t number) const {
    return static_cast<std::uint32_t>(std::lower_bound(cuts_.begin(), cuts_.end(), number) - cuts_.begin());
  }

  // Neighbouring stretches are joined.
  static std::vector<Stretch> numbers_of(const Services& services) {
    std::vector<Stretch> out;
    const auto add = [&](Protocol protocol, Stretch numbers) {
      if ((services.protocols & 1U << static_cast<unsigned>(protocol)) == 0) {
        return;
      }
      if (!out.empty() && out.back().end == numbers.begin) {
        out.back().end = numbers.end;
      } else {
        out.push_back(numbers);
      }
    };
    const PortRange ports = services.ports.value_or(PortRange{});
    add(Protocol::Tcp, {ports.first, ports.last + 1U});
    add(Protocol::Udp, {kPorts + ports.first, kPorts + ports.last + 1U});
    if (!services.ports) {
      add(Protocol::IcmpV4, {2 * kPorts, 2 * kPorts + 1});
      add(Protocol::IcmpV6, {2 * kPorts + 1, kNumbers});
    }
    return out;
  }

  std::vector<std::uint32_t> cuts_;
};

}  // namespace forge::policy
