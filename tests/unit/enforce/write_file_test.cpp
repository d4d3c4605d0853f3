#include <sys/resource.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>

#include "file_test_support.hpp"

namespace forge::enforce {
namespace {

TEST(WriteFileAtomically, MakesAFileOfExactlyTheseBytes) {
  const TempDir dir;
  const std::string bytes("a\0b", 3);
  EXPECT_THAT(write_file_atomically(dir / "f", bytes, 0600), Succeeds());
  EXPECT_EQ(bytes_of(dir / "f"), bytes);
  EXPECT_THAT(write_file_atomically(dir / "f", "", 0600), Succeeds());
  EXPECT_EQ(bytes_of(dir / "f"), "");
  EXPECT_EQ(names_in(dir), std::vector<std::string>{"f"});
}

TEST(WriteFileAtomically, SetsTheModeWhateverTheUmaskAndTheOldMode) {
  const TempDir dir;
  for (const mode_t mask : {0U, 022U, 077U, 0777U}) {
    const UmaskGuard guard(mask);
    EXPECT_THAT(write_file_atomically(dir / "private", "x", 0600), Succeeds());
    EXPECT_EQ(mode_of(dir / "private"), 0600U);
    EXPECT_THAT(write_file_atomically(dir / "program", "x", 0755), Succeeds());
    EXPECT_EQ(mode_of(dir / "program"), 0755U);
  }
  const std::string open_to_all = dir.file("open", "old");
  ASSERT_EQ(::chmod(open_to_all.c_str(), 0666), 0);
  EXPECT_THAT(write_file_atomically(open_to_all, "new", 0600), Succeeds());
  EXPECT_EQ(mode_of(open_to_all), 0600U);
}

TEST(WriteFileAtomically, TakesRelativeNamesAndDoubledSlashes) {
  const TempDir dir;
  fs::create_directory(dir / "sub");
  const fs::path before = fs::current_path();
  fs::current_path(dir.path());
  EXPECT_THAT(write_file_atomically("bare", "1", 0600), Succeeds());
  EXPECT_THAT(write_file_atomically("sub//x", "2", 0600), Succeeds());
  EXPECT_THAT(write_file_atomically("./sub/../y", "3", 0600), Succeeds());
  fs::current_path(before);
  EXPECT_EQ(bytes_of(dir / "bare") + bytes_of(dir / "sub/x") + bytes_of(dir / "y"), "123");
}

TEST(WriteFileAtomically, TakesTheLongestName) {
  const TempDir dir;
  EXPECT_THAT(write_file_atomically(dir / std::string(255, 'n'), "x", 0600), Succeeds());
  EXPECT_THAT(write_file_atomically(dir / std::string(256, 'n'), "x", 0600),
              FailsWith(ErrorKind::Io, ENAMETOOLONG, "file name too long"));
}

TEST(WriteFileAtomically, RefusesASymbolicLinkAndLeavesItsTargetAlone) {
  const TempDir dir;
  const std::string real = dir.file("real", "old");
  fs::create_symlink(real, dir / "link");
  fs::create_symlink(dir / "absent", dir / "dangling");
  const auto is_link = FailsWith(ErrorKind::SymbolicLink, ELOOP, "the target is a symbolic link");
  EXPECT_THAT(write_file_atomically(dir / "link", "new", 0600), is_link);
  EXPECT_THAT(write_file_atomically(dir / "dangling", "new", 0600), is_link);
  EXPECT_EQ(bytes_of(real), "old");
  EXPECT_EQ(names_in(dir), (std::vector<std::string>{"dangling", "link", "real"}));
}

TEST(WriteFileAtomically, FollowsALinkInTheFoldersOwnPath) {
  const TempDir dir;
  fs::create_directory(dir / "folder");
  fs::create_directory_symlink(dir / "folder", dir / "shortcut");
  EXPECT_THAT(write_file_atomically(dir / "shortcut/f", "x", 0600), Succeeds());
  EXPECT_EQ(bytes_of(dir / "folder/f"), "x");
}

TEST(WriteFileAtomically, RefusesFoldersAndWhatIsNoFile) {
  const TempDir dir;
  fs::create_directory(dir / "folder");
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  const auto is_folder = FailsWith(ErrorKind::IsDirectory, EISDIR, "is a directory");
  for (const char* name : {"folder", "folder/", "folder/.", "folder/..", ""}) {
    EXPECT_THAT(write_file_atomically(dir / name, "x", 0600), is_folder) << name;
  }
  EXPECT_THAT(write_file_atomically(".", "x", 0600), is_folder);
  EXPECT_THAT(write_file_atomically("/", "x", 0600), is_folder);
  const auto is_no_file = FailsWith(ErrorKind::Unsupported, 0, "the target is not a regular file");
  EXPECT_THAT(write_file_atomically(dir / "pipe", "x", 0600), is_no_file);
  EXPECT_THAT(write_file_atomically("/dev/null", "x", 0600), is_no_file);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(names_in(dir), (std::vector<std::string>{"folder", "pipe"}));
}

TEST(WriteFileAtomically, NamesTheReasonWhereThereIsNoFolder) {
  const TempDir dir;
  const std::string absent = "no such file or directory";
  EXPECT_THAT(write_file_atomically(dir / "absent/f", "x", 0600),
              FailsWith(ErrorKind::NotFound, ENOENT, absent));
  EXPECT_THAT(write_file_atomically("", "x", 0600), FailsWith(ErrorKind::NotFound, ENOENT, absent));
  EXPECT_THAT(write_file_atomically(dir.file("f", "old") + "/g", "x", 0600),
              FailsWith(ErrorKind::NotFound, ENOTDIR, "not a directory"));
  EXPECT_EQ(bytes_of(dir / "f"), "old");
}

TEST(WriteFileAtomically, FailsInAFolderThatTakesNoFiles) {
  // Even root cannot create a file in /proc.
  const auto written = write_file_atomically("/proc/forge-test", "x", 0600);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().operation, "create a temporary file in the folder");
  EXPECT_NE(written.error().errno_value, 0);
}

TEST(WriteFileAtomically, LeavesTheOldFileAndNoRestWhenTheDiskIsFull) {
  const TempDir dir;
  const std::string path = dir.file("f", "old");
  // A limit on file sizes fails the write halfway, as a full disk would.
  const int status = in_child_with(0, 0, [&] {
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = write_file_atomically(path, std::string(5000, 'n'), 0600);
    return !written && written.error().errno_value == EFBIG && written.error().operation == "write the file"
               ? 0
               : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(names_in(dir), std::vector<std::string>{"f"});
}

TEST(WriteFileAtomically, ShowsAReaderTheOldFileOrTheNewOneOnly) {
  const TempDir dir;
  const std::string first(200'000, 'a');
  const std::string second(300'000, 'b');
  const std::string path = dir.file("f", first);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; i < 60; ++i) {
      EXPECT_THAT(write_file_atomically(path, i % 2 == 0 ? second : first, 0644), Succeeds());
    }
    done = true;
  });
  int reads = 0;
  while (!done) {
    const auto read = read_bounded(path, kRoomy);
    ASSERT_THAT(read, Succeeds());
    ASSERT_TRUE(*read == first || *read == second) << read->size();
    ++reads;
  }
  writer.join();
  EXPECT_GT(reads, 0);
}

TEST(WriteFileAtomically, NeverWritesThroughALinkThatIsPutThereMeanwhile) {
  const TempDir dir;
  const std::string outside = dir.file("outside", "untouched");
  fs::create_directory(dir / "work");
  const std::string path = dir / "work/f";
  std::atomic<bool> done{false};
  std::thread attacker([&] {
    while (!done) {
      ::unlink(path.c_str());
      static_cast<void>(::symlink(outside.c_str(), path.c_str()));
    }
  });
  int refused = 0;
  // On a busy machine the attacker may not run for a while; without him there is no race.
  for (int i = 0; i < 500 || (refused == 0 && i < 100'000); ++i) {
    const auto written = write_file_atomically(path, "new", 0600);
    refused += written ? 0 : 1;
  }
  done = true;
  attacker.join();
  EXPECT_EQ(bytes_of(outside), "untouched");
  EXPECT_GT(refused, 0);
}

TEST(CheckedFiles, LeaveNoDescriptorOpen) {
  const TempDir dir;
  const auto before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(read_bounded(dir.file("f", "text"), 2));
    static_cast<void>(read_bounded(dir / "f", kRoomy));
    static_cast<void>(read_bounded(dir.path().string(), kRoomy));
    static_cast<void>(write_file_atomically(dir / "g", "x", 0600));
    static_cast<void>(write_file_atomically(dir.path().string(), "x", 0600));
    static_cast<void>(write_file_atomically("/proc/forge-test", "x", 0600));
    static_cast<void>(identity_of(dir / "f"));
  }
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace forge::enforce
