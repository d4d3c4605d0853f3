#include "forge/grammar/git_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "forge/policy/utf8.hpp"

namespace forge::grammar {
namespace {

using enum GitFileFault;
using enum GitPointer;

std::string repeated(std::size_t count, const std::string& text) {
  std::string out;
  while (count-- > 0) {
    out += text;
  }
  return out;
}

// What a parser refused with, or nothing when it did not refuse.
template <class Parsed>
std::optional<typename Parsed::error_type> refusal(const Parsed& parsed) {
  return parsed ? std::nullopt : std::optional(parsed.error());
}

// Pointers

constexpr std::string_view kBase = "/home/u/repo";

struct GoodPointer {
  GitPointer kind;
  std::string text;
  std::string path;
  std::string_view base = kBase;
};

void PrintTo(const GoodPointer& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class GitPointerAccepts : public testing::TestWithParam<GoodPointer> {};

TEST_P(GitPointerAccepts, AnAbsoluteNormalPath) {
  const auto parsed = parse_git_pointer(GetParam().kind, GetParam().text, GetParam().base);
  ASSERT_TRUE(parsed) << describe(parsed.error());
  EXPECT_EQ(*parsed, GetParam().path);
}

INSTANTIATE_TEST_SUITE_P(
    AsGitWritesThem, GitPointerAccepts,
    testing::Values(
        GoodPointer{GitFile, "gitdir: /home/u/main/.git/worktrees/w\n", "/home/u/main/.git/worktrees/w"},
        GoodPointer{GitFile, "gitdir: ../main/.git/modules/m\n", "/home/u/main/.git/modules/m"},
        GoodPointer{CommonDir, "../..\n", "/home/u/main/.git", "/home/u/main/.git/worktrees/w"},
        GoodPointer{GitDir, "/home/u/w/.git\n", "/home/u/w/.git"},
        GoodPointer{GitDir, "../../../../w/.git\n", "/home/u/w/.git", "/home/u/main/.git/worktrees/w"}));

INSTANTIATE_TEST_SUITE_P(
    Spellings, GitPointerAccepts,
    testing::Values(GoodPointer{GitFile, "gitdir: /a", "/a"},
                    GoodPointer{GitFile, "gitdir: a", "/home/u/repo/a"},
                    GoodPointer{GitFile, "gitdir:  /a", "/home/u/repo/ /a"},
                    GoodPointer{CommonDir, "gitdir: a", "/home/u/repo/gitdir: a"},
                    GoodPointer{CommonDir, "//a//./b/.//", "/a/b"}, GoodPointer{CommonDir, "/./a/.", "/a"},
                    GoodPointer{CommonDir, ".", "/home/u/repo"}, GoodPointer{CommonDir, "./", "/home/u/repo"},
                    GoodPointer{CommonDir, ".//a/", "/home/u/repo/a"},
                    GoodPointer{CommonDir, "./.././/../a", "/home/a"},
                    GoodPointer{CommonDir, "..", "/home/u"},
                    GoodPointer{CommonDir, "..a/b../.../.b", "/home/u/repo/..a/b../.../.b"},
                    GoodPointer{CommonDir, "~/$X/\u00e4 \"'\\", "/home/u/repo/~/$X/\u00e4 \"'\\"},
                    GoodPointer{CommonDir, " a ", "/home/u/repo/ a "}));

INSTANTIATE_TEST_SUITE_P(
    Root, GitPointerAccepts,
    testing::Values(GoodPointer{CommonDir, "/", "/"}, GoodPointer{CommonDir, "//./", "/"},
                    GoodPointer{CommonDir, "../../..", "/"}, GoodPointer{CommonDir, "../../../a", "/a"},
                    GoodPointer{CommonDir, "a", "/a", "/"}, GoodPointer{CommonDir, ".", "/", "/"},
                    GoodPointer{CommonDir, "..", "/", "/a"}));

struct BadPointer {
  GitPointer kind;
  std::string text;
  GitFileFault fault;
  std::string_view base = kBase;
};

void PrintTo(const BadPointer& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class GitPointerRefuses : public testing::TestWithParam<BadPointer> {};

TEST_P(GitPointerRefuses, WithFault) {
  const auto parsed = parse_git_pointer(GetParam().kind, GetParam().text, GetParam().base);
  ASSERT_FALSE(parsed) << *parsed;
  EXPECT_EQ(parsed.error(), GetParam().fault) << describe(parsed.error());
}

INSTANTIATE_TEST_SUITE_P(Form, GitPointerRefuses,
                         testing::Values(BadPointer{GitFile, "", Empty}, BadPointer{GitFile, "\n", Empty},
                                         BadPointer{GitFile, "gitdir: ", Empty},
                                         BadPointer{GitFile, "gitdir: \n", Empty},
                                         BadPointer{CommonDir, "", Empty}, BadPointer{GitDir, "\n", Empty},
                                         BadPointer{GitFile, "/a\n", NotAPointer},
                                         BadPointer{GitFile, "gitdir:/a\n", NotAPointer},
                                         BadPointer{GitFile, "gitdir:\t/a\n", NotAPointer},
                                         BadPointer{GitFile, "gitdir:\n", NotAPointer},
                                         BadPointer{GitFile, " gitdir: /a\n", NotAPointer},
                                         BadPointer{GitFile, "Gitdir: /a\n", NotAPointer},
                                         BadPointer{GitFile, "\ufeffgitdir: /a\n", NotAPointer}));

INSTANTIATE_TEST_SUITE_P(Characters, GitPointerRefuses,
                         testing::Values(BadPointer{GitFile, "gitdir: /a\n\n", ControlCharacter},
                                         BadPointer{GitFile, "gitdir: /a\r\n", ControlCharacter},
                                         BadPointer{GitFile, "gitdir: /a\r", ControlCharacter},
                                         BadPointer{GitFile, "gitdir: \n/a", ControlCharacter},
                                         BadPointer{CommonDir, "\n\n", ControlCharacter},
                                         BadPointer{CommonDir, "/a\tb", ControlCharacter},
                                         BadPointer{CommonDir, std::string("/a\0b", 4), ControlCharacter},
                                         BadPointer{CommonDir, "/a\x1f", ControlCharacter},
                                         BadPointer{CommonDir, "/a\x7f", ControlCharacter},
                                         BadPointer{CommonDir, "/a\u0085", ControlCharacter},
                                         BadPointer{CommonDir, "/a\u200b", ControlCharacter},
                                         BadPointer{CommonDir, "/a\u202eb\u202c", ControlCharacter},
                                         BadPointer{CommonDir, "\ufeff/a", ControlCharacter},
                                         BadPointer{CommonDir, "/a\xff", NotText},
                                         BadPointer{CommonDir, "/a\xc3", NotText},
                                         BadPointer{CommonDir, "/a\xc0\xaf", NotText},
                                         BadPointer{CommonDir, "/a\xed\xa0\x80", NotText}));

INSTANTIATE_TEST_SUITE_P(Parents, GitPointerRefuses,
                         testing::Values(BadPointer{CommonDir, "a/..", ParentComponent},
                                         BadPointer{CommonDir, "../a/../b", ParentComponent},
                                         BadPointer{CommonDir, "a/./../b", ParentComponent},
                                         BadPointer{CommonDir, "a//..", ParentComponent},
                                         BadPointer{CommonDir, "/..", ParentComponent},
                                         BadPointer{CommonDir, "/./..", ParentComponent},
                                         BadPointer{CommonDir, "/a/../b", ParentComponent},
                                         BadPointer{CommonDir, "../../../../a/..", ParentComponent},
                                         BadPointer{CommonDir, "../../../..", AboveRoot},
                                         BadPointer{CommonDir, "../.././../../a", AboveRoot},
                                         BadPointer{CommonDir, "..", AboveRoot, "/"},
                                         BadPointer{CommonDir, "../..", AboveRoot, "/a"}));

TEST(GitPointerLimits, TheWholeFileCounts) {
  const std::string longest = "gitdir: /" + std::string(kMaxGitPointerBytes - 10, 'a') + "\n";
  ASSERT_EQ(longest.size(), kMaxGitPointerBytes);
  EXPECT_TRUE(parse_git_pointer(GitFile, longest, kBase));
  EXPECT_EQ(refusal(parse_git_pointer(GitFile, longest + "\n", kBase)), TooLong);
  const std::string slashes(kMaxGitPointerBytes, '/');
  EXPECT_EQ(parse_git_pointer(CommonDir, slashes, kBase), "/");
  EXPECT_EQ(refusal(parse_git_pointer(CommonDir, slashes + "/", kBase)), TooLong);
}

TEST(GitFileFaults, HaveAPhraseEach) {
  std::vector<std::string_view> seen;
  for (const GitFileFault fault : {TooLong, Empty, NotAPointer, ControlCharacter, NotText, ParentComponent,
                                   AboveRoot, Quoted, TooMany}) {
    EXPECT_TRUE(describe(fault).starts_with("it "));
    EXPECT_EQ(std::count(seen.begin(), seen.end(), describe(fault)), 0) << describe(fault);
    seen.push_back(describe(fault));
  }
}

// Alternates

using Paths = std::vector<std::string>;

struct GoodAlternates {
  std::string text;
  Paths paths;
};

void PrintTo(const GoodAlternates& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class GitAlternatesAccept : public testing::TestWithParam<GoodAlternates> {};

TEST_P(GitAlternatesAccept, PathsInTheirOrder) {
  const auto parsed = parse_git_alternates(GetParam().text, "/r/.git/objects");
  ASSERT_TRUE(parsed) << describe(parsed.error());
  EXPECT_EQ(*parsed, GetParam().paths);
}

INSTANTIATE_TEST_SUITE_P(
    Alternates, GitAlternatesAccept,
    testing::Values(GoodAlternates{"", {}}, GoodAlternates{"\n\n", {}}, GoodAlternates{"# c\n#\n", {}},
                    GoodAlternates{"/a\n", {"/a"}}, GoodAlternates{"/a", {"/a"}},
                    GoodAlternates{"\n/b//x/\n# \"c\" /../\n\n../../../s/.git/objects\n/b/x",
                                   {"/b/x", "/s/.git/objects", "/b/x"}},
                    GoodAlternates{" #a\na#b\n", {"/r/.git/objects/ #a", "/r/.git/objects/a#b"}},
                    GoodAlternates{"a\"b\"\n", {"/r/.git/objects/a\"b\""}}, GoodAlternates{"/", {"/"}}));

struct BadAlternates {
  std::string text;
  GitFileFault fault;
};

void PrintTo(const BadAlternates& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class GitAlternatesRefuse : public testing::TestWithParam<BadAlternates> {};

TEST_P(GitAlternatesRefuse, WithFault) {
  const auto parsed = parse_git_alternates(GetParam().text, "/r/.git/objects");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error(), GetParam().fault) << describe(parsed.error());
}

INSTANTIATE_TEST_SUITE_P(Alternates, GitAlternatesRefuse,
                         testing::Values(BadAlternates{"\"/a\"\n", Quoted}, BadAlternates{"/a\n\"", Quoted},
                                         BadAlternates{"/a\r\n", ControlCharacter},
                                         BadAlternates{"/a\n# \x01\n", ControlCharacter},
                                         BadAlternates{std::string("# \0\n/a", 6), ControlCharacter},
                                         BadAlternates{"/a\u202eb\u202c\n", ControlCharacter},
                                         BadAlternates{"/a\n# \xff\n", NotText},
                                         BadAlternates{"/a\n/a/../b\n", ParentComponent},
                                         BadAlternates{"../../../..\n", AboveRoot},
                                         BadAlternates{"/..\n\"/a\"\n", ParentComponent},
                                         BadAlternates{"\"/a\"\n/..\n", Quoted}));

TEST(GitAlternatesLimits, AtEachEdgeAndOnePast) {
  const auto parse = [](const std::string& text) { return parse_git_alternates(text, "/o"); };
  EXPECT_EQ(parse(repeated(kMaxAlternates, "/a\n"))->size(), kMaxAlternates);
  EXPECT_EQ(parse(repeated(kMaxAlternates, "/a\n") + "#\n\n")->size(), kMaxAlternates);
  EXPECT_EQ(refusal(parse(repeated(kMaxAlternates + 1, "/a\n"))), TooMany);
  EXPECT_EQ(parse("#\n" + std::string(kMaxGitPointerBytes, '/') + "\n"), Paths{"/"});
  EXPECT_EQ(refusal(parse("#\n" + std::string(kMaxGitPointerBytes + 1, '/') + "\n")), TooLong);
  EXPECT_EQ(parse(std::string(kMaxAlternatesBytes, '#')), Paths{});
  EXPECT_EQ(refusal(parse(std::string(kMaxAlternatesBytes + 1, '#'))), TooLong);
}

// Config

using Entries = std::vector<GitConfigEntry>;

struct GoodConfig {
  std::string text;
  std::string listed;
};

void PrintTo(const GoodConfig& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

std::string listed(const Entries& entries) {
  std::string out;
  for (const GitConfigEntry& entry : entries) {
    out += entry.section + (entry.subsection.empty() ? "." : "." + entry.subsection + ".") + entry.key +
           (entry.value ? "=" + *entry.value : "") + "\n";
  }
  return out;
}

class GitConfigAccepts : public testing::TestWithParam<GoodConfig> {};

TEST_P(GitConfigAccepts, WhatGitLists) {
  const auto parsed = parse_git_config(GetParam().text);
  ASSERT_TRUE(parsed) << "line " << parsed.error().line;
  EXPECT_EQ(listed(*parsed), GetParam().listed);
}

// All that is expected below is what `git config -f FILE --list` of git 2.39.5 prints.

INSTANTIATE_TEST_SUITE_P(
    Headers, GitConfigAccepts,
    testing::Values(
        GoodConfig{"", ""}, GoodConfig{"\n \t\r\n", ""}, GoodConfig{"# c\n; d", ""}, GoodConfig{"[a]", ""},
        GoodConfig{"[a]k=1\n[b]\n", "a.k=1\n"}, GoodConfig{"[a] [b] k=1", "b.k=1\n"},
        GoodConfig{"[a]# [b]\nk=1", "a.k=1\n"}, GoodConfig{" [A-b.C] ; c\n\tK9-x = 1", "a-b.c.k9-x=1\n"},
        GoodConfig{"[1]k=1", "1.k=1\n"}, GoodConfig{"[-]k=1", "-.k=1\n"},
        GoodConfig{"[a..b]k=1", "a..b.k=1\n"}, GoodConfig{"[A \"B.c D\"]k=1", "a.B.c D.k=1\n"},
        GoodConfig{"[A.B \"C\"]k=1", "a.b.C.k=1\n"}, GoodConfig{"[a \t\"]\"]k=1", "a.].k=1\n"},
        GoodConfig{"[a\r\"b\"]k=1", "a.b.k=1\n"}, GoodConfig{"[a \"\\\"\\\\\\n#;\"]k=1", "a.\"\\n#;.k=1\n"},
        GoodConfig{"[a.b \"\"]k=1", "a.b..k=1\n"}, GoodConfig{"[a. \"b\"]k=1", "a..b.k=1\n"},
        GoodConfig{"[a \".\"]k=1", "a...k=1\n"}, GoodConfig{"[a \"\xff\t\x01\"]k=1", "a.\xff\t\x01.k=1\n"},
        GoodConfig{"[a \"b\rc\"]k=1", "a.b\rc.k=1\n"}, GoodConfig{"\xef\xbb\xbf[a]k=1", "a.k=1\n"},
        GoodConfig{"\xef\xbb\xbf", ""}));

INSTANTIATE_TEST_SUITE_P(
    Values, GitConfigAccepts,
    testing::Values(GoodConfig{"[a]k", "a.k\n"}, GoodConfig{"[a]\nk \t\nl\r\n", "a.k\na.l\n"},
                    GoodConfig{"[a]k=", "a.k=\n"}, GoodConfig{"[a]k = \t ; c", "a.k=\n"},
                    GoodConfig{"[a]k=\"\"", "a.k=\n"}, GoodConfig{"[a]k= b  c \t", "a.k=b  c\n"},
                    GoodConfig{"[a]k=b # c\n l=d;e", "a.k=b\na.l=d\n"},
                    GoodConfig{"[a]k=\" b\t# \" c", "a.k= b\t#  c\n"},
                    GoodConfig{"[a]k=b\"c;d\"e", "a.k=bc;de\n"}, GoodConfig{"[a]k=\"\" b", "a.k=b\n"},
                    GoodConfig{"[a]k=b \"\"", "a.k=b \n"}, GoodConfig{"[a]k=b\"\tc\"\t", "a.k=b\tc\n"},
                    GoodConfig{"[a]k=\\n\\t\\b\\\"\\\\", "a.k=\n\t\b\"\\\n"},
                    GoodConfig{"[a]k=\"\\n\\t\\b\\\"\\\\\"", "a.k=\n\t\b\"\\\n"},
                    GoodConfig{"[a]k=[b]=c", "a.k=[b]=c\n"}, GoodConfig{"[a]k='b'", "a.k='b'\n"},
                    GoodConfig{"[a]k==b", "a.k==b\n"},
                    GoodConfig{"[a]k=\xff\x01\x0b\x0c", "a.k=\xff\x01\x0b\x0c\n"},
                    GoodConfig{"[a]k\t=\tb", "a.k=b\n"}, GoodConfig{"[a]k=1\n[A]K=2", "a.k=1\na.k=2\n"}));

INSTANTIATE_TEST_SUITE_P(
    Lines, GitConfigAccepts,
    testing::Values(GoodConfig{"[a]\r\nk=b\r\n", "a.k=b\n"}, GoodConfig{"[a]k=b\r", "a.k=b\n"},
                    GoodConfig{"[a]k=b\r\r\n\r l", "a.k=b\na.l\n"}, GoodConfig{"[a]k=\"b\rc\"", "a.k=b\rc\n"},
                    GoodConfig{"[a]k=b\\\nc", "a.k=bc\n"}, GoodConfig{"[a]k=b\\\r\n  c", "a.k=b  c\n"},
                    GoodConfig{"[a]k=b \\\n c", "a.k=b  c\n"},
                    GoodConfig{"[a]k=b \\\n\nl=c", "a.k=b \na.l=c\n"}, GoodConfig{"[a]k=\\\n\t b", "a.k=b\n"},
                    GoodConfig{"[a]k=\"b\\\n#c\"", "a.k=b#c\n"},
                    GoodConfig{"[a]k=b\\\n#c\nl", "a.k=b\na.l\n"}, GoodConfig{"[a]k=b#\\\nl", "a.k=b\na.l\n"},
                    GoodConfig{"[a]k=b\\", "a.k=b\n"}, GoodConfig{"[a]k=\\", "a.k=\n"}));

struct BadConfig {
  std::string text;
  std::uint32_t line;
};

void PrintTo(const BadConfig& row, std::ostream* out) { *out << policy::excerpt(row.text, 40); }

class GitConfigRefuses : public testing::TestWithParam<BadConfig> {};

TEST_P(GitConfigRefuses, WithTheLine) {
  const auto parsed = parse_git_config(GetParam().text);
  ASSERT_FALSE(parsed) << listed(*parsed);
  EXPECT_EQ(parsed.error().line, GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    GitRefusesToo, GitConfigRefuses,
    testing::Values(BadConfig{"[", 1}, BadConfig{"[a", 1}, BadConfig{"\n[a\n]", 2}, BadConfig{"[a]\n[]\n", 2},
                    BadConfig{"[a ]", 1}, BadConfig{"[ a]", 1}, BadConfig{"[a_b]", 1},
                    BadConfig{"[\u00e4]", 1}, BadConfig{"[a\"b\"]", 1}, BadConfig{"[a \"b\" ]", 1},
                    BadConfig{"[a \"b\"c]", 1}, BadConfig{"[a \"b\n\"]", 1}, BadConfig{"[a \"b\\\n\"]", 1},
                    BadConfig{"[a \"b\\\r\n\"]", 1}, BadConfig{"[a \"b\\\"]", 1}, BadConfig{"[a\n\"b\"]", 1},
                    BadConfig{"[a 'b']", 1}, BadConfig{"]", 1}, BadConfig{"[a]\n9=1", 2},
                    BadConfig{"[a]-k=1", 1}, BadConfig{"[a]k_=1", 1}, BadConfig{"[a]k.l=1", 1},
                    BadConfig{"[a]\n\n=1", 3}, BadConfig{"[a]k 1", 1}, BadConfig{"[a]k # c", 1},
                    BadConfig{"[a]k:1", 1}, BadConfig{"[a]k \r=1", 1}, BadConfig{"[a]\nk\u00a0=1", 2},
                    BadConfig{"[a]\"k\"=1", 1}, BadConfig{"[a]\x0bk", 1}, BadConfig{"// c", 1},
                    BadConfig{"\xef\xbb[a]", 1}, BadConfig{"\xef\xbb\xbf\xef\xbb\xbf[a]", 1},
                    BadConfig{"\n\xef\xbb\xbf[a]", 2}, BadConfig{"[a]k=\\x", 1}, BadConfig{"[a]k=\\r", 1},
                    BadConfig{"[a]k=\\ \n", 1}, BadConfig{"[a]k=\\\r", 1}, BadConfig{"[a]\nk=\"b\nl=c", 2},
                    BadConfig{"[a]k=b\n\\\n", 2}, BadConfig{"[a]\nk=\"b", 2},
                    BadConfig{"[a]k=b\\\n\\\n\\q\n", 3}, BadConfig{"[a]k=\"b\\\nc\n\"", 2},
                    BadConfig{"[a]k=\"\\q\"", 1}));

INSTANTIATE_TEST_SUITE_P(
    GitTakesThem, GitConfigRefuses,
    testing::Values(BadConfig{"\nk=1\n", 2}, BadConfig{"[.]k", 1}, BadConfig{"[.a]k", 1},
                    BadConfig{"\n[ \"a\"]k", 2}, BadConfig{"[core \"\"]\nhooksPath=x", 1},
                    BadConfig{"[a.]\nk", 1}, BadConfig{"[a]\nk=b\tc", 2}, BadConfig{"[a]k=b \t c", 1},
                    BadConfig{"[a]k=b\rc", 1}, BadConfig{"[a]k=b\t\"c\"", 1}, BadConfig{"[a]k=b\\\n\tc", 2},
                    BadConfig{"[a]k=b\t\\\n", 1}, BadConfig{"[a]k=b\t\\n", 1},
                    BadConfig{std::string("[a]\nk=\0", 7), 2}, BadConfig{std::string("[a]k=\"\0\"", 8), 1},
                    BadConfig{std::string("[a \"\0\"]k", 8), 1}, BadConfig{std::string("#\n#\0\n", 5), 2},
                    BadConfig{std::string("[a]k=1\nl=2 ;\0", 13), 2}));

TEST(GitConfig, TellsSubsectionAndValueFromNone) {
  const auto parsed = parse_git_config("[Core]\nBare\n[Remote \"O.b\"]\nURL=\n[Branch.Main]\nmerge = x\n");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, (Entries{{"core", "", "bare", std::nullopt},
                              {"remote", "O.b", "url", ""},
                              {"branch", "main", "merge", "x"}}));
}

std::uint32_t refused_line(const std::string& text) {
  return refusal(parse_git_config(text)).value_or(GitConfigProblem{0}).line;
}

std::string sized(const std::string& head, std::size_t bytes, char filling) {
  return head + std::string(bytes - head.size(), filling);
}

TEST(GitConfigLimits, OfTheFile) {
  const std::string largest = sized("[a]k\n#", kMaxGitConfigBytes, 'c');
  EXPECT_EQ(listed(*parse_git_config(largest)), "a.k\n");
  EXPECT_EQ(refused_line(largest + "c"), 2U);
  EXPECT_EQ(refused_line(sized("[a]k\n", kMaxGitConfigBytes, '\n') + "\n"), kMaxGitConfigBytes - 3);
  const std::string value = sized("[a]k=", kMaxGitConfigBytes, 'v');
  EXPECT_EQ(parse_git_config(value)->front().value->size(), kMaxGitConfigBytes - 5);
}

TEST(GitConfigLimits, OfEntries) {
  const std::string most = "[a]\n" + repeated(kMaxGitConfigEntries, "k\n");
  EXPECT_EQ(parse_git_config(most)->size(), kMaxGitConfigEntries);
  EXPECT_EQ(parse_git_config(most + "[b]\n# c\n")->size(), kMaxGitConfigEntries);
  EXPECT_EQ(refused_line(most + "k\n"), kMaxGitConfigEntries + 2);
}

TEST(GitConfigLimits, OfSectionAndSubsection) {
  const std::string section(kMaxGitSectionBytes, 's');
  EXPECT_EQ(parse_git_config("[" + section + "]k")->front().section, section);
  EXPECT_EQ(refused_line("\n[" + section + "s]k"), 2U);
  const std::string subsection(kMaxGitSectionBytes - 2, 's');
  EXPECT_EQ(parse_git_config("[a \"" + subsection + "\"]k")->front().subsection, subsection);
  EXPECT_EQ(refused_line("\n[a \"" + subsection + "s\"]k"), 2U);
  EXPECT_EQ(refused_line("\n[a \"" + subsection + "\\s\"]k"), 2U);
  EXPECT_EQ(refused_line("[" + section + " \"\"]k"), 1U);
}

}  // namespace
}  // namespace forge::grammar
