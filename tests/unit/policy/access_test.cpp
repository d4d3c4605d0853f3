// The meaning of a list of mounts, against one that is computed mount by mount and path
// by path, over every list of a few mounts in a small world.
#include "forge/policy/access.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace forge::policy::test {
namespace {

MountPath path(const std::string& text) { return *MountPath::from_canonical(text); }

Mount mount(const std::string& host, const std::string& guest, Access access) {
  return {PathSource{path(host), PathMountKind::Directory}, path(guest), access, MountOrigin::Custom, {}};
}

const std::string& host_of(const Mount& mount) { return std::get<PathSource>(mount.source).host.text(); }

constexpr MountModel kModels[] = {MountModel::PerMount, MountModel::OutermostReadOnly};

// ---- brute force ----

const Mount* deepest(const std::vector<Mount>& list, const std::string& guest) {
  const Mount* found = nullptr;
  for (const Mount& at : list) {
    if (path_is_at_or_below(guest, at.guest.text()) &&
        (found == nullptr || at.guest.text().size() >= found->guest.text().size())) {
      found = &at;
    }
  }
  return found;
}

PathAccess guest_by_hand(const std::vector<Mount>& list, const std::string& guest, MountModel model) {
  const Mount* shown = deepest(list, guest);
  if (shown == nullptr) {
    return PathAccess::None;
  }
  const bool closed = std::any_of(list.begin(), list.end(), [&](const Mount& at) {
    // A mount that a later one of the same place hides is not there.
    return at.access == Access::ReadOnly && path_is_at_or_below(guest, at.guest.text()) &&
           deepest(list, at.guest.text()) == &at;
  });
  const bool writable = shown->access == Access::ReadWrite;
  return writable && !(closed && model == MountModel::OutermostReadOnly) ? PathAccess::ReadWrite
                                                                         : PathAccess::ReadOnly;
}

PathAccess host_by_hand(const std::vector<Mount>& list, const std::string& host, MountModel model) {
  PathAccess most = PathAccess::None;
  for (const Mount& at : list) {
    if (path_is_at_or_below(host, host_of(at))) {
      const std::string place = at.guest.text() + host.substr(host_of(at).size());
      if (deepest(list, place) == &at) {
        most = std::max(most, guest_by_hand(list, place, model));
      }
    }
  }
  return most;
}

// ---- small worlds ----

std::vector<Mount> entries_over(const std::vector<std::string>& nodes) {
  std::vector<Mount> out;
  for (const std::string& host : nodes) {
    for (const std::string& guest : nodes) {
      out.push_back(mount(host, guest, Access::ReadOnly));
      out.push_back(mount(host, guest, Access::ReadWrite));
    }
  }
  return out;
}

std::vector<std::vector<Mount>> lists_of(const std::vector<Mount>& entries, int most) {
  std::vector<std::vector<Mount>> out = {{}};
  std::size_t begin = 0;
  for (int length = 0; length < most; ++length) {
    const std::size_t end = out.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const Mount& entry : entries) {
        std::vector<Mount> list = out[i];
        list.push_back(entry);
        out.push_back(std::move(list));
      }
    }
    begin = end;
  }
  return out;
}

// Every node, and something below each that no mount names.
std::vector<std::string> points_of(const std::vector<std::string>& nodes) {
  std::vector<std::string> out = nodes;
  for (const std::string& node : nodes) {
    out.push_back(node + "/x");
    out.push_back(node + "/b/x");
  }
  return out;
}

TEST(AccessMap, OfEveryListOfUpToThreeMountsMeansWhatTheMountsSay) {
  const std::vector<std::string> nodes = {"/a", "/a/b", "/a/b/c", "/f"};
  const auto lists = lists_of(entries_over(nodes), 3);
  EXPECT_GT(lists.size(), 30'000U);
  for (const auto& list : lists) {
    const AccessMap map(list);
    for (const std::string& point : points_of(nodes)) {
      for (const MountModel model : kModels) {
        ASSERT_EQ(map.guest(point, model), guest_by_hand(list, point, model)) << point;
        ASSERT_EQ(map.host(point, model), host_by_hand(list, point, model)) << point;
      }
    }
  }
}

// True when no point shows it; else what was told must be so.
void check_widening(const std::vector<Mount>& a, const std::vector<Mount>& b,
                    const std::vector<std::string>& points, MountModel model) {
  const auto told = access_widening(AccessMap(a), model, AccessMap(b), model);
  const bool wider = std::any_of(points.begin(), points.end(), [&](const std::string& point) {
    return guest_by_hand(a, point, model) > guest_by_hand(b, point, model) ||
           host_by_hand(a, point, model) > host_by_hand(b, point, model);
  });
  ASSERT_EQ(told.has_value(), wider);
  if (told) {
    const auto by_hand = told->side == AccessWitness::Side::Host ? host_by_hand : guest_by_hand;
    ASSERT_EQ(told->more, by_hand(a, told->path, model)) << told->path;
    ASSERT_EQ(told->less, by_hand(b, told->path, model)) << told->path;
    ASSERT_GT(told->more, told->less);
  }
}

TEST(AccessWidening, IsFoundExactlyWhereSomePathShowsIt) {
  const std::vector<std::string> nodes = {"/a", "/a/b", "/f"};
  const auto points = points_of(nodes);
  const auto lists = lists_of(entries_over(nodes), 2);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t j = i % 5; j < lists.size(); j += 5) {  // a fifth of all pairs, none left out by kind
      check_widening(lists[i], lists[j], points, kModels[(i + j) % 2]);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
}

// ---- single cases ----

TEST(AccessMap, OfADiskShowsNothingOfTheHost) {
  std::vector<Mount> list = {mount("/w", "/w", Access::ReadWrite)};
  list.push_back({DiskSource{"v", {100}}, path("/w/disk"), Access::ReadWrite, MountOrigin::DockerDisk, {}});
  const AccessMap map(list);
  EXPECT_EQ(map.guest("/w/disk/x", MountModel::PerMount), PathAccess::ReadWrite);
  EXPECT_EQ(map.host("/w/disk/x", MountModel::PerMount), PathAccess::None) << "the disk hides it";
  EXPECT_EQ(map.host("/w/other", MountModel::PerMount), PathAccess::ReadWrite);
}

TEST(AccessMap, DiffersBetweenTheModelsInsideAReadOnlyMount) {
  const AccessMap map(
      {mount("/g", "/g", Access::ReadOnly), mount("/g/objects", "/g/objects", Access::ReadWrite)});
  EXPECT_EQ(map.guest("/g/objects/1", MountModel::PerMount), PathAccess::ReadWrite);
  EXPECT_EQ(map.guest("/g/objects/1", MountModel::OutermostReadOnly), PathAccess::ReadOnly);
  EXPECT_EQ(access_widening(map, MountModel::PerMount, map, MountModel::OutermostReadOnly)->path,
            "/g/objects");
}

TEST(AccessMap, TellsEveryPlaceOfAHostDirectory) {
  const AccessMap map({mount("/a", "/a", Access::ReadWrite), mount("/a", "/link", Access::ReadOnly),
                       mount("/z", "/link/hidden", Access::ReadOnly)});
  EXPECT_EQ(map.places("/a/x"), (std::vector<std::string>{"/a/x", "/link/x"}));
  EXPECT_EQ(map.places("/a/hidden/x"), (std::vector<std::string>{"/a/hidden/x"}));
  EXPECT_TRUE(map.places("/ab").empty());
}

}  // namespace
}  // namespace forge::policy::test
