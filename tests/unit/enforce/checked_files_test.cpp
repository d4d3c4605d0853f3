#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>

#include "file_test_support.hpp"

namespace forge::enforce {
namespace {

TEST(ReadBounded, GivesAllBytesNulIncluded) {
  const TempDir dir;
  const std::string bytes("a\0b\n\xff", 5);
  EXPECT_EQ(read_bounded(dir.file("f", bytes), kRoomy), bytes);
}

TEST(ReadBounded, ReadsAnEmptyFileAndTheNullDevice) {
  const TempDir dir;
  EXPECT_EQ(read_bounded(dir.file("f", ""), kRoomy), "");
  EXPECT_EQ(read_bounded("/dev/null", kRoomy), "");
}

TEST(ReadBounded, TakesExactlyTheLimitAndNotOneMore) {
  const TempDir dir;
  const std::string path = dir.file("f", std::string(1000, 'x'));
  EXPECT_THAT(read_bounded(path, 1000), Succeeds());
  EXPECT_THAT(read_bounded(path, 999), FailsWith(ErrorKind::TooLarge, 0, "more than 999 bytes"));
  EXPECT_THAT(read_bounded(path, 0), FailsWith(ErrorKind::TooLarge, 0, "more than 0 bytes"));
  EXPECT_EQ(read_bounded(dir.file("empty", ""), 0), "");
}

TEST(ReadBounded, StopsAtTheLimitOfAnEndlessDevice) {
  EXPECT_THAT(read_bounded("/dev/zero", 100'000),
              FailsWith(ErrorKind::TooLarge, 0, "more than 100000 bytes"));
}

TEST(ReadBounded, ReadsAtMostOneByteMoreThanTheLimit) {
  Pipe pipe;
  const std::string text(100, 'x');
  ASSERT_EQ(::write(pipe.writer(), text.data(), text.size()), 100);
  pipe.close_end(1);
  const std::string path = "/proc/self/fd/" + std::to_string(pipe.reader());
  EXPECT_THAT(read_bounded(path, 10), FailsWith(ErrorKind::TooLarge, 0, "more than 10 bytes"));
  std::array<char, 200> rest{};
  EXPECT_EQ(::read(pipe.reader(), rest.data(), rest.size()), 100 - 11);
}

TEST(ReadBounded, ReadsAFileLargerThanAnyFirstGuess) {
  const TempDir dir;
  std::string bytes(3'000'017, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(i * 31 >> 3U);
  }
  const auto read = read_bounded(dir.file("f", bytes), bytes.size());
  ASSERT_THAT(read, Succeeds());
  EXPECT_TRUE(*read == bytes);
}

TEST(ReadBounded, BelievesTheBytesAndNotTheSize) {
  // /proc says size 0 for a file that has bytes.
  ASSERT_EQ(fs::file_size("/proc/self/status"), 0U);
  const auto read = read_bounded("/proc/self/status", kRoomy);
  ASSERT_THAT(read, Succeeds());
  EXPECT_THAT(*read, testing::HasSubstr("Name:"));
}

TEST(ReadBounded, FollowsLinks) {
  const TempDir dir;
  fs::create_symlink(dir.file("f", "text"), dir / "link");
  EXPECT_EQ(read_bounded(dir / "link", kRoomy), "text");
}

TEST(ReadBounded, NamesTheReasonWhereThereIsNoFile) {
  const TempDir dir;
  const std::string absent = "no such file or directory";
  EXPECT_THAT(read_bounded(dir / "absent", kRoomy), FailsWith(ErrorKind::NotFound, ENOENT, absent));
  EXPECT_THAT(read_bounded("", kRoomy), FailsWith(ErrorKind::NotFound, ENOENT, absent));
  EXPECT_THAT(read_bounded(dir.file("f", "x") + "/below", kRoomy),
              FailsWith(ErrorKind::NotFound, ENOTDIR, "not a directory"));
  EXPECT_THAT(read_bounded(dir.path().string(), kRoomy),
              FailsWith(ErrorKind::IsDirectory, EISDIR, "is a directory"));
  fs::create_symlink(dir / "loop", dir / "loop");
  EXPECT_THAT(read_bounded(dir / "loop", kRoomy),
              FailsWith(ErrorKind::SymbolicLink, ELOOP, "too many levels of symbolic links"));
}

TEST(ReadBounded, RefusesAPathWithANulInsteadOfReadingAnotherFile) {
  const TempDir dir;
  const std::string path = dir.file("f", "text") + std::string("\0.txt", 5);
  EXPECT_THAT(read_bounded(path, kRoomy), FailsWith(ErrorKind::Malformed, 0, "the path holds a NUL byte"));
  EXPECT_THAT(identity_of(path), FailsWith(ErrorKind::Malformed, 0, "the path holds a NUL byte"));
  EXPECT_THAT(write_file_atomically(path, "x", 0600),
              FailsWith(ErrorKind::Malformed, 0, "the path holds a NUL byte"));
}

TEST(ReadBounded, WaitsForTheWriterOfANamedPipe) {
  const TempDir dir;
  const std::string path = dir / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    for (const char* part : {"one ", "two ", "three"}) {
      EXPECT_GT(::write(fd, part, std::string_view(part).size()), 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::close(fd);
  });
  EXPECT_EQ(read_bounded(path, kRoomy), "one two three");
  writer.join();
}

TEST(ReadBounded, SaysPermissionDeniedToWhoMayNotRead) {
  const TempDir dir;
  const std::string path = dir.file("f", "secret");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  ASSERT_EQ(::chmod(dir.path().c_str(), 0755), 0);
  // As root every file is readable, so the child becomes somebody else.
  EXPECT_EQ(in_child_with(
                0, 0,
                [&] {
                  if (::geteuid() == 0 && ::setuid(65534) != 0) {
                    return 2;
                  }
                  const auto read = read_bounded(path, kRoomy);
                  const Error expected{ErrorKind::NotPermitted, "open the file", "permission denied", EACCES};
                  return !read && read.error() == expected ? 0 : 1;
                }),
            0);
}

TEST(ReadStdinBounded, ReadsAPipeToItsEndAlsoWhenItIsNonBlocking) {
  for (const int flags : {0, O_NONBLOCK}) {
    Pipe pipe;
    ASSERT_EQ(::fcntl(pipe.reader(), F_SETFL, flags), 0);
    std::thread writer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_EQ(::write(pipe.writer(), "text", 4), 4);
      pipe.close_end(1);
    });
    const int before = ::dup(0);
    ::dup2(pipe.reader(), 0);
    EXPECT_EQ(read_stdin_bounded(4), "text");
    ::dup2(before, 0);
    ::close(before);
    writer.join();
  }
}

TEST(ReadStdinBounded, HasTheSameLimitsAndErrors) {
  Pipe pipe;
  ASSERT_EQ(::write(pipe.writer(), "12345", 5), 5);
  pipe.close_end(1);
  EXPECT_EQ(in_child_with(0, pipe.reader(),
                          [] {
                            const auto read = read_stdin_bounded(4);
                            return !read && read.error().kind == ErrorKind::TooLarge ? 0 : 1;
                          }),
            0);
  EXPECT_EQ(in_child_with(0, 0,
                          [] {
                            ::close(0);
                            const auto read = read_stdin_bounded(4);
                            return !read && read.error().errno_value == EBADF ? 0 : 1;
                          }),
            0);
}

}  // namespace
}  // namespace forge::enforce
