#include "forge/grammar/values.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "forge/policy/utf8.hpp"

namespace forge::grammar {
namespace {

using policy::Span;

// A text that is refused, with its fault and the place of it.
template <class Fault>
struct Refused {
  std::string text;
  Fault fault;
  Span where;
};

template <class Fault>
void PrintTo(const Refused<Fault>& row, std::ostream* out) {
  *out << policy::excerpt(row.text, 40);
}

template <class Parsed, class Fault>
void expect_refused(const Parsed& parsed, const Refused<Fault>& row) {
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().fault, row.fault);
  EXPECT_EQ(parsed.error().where.begin, row.where.begin);
  EXPECT_EQ(parsed.error().where.end, row.where.end);
}

const std::string kLongest(kMaxValueBytes, ' ');
const std::uint32_t kPastLongest = kMaxValueBytes + 1;

// Sizes

struct GoodSize {
  std::string text;
  std::uint32_t mebibytes;
  bool rounded = false;
};

void PrintTo(const GoodSize& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class SizeAccepts : public testing::TestWithParam<GoodSize> {};

TEST_P(SizeAccepts, Exactly) {
  const auto size = parse_size(GetParam().text);
  ASSERT_TRUE(size);
  EXPECT_EQ(size->mebibytes.count, GetParam().mebibytes);
  EXPECT_EQ(size->rounded, GetParam().rounded);
}

INSTANTIATE_TEST_SUITE_P(Size, SizeAccepts,
                         testing::Values(GoodSize{"8g", 8192}, GoodSize{"8G", 8192}, GoodSize{"8gb", 8192},
                                         GoodSize{"8Gb", 8192}, GoodSize{"8gB", 8192}, GoodSize{" 8g", 8192},
                                         GoodSize{"8g  ", 8192}, GoodSize{"1024M", 1024},
                                         GoodSize{"01g", 1024}, GoodSize{"1.5g", 1536},
                                         GoodSize{"1.5gb", 1536}, GoodSize{"0.5g", 512}, GoodSize{"1024k", 1},
                                         GoodSize{"1024.0k", 1}, GoodSize{"2048kb", 2}, GoodSize{"1m", 1}));

INSTANTIATE_TEST_SUITE_P(Rounded, SizeAccepts,
                         testing::Values(GoodSize{"1536k", 1, true}, GoodSize{"1024.5k", 1, true},
                                         GoodSize{"1.5m", 1, true}, GoodSize{"1.0001g", 1024, true},
                                         GoodSize{"0.0009765625g", 1},
                                         GoodSize{"0.00097656250000000000000000000001g", 1, true},
                                         GoodSize{"1.00097656249999999999999999999999g", 1024, true},
                                         GoodSize{"0." + std::string(200, '9') + "g", 1023, true},
                                         GoodSize{"1.50000000000000000000000000000000g", 1536}));

INSTANTIATE_TEST_SUITE_P(
    Edge, SizeAccepts,
    testing::Values(GoodSize{"4294967295m", 4294967295}, GoodSize{"4294967295.9m", 4294967295, true},
                    GoodSize{"4194303g", 4294966272}, GoodSize{"4194303.9990234375g", 4294967295},
                    GoodSize{"4398046510080k", 4294967295}, GoodSize{"4398046511103k", 4294967295, true},
                    GoodSize{std::string(300, '0') + "1g", 1024}));

class SizeRefuses : public testing::TestWithParam<Refused<SizeFault>> {};

TEST_P(SizeRefuses, WithFaultAndPlace) { expect_refused(parse_size(GetParam().text), GetParam()); }

using BadSize = Refused<SizeFault>;

INSTANTIATE_TEST_SUITE_P(
    NotASize, SizeRefuses,
    testing::Values(
        BadSize{"", SizeFault::NotASize, {0, 0}}, BadSize{"  ", SizeFault::NotASize, {0, 2}},
        BadSize{"8", SizeFault::NotASize, {0, 1}}, BadSize{" 8 ", SizeFault::NotASize, {1, 2}},
        BadSize{"8 g", SizeFault::NotASize, {0, 3}}, BadSize{"8 GB", SizeFault::NotASize, {0, 4}},
        BadSize{"-1g", SizeFault::NotASize, {0, 3}}, BadSize{"+1g", SizeFault::NotASize, {0, 3}},
        BadSize{"8b", SizeFault::NotASize, {0, 2}}, BadSize{"8t", SizeFault::NotASize, {0, 2}},
        BadSize{"8tb", SizeFault::NotASize, {0, 3}}, BadSize{"8Gi", SizeFault::NotASize, {0, 3}},
        BadSize{"1e3m", SizeFault::NotASize, {0, 4}}, BadSize{"\n8g", SizeFault::NotASize, {0, 3}},
        BadSize{"\t8g", SizeFault::NotASize, {0, 3}}, BadSize{"8g;", SizeFault::NotASize, {0, 3}},
        BadSize{"8g,size=1", SizeFault::NotASize, {0, 9}}, BadSize{"8g:ro", SizeFault::NotASize, {0, 5}},
        BadSize{"g", SizeFault::NotASize, {0, 1}}, BadSize{"gb", SizeFault::NotASize, {0, 2}},
        BadSize{"Infinity", SizeFault::NotASize, {0, 8}}, BadSize{"1_000m", SizeFault::NotASize, {0, 6}},
        BadSize{"1,5g", SizeFault::NotASize, {0, 4}}, BadSize{"1..5g", SizeFault::NotASize, {0, 5}},
        BadSize{"1.5.5g", SizeFault::NotASize, {0, 6}}, BadSize{".5g", SizeFault::NotASize, {0, 3}},
        BadSize{"5.g", SizeFault::NotASize, {0, 3}}, BadSize{"8gg", SizeFault::NotASize, {0, 3}},
        BadSize{"8gbb", SizeFault::NotASize, {0, 4}}, BadSize{"0x8g", SizeFault::NotASize, {0, 4}},
        BadSize{kLongest + "8g", SizeFault::NotASize, {0, kPastLongest + 1}}));

INSTANTIATE_TEST_SUITE_P(
    OutOfRange, SizeRefuses,
    testing::Values(
        BadSize{"0g", SizeFault::OutOfRange, {0, 2}}, BadSize{" 0k ", SizeFault::OutOfRange, {1, 3}},
        BadSize{"00g", SizeFault::OutOfRange, {0, 3}}, BadSize{"0.0g", SizeFault::OutOfRange, {0, 4}},
        BadSize{"0.5m", SizeFault::OutOfRange, {0, 4}}, BadSize{"512kb", SizeFault::OutOfRange, {0, 5}},
        BadSize{"1023.999k", SizeFault::OutOfRange, {0, 9}},
        BadSize{"0.0009765624g", SizeFault::OutOfRange, {0, 13}},
        BadSize{"0.0000001g", SizeFault::OutOfRange, {0, 10}},
        BadSize{"4294967296m", SizeFault::OutOfRange, {0, 11}},
        BadSize{"4194304g", SizeFault::OutOfRange, {0, 8}},
        BadSize{"4398046511104k", SizeFault::OutOfRange, {0, 14}},
        BadSize{"4294967296g", SizeFault::OutOfRange, {0, 11}},
        BadSize{"99999999999g", SizeFault::OutOfRange, {0, 12}},
        BadSize{"18446744073709551617m", SizeFault::OutOfRange, {0, 21}},
        BadSize{std::string(1000, '9') + "k", SizeFault::OutOfRange, {0, 1001}}));

// Processor counts

TEST(Cpus, TakesEveryCountOfTheRange) {
  for (std::uint32_t count = 1; count <= kMaxCpus; ++count) {
    EXPECT_EQ(parse_cpus(std::to_string(count)), count);
  }
  EXPECT_EQ(parse_cpus(" 4 "), 4U);
}

class CpusRefuses : public testing::TestWithParam<Refused<CpusFault>> {};

TEST_P(CpusRefuses, WithFaultAndPlace) { expect_refused(parse_cpus(GetParam().text), GetParam()); }

using BadCpus = Refused<CpusFault>;

INSTANTIATE_TEST_SUITE_P(
    NotACount, CpusRefuses,
    testing::Values(
        BadCpus{"", CpusFault::NotACount, {0, 0}}, BadCpus{" ", CpusFault::NotACount, {0, 1}},
        BadCpus{"-1", CpusFault::NotACount, {0, 2}}, BadCpus{"+4", CpusFault::NotACount, {0, 2}},
        BadCpus{"4.0", CpusFault::NotACount, {0, 3}}, BadCpus{"0.1", CpusFault::NotACount, {0, 3}},
        BadCpus{"4e0", CpusFault::NotACount, {0, 3}}, BadCpus{"0x10", CpusFault::NotACount, {0, 4}},
        BadCpus{"0b11", CpusFault::NotACount, {0, 4}}, BadCpus{"0o17", CpusFault::NotACount, {0, 4}},
        BadCpus{" four", CpusFault::NotACount, {1, 5}}, BadCpus{"4 cpus", CpusFault::NotACount, {0, 6}},
        BadCpus{"4c", CpusFault::NotACount, {0, 2}}, BadCpus{"NaN", CpusFault::NotACount, {0, 3}},
        BadCpus{"-Infinity", CpusFault::NotACount, {0, 9}}, BadCpus{"1e309", CpusFault::NotACount, {0, 5}},
        BadCpus{"\uff14", CpusFault::NotACount, {0, 3}}, BadCpus{"\t4", CpusFault::NotACount, {0, 2}},
        BadCpus{"true", CpusFault::NotACount, {0, 4}}, BadCpus{".5", CpusFault::NotACount, {0, 2}},
        BadCpus{"5.", CpusFault::NotACount, {0, 2}}, BadCpus{"1/2", CpusFault::NotACount, {0, 3}},
        BadCpus{"01", CpusFault::NotACount, {0, 2}}, BadCpus{"00", CpusFault::NotACount, {0, 2}},
        BadCpus{kLongest + "4", CpusFault::NotACount, {0, kPastLongest}}));

INSTANTIATE_TEST_SUITE_P(OutOfRange, CpusRefuses,
                         testing::Values(BadCpus{"0", CpusFault::OutOfRange, {0, 1}},
                                         BadCpus{" 256", CpusFault::OutOfRange, {1, 4}},
                                         BadCpus{"99999", CpusFault::OutOfRange, {0, 5}},
                                         BadCpus{"4294967297", CpusFault::OutOfRange, {0, 10}},
                                         BadCpus{"9007199254740993", CpusFault::OutOfRange, {0, 16}},
                                         BadCpus{"18446744073709551617", CpusFault::OutOfRange, {0, 20}}));

// Variable names

TEST(EnvName, TakesPosixNames) {
  for (const std::string& name : {std::string("A"), std::string("_"), std::string("a1_B"),
                                  std::string("GITHUB_TOKEN"), std::string(kMaxValueBytes, 'A')}) {
    const auto parsed = parse_env_name(name);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->text(), name);
  }
}

class EnvNameRefuses : public testing::TestWithParam<Refused<EnvNameFault>> {};

TEST_P(EnvNameRefuses, WithFaultAndPlace) { expect_refused(parse_env_name(GetParam().text), GetParam()); }

using BadEnv = Refused<EnvNameFault>;

INSTANTIATE_TEST_SUITE_P(EnvName, EnvNameRefuses,
                         testing::Values(BadEnv{"", EnvNameFault::Blank, {0, 0}},
                                         BadEnv{"  ", EnvNameFault::Blank, {0, 2}},
                                         BadEnv{"A B", EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{" A", EnvNameFault::BadCharacter, {0, 1}},
                                         BadEnv{"A ", EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{"A=B", EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{"-x", EnvNameFault::BadCharacter, {0, 1}},
                                         BadEnv{"T@x", EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{"--privileged", EnvNameFault::BadCharacter, {0, 1}},
                                         BadEnv{"A\n", EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{std::string("A\0", 2), EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{"A\u00e9", EnvNameFault::BadCharacter, {1, 3}},
                                         BadEnv{"A\xc3", EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{"1-a", EnvNameFault::BadCharacter, {1, 2}},
                                         BadEnv{"1a", EnvNameFault::StartsWithDigit, {0, 1}},
                                         BadEnv{std::string(kMaxValueBytes + 1, 'A'),
                                                EnvNameFault::BadCharacter,
                                                {kMaxValueBytes, kPastLongest}}));

// Image references

std::string repeated(std::size_t count) { return std::string(count, 'a'); }
const std::string kHex(64, 'e');

class ImageAccepts : public testing::TestWithParam<std::string> {};

TEST_P(ImageAccepts, KeepsTheText) {
  const auto parsed = parse_image_reference(GetParam());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->text(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Image, ImageAccepts,
    testing::Values("oc-forge-sandbox:latest", "localhost:5000/x", "localhost/x", "localhost", "a:5000",
                    "registry.example.org:5000/team/img:1.2@sha256:" + kHex, "demo@sha256:" + kHex, "a.b:x",
                    "a__b", "a--b.c_d", "a/b/c/d", "r.io/a", "R.IO/a", "Aa:5/c", "1.2.3.4:5/a", "a:_t",
                    "a:T.x-y", "r.io:99999/a", "a_b/c", "0/1", "a:" + std::string(128, 't'), repeated(247),
                    "b/" + repeated(253), "r.io/" + repeated(250),
                    "b/" + repeated(253) + ":" + std::string(128, 't') + "@sha256:" + kHex));

class ImageRefuses : public testing::TestWithParam<Refused<ImageFault>> {};

TEST_P(ImageRefuses, WithFaultAndPlace) {
  expect_refused(parse_image_reference(GetParam().text), GetParam());
}

using BadImage = Refused<ImageFault>;

INSTANTIATE_TEST_SUITE_P(Misread, ImageRefuses,
                         testing::Values(BadImage{"", ImageFault::Blank, {0, 0}},
                                         BadImage{" ", ImageFault::Blank, {0, 1}},
                                         BadImage{"-x", ImageFault::LooksLikeOption, {0, 1}},
                                         BadImage{"--config=/x", ImageFault::LooksLikeOption, {0, 1}},
                                         BadImage{"./x", ImageFault::LooksLikePath, {0, 1}},
                                         BadImage{"../x", ImageFault::LooksLikePath, {0, 1}},
                                         BadImage{"/x", ImageFault::LooksLikePath, {0, 1}},
                                         BadImage{".", ImageFault::LooksLikePath, {0, 1}},
                                         BadImage{".hidden", ImageFault::LooksLikePath, {0, 1}}));

class ImageIsNoReference : public testing::TestWithParam<std::string> {};

TEST_P(ImageIsNoReference, AsAWhole) {
  const auto size = static_cast<std::uint32_t>(GetParam().size());
  expect_refused(parse_image_reference(GetParam()),
                 BadImage{GetParam(), ImageFault::NotAReference, {0, size}});
}

INSTANTIATE_TEST_SUITE_P(Image, ImageIsNoReference,
                         testing::Values("http://x/y", "a:b:c", "x@sha256:12", "UPPER", "a/B", "A/b",
                                         "LOCALHOST/x", "a b", " a", "a ", "a\n", "~", "~/x", "a//b", "a/",
                                         "a:", "a@", "a___b", "a..b", "a-_b", "a-", "_a", "a:.t", "a:-t",
                                         "a:\u00e9", "\u00fc", "[::1]:5000/x", "localhost:/x",
                                         "r.io:123456/a", "r..io/a", "r-.io/a", "r.io./a", "a_b:5/c",
                                         "a_b.c/d", "r.io/a:5000/b", "a@sha512:" + kHex + kHex,
                                         "a@sha256:" + std::string(64, 'A'), "a@sha256:" + kHex + "e",
                                         "a@sha256:" + kHex + ":t", "a@sha256:" + kHex + "@sha256:" + kHex,
                                         "a:" + std::string(129, 't')));

// The longest that msb takes; a name without a slash stands for `library/NAME`.
INSTANTIATE_TEST_SUITE_P(
    TooLong, ImageRefuses,
    testing::Values(BadImage{repeated(248), ImageFault::TooLong, {0, 248}},
                    BadImage{repeated(248) + ":t", ImageFault::TooLong, {0, 248}},
                    BadImage{"b/" + repeated(254), ImageFault::TooLong, {0, 256}},
                    BadImage{"r.io/" + repeated(251) + ":t", ImageFault::TooLong, {0, 256}},
                    BadImage{repeated(policy::kMaxImageReferenceBytes + 1), ImageFault::TooLong, {0, 513}},
                    BadImage{repeated(kMaxValueBytes), ImageFault::TooLong, {0, kMaxValueBytes}},
                    BadImage{
                        repeated(kMaxValueBytes + 1), ImageFault::TooLong, {kMaxValueBytes, kPastLongest}}));

// Mount paths

struct GoodPath {
  std::string text;
  std::string normal;
};

void PrintTo(const GoodPath& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class MountPathAccepts : public testing::TestWithParam<GoodPath> {};

TEST_P(MountPathAccepts, InNormalForm) {
  const auto parsed = parse_mount_path(GetParam().text);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->text(), GetParam().normal);
}

const std::string kLongestPath = "/" + std::string(policy::kMaxPathBytes - 1, 'p');

INSTANTIATE_TEST_SUITE_P(MountPath, MountPathAccepts,
                         testing::Values(GoodPath{"/a", "/a"}, GoodPath{"/a/b", "/a/b"},
                                         GoodPath{"//a//b/", "/a/b"}, GoodPath{"/a/./b/.", "/a/b"},
                                         GoodPath{"/./a", "/a"}, GoodPath{"/.a", "/.a"},
                                         GoodPath{"/..a/b..", "/..a/b.."}, GoodPath{"/a/.../b", "/a/.../b"},
                                         GoodPath{"/a b ", "/a b "}, GoodPath{"/\u00e4/=\"*", "/\u00e4/=\"*"},
                                         GoodPath{"/~/$X", "/~/$X"}, GoodPath{kLongestPath, kLongestPath},
                                         GoodPath{"//" + kLongestPath + "/./", kLongestPath}));

class MountPathRefuses : public testing::TestWithParam<Refused<MountPathFault>> {};

TEST_P(MountPathRefuses, WithFaultAndPlace) { expect_refused(parse_mount_path(GetParam().text), GetParam()); }

using BadPath = Refused<MountPathFault>;
using enum MountPathFault;

INSTANTIATE_TEST_SUITE_P(
    MountPath, MountPathRefuses,
    testing::Values(BadPath{"", Blank, {0, 0}}, BadPath{"   ", Blank, {0, 3}},
                    BadPath{"~/x", NotAbsolute, {0, 1}}, BadPath{"$HOME/x", NotAbsolute, {0, 5}},
                    BadPath{"{env:X}", NotAbsolute, {0, 7}}, BadPath{"relative/x", NotAbsolute, {0, 8}},
                    BadPath{" /x", NotAbsolute, {0, 1}}, BadPath{"./x", NotAbsolute, {0, 1}},
                    BadPath{"C:\\x", NotAbsolute, {0, 4}}, BadPath{"/a\tb", ControlCharacter, {2, 3}},
                    BadPath{"/a\x7f", ControlCharacter, {2, 3}},
                    BadPath{std::string("/a\0b", 4), ControlCharacter, {2, 3}},
                    BadPath{"/a\xff/b", ControlCharacter, {2, 3}}, BadPath{"/a:b", NotExpressible, {2, 3}},
                    BadPath{"/a,b", NotExpressible, {2, 3}}, BadPath{"/a/;", NotExpressible, {3, 4}},
                    BadPath{"/\u00e4:", NotExpressible, {3, 4}},
                    BadPath{"/\u00e4/..", ParentComponent, {4, 6}}, BadPath{"/..", ParentComponent, {1, 3}},
                    BadPath{"/a/../b", ParentComponent, {3, 5}},
                    BadPath{"//.././..", ParentComponent, {2, 4}}, BadPath{"/", Root, {0, 1}},
                    BadPath{"//", Root, {0, 2}}, BadPath{"/./", Root, {0, 3}}, BadPath{"/.", Root, {0, 2}},
                    BadPath{"/a/\n/..:", ControlCharacter, {3, 4}}, BadPath{"/../a:", NotExpressible, {5, 6}},
                    BadPath{"~\n", NotAbsolute, {0, 2}},
                    BadPath{kLongestPath + "p", TooLong, {0, policy::kMaxPathBytes + 1}},
                    BadPath{std::string(kMaxValueBytes + 1, '/'), TooLong, {kMaxValueBytes, kPastLongest}}));

TEST(MountPathLimits, TheWrittenFormMayBeLonger) {
  const auto parsed = parse_mount_path(std::string(kMaxValueBytes - 1, '/') + "a");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->text(), "/a");
}

}  // namespace
}  // namespace forge::grammar
