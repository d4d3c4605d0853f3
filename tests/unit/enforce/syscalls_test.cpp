// What the file operations rely on but cannot show from outside.
#include "src/syscalls.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "file_test_support.hpp"

namespace forge::enforce::sys {
namespace {

namespace fs = std::filesystem;

bool closes_on_exec(FdRef fd) { return (::fcntl(fd.number, F_GETFD) & FD_CLOEXEC) != 0; }

TEST(Descriptors, AreNotInheritedByOtherPrograms) {
  const TempDir dir;
  const auto file = open_file(dir.file("f", "x"));
  const auto folder = open_folder(dir.path().string());
  ASSERT_TRUE(file && folder);
  const auto created = create_file(folder->ref(), "new");
  ASSERT_TRUE(created);
  EXPECT_TRUE(closes_on_exec(file->ref()));
  EXPECT_TRUE(closes_on_exec(folder->ref()));
  EXPECT_TRUE(closes_on_exec(created->ref()));
}

TEST(CreateFile, IsPrivateFromItsFirstMoment) {
  const TempDir dir;
  const UmaskGuard guard(0);
  const auto folder = open_folder(dir.path().string());
  ASSERT_TRUE(folder);
  ASSERT_TRUE(create_file(folder->ref(), "new"));
  EXPECT_EQ(mode_of(dir / "new"), 0600U);
}

TEST(CreateFile, TakesNoNameThatIsTaken) {
  const TempDir dir;
  const auto folder = open_folder(dir.path().string());
  ASSERT_TRUE(folder);
  static_cast<void>(dir.file("file", "old"));
  fs::create_symlink(dir / "absent", dir / "dangling");
  for (const char* name : {"file", "dangling"}) {
    EXPECT_THAT(create_file(folder->ref(), name), FailsWith(ErrorKind::Io, EEXIST, "file exists"));
  }
  EXPECT_FALSE(fs::exists(dir / "absent"));
}

TEST(RenameEntry, ReplacesALinkAndNotWhatItLeadsTo) {
  const TempDir dir;
  const std::string outside = dir.file("outside", "untouched");
  fs::create_symlink(outside, dir / "link");
  static_cast<void>(dir.file("new", "new"));
  const auto folder = open_folder(dir.path().string());
  ASSERT_TRUE(folder);
  EXPECT_THAT(rename_entry(folder->ref(), "new", "link"), Succeeds());
  EXPECT_FALSE(fs::is_symlink(dir / "link"));
  EXPECT_EQ(bytes_of(dir / "link"), "new");
  EXPECT_EQ(bytes_of(outside), "untouched");
}

TEST(DescribeErrno, IsLowerCaseAndKnowsItsLimits) {
  EXPECT_EQ(describe_errno(EACCES), "permission denied");
  EXPECT_EQ(describe_errno(ENOENT), "no such file or directory");
  EXPECT_EQ(describe_errno(EDOTDOT), "RFS specific error");
  EXPECT_EQ(describe_errno(99'999), "error 99999");
}

// True once the process was found asleep ten times in a row; false when it does not come to rest.
bool comes_to_rest(pid_t process) {
  int asleep = 0;
  for (int looks = 0; looks < 500 && asleep < 10; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::string status = bytes_of("/proc/" + std::to_string(process) + "/stat");
    asleep = status.find(") S ") != std::string::npos ? asleep + 1 : 0;
  }
  return asleep == 10;
}

// Forks a child that runs `body` under a SIGUSR1 handler which restarts nothing,
// signals it while it waits, then lets it go on with `release`.
template <class Body, class Release>
int interrupted(Body body, Release release) {
  const pid_t child = ::fork();
  if (child == 0) {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &action, nullptr);
    ::_exit(body() ? 0 : 1);
  }
  EXPECT_TRUE(comes_to_rest(child));
  static_cast<void>(::kill(child, SIGUSR1));
  static_cast<void>(comes_to_rest(child));
  release();
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(ReadSome, StartsAgainAfterASignal) {
  Pipe pipe;
  std::array<char, 8> buffer{};
  EXPECT_EQ(interrupted([&] { return read_some({pipe.reader()}, buffer) == 1U; },
                        [&] { EXPECT_EQ(::write(pipe.writer(), "x", 1), 1); }),
            0);
}

TEST(WriteAll, StartsAgainAfterASignal) {
  Pipe pipe;
  const int capacity = ::fcntl(pipe.writer(), F_GETPIPE_SZ);
  const std::string full(static_cast<std::size_t>(capacity), 'f');
  ASSERT_EQ(::write(pipe.writer(), full.data(), full.size()), capacity);
  std::string drained(full.size(), '\0');
  EXPECT_EQ(interrupted([&] { return write_all({pipe.writer()}, "x", "write").has_value(); },
                        [&] { EXPECT_EQ(::read(pipe.reader(), drained.data(), drained.size()), capacity); }),
            0);
}

TEST(ReadSome, SleepsWhileANonBlockingDescriptorHasNothing) {
  Pipe pipe;
  ASSERT_EQ(::fcntl(pipe.reader(), F_SETFL, O_NONBLOCK), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::array<char, 8> buffer{};
    ::_exit(read_some({pipe.reader()}, buffer) == 1U ? 0 : 1);
  }
  EXPECT_TRUE(comes_to_rest(child));
  ASSERT_EQ(::write(pipe.writer(), "x", 1), 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace forge::enforce::sys
