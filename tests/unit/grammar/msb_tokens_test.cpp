#include "forge/grammar/msb_tokens.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "forge/policy/utf8.hpp"

namespace forge::grammar {
namespace {

// What every row says was measured on msb 0.6.18 and 0.7.2; "nothing" are the
// texts that msb refuses as well as those it would have to change first.
struct Row {
  std::string text;
  std::string meaning;
};

void PrintTo(const Row& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

std::string described(const std::optional<policy::HostRule>& rule) {
  return rule ? fmt::format("{} {}", policy::kind_of(*rule), policy::value_of(*rule)) : "nothing";
}

std::string described(const std::optional<MsbVolume>& volume) {
  if (!volume) {
    return "nothing";
  }
  return fmt::format("{} at {} {}", volume->host, volume->guest,
                     volume->access == policy::Access::ReadOnly ? "ro" : "rw");
}

std::string described(const std::optional<MsbNamedDisk>& disk) {
  return disk ? fmt::format("{} at {} of {}", disk->volume, disk->guest, disk->size.count) : "nothing";
}

std::string described(const std::optional<MsbSecret>& secret) {
  if (!secret) {
    return "nothing";
  }
  std::string out = secret->env.text();
  for (const policy::HostRule& host : secret->hosts) {
    out += fmt::format(" {}={}", policy::kind_of(host), policy::value_of(host));
  }
  return out;
}

std::string described(const std::optional<policy::Mebibytes>& size) {
  return size ? std::to_string(size->count) : "nothing";
}

std::string name_of(std::size_t bytes) {
  std::string out;
  while (out.size() + 64 < bytes) {
    out += std::string(63, 'a') + ".";
  }
  return out + std::string(bytes - out.size(), 'b');
}

class MsbAllowRule : public testing::TestWithParam<Row> {};

TEST_P(MsbAllowRule, IsReadAsMsbReadsIt) {
  EXPECT_EQ(described(parse_msb_allow_rule(GetParam().text)), GetParam().meaning);
}

INSTANTIATE_TEST_SUITE_P(
    Read, MsbAllowRule,
    testing::Values(Row{"allow@a.com", "domain a.com"}, Row{"allow@*.a.com", "suffix a.com"},
                    Row{"allow@suffix=a.com", "suffix a.com"}, Row{"allow@domain=x", "domain x"},
                    Row{"allow@domain=a.b", "domain a.b"}, Row{"allow@private", "group private"},
                    Row{"allow@domain=private", "domain private"}, Row{"allow@private.x", "domain private.x"},
                    Row{"allow@host.x", "domain host.x"}, Row{"allow@10.0.0.1", "ip 10.0.0.1"},
                    Row{"allow@10.0.0.0/8", "cidr 10.0.0.0/8"}, Row{"allow@0.0.0.0/0", "cidr 0.0.0.0/0"},
                    Row{"allow@1.2.3.4/32", "cidr 1.2.3.4/32"},
                    Row{"allow@1.2.3.4x.com", "domain 1.2.3.4x.com"},
                    Row{"allow@1.2.3.4.example.com", "domain 1.2.3.4.example.com"},
                    Row{"allow@_a._b", "domain _a._b"}, Row{"allow@a.0x1", "nothing"},
                    Row{"allow@xn--a.b", "domain xn--a.b"},
                    Row{"allow@" + name_of(253), "domain " + name_of(253)},
                    Row{"allow@*." + name_of(253), "suffix " + name_of(253)}));

INSTANTIATE_TEST_SUITE_P(Keywords, MsbAllowRule,
                         testing::Values(Row{"allow@any", "nothing"}, Row{"allow@public", "nothing"},
                                         Row{"allow@host", "nothing"}, Row{"allow@loopback", "nothing"},
                                         Row{"allow@link-local", "nothing"}, Row{"allow@meta", "nothing"},
                                         Row{"allow@multicast", "nothing"}, Row{"allow@dns", "nothing"},
                                         Row{"allow@dns:udp", "nothing"}, Row{"allow@PRIVATE", "nothing"},
                                         Row{"allow@x", "nothing"}));

INSTANTIATE_TEST_SUITE_P(
    Nothing, MsbAllowRule,
    testing::Values(
        Row{"", "nothing"}, Row{"allow@", "nothing"}, Row{"a.com", "nothing"}, Row{"deny@a.com", "nothing"},
        Row{"Allow@a.com", "nothing"}, Row{"allow:egress@a.com", "nothing"},
        Row{"allow@a.com:tcp:443", "nothing"}, Row{"allow@a.com:any", "nothing"},
        Row{" allow@a.com", "nothing"}, Row{"allow@a.com ", "nothing"}, Row{"allow@A.com", "nothing"},
        Row{"allow@a.com.", "nothing"}, Row{"allow@.a.com", "nothing"},
        Row{"allow@a.com,allow@b.com", "nothing"}, Row{"allow@a@b.com", "nothing"}, Row{"allow@*", "nothing"},
        Row{"allow@*.com", "nothing"}, Row{"allow@suffix=com", "nothing"}, Row{"allow@*.*.a.com", "nothing"},
        Row{"allow@domain=*.a.com", "nothing"}, Row{"allow@suffix=*.a.com", "nothing"},
        Row{"allow@foo.*.com", "nothing"}, Row{"allow@domain=", "nothing"},
        Row{"allow@DOMAIN=a.b", "nothing"}, Row{"allow@a..b", "nothing"}, Row{"allow@-a.com", "nothing"},
        Row{"allow@a-.com", "nothing"}, Row{"allow@a\\.b", "nothing"}, Row{"allow@b\u00fccher.de", "nothing"},
        Row{"allow@1.2.3", "nothing"}, Row{"allow@01.2.3.4", "nothing"}, Row{"allow@999.1.1.1", "nothing"},
        Row{"allow@domain=1.2.3.4", "nothing"}, Row{"allow@*.1.2.3.4", "nothing"},
        Row{"allow@1.2.3.4.", "nothing"}, Row{"allow@10.0.0.1/8", "nothing"},
        Row{"allow@10.0.0.0/08", "nothing"}, Row{"allow@10.0.0.0/33", "nothing"},
        Row{"allow@10.0.0.0/255.0.0.0", "nothing"}, Row{"allow@10.0.0.0/+8", "nothing"},
        Row{"allow@[::1]", "nothing"}, Row{"allow@[::/0]", "nothing"},
        Row{"allow@" + name_of(254), "nothing"}, Row{std::string("allow@a.com\0", 12), "nothing"}));

class MsbVolumeText : public testing::TestWithParam<Row> {};

TEST_P(MsbVolumeText, IsReadAsMsbReadsIt) {
  EXPECT_EQ(described(parse_msb_volume(GetParam().text)), GetParam().meaning);
}

INSTANTIATE_TEST_SUITE_P(
    Volume, MsbVolumeText,
    testing::Values(Row{"/a:/b", "/a at /b rw"}, Row{"/a:/b:ro", "/a at /b ro"},
                    Row{"/a:/b:rw", "/a at /b rw"}, Row{"/a b/c:/d e:ro", "/a b/c at /d e ro"},
                    Row{"/\u00e4=x:/\u00fc", "/\u00e4=x at /\u00fc rw"}, Row{"", "nothing"},
                    Row{"/a", "nothing"}, Row{"/a:b", "nothing"}, Row{"a:/b", "nothing"},
                    Row{"./a:/b", "nothing"}, Row{"/a:/b:", "nothing"}, Row{"/a:/b:RO", "nothing"},
                    Row{"/a:/b: ro", "nothing"}, Row{"/a:/b:ro,", "nothing"}, Row{"/a:/b:ro,ro", "nothing"},
                    Row{"/a:/b:ro:ro", "nothing"}, Row{"/a:/b:noexec", "nothing"},
                    Row{"/a:/b:ro,noexec", "nothing"}, Row{"/a:b:/c", "nothing"}, Row{"/a:/b:/c", "nothing"},
                    Row{"/a,b:/c", "nothing"}, Row{"/a;b:/c", "nothing"}, Row{"/a/:/b", "nothing"},
                    Row{"/a:/b/", "nothing"}, Row{"/a//b:/c", "nothing"}, Row{"/a/../b:/c", "nothing"},
                    Row{"/a:/b/../c", "nothing"}, Row{"/:/b", "nothing"}, Row{"/a:/", "nothing"},
                    Row{"/a\n:/b", "nothing"}, Row{" /a:/b", "nothing"}, Row{"/a\xff:/b", "nothing"}));

class MsbDiskText : public testing::TestWithParam<Row> {};

TEST_P(MsbDiskText, IsReadAsMsbReadsIt) {
  EXPECT_EQ(described(parse_msb_named_disk(GetParam().text)), GetParam().meaning);
}

const std::string kLongestVolume(247, 'v');

INSTANTIATE_TEST_SUITE_P(
    NamedDisk, MsbDiskText,
    testing::Values(Row{"forge-x-docker-data:/var/lib/docker:kind=disk,size=16384M",
                        "forge-x-docker-data at /var/lib/docker of 16384"},
                    Row{"n:/b:size=16G,kind=disk", "n at /b of 16384"},
                    Row{"N..a_-:/b:kind=disk,size=5", "N..a_- at /b of 5"},
                    Row{kLongestVolume + ":/b:kind=disk,size=1", kLongestVolume + " at /b of 1"},
                    Row{kLongestVolume + "v:/b:kind=disk,size=1", "nothing"}, Row{"n:/b", "nothing"},
                    Row{"n:/b:kind=disk", "nothing"}, Row{"n:/b:size=1G", "nothing"},
                    Row{"n:/b:kind=dir,size=1G", "nothing"}, Row{"n:/b:kind=disk,size=0", "nothing"},
                    Row{"n:/b:kind=disk,size=1,size=1", "nothing"},
                    Row{"n:/b:kind=disk,kind=disk,size=1", "nothing"},
                    Row{"n:/b:kind=disk,size=1,ro", "nothing"}, Row{"n:/b:kind=disk, size=1", "nothing"},
                    Row{"n:/b:kind=disk,size=4194304G", "nothing"}, Row{"-n:/b:kind=disk,size=1", "nothing"},
                    Row{".n:/b:kind=disk,size=1", "nothing"}, Row{"/n:/b:kind=disk,size=1", "nothing"},
                    Row{"\u00e4:/b:kind=disk,size=1", "nothing"}, Row{"n:/b/:kind=disk,size=1", "nothing"},
                    Row{"n:b:kind=disk,size=1", "nothing"}));

class MsbSecretText : public testing::TestWithParam<Row> {};

TEST_P(MsbSecretText, IsReadAsMsbReadsIt) {
  EXPECT_EQ(described(parse_msb_secret(GetParam().text)), GetParam().meaning);
}

INSTANTIATE_TEST_SUITE_P(
    Secret, MsbSecretText,
    testing::Values(Row{"T@a.com", "T domain=a.com"}, Row{"A_1@*.a.com", "A_1 suffix=a.com"},
                    Row{"T@a.com,*.b.com,c.d", "T domain=a.com suffix=b.com domain=c.d"},
                    Row{"T@localhost", "T domain=localhost"}, Row{"", "nothing"}, Row{"T", "nothing"},
                    Row{"T@", "nothing"}, Row{"@a.com", "nothing"}, Row{"T@*", "nothing"},
                    Row{"T@*.com", "nothing"}, Row{"T@a.com,*", "nothing"}, Row{"T@a.com,", "nothing"},
                    Row{"T@,a.com", "nothing"}, Row{"T@ a.com", "nothing"}, Row{"T@A.com", "nothing"},
                    Row{"T@a.com.", "nothing"}, Row{"T@1.2.3.4", "nothing"}, Row{"T@a.com:443", "nothing"},
                    Row{"1T@a.com", "nothing"}, Row{"T:query@a.com", "nothing"}, Row{"T@x@a.com", "nothing"},
                    Row{"T=v@a.com", "nothing"}, Row{"T@domain=a.com", "nothing"},
                    Row{"T@suffix=a.com", "nothing"}, Row{"-T@a.com", "nothing"}));

class MsbSizeText : public testing::TestWithParam<Row> {};

TEST_P(MsbSizeText, IsReadAsMsbReadsIt) {
  EXPECT_EQ(described(parse_msb_size(GetParam().text)), GetParam().meaning);
}

INSTANTIATE_TEST_SUITE_P(
    Size, MsbSizeText,
    testing::Values(Row{"1", "1"}, Row{"512", "512"}, Row{"512M", "512"}, Row{"8G", "8192"},
                    Row{"0001M", "1"}, Row{"4294967295", "4294967295"}, Row{"4294967295M", "4294967295"},
                    Row{"4194303G", "4294966272"}, Row{"4294967296", "nothing"}, Row{"4194304G", "nothing"},
                    Row{"18446744073709551617", "nothing"}, Row{"99999999999999999999G", "nothing"},
                    Row{"", "nothing"}, Row{"0", "nothing"}, Row{"0M", "nothing"}, Row{"0G", "nothing"},
                    Row{"M", "nothing"}, Row{"G", "nothing"}, Row{"8g", "nothing"}, Row{"8m", "nothing"},
                    Row{"8GB", "nothing"}, Row{"1.5G", "nothing"}, Row{"1 G", "nothing"},
                    Row{" 8G", "nothing"}, Row{"+5", "nothing"}, Row{"-5", "nothing"}, Row{"1e3", "nothing"},
                    Row{"512k", "nothing"}, Row{"8GM", "nothing"}));

TEST(MsbTokenLimits, TokenAtTheLimitAndOneMore) {
  const std::string edge = std::string(kMaxTokenBytes - 1, '0') + "1";
  EXPECT_EQ(described(parse_msb_size(edge)), "1");
  EXPECT_EQ(described(parse_msb_size("0" + edge)), "nothing");
  std::string secret = "T@a.com";
  while (secret.size() + 6 <= kMaxTokenBytes) {
    secret += ",a.com";
  }
  EXPECT_TRUE(parse_msb_secret(secret));
  EXPECT_FALSE(parse_msb_secret(secret + ",a.com"));
}

}  // namespace
}  // namespace forge::grammar
