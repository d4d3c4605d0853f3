#include <gtest/gtest.h>

#include <string>

#include "forge/policy/domain_name.hpp"
#include "forge/policy/env_name.hpp"
#include "forge/policy/host_rule.hpp"
#include "forge/policy/image_reference.hpp"
#include "forge/policy/ipv4.hpp"
#include "forge/policy/mount_path.hpp"
#include "forge/policy/sandbox_name.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::policy {
namespace {

TEST(DomainName, TakesOnlyTheCanonicalSpelling) {
  for (const char* good : {"a", "example.com", "a-b.c_d.example", "1.example", "xn--bcher-kva.example",
                           "_dmarc.example.com", "0x1.example", "a.0xg", "a.x1"}) {
    EXPECT_TRUE(DomainName::from_canonical(good)) << good;
  }
  for (const char* bad :
       {"", ".", "a.", ".a", "a..b", "A.example", "-a.example", "a-.example", "a b", "*.example.com",
        "1.2.3.4", "example.123", "b\xC3\xBC.example", "a/b", "a:1", "a.0x", "a.0x7f", "0x1", "7"}) {
    EXPECT_FALSE(DomainName::from_canonical(bad)) << bad;
  }
}

TEST(DomainName, LimitsAreThoseOfTheDns) {
  const std::string label(kMaxLabelBytes, 'a');
  EXPECT_TRUE(DomainName::from_canonical(label + ".example"));
  EXPECT_FALSE(DomainName::from_canonical(label + "a.example"));
  const std::string long_name =
      label + '.' + label + '.' + label + '.' + std::string(kMaxDomainBytes - std::size_t{3} * 64, 'b');
  ASSERT_EQ(long_name.size(), kMaxDomainBytes);
  EXPECT_TRUE(DomainName::from_canonical(long_name));
  EXPECT_FALSE(DomainName::from_canonical(long_name + 'b'));
}

TEST(DomainName, IsAtOrBelowOnlyOnLabelBoundaries) {
  const auto name = [](const char* text) { return *DomainName::from_canonical(text); };
  EXPECT_TRUE(name("www.trusted.net").is_at_or_below(name("trusted.net")));
  EXPECT_TRUE(name("trusted.net").is_at_or_below(name("trusted.net")));
  EXPECT_FALSE(name("nottrusted.net").is_at_or_below(name("trusted.net")));
  EXPECT_FALSE(name("trusted.net.evil.tld").is_at_or_below(name("trusted.net")));
}

TEST(Ipv4, TakesStrictDottedQuadsOnly) {
  EXPECT_EQ(Ipv4Address::from_canonical("203.0.113.7")->bits, 0xCB007107U);
  EXPECT_EQ(Ipv4Address::from_canonical("255.255.255.255")->text(), "255.255.255.255");
  for (const char* bad :
       {"", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.4 ", "1.2.3.", "0x1.2.3.4", "1..2.3"}) {
    EXPECT_FALSE(Ipv4Address::from_canonical(bad)) << bad;
  }
}

TEST(Ipv4, NetworksHaveNoHostBits) {
  EXPECT_EQ(Ipv4Network::from_canonical("203.0.113.0/24")->text(), "203.0.113.0/24");
  EXPECT_TRUE(Ipv4Network::from_canonical("0.0.0.0/0"));
  for (const char* bad :
       {"203.0.113.7/24", "203.0.113.0/33", "203.0.113.0/", "203.0.113.0", "203.0.113.0/024", "10/8"}) {
    EXPECT_FALSE(Ipv4Network::from_canonical(bad)) << bad;
  }
}

struct RangeRow {
  const char* network;
  std::optional<RangeClass> klass;
};
void PrintTo(const RangeRow& row, std::ostream* out) { *out << row.network; }

class SpecialRanges : public testing::TestWithParam<RangeRow> {};
TEST_P(SpecialRanges, AreJudgedByTheStrictestClass) {
  const SpecialRange* range = special_range_of(*Ipv4Network::from_canonical(GetParam().network));
  ASSERT_EQ(range != nullptr, GetParam().klass.has_value());
  if (range != nullptr) {
    EXPECT_EQ(range->klass, *GetParam().klass);
  }
}
INSTANTIATE_TEST_SUITE_P(Table, SpecialRanges,
                         testing::Values(RangeRow{"203.0.113.0/24", std::nullopt},
                                         RangeRow{"8.8.8.8/32", std::nullopt},
                                         RangeRow{"10.0.0.5/32", RangeClass::Private},
                                         RangeRow{"192.168.0.0/16", RangeClass::Private},
                                         RangeRow{"100.64.0.0/24", RangeClass::Private},
                                         RangeRow{"100.64.0.0/10", RangeClass::NeverAllowed},
                                         RangeRow{"172.16.0.1/32", RangeClass::GatewayPool},
                                         RangeRow{"172.31.255.255/32", RangeClass::GatewayPool},
                                         RangeRow{"172.32.0.0/32", std::nullopt},
                                         RangeRow{"169.254.169.254/32", RangeClass::NeverAllowed},
                                         RangeRow{"168.63.129.16/32", RangeClass::NeverAllowed},
                                         RangeRow{"168.0.0.0/8", RangeClass::NeverAllowed},
                                         RangeRow{"127.0.0.1/32", RangeClass::NeverAllowed},
                                         RangeRow{"0.0.0.0/0", RangeClass::NeverAllowed},
                                         RangeRow{"224.0.0.251/32", RangeClass::NeverAllowed}));

TEST(HostRule, CoversByNamesAndByAddresses) {
  const auto rule = [](const char* kind, const char* value) {
    return *host_rule_from_canonical(kind, value);
  };
  EXPECT_TRUE(covers(rule("suffix", "example.com"), rule("domain", "example.com")));
  EXPECT_TRUE(covers(rule("suffix", "example.com"), rule("suffix", "a.example.com")));
  EXPECT_FALSE(covers(rule("suffix", "a.example.com"), rule("suffix", "example.com")));
  EXPECT_FALSE(covers(rule("domain", "example.com"), rule("suffix", "example.com")));
  EXPECT_TRUE(covers(rule("cidr", "203.0.113.0/24"), rule("ip", "203.0.113.9")));
  EXPECT_FALSE(covers(rule("ip", "203.0.113.9"), rule("cidr", "203.0.113.0/24")));
  EXPECT_FALSE(covers(rule("group", "private"), rule("ip", "203.0.113.9")));
  EXPECT_TRUE(covers(rule("group", "private"), rule("group", "private")));
}

TEST(HostRule, SuffixesNeedTwoLabels) {
  EXPECT_TRUE(host_rule_from_canonical("domain", "gitea"));
  EXPECT_FALSE(host_rule_from_canonical("suffix", "com"));
  EXPECT_FALSE(host_rule_from_canonical("suffix", "*.example.com"));
  EXPECT_FALSE(host_rule_from_canonical("group", "public"));
  EXPECT_FALSE(host_rule_from_canonical("any", "example.com"));
}

TEST(EnvName, IsPosix) {
  EXPECT_TRUE(EnvName::from_canonical("_a1"));
  for (const char* bad : {"", "1a", "a-b", "a=b", "a b", "\xC3\xA4"}) {
    EXPECT_FALSE(EnvName::from_canonical(bad)) << bad;
  }
}

TEST(MountPath, IsAbsoluteNormalAndExpressible) {
  for (const char* good : {"/a", "/srv/a b", "/srv/\xC3\xA4", "/a/.b", "/a/..b", "/a/-", "/a=b"}) {
    EXPECT_TRUE(MountPath::from_canonical(good)) << good;
  }
  for (const char* bad : {"", "/", "a", "/a/", "//a", "/a//b", "/a/./b", "/a/../b", "/a/..", "/a:b", "/a,b",
                          "/a;b", "/a\nb", "/a\x7F", "/a\xFF", "/a\xC2\x85", "/a\u200b/b"}) {
    EXPECT_FALSE(MountPath::from_canonical(bad)) << bad;
  }
  EXPECT_TRUE(MountPath::from_canonical('/' + std::string(kMaxPathBytes - 1, 'a')));
  EXPECT_FALSE(MountPath::from_canonical('/' + std::string(kMaxPathBytes, 'a')));
}

TEST(MountPath, ComparesByComponents) {
  EXPECT_TRUE(path_is_at_or_below("/a/b", "/a"));
  EXPECT_TRUE(path_is_at_or_below("/a", "/a"));
  EXPECT_FALSE(path_is_at_or_below("/ab", "/a"));
  EXPECT_TRUE(path_is_at_or_below("/a", "/"));
}

TEST(SandboxName, IsDerivedAsDocumented) {
  EXPECT_EQ(SandboxName::derive("Feature/A").text(), "forge-feature-a");
  EXPECT_EQ(SandboxName::derive("").text(), "forge-sandbox");
  EXPECT_EQ(SandboxName::derive("-.-").text(), "forge-sandbox");
  EXPECT_EQ(SandboxName::derive("a+b").text(), "forge-a-b");
  EXPECT_EQ(SandboxName::derive(std::string(80, 'x')).text(), "forge-" + std::string(kMaxNameStemBytes, 'x'));
  EXPECT_EQ(SandboxName::derive(std::string(59, 'x') + "-y").text(), "forge-" + std::string(59, 'x'));
  EXPECT_EQ(SandboxName::derive("a").docker_volume(), "forge-a-docker-data");
}

TEST(SandboxName, ReadsBackOnlyWhatItDerives) {
  EXPECT_TRUE(SandboxName::from_canonical("forge-a.b-c"));
  for (const char* bad : {"", "forge-", "forge--a", "forge-A", "a", "forge-a b", "forge-a-"}) {
    EXPECT_FALSE(SandboxName::from_canonical(bad)) << bad;
  }
}

TEST(Utf8, RefusesWhatIsNone) {
  for (const char* bad :
       {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xE2\x82", "\xF8\x88\x80\x80\x80"}) {
    EXPECT_FALSE(is_valid_utf8(bad)) << bad;
  }
  std::string all;
  for (const char32_t point : {U'a', U'\u00e4', U'\u20ac', U'\U0001F600'}) {
    append_utf8(all, point);
  }
  EXPECT_TRUE(is_valid_utf8(all));
  EXPECT_EQ(all, "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(Utf8, ShownTextHoldsNothingUnsafe) {
  EXPECT_EQ(escape_for_display("a\x1B[31m"), "a\\u{1B}[31m");
  std::string override_mark = "a";
  append_utf8(override_mark, U'\u202e');
  EXPECT_EQ(escape_for_display(override_mark + 'b'), "a\\u{202E}b");
  EXPECT_EQ(escape_for_display("a\xFF"), "a\\xFF");
  EXPECT_EQ(excerpt("\xC3\xA4\xC3\xA4", 3), "\xC3\xA4...");
}

}  // namespace
}  // namespace forge::policy
