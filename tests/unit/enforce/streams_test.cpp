#include <pwd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "file_test_support.hpp"

namespace forge::enforce {
namespace {

TEST(WriteStdout, WritesEverythingAlsoToASlowNonBlockingReader) {
  const std::string text(1'000'000, 't');
  for (const int number : {1, 2}) {
    Pipe pipe;
    ASSERT_EQ(::fcntl(pipe.writer(), F_SETFL, O_NONBLOCK), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(pipe.writer(), number);
      const auto written = number == 1 ? write_stdout(text) : write_stderr(text);
      ::_exit(written ? 0 : 1);
    }
    pipe.close_end(1);
    std::size_t total = 0;
    std::array<char, 7000> part{};
    for (ssize_t count = 0; (count = ::read(pipe.reader(), part.data(), part.size())) > 0;) {
      total += static_cast<std::size_t>(count);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(total, text.size());
  }
}

TEST(WriteStdout, TurnsABrokenPipeIntoAnError) {
  Pipe pipe;
  pipe.close_end(0);
  EXPECT_EQ(
      in_child_with(1, pipe.writer(),
                    [] {
                      ignore_broken_pipes();
                      const auto written = write_stdout("x");
                      const Error expected{ErrorKind::Io, "write standard output", "broken pipe", EPIPE};
                      return !written && written.error() == expected ? 0 : 1;
                    }),
      0);
}

TEST(WriteStdout, ReportsAFullDisk) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  for (const int number : {1, 2}) {
    EXPECT_EQ(in_child_with(number, full,
                            [number] {
                              const auto written = number == 1 ? write_stdout("x") : write_stderr("x");
                              return !written && written.error().errno_value == ENOSPC &&
                                             written.error().detail == "no space left on device"
                                         ? 0
                                         : 1;
                            }),
              0);
  }
  ::close(full);
}

TEST(WriteStdout, GoesOnAfterASignal) {
  // Handlers without SA_RESTART interrupt a blocked write.
  const std::string text(2'000'000, 't');
  Pipe pipe;
  const pid_t child = ::fork();
  if (child == 0) {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &action, nullptr);
    ::dup2(pipe.writer(), 1);
    ::_exit(write_stdout(text) ? 0 : 1);
  }
  pipe.close_end(1);
  std::array<char, 65536> part{};
  std::size_t total = 0;
  for (ssize_t count = 0; (count = ::read(pipe.reader(), part.data(), part.size())) > 0;) {
    total += static_cast<std::size_t>(count);
    ::kill(child, SIGUSR1);
    ::usleep(200);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(total, text.size());
}

TEST(IsTerminal, TellsATerminalFromAPipeAndAClosedStream) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(terminal, 0);
  Pipe pipe;
  const std::array streams{Stream::Input, Stream::Output, Stream::Error};
  for (int number = 0; number < 3; ++number) {
    const auto asks = [stream = streams[static_cast<std::size_t>(number)]] {
      return is_terminal(stream) ? 1 : 0;
    };
    EXPECT_EQ(in_child_with(number, terminal, asks), 1);
    EXPECT_EQ(in_child_with(number, pipe.writer(), asks), 0);
    EXPECT_EQ(in_child_with(number, number,
                            [&] {
                              ::close(number);
                              return asks();
                            }),
              0);
  }
  ::close(terminal);
}

TEST(IdentityOf, IsTheSameThroughLinksAndDiffersBetweenFiles) {
  const TempDir dir;
  const std::string first = dir.file("first", "x");
  fs::create_symlink(first, dir / "soft");
  fs::create_hard_link(first, dir / "hard");
  const auto identity = identity_of(first);
  ASSERT_THAT(identity, Succeeds());
  EXPECT_EQ(identity_of(dir / "soft"), identity);
  EXPECT_EQ(identity_of(dir / "hard"), identity);
  EXPECT_NE(identity_of(dir.file("second", "x")), identity);
  struct stat status {};
  ASSERT_EQ(::stat(first.c_str(), &status), 0);
  EXPECT_EQ(*identity, (FileIdentity{status.st_dev, status.st_ino}));
  EXPECT_THAT(identity_of(dir / "absent"),
              FailsWith(ErrorKind::NotFound, ENOENT, "no such file or directory"));
}

TEST(HomeFromPasswordDatabase, IsThatOfTheEffectiveUserWhateverTheEnvironmentSays) {
  const passwd* entry = ::getpwuid(::geteuid());
  ASSERT_NE(entry, nullptr);
  const std::string expected = entry->pw_dir;
  ASSERT_EQ(::setenv("HOME", "/elsewhere", 1), 0);
  EXPECT_EQ(home_from_password_database(), expected);
}

TEST(HomeFromPasswordDatabase, IsNotFoundForAUserWithoutEntry) {
  if (::geteuid() != 0) {
    return;  // only root can become a user that does not exist
  }
  EXPECT_EQ(in_child_with(0, 0,
                          [] {
                            if (::setuid(3'999'999'999) != 0) {
                              return 2;
                            }
                            const auto home = home_from_password_database();
                            return !home && home.error().kind == ErrorKind::NotFound ? 0 : 1;
                          }),
            0);
}

}  // namespace
}  // namespace forge::enforce
