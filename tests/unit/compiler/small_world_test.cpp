// Every list of a few mounts over a small tree, against a meaning that is computed
// mount by mount and path by path.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/resolve/mount_table.hpp"

namespace forge::compiler::test {
namespace {

using policy::Access;
using policy::MountPath;
using Verdict = MountTable::Verdict;

struct Entry {
  std::string host;
  std::string guest;
  Access access;
};
using Entries = std::vector<Entry>;

enum class Effective { None, ReadOnly, ReadWrite };
// How a runtime takes nested mounts: the deepest decides, or no writable one inside a
// read-only one counts. A plan must mean the same under both.
enum class Model { DeepestWins, ReadOnlyWins };
constexpr Model kModels[] = {Model::DeepestWins, Model::ReadOnlyWins};

bool at_or_below(const std::string& path, const std::string& top) {
  return path == top || path.rfind(top + "/", 0) == 0;
}
bool overlap(const std::string& a, const std::string& b) { return at_or_below(a, b) || at_or_below(b, a); }
bool overlap(const Entry& a, const Entry& b) { return overlap(a.host, b.host) || overlap(a.guest, b.guest); }
Effective effective(Access access) {
  return access == Access::ReadOnly ? Effective::ReadOnly : Effective::ReadWrite;
}

const Entry* deepest(const Entries& list, const std::string& guest) {
  const Entry* found = nullptr;
  for (const Entry& entry : list) {
    if (at_or_below(guest, entry.guest) && (found == nullptr || entry.guest.size() > found->guest.size())) {
      found = &entry;
    }
  }
  return found;
}

Effective access_at(const Entries& list, const std::string& guest, Model model) {
  const Entry* decides = deepest(list, guest);
  if (decides == nullptr) {
    return Effective::None;
  }
  const bool closed = std::any_of(list.begin(), list.end(), [&](const Entry& entry) {
    return at_or_below(guest, entry.guest) && entry.access == Access::ReadOnly;
  });
  return closed && model == Model::ReadOnlyWins ? Effective::ReadOnly : effective(decides->access);
}

// The most that the guest can do to a host path, over all places that show it.
Effective access_to(const Entries& list, const std::string& host) {
  Effective most = Effective::None;
  for (const Entry& entry : list) {
    const bool holds = at_or_below(host, entry.host);
    if (holds && deepest(list, entry.guest + host.substr(entry.host.size())) == &entry) {
      most = std::max(most, effective(entry.access));
    }
  }
  return most;
}

Entries with(Entries list, const Entry& entry) {
  list.push_back(entry);
  return list;
}

class World {
 public:
  World(std::vector<std::string> nodes, bool crooked) : nodes_(std::move(nodes)) {
    for (const std::string& host : nodes_) {
      for (const std::string& guest : nodes_) {
        if (crooked || host == guest) {
          all_.push_back({host, guest, Access::ReadOnly});
          all_.push_back({host, guest, Access::ReadWrite});
        }
      }
    }
  }

  /// Tries every list of up to `length` mounts. One that was not accepted changes
  /// nothing, so lists that differ by such ones are one list.
  void explore(int length) { extend({}, MountTable(), length); }
  [[nodiscard]] std::size_t lists() const { return lists_; }

 private:
  [[nodiscard]] MountPlace place(const Entry& entry, bool known) const {
    std::vector<Identity> chain;
    for (std::string up = entry.host; known && !up.empty(); up = up.substr(0, up.rfind('/'))) {
      const auto at = std::find(nodes_.begin(), nodes_.end(), up) - nodes_.begin();
      chain.emplace_back(1, static_cast<std::uint64_t>(at) + 1);
    }
    return {*MountPath::from_canonical(entry.host), *MountPath::from_canonical(entry.guest), chain};
  }

  static Entry entry_of(const policy::Mount& mount) {
    return {std::get<policy::PathSource>(mount.source).host.text(), mount.guest.text(), mount.access};
  }

  void extend(const Entries& list, const MountTable& table, int left) {
    check_accepted(list);
    check_covering(list, table);
    for (const Entry& entry : all_) {
      if (left == 0 || testing::Test::HasFailure()) {
        return;
      }
      SCOPED_TRACE(entry.host + ":" + entry.guest + (entry.access == Access::ReadOnly ? ":ro" : ":rw"));
      ++lists_;
      const MountTable::Answer answer = table.judge(place(entry, true), entry.access);
      check_answer(list, entry, answer);
      EXPECT_EQ(table.judge(place(entry, false), entry.access).verdict, answer.verdict)
          << "what is known of inodes changes nothing where all paths are real";
      const bool meets =
          std::any_of(list.begin(), list.end(), [&](const Entry& e) { return overlap(e, entry); });
      EXPECT_EQ(table.overlapping(place(entry, true)) != nullptr, meets);
      if (answer.verdict == Verdict::Free) {
        MountTable more = table;
        more.add(
            {policy::PathSource{*MountPath::from_canonical(entry.host), policy::PathMountKind::Directory},
             *MountPath::from_canonical(entry.guest), entry.access, policy::MountOrigin::Custom,
             std::nullopt},
            place(entry, true).chain);
        extend(with(list, entry), more, left - 1);
      }
    }
  }

  void check_accepted(const Entries& list) const {
    for (const Model model : kModels) {
      for (const Entry& entry : list) {
        EXPECT_EQ(access_at(list, entry.guest, model), effective(entry.access)) << "at " << entry.guest;
      }
    }
    for (const std::string& node : nodes_) {
      check_guest_path(list, node);
      check_host_path(list, node);
    }
  }

  // Writable exactly where a writable mount says so and no read-only one inside of it.
  static void check_guest_path(const Entries& list, const std::string& path) {
    const bool declared = std::any_of(list.begin(), list.end(), [&](const Entry& entry) {
      const auto takes_away = [&](const Entry& other) {
        return other.access == Access::ReadOnly && other.guest != entry.guest &&
               at_or_below(other.guest, entry.guest) && at_or_below(path, other.guest);
      };
      return entry.access == Access::ReadWrite && at_or_below(path, entry.guest) &&
             std::none_of(list.begin(), list.end(), takes_away);
    });
    for (const Model model : kModels) {
      EXPECT_EQ(access_at(list, path, model) == Effective::ReadWrite, declared) << "at " << path;
    }
  }

  // What a read-only mount shows cannot be written by another way to the same directory.
  static void check_host_path(const Entries& list, const std::string& path) {
    const Entry* nearest = nullptr;
    for (const Entry& entry : list) {
      if (at_or_below(path, entry.host) && (nearest == nullptr || entry.host.size() > nearest->host.size())) {
        nearest = &entry;
      }
    }
    if (nearest != nullptr && nearest->access == Access::ReadOnly) {
      EXPECT_NE(access_to(list, path), Effective::ReadWrite) << "of " << path;
    }
  }

  void check_covering(const Entries& list, const MountTable& table) const {
    for (const std::string& node : nodes_) {
      std::size_t longest = 0;
      for (const Entry& entry : list) {
        longest = std::max(longest, at_or_below(node, entry.host) ? entry.host.size() : 0);
      }
      const policy::Mount* found = table.covering(node);
      EXPECT_EQ(found == nullptr ? 0 : entry_of(*found).host.size(), longest) << node;
    }
  }

  void check_answer(const Entries& list, const Entry& entry, const MountTable::Answer& answer) const {
    if (answer.verdict == Verdict::Free) {
      EXPECT_EQ(answer.other, nullptr);
      return;
    }
    ASSERT_NE(answer.other, nullptr);
    const Entry other = entry_of(*answer.other);
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const Entry& e) {
      return e.host == other.host && e.guest == other.guest && e.access == other.access;
    })) << "not one of the accepted";
    EXPECT_TRUE(overlap(other, entry)) << other.host << ":" << other.guest << " has nothing to do with it";
    if (answer.verdict == Verdict::Redundant) {
      check_redundant(list, entry, other);
    } else {
      check_conflict(list, entry);
    }
  }

  // The other one holds its directory and says the same; where both are straight, it
  // would change nothing.
  void check_redundant(const Entries& list, const Entry& entry, const Entry& other) const {
    EXPECT_TRUE(at_or_below(entry.host, other.host) && entry.access == other.access);
    if (!is_straight(list) || entry.host != entry.guest) {
      return;
    }
    const Entries more = with(list, entry);
    for (const std::string& node : nodes_) {
      EXPECT_EQ(access_to(more, node), access_to(list, node)) << "of " << node;
      for (const Model model : kModels) {
        EXPECT_EQ(access_at(more, node, model), access_at(list, node, model)) << "at " << node;
      }
    }
  }

  // By the document's rule: two that overlap with another access, unless the new one is
  // a read-only part of a writable one.
  static void check_conflict(const Entries& list, const Entry& entry) {
    if (!is_straight(list) || entry.host != entry.guest) {
      return;  // where it would be seen, something else lies already
    }
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const Entry& other) {
      const bool part = entry.access == Access::ReadOnly && other.access == Access::ReadWrite &&
                        entry.host != other.host && at_or_below(entry.host, other.host);
      return overlap(entry, other) && entry.access != other.access && !part;
    })) << "nothing stands against it";
  }

  static bool is_straight(const Entries& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const Entry& entry) { return entry.host == entry.guest; });
  }

  std::vector<std::string> nodes_;
  Entries all_;
  std::size_t lists_ = 0;
};

TEST(SmallWorld, EveryListOfUpToFourMountsMeansWhatItDeclares) {
  World world({"/a", "/a/b", "/a/b/c", "/a/b/d", "/a/e", "/f", "/f/g"}, false);
  world.explore(4);
  EXPECT_GT(world.lists(), 5'000U);
}

TEST(SmallWorld, EveryListOfUpToThreeMountsSeenAnywhereMeansWhatItDeclares) {
  World world({"/a", "/a/b", "/a/b/c", "/f", "/f/g"}, true);
  world.explore(3);
  EXPECT_GT(world.lists(), 20'000U);
}

}  // namespace
}  // namespace forge::compiler::test
