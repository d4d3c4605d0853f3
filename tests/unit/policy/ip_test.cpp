#include "forge/policy/ip.hpp"

#include <gtest/gtest.h>

#include "forge/policy/net_policy.hpp"

namespace {

using forge::policy::AddressGroup;
using forge::policy::group_of;
using forge::policy::IpAddress;
using forge::policy::IpFamily;
using forge::policy::IpNetwork;
using forge::policy::Protocol;
using forge::policy::Services;

IpAddress address(std::string_view text) { return IpAddress::from_canonical(text).value(); }
IpNetwork network(std::string_view text) { return IpNetwork::from_canonical(text).value(); }

TEST(IpAddress, KeepsItsSpelling) {
  for (const char* text :
       {"0.0.0.0", "255.255.255.255", "10.1.2.3", "::", "::1", "fd00:ec2::254", "fe80::1:0:0:1",
        "2001:db8::1", "::1.2.3.4", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}) {
    const auto read = IpAddress::from_canonical(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->text(), text);
  }
}

TEST(IpAddress, RefusesEveryOtherSpelling) {
  for (const char* text : {"", "1.2.3", "01.2.3.4", "1.2.3.4.", "FD00::1", "0:0::1", "::ffff:1.2.3.4",
                           "::ffff:102:304", "fe80::1%eth0", "[::1]", "1.2.3.4/32", " ::1"}) {
    EXPECT_FALSE(IpAddress::from_canonical(text)) << text;
  }
  EXPECT_FALSE(IpAddress::from_canonical(std::string_view("::1\0", 4)));
}

TEST(IpNetwork, ReadsWhatItWrites) {
  for (const char* text : {"0.0.0.0/0", "10.0.0.0/8", "1.2.3.4/32", "::/0", "fc00::/7", "::1/128",
                           "fd42:6d73:62::/48", "::ffff:0.0.0.0/96", "::ffff:1.2.3.0/120"}) {
    const auto read = IpNetwork::from_canonical(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->text(), text);
  }
  for (const char* text : {"10.0.0.1/8", "10.0.0.0/33", "10.0.0.0", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/+8",
                           "::/129", "fc01::/7", "::1/127", "10.0.0.0/8 ", "::/-1"}) {
    EXPECT_FALSE(IpNetwork::from_canonical(text)) << text;
  }
}

TEST(IpNetwork, EndsWhereTheNextOneStarts) {
  EXPECT_EQ(network("10.0.0.0/8").last(), address("10.255.255.255"));
  EXPECT_EQ(network("0.0.0.0/0").last(), address("255.255.255.255"));
  EXPECT_EQ(network("fc00::/7").last(), address("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
  EXPECT_EQ(network("2001:db8::/64").last(), address("2001:db8::ffff:ffff:ffff:ffff"));
  EXPECT_EQ(network("::1/128").last(), address("::1"));
}

TEST(IpNetwork, HoldsOnlyItsOwnFamily) {
  EXPECT_TRUE(network("::/0").contains(address("::1")));
  EXPECT_FALSE(network("::/0").contains(address("1.2.3.4")));
  EXPECT_FALSE(network("::ffff:0.0.0.0/96").contains(address("1.2.3.4")));
  EXPECT_TRUE(network("0.0.0.0/0").contains(address("1.2.3.4")));
  EXPECT_FALSE(network("0.0.0.0/0").contains(address("::1.2.3.4")));
}

TEST(IpNetwork, DropsHostBits) {
  EXPECT_EQ(IpNetwork::around(IpFamily::V4, address("1.2.3.4"), 24), network("1.2.3.0/24"));
  EXPECT_EQ(IpNetwork::around(IpFamily::V6, address("2001:db8::1"), 0), network("::/0"));
}

TEST(AddressGroups, AreDecidedInTheRuntimesOrder) {
  using Group = AddressGroup;
  EXPECT_EQ(group_of(address("0.0.0.0")), std::nullopt);
  EXPECT_EQ(group_of(address("::")), std::nullopt);
  EXPECT_EQ(group_of(address("0.0.0.1")), Group::Public);
  EXPECT_EQ(group_of(address("169.254.169.254")), Group::Metadata);
  EXPECT_EQ(group_of(address("169.254.169.253")), Group::LinkLocal);
  EXPECT_EQ(group_of(address("127.255.255.255")), Group::Loopback);
  EXPECT_EQ(group_of(address("::1")), Group::Loopback);
  EXPECT_EQ(group_of(address("172.31.255.255")), Group::Private);
  EXPECT_EQ(group_of(address("172.32.0.0")), Group::Public);
  EXPECT_EQ(group_of(address("100.100.100.200")), Group::Private);
  EXPECT_EQ(group_of(address("fd00:ec2::254")), Group::Private);
  EXPECT_EQ(group_of(address("168.63.129.16")), Group::Public);
  EXPECT_EQ(group_of(address("239.255.255.255")), Group::Multicast);
  EXPECT_EQ(group_of(address("240.0.0.0")), Group::Public);
  EXPECT_EQ(group_of(address("64:ff9b::1")), Group::Public);
  EXPECT_EQ(group_of(address("::ffff")), Group::Public);
}

TEST(Services, WithPortsMeetNoProtocolThatHasNone) {
  const Services everything;
  EXPECT_TRUE(everything.contains(Protocol::IcmpV4, 0));
  EXPECT_TRUE(everything.contains(Protocol::Udp, 65535));
  Services https;
  https.ports = {443, 443};
  EXPECT_TRUE(https.contains(Protocol::Tcp, 443));
  EXPECT_TRUE(https.contains(Protocol::Udp, 443));
  EXPECT_FALSE(https.contains(Protocol::Tcp, 444));
  EXPECT_FALSE(https.contains(Protocol::IcmpV4, 443));
  EXPECT_FALSE(Services::of(Protocol::Udp).contains(Protocol::Tcp, 1));
}

}  // namespace
