// Entries and small files under names that a stranger chose: nothing waits, nothing is
// followed, nothing but a regular file is read.
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "file_test_support.hpp"

namespace forge::enforce {
namespace {

constexpr const char* kNotRegular = "it is not a regular file";
constexpr uid_t kNobody = 65534;

// A read that waits would hang the suite: the alarm ends it.
class SmallFile : public testing::Test {
 protected:
  void SetUp() override { ::alarm(60); }
  void TearDown() override { ::alarm(0); }
  TempDir dir_;
};

// Runs `body` without the privileges of root, which reads everything; its exit status.
int unprivileged(const std::function<int()>& body) {
  return in_child_with(0, 0, [&] {
    if (::geteuid() == 0 && ::seteuid(kNobody) != 0) {
      return 100;
    }
    return body();
  });
}

int kind_number(const policy::Result<std::string>& read) {
  return read ? 99 : static_cast<int>(read.error().kind);
}

TEST_F(SmallFile, GivesAllBytesOfARegularFile) {
  const std::string bytes("a\0b\n\xff", 5);
  EXPECT_EQ(read_small_file(dir_.file("f", bytes), kRoomy), bytes);
  EXPECT_EQ(read_small_file(dir_.file("empty", ""), 0), "");
}

TEST_F(SmallFile, TakesExactlyTheLimitAndNotOneMore) {
  const std::string path = dir_.file("f", std::string(4096, 'x'));
  EXPECT_THAT(read_small_file(path, 4096), Succeeds());
  EXPECT_THAT(read_small_file(path, 4095), FailsWith(ErrorKind::TooLarge, 0, "more than 4095 bytes"));
}

TEST_F(SmallFile, BelievesTheBytesAndNotTheSize) {
  // A sparse file of a terabyte, and one of size 0 that has bytes.
  const std::string sparse = dir_.file("sparse", "");
  ASSERT_EQ(::truncate(sparse.c_str(), off_t{1} << 40U), 0);
  EXPECT_THAT(read_small_file(sparse, 4096), FailsWith(ErrorKind::TooLarge, 0, "more than 4096 bytes"));
  const auto status = read_small_file("/proc/self/status", kRoomy);
  ASSERT_THAT(status, Succeeds());
  EXPECT_NE(status->find("Pid:"), std::string::npos);
}

TEST_F(SmallFile, FollowsNoLinkInTheLastComponent) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::symlink(path.c_str(), (dir_ / "link").c_str()), 0);
  ASSERT_EQ(::symlink((dir_ / "none").c_str(), (dir_ / "dangling").c_str()), 0);
  EXPECT_FALSE(read_small_file(dir_ / "link", kRoomy));
  EXPECT_FALSE(read_small_file(dir_ / "dangling", kRoomy));
  // Links on the way are the file system's own business.
  ASSERT_EQ(::symlink(dir_.path().c_str(), (dir_ / "up").c_str()), 0);
  EXPECT_EQ(read_small_file(dir_ / "up/f", kRoomy), "x");
}

TEST_F(SmallFile, WaitsForNoWriterOfAPipe) {
  ASSERT_EQ(::mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(read_small_file(dir_ / "pipe", kRoomy), FailsWith(ErrorKind::Unsupported, 0, kNotRegular));
}

TEST_F(SmallFile, IsNoDirectoryDeviceOrSocket) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (dir_ / "socket").c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  ::close(socket);
  for (const std::string& path :
       {dir_.path().string(), dir_ / "socket", std::string("/dev/null"), std::string("/dev/zero")}) {
    EXPECT_THAT(read_small_file(path, kRoomy), FailsWith(ErrorKind::Unsupported, 0, kNotRegular)) << path;
  }
}

TEST_F(SmallFile, TellsWhatIsWrongWithAPath) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::symlink("loop", (dir_ / "loop").c_str()), 0);
  const auto kind_of = [](const std::string& name) { return kind_number(read_small_file(name, kRoomy)); };
  EXPECT_EQ(kind_of(dir_ / "none"), static_cast<int>(ErrorKind::NotFound));
  EXPECT_EQ(kind_of(path + "/below"), static_cast<int>(ErrorKind::NotFound));
  EXPECT_EQ(kind_of(""), static_cast<int>(ErrorKind::NotFound));
  EXPECT_EQ(kind_of(path + std::string("\0x", 2)), static_cast<int>(ErrorKind::Malformed));
  EXPECT_EQ(kind_of(dir_ / "loop/f"), static_cast<int>(ErrorKind::SymbolicLink));
  EXPECT_EQ(kind_of('/' + std::string(5000, 'x')), static_cast<int>(ErrorKind::Io));
  EXPECT_EQ(kind_of(dir_ / std::string(300, 'x')), static_cast<int>(ErrorKind::Io));
}

TEST_F(SmallFile, ThatMayNotBeReadIsAnErrorAndNotMissing) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0755), 0);
  EXPECT_EQ(unprivileged([&] { return kind_number(read_small_file(path, kRoomy)); }),
            static_cast<int>(ErrorKind::NotPermitted));
  ASSERT_EQ(::chmod(dir_.path().c_str(), ::geteuid() == 0 ? 0700 : 0), 0);
  EXPECT_EQ(unprivileged([&] { return kind_number(read_small_file(path, kRoomy)); }),
            static_cast<int>(ErrorKind::NotPermitted));
  ::chmod(dir_.path().c_str(), 0700);
}

TEST_F(SmallFile, LeavesNoDescriptorOpen) {
  const std::string path = dir_.file("f", std::string(100, 'x'));
  const auto before = open_descriptors();
  for (const std::size_t limit : {std::size_t{10}, kRoomy}) {
    static_cast<void>(read_small_file(path, limit));
  }
  static_cast<void>(read_small_file(dir_.path(), kRoomy));
  EXPECT_EQ(open_descriptors(), before);
}

// ---- facts_of_entry ----

class Entry : public SmallFile {
 protected:
  EntryFacts facts(const std::string& path, Links links = Links::Keep) {
    const auto found = facts_of_entry(path, links);
    EXPECT_THAT(found, Succeeds()) << path;
    return found.value_or(EntryFacts{});
  }
};

TEST_F(Entry, HasTheTypeThatTheSystemSays) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::symlink("f", (dir_ / "link").c_str()), 0);
  ASSERT_EQ(::symlink("none", (dir_ / "dangling").c_str()), 0);
  ASSERT_EQ(::mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(facts(path).type, EntryType::RegularFile);
  EXPECT_EQ(facts(dir_.path()).type, EntryType::Directory);
  EXPECT_EQ(facts(dir_ / "link").type, EntryType::SymbolicLink);
  EXPECT_EQ(facts(dir_ / "dangling").type, EntryType::SymbolicLink);
  EXPECT_EQ(facts(dir_ / "link", Links::Follow).type, EntryType::RegularFile);
  EXPECT_EQ(facts(dir_ / "pipe").type, EntryType::Other);
  EXPECT_EQ(facts("/dev/null").type, EntryType::Other);
  EXPECT_EQ(facts("/").type, EntryType::Directory);
}

TEST_F(Entry, HasItsOwnIdentityAndThatOfWhatItLeadsTo) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::link(path.c_str(), (dir_ / "hard").c_str()), 0);
  ASSERT_EQ(::symlink("f", (dir_ / "link").c_str()), 0);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(facts(path).identity, (FileIdentity{status.st_dev, status.st_ino}));
  EXPECT_EQ(facts(dir_ / "hard").identity, facts(path).identity);
  EXPECT_NE(facts(dir_ / "link").identity, facts(path).identity);
  EXPECT_EQ(facts(dir_ / "link", Links::Follow).identity, facts(path).identity);
}

struct ModeRow {
  mode_t mode;
  bool others_write;
};

TEST_F(Entry, TellsWhoMayWrite) {
  const std::string path = dir_.file("f", "x");
  for (const ModeRow row : {ModeRow{0600, false}, ModeRow{0644, false}, ModeRow{0620, true},
                            ModeRow{0602, true}, ModeRow{0777, true}, ModeRow{01755, false}}) {
    ASSERT_EQ(::chmod(path.c_str(), row.mode), 0);
    EXPECT_EQ(facts(path).others_write, row.others_write) << row.mode;
  }
}

TEST_F(Entry, TellsWhoseItIs) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0755), 0);
  EXPECT_TRUE(facts(path).is_own);
  if (::geteuid() == 0) {
    EXPECT_EQ(unprivileged([&] { return facts(path).is_own ? 1 : 0; }), 0) << "the effective user counts";
    ASSERT_EQ(::chown(path.c_str(), kNobody, static_cast<gid_t>(-1)), 0);
    EXPECT_FALSE(facts(path).is_own);
    EXPECT_EQ(unprivileged([&] { return facts(path).is_own ? 1 : 0; }), 1);
  }
}

TEST_F(Entry, TellsWhatIsWrongWithAPath) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::symlink("loop", (dir_ / "loop").c_str()), 0);
  ASSERT_EQ(::symlink("none", (dir_ / "dangling").c_str()), 0);
  const auto kind_of = [](const std::string& name, Links links) {
    const auto found = facts_of_entry(name, links);
    return found ? std::nullopt : std::optional(found.error().kind);
  };
  for (const Links links : {Links::Keep, Links::Follow}) {
    EXPECT_EQ(kind_of(dir_ / "none", links), ErrorKind::NotFound);
    EXPECT_EQ(kind_of(path + "/below", links), ErrorKind::NotFound);
    EXPECT_EQ(kind_of(path + std::string("\0x", 2), links), ErrorKind::Malformed);
    EXPECT_EQ(kind_of(dir_ / "loop/f", links), ErrorKind::SymbolicLink);
    EXPECT_EQ(kind_of('/' + std::string(5000, 'x'), links), ErrorKind::Io);
  }
  EXPECT_EQ(kind_of(dir_ / "dangling", Links::Follow), ErrorKind::NotFound);
  EXPECT_EQ(kind_of(dir_ / "loop", Links::Follow), ErrorKind::SymbolicLink);
  EXPECT_EQ(kind_of(dir_ / "loop", Links::Keep), std::nullopt);
}

TEST_F(Entry, ThatNobodyMayLookAtIsNotMissing) {
  const std::string path = dir_.file("f", "x");
  ASSERT_EQ(::chmod(dir_.path().c_str(), ::geteuid() == 0 ? 0700 : 0), 0);
  EXPECT_EQ(unprivileged([&] {
              const auto found = facts_of_entry(path, Links::Keep);
              return found ? 99 : static_cast<int>(found.error().kind);
            }),
            static_cast<int>(ErrorKind::NotPermitted));
  ::chmod(dir_.path().c_str(), 0700);
}

}  // namespace
}  // namespace forge::enforce
