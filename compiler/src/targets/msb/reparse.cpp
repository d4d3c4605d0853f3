// Reads a create vector back. Knows msb's command line, nothing of the emitter:
// an argument it does not understand makes the whole vector unreadable.
#include <algorithm>
#include <charconv>
#include <set>

#include "forge/compiler/targets.hpp"
#include "forge/grammar/msb_tokens.hpp"
#include "forge/grammar/values.hpp"

namespace forge::compiler {
namespace {

using policy::EgressMode;

class CreateReader {
 public:
  std::optional<VectorMeaning> read(const Argv& argv) {
    if (argv.empty() || argv.front() != "create") {
      return std::nullopt;
    }
    for (std::size_t i = 1; i < argv.size(); ++i) {
      if (!argument(argv[i])) {
        return std::nullopt;
      }
    }
    return finish();
  }

 private:
  bool argument(std::string_view text) {
    if (!text.starts_with('-')) {
      return once("image") && image(text);
    }
    if (text == "--quiet") {
      return once("--quiet");
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      return false;
    }
    return option(text.substr(0, equals), text.substr(equals + 1));
  }

  // msb refuses a single-valued option given twice, and a second image.
  bool once(std::string_view what) { return seen_.insert(what).second; }

  bool image(std::string_view text) {
    meaning_.image = text;
    return grammar::parse_image_reference(text).has_value();
  }

  bool option(std::string_view flag, std::string_view value) {
    if (flag == "--name") {
      meaning_.name = value;
      return once("--name") && is_name(value);
    }
    if (flag == "--cpus") {
      return once("--cpus") && cpus(value);
    }
    if (flag == "--memory") {
      const auto size = grammar::parse_msb_size(value);
      meaning_.memory = size.value_or(policy::Mebibytes{});
      return once("--memory") && size.has_value();
    }
    if (flag == "--volume") {
      return volume(value);
    }
    if (flag == "--mount-named") {
      return named_disk(value);
    }
    if (flag == "--env") {
      meaning_.env.emplace_back(value);
      return grammar::parse_env_name(value).has_value();
    }
    if (flag == "--secret") {
      return secret(value);
    }
    return network(flag, value);
  }

  // msb: [A-Za-z0-9][A-Za-z0-9._-]{0,127}
  static bool is_name(std::string_view name) {
    constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    constexpr std::string_view kRest = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return !name.empty() && name.size() <= policy::kMaxSandboxNameBytes &&
           kFirst.find(name.front()) != std::string_view::npos &&
           name.find_first_not_of(kRest) == std::string_view::npos;
  }

  bool cpus(std::string_view value) {
    const auto count = grammar::parse_cpus(value);
    meaning_.cpus = count.value_or(0);
    return count.has_value();
  }

  bool volume(std::string_view value) {
    auto mount = grammar::parse_msb_volume(value);
    if (!mount || !guests_.insert(mount->guest).second) {
      return false;
    }
    meaning_.mounts.push_back({std::move(mount->host), std::move(mount->guest), mount->access});
    return true;
  }

  bool named_disk(std::string_view value) {
    auto disk = grammar::parse_msb_named_disk(value);
    if (!disk || !is_name(disk->volume) || !guests_.insert(disk->guest).second) {
      return false;
    }
    // A disk of these two options only is one that the guest can write to.
    meaning_.disks.push_back(
        {std::move(disk->volume), std::move(disk->guest), disk->size, policy::Access::ReadWrite});
    return true;
  }

  bool secret(std::string_view value) {
    auto binding = grammar::parse_msb_secret(value);
    if (!binding || !secrets_.insert(binding->env.text()).second) {
      return false;
    }
    meaning_.secrets.push_back({binding->env.text(), std::move(binding->hosts)});
    return true;
  }

  bool network(std::string_view flag, std::string_view value) {
    if (flag == "--net") {
      open_private_ = value == "public,private";
      return once("--net") && open_private_;
    }
    if (flag == "--net-default") {
      deny_base_ = value == "deny";
      return once("--net-default") && deny_base_;
    }
    if (flag == "--net-rule") {
      const auto rule = grammar::parse_msb_allow_rule(value);
      if (rule) {
        meaning_.rules.push_back(*rule);
      }
      return rule.has_value();
    }
    return false;
  }

  std::optional<VectorMeaning> finish() {
    // A rule without a deny base would come on top of "allow public", and the two
    // base flags exclude each other.
    const bool complete = seen_.contains("image") && seen_.contains("--name") && seen_.contains("--cpus") &&
                          seen_.contains("--memory");
    if (!complete || (open_private_ && deny_base_) || (!deny_base_ && !meaning_.rules.empty())) {
      return std::nullopt;
    }
    const bool lan = std::any_of(
        meaning_.rules.begin(), meaning_.rules.end(),
        [](const policy::HostRule& rule) { return std::holds_alternative<policy::GroupHost>(rule); });
    if (deny_base_) {
      meaning_.mode = lan ? EgressMode::AllowListAndPrivate : EgressMode::AllowList;
    } else {
      meaning_.mode = open_private_ ? EgressMode::PublicAndPrivate : EgressMode::Public;
    }
    std::sort(meaning_.mounts.begin(), meaning_.mounts.end());
    std::sort(meaning_.disks.begin(), meaning_.disks.end());
    std::sort(meaning_.env.begin(), meaning_.env.end());
    std::sort(meaning_.secrets.begin(), meaning_.secrets.end());
    return std::move(meaning_);
  }

  VectorMeaning meaning_;
  std::set<std::string_view> seen_;
  std::set<std::string> guests_;
  std::set<std::string> secrets_;
  bool open_private_ = false;
  bool deny_base_ = false;
};

}  // namespace

std::optional<VectorMeaning> parse_msb_create(const Argv& argv) { return CreateReader().read(argv); }

}  // namespace forge::compiler
