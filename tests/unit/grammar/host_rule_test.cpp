#include "forge/grammar/host_rule.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "forge/policy/domain_name.hpp"
#include "forge/policy/overloaded.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::grammar {
namespace {

using namespace std::string_literals;

std::string described(const NameEntry& name) {
  return fmt::format("{} {}{}{}", name.form == NameForm::Suffix ? "suffix" : "exact", name.name,
                     name.ascii ? "" : " (wide)", name.trailing_dot ? " (dot)" : "");
}

std::string described(const HostEntry& entry) {
  return std::visit(
      policy::overloaded{[](const EverythingEntry&) { return "everything"s; },
                         [](const NameEntry& name) { return described(name); },
                         [](const AddressEntry& host) { return "address " + host.address.text(); },
                         [](const NetworkEntry& host) { return "network " + host.network.text(); }},
      entry);
}

struct Accepted {
  std::string text;
  std::string meaning;
};

void PrintTo(const Accepted& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class HostEntryAccepts : public testing::TestWithParam<Accepted> {};

TEST_P(HostEntryAccepts, AsMeant) {
  const auto parsed = parse_host_entry(GetParam().text);
  ASSERT_TRUE(parsed) << "fault " << static_cast<int>(parsed.error().fault);
  EXPECT_EQ(described(*parsed), GetParam().meaning);
  if (const auto* name = std::get_if<NameEntry>(&*parsed); name != nullptr && name->ascii) {
    EXPECT_TRUE(policy::DomainName::from_canonical(name->name));
  }
}

INSTANTIATE_TEST_SUITE_P(Everything, HostEntryAccepts,
                         testing::Values(Accepted{"*", "everything"}, Accepted{"**", "everything"},
                                         Accepted{" ** ", "everything"}, Accepted{"  **", "everything"}));

INSTANTIATE_TEST_SUITE_P(
    Names, HostEntryAccepts,
    testing::Values(Accepted{"registry.example.org", "exact registry.example.org"},
                    Accepted{"REGISTRY.EXAMPLE.ORG", "exact registry.example.org"},
                    Accepted{" registry.example.org ", "exact registry.example.org"},
                    Accepted{"example.com.", "exact example.com (dot)"},
                    Accepted{"HOST.microsandbox.internal.", "exact host.microsandbox.internal (dot)"},
                    Accepted{"domain=localhost", "exact localhost"}, Accepted{"domain=x", "exact x"},
                    Accepted{"domain=X.", "exact x (dot)"}, Accepted{"domain=a.b", "exact a.b"},
                    Accepted{"*.example.com", "suffix example.com"},
                    Accepted{"suffix=example.com", "suffix example.com"},
                    Accepted{"suffix=A.b.", "suffix a.b (dot)"}, Accepted{"*.co.uk", "suffix co.uk"},
                    Accepted{"suffix=co.uk", "suffix co.uk"}, Accepted{"*.github.io", "suffix github.io"},
                    Accepted{"a_b.example.com", "exact a_b.example.com"}, Accepted{"_a._b", "exact _a._b"},
                    Accepted{"a--b.c", "exact a--b.c"},
                    Accepted{"xn--exmple-cua.com", "exact xn--exmple-cua.com"},
                    Accepted{"private.x", "exact private.x"}, Accepted{"1.2.3.4a", "exact 1.2.3.4a"},
                    Accepted{"a.0xg", "exact a.0xg"}, Accepted{"10.0.0.1.nip.io", "exact 10.0.0.1.nip.io"},
                    Accepted{"localtest.me", "exact localtest.me"}));

// Recorded from users' lists: names that pass here and are judged by meaning later.
INSTANTIATE_TEST_SUITE_P(
    JudgedLater, HostEntryAccepts,
    testing::Values(Accepted{"localhost.localdomain", "exact localhost.localdomain"},
                    Accepted{"metadata.google.internal", "exact metadata.google.internal"},
                    Accepted{"host.microsandbox.internal", "exact host.microsandbox.internal"},
                    Accepted{"host.docker.internal", "exact host.docker.internal"},
                    Accepted{"gateway.docker.internal", "exact gateway.docker.internal"},
                    Accepted{"kubernetes.default.svc", "exact kubernetes.default.svc"},
                    Accepted{"router.local", "exact router.local"}, Accepted{"nas.lan", "exact nas.lan"},
                    Accepted{"printer.home.arpa", "exact printer.home.arpa"},
                    Accepted{"1.1.1.1.nip.io", "exact 1.1.1.1.nip.io"}, Accepted{"*.a.com", "suffix a.com"},
                    Accepted{"api.a.com", "exact api.a.com"}, Accepted{"b.com", "exact b.com"}));

INSTANTIATE_TEST_SUITE_P(Wide, HostEntryAccepts,
                         testing::Values(Accepted{"b\u00fccher.de", "exact b\u00fccher.de (wide)"},
                                         Accepted{"B\u00dcCHER.DE.", "exact b\u00dccher.de (wide) (dot)"},
                                         Accepted{"*.b\u00fccher.de", "suffix b\u00fccher.de (wide)"},
                                         Accepted{"domain=b\u00fccher", "exact b\u00fccher (wide)"},
                                         Accepted{"\u0430pple.com", "exact \u0430pple.com (wide)"},
                                         Accepted{"example\u3002com", "exact example\u3002com (wide)"},
                                         Accepted{"suffix=a\uff0eb\uff61", "suffix a\uff0eb\uff61 (wide)"},
                                         Accepted{"\uff25\uff38.com", "exact \uff25\uff38.com (wide)"},
                                         // The full-width forms that conversion turns into something else.
                                         Accepted{"\uff11.\uff12.\uff13.\uff14",
                                                  "exact \uff11.\uff12.\uff13.\uff14 (wide)"},
                                         Accepted{"\uff0a.example.com", "exact \uff0a.example.com (wide)"},
                                         Accepted{"a\uff1ab.com", "exact a\uff1ab.com (wide)"},
                                         Accepted{"a\uff20b.com", "exact a\uff20b.com (wide)"},
                                         Accepted{"-\u00e4-.com", "exact -\u00e4-.com (wide)"}));

INSTANTIATE_TEST_SUITE_P(
    Addresses, HostEntryAccepts,
    testing::Values(
        Accepted{"10.0.0.1", "address 10.0.0.1"}, Accepted{"8.8.8.8", "address 8.8.8.8"},
        Accepted{" 127.0.0.1", "address 127.0.0.1"}, Accepted{"0.0.0.0", "address 0.0.0.0"},
        Accepted{"172.16.0.1", "address 172.16.0.1"}, Accepted{"100.64.0.1", "address 100.64.0.1"},
        Accepted{"169.254.169.254", "address 169.254.169.254"}, Accepted{"198.18.0.1", "address 198.18.0.1"},
        Accepted{"198.51.100.7", "address 198.51.100.7"},
        Accepted{"255.255.255.255", "address 255.255.255.255"}, Accepted{"10.0.0.0/8", "network 10.0.0.0/8"},
        Accepted{"192.168.0.0/16", "network 192.168.0.0/16"}, Accepted{"8.8.8.0/24 ", "network 8.8.8.0/24"},
        Accepted{"0.0.0.0/8", "network 0.0.0.0/8"}, Accepted{"1.2.3.4/32", "network 1.2.3.4/32"}));

struct Refused {
  std::string text;
  HostFault fault;
  policy::Span where;
};

void PrintTo(const Refused& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class HostEntryRefuses : public testing::TestWithParam<Refused> {};

TEST_P(HostEntryRefuses, WithFaultAndPlace) {
  const auto parsed = parse_host_entry(GetParam().text);
  ASSERT_FALSE(parsed) << described(*parsed);
  EXPECT_EQ(parsed.error().fault, GetParam().fault);
  EXPECT_EQ(parsed.error().where.begin, GetParam().where.begin);
  EXPECT_EQ(parsed.error().where.end, GetParam().where.end);
}

using enum HostFault;

INSTANTIATE_TEST_SUITE_P(
    Characters, HostEntryRefuses,
    testing::Values(
        Refused{"", Blank, {0, 0}}, Refused{"  ", Blank, {0, 2}},
        Refused{"example.com,evil.com", Comma, {11, 12}}, Refused{"a.com, b.com", Comma, {5, 6}},
        Refused{"a.com,b.com", Comma, {5, 6}}, Refused{"example.com:443", Colon, {11, 12}},
        Refused{"example.com:tcp:443", Colon, {11, 12}}, Refused{"x:1", Colon, {1, 2}},
        Refused{"https://example.com", Colon, {5, 6}}, Refused{"::1", Colon, {0, 1}},
        Refused{"http://example.com/path", Colon, {4, 5}}, Refused{"[::1]", Colon, {1, 2}},
        Refused{"fe80::1", Colon, {4, 5}}, Refused{"  a:1 ", Colon, {3, 4}},
        Refused{"user@example.com", At, {4, 5}}, Refused{"x@a.com", At, {1, 2}},
        Refused{"domain=a b", BadCharacter, {8, 9}}, Refused{"a.com b.com", BadCharacter, {5, 6}},
        Refused{"a.com\tb.com", BadCharacter, {5, 6}}, Refused{"\ta.com", BadCharacter, {0, 1}},
        Refused{"a.com\nb.com", BadCharacter, {5, 6}}, Refused{"a.com\n", BadCharacter, {5, 6}},
        Refused{" a.com\r", BadCharacter, {6, 7}}, Refused{"a.com\0b.com"s, BadCharacter, {5, 6}},
        Refused{"\0"s, BadCharacter, {0, 1}}, Refused{"example.com#x", BadCharacter, {11, 12}},
        Refused{"example.com?x", BadCharacter, {11, 12}}, Refused{"%2e.com", BadCharacter, {0, 1}},
        Refused{"$a.com", BadCharacter, {0, 1}}, Refused{"\"a.com\"", BadCharacter, {0, 1}},
        Refused{"a'.com", BadCharacter, {1, 2}}, Refused{"a\\.com", BadCharacter, {1, 2}},
        Refused{"a;b.com", BadCharacter, {1, 2}}, Refused{"a=b.com", BadCharacter, {1, 2}},
        Refused{"DOMAIN=x", BadCharacter, {6, 7}}, Refused{"domain=suffix=a.b", BadCharacter, {13, 14}},
        Refused{"a\x7f.com", BadCharacter, {1, 2}}, Refused{"a\u0085.com", BadCharacter, {1, 3}},
        Refused{"a\u00a0b.com", BadCharacter, {1, 3}}, Refused{"a\u3000b.com", BadCharacter, {1, 4}},
        Refused{"a\u200bb.com", BadCharacter, {1, 4}}, Refused{"a\u202eb\u202c.com", BadCharacter, {1, 4}},
        Refused{"a\ufe0f.com", BadCharacter, {1, 4}}, Refused{"a\u034f.com", BadCharacter, {1, 3}},
        Refused{"\u00e4\xff.com", BadCharacter, {2, 3}}, Refused{"\xc3.com", BadCharacter, {0, 1}},
        Refused{"a.\xed\xa0\x80.com", BadCharacter, {2, 3}}));

INSTANTIATE_TEST_SUITE_P(
    Wildcards, HostEntryRefuses,
    testing::Values(
        Refused{"*.com", WildcardTooBroad, {0, 5}}, Refused{" *.com", WildcardTooBroad, {1, 6}},
        Refused{"*.com.", WildcardTooBroad, {0, 6}}, Refused{"*..com", WildcardTooBroad, {0, 6}},
        Refused{"*.", WildcardTooBroad, {0, 2}}, Refused{"suffix=com", WildcardTooBroad, {0, 10}},
        Refused{"suffix=com.", WildcardTooBroad, {0, 11}}, Refused{"suffix=", WildcardTooBroad, {0, 7}},
        Refused{"suffix=..", WildcardTooBroad, {0, 9}}, Refused{"*.1", WildcardTooBroad, {0, 3}},
        Refused{"*.\u00e4", WildcardTooBroad, {0, 4}}, Refused{"***", WildcardInside, {0, 1}},
        Refused{"domain=*", WildcardInside, {7, 8}}, Refused{"suffix=*", WildcardInside, {7, 8}},
        Refused{"*.*.com", WildcardInside, {2, 3}}, Refused{"foo.*.com", WildcardInside, {4, 5}},
        Refused{"crl*.example.com", WildcardInside, {3, 4}}, Refused{"*example.com", WildcardInside, {0, 1}},
        Refused{"a.*", WildcardInside, {2, 3}}, Refused{"domain=*.a.com", WildcardInside, {7, 8}},
        Refused{"suffix=**.a.com", WildcardInside, {7, 8}}, Refused{"**.*.com", WildcardInside, {3, 4}},
        Refused{"*\u00e4.com", WildcardInside, {0, 1}}, Refused{"**.cloud.example", DoubleStar, {0, 2}},
        Refused{"**.com", DoubleStar, {0, 2}}, Refused{"  **.example.com", DoubleStar, {2, 4}},
        Refused{"**.", DoubleStar, {0, 2}}));

INSTANTIATE_TEST_SUITE_P(
    Labels, HostEntryRefuses,
    testing::Values(Refused{"localhost", SingleLabel, {0, 9}}, Refused{"com.", SingleLabel, {0, 4}},
                    Refused{"any", SingleLabel, {0, 3}}, Refused{"public", SingleLabel, {0, 6}},
                    Refused{"host", SingleLabel, {0, 4}}, Refused{"loopback", SingleLabel, {0, 8}},
                    Refused{"dns", SingleLabel, {0, 3}}, Refused{"multicast", SingleLabel, {0, 9}},
                    Refused{"link-local", SingleLabel, {0, 10}}, Refused{"private", SingleLabel, {0, 7}},
                    Refused{"-a", SingleLabel, {0, 2}}, Refused{"b\u00fccher", SingleLabel, {0, 7}},
                    Refused{"\u4f8b\u3002", SingleLabel, {0, 6}}, Refused{".", EmptyLabel, {0, 1}},
                    Refused{"..", EmptyLabel, {0, 1}}, Refused{".com", EmptyLabel, {0, 1}},
                    Refused{".example.com", EmptyLabel, {0, 1}}, Refused{"a..b", EmptyLabel, {2, 3}},
                    Refused{"a.b..", EmptyLabel, {4, 5}}, Refused{"*..a.b", EmptyLabel, {2, 3}},
                    Refused{"domain=", EmptyLabel, {0, 7}}, Refused{"domain=.", EmptyLabel, {7, 8}},
                    Refused{"1.2.3.4..", EmptyLabel, {8, 9}}, Refused{"\u00e4..b", EmptyLabel, {3, 4}},
                    Refused{"\u00e4.b\u3002.", EmptyLabel, {7, 8}}, Refused{"\u3002", EmptyLabel, {0, 3}},
                    Refused{"-a.com", HyphenAtEdge, {0, 1}}, Refused{"a-.com", HyphenAtEdge, {1, 2}},
                    Refused{"a.b-", HyphenAtEdge, {3, 4}}, Refused{"a.-", HyphenAtEdge, {2, 3}},
                    Refused{"--a.com", HyphenAtEdge, {0, 1}}, Refused{"a---.com", HyphenAtEdge, {3, 4}},
                    Refused{"*.a-b.c-.d", HyphenAtEdge, {7, 8}}, Refused{"domain=-", HyphenAtEdge, {7, 8}}));

INSTANTIATE_TEST_SUITE_P(
    Addresses, HostEntryRefuses,
    testing::Values(
        Refused{"127.1", AddressNotCanonical, {0, 5}}, Refused{"1.2.3", AddressNotCanonical, {0, 5}},
        Refused{"2130706433", AddressNotCanonical, {0, 10}},
        Refused{"0x7f000001", AddressNotCanonical, {0, 10}}, Refused{"0x7f.1", AddressNotCanonical, {0, 6}},
        Refused{"0x7f.0.0.1", AddressNotCanonical, {0, 10}},
        Refused{"0177.0.0.1", AddressNotCanonical, {0, 10}},
        Refused{"010.0.0.1", AddressNotCanonical, {0, 9}},
        Refused{"0251.254.169.254", AddressNotCanonical, {0, 16}},
        Refused{"999.1.1.1", AddressNotCanonical, {0, 9}}, Refused{"256.1.1.1", AddressNotCanonical, {0, 9}},
        Refused{"1.2.3.4.", AddressNotCanonical, {0, 8}}, Refused{"1.2.3.4.5", AddressNotCanonical, {0, 9}},
        Refused{"a.b.1", AddressNotCanonical, {0, 5}}, Refused{"a.0X1F", AddressNotCanonical, {0, 6}},
        Refused{"a.0x", AddressNotCanonical, {0, 4}},
        Refused{"domain=10.0.0.1", AddressNotCanonical, {7, 15}},
        Refused{"suffix=1.2.3.4", AddressNotCanonical, {7, 14}},
        Refused{"*.1.2.3.4", AddressNotCanonical, {2, 9}}, Refused{"domain=1", AddressNotCanonical, {7, 8}},
        Refused{" 010.0.0.0/33", AddressNotCanonical, {1, 10}},
        Refused{"256.0.0.0/8", AddressNotCanonical, {0, 9}}));

INSTANTIATE_TEST_SUITE_P(
    Networks, HostEntryRefuses,
    testing::Values(
        Refused{"10.0.0.0/33", NetworkMalformed, {0, 11}}, Refused{"10/8", NetworkMalformed, {0, 4}},
        Refused{"1.2.3/24", NetworkMalformed, {0, 8}}, Refused{"10.0.0.0/", NetworkMalformed, {0, 9}},
        Refused{"10.0.0.0/08", NetworkMalformed, {0, 11}},
        Refused{"10.0.0.0/255.0.0.0", NetworkMalformed, {0, 18}},
        Refused{"10.0.0.0/x", NetworkMalformed, {0, 10}},
        Refused{"10.0.0.0/4294967304", NetworkMalformed, {0, 19}},
        Refused{"1.2.3.4.5/8", NetworkMalformed, {0, 11}}, Refused{"a.example/8", NetworkMalformed, {0, 11}},
        Refused{"example.com/24", NetworkMalformed, {0, 14}}, Refused{"/8", NetworkMalformed, {0, 2}},
        Refused{"example.com/path", BadCharacter, {11, 12}}, Refused{"/", BadCharacter, {0, 1}},
        Refused{"domain=10.0.0.0/8", BadCharacter, {15, 16}}, Refused{"*.10.0.0.0/8", BadCharacter, {10, 11}},
        Refused{"10.0.0.0/8/9", BadCharacter, {10, 11}}, Refused{"10.0.0.1/8", NetworkHostBits, {0, 10}},
        Refused{"10.0.0.0/0", NetworkHostBits, {0, 10}}, Refused{" 8.0.0.1/7 ", NetworkHostBits, {1, 10}},
        Refused{"8.0.0.0/7", NetworkTooWide, {0, 9}}, Refused{"0.0.0.0/0", NetworkTooWide, {0, 9}},
        Refused{"0.0.0.0/1", NetworkTooWide, {0, 9}}));

// Each row holds two faults or more; the first of the enum is told.
INSTANTIATE_TEST_SUITE_P(
    Order, HostEntryRefuses,
    testing::Values(Refused{"a b@c:d,e", Comma, {7, 8}}, Refused{"a b@c:d", Colon, {5, 6}},
                    Refused{"a b@c", At, {3, 4}}, Refused{"*.a b", BadCharacter, {3, 4}},
                    Refused{"*.a-", WildcardTooBroad, {0, 4}}, Refused{"a..*", WildcardInside, {3, 4}},
                    Refused{"**..a", DoubleStar, {0, 2}}, Refused{"a..-b", EmptyLabel, {2, 3}},
                    Refused{"-a.1", HyphenAtEdge, {0, 1}}, Refused{"10.0.0.0/*", WildcardInside, {9, 10}},
                    Refused{"a,b,c", Comma, {1, 2}}, Refused{"#a$", BadCharacter, {0, 1}}));

std::string long_name(std::size_t bytes) {
  std::string out;
  while (out.size() + 64 < bytes) {
    out += std::string(63, 'a') + ".";
  }
  return out + std::string(bytes - out.size(), 'b');
}

TEST(HostEntryLimits, LabelOf63BytesAndOneMore) {
  const std::string edge(policy::kMaxLabelBytes, 'x');
  EXPECT_TRUE(parse_host_entry(edge + ".com"));
  EXPECT_TRUE(parse_host_entry("a." + edge));
  const auto past = parse_host_entry("*.a." + edge + "x.com");
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().fault, LabelTooLong);
  EXPECT_EQ(past.error().where, (policy::Span{4, 68}));
}

TEST(HostEntryLimits, NameOf253BytesAndOneMore) {
  const std::string edge = long_name(policy::kMaxDomainBytes);
  EXPECT_TRUE(parse_host_entry(edge));
  EXPECT_TRUE(parse_host_entry("*." + edge + "."));
  const auto past = parse_host_entry("domain=" + long_name(policy::kMaxDomainBytes + 1));
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().fault, NameTooLong);
  EXPECT_EQ(past.error().where, (policy::Span{7, 261}));
}

TEST(HostEntryLimits, LongWideNamesAreLeftToTheirConversion) {
  EXPECT_TRUE(parse_host_entry("\u00e4." + std::string(300, 'x')));
}

TEST(HostEntryLimits, TextOf64KibAndOneMore) {
  const std::string padded = "a.com" + std::string(kMaxEntryBytes - 5, ' ');
  EXPECT_TRUE(parse_host_entry(padded));
  const auto past = parse_host_entry(padded + " ");
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().fault, NameTooLong);
  EXPECT_EQ(past.error().where, (policy::Span{0, kMaxEntryBytes + 1}));
}

}  // namespace
}  // namespace forge::grammar
