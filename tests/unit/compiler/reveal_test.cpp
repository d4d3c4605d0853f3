#include "src/lower/reveal.hpp"

#include <gtest/gtest.h>

#include "compile_support.hpp"
#include "forge/compiler/disk_size.hpp"
#include "forge/compiler/render.hpp"

namespace forge::compiler::test {
namespace {

TEST(Shown, HostsThatLookLikeHosts) {
  for (const char* plain : {"example.com", "example.com:443", "10.0.0.0/8", "*.a.example", "domain=gitea",
                            "exa mple.com", "a,b", "b\u00fccher.example", ""}) {
    EXPECT_EQ(shown_host(plain), plain);
  }
  EXPECT_EQ(shown_host("u:secret@a.example"), "...");
  EXPECT_EQ(shown_host("secret@a.example"), "...");
  EXPECT_EQ(shown_host("https://a.example/secret"), "https...");
  EXPECT_EQ(shown_host("user:secret"), "user...");
  EXPECT_EQ(shown_host("KEY=domain=secret"), "KEY...");
  EXPECT_EQ(shown_host("my_suffix=secret"), "my_suffix...");
}

TEST(Shown, NamesWithoutWhatFollowsThem) {
  EXPECT_EQ(shown_name("A_1"), "A_1");
  for (const char* with_value : {"A=secret", "A: secret", "A secret", "A=u:p@secret", "A=domain=secret"}) {
    EXPECT_EQ(shown_name(with_value), "A...");
  }
  EXPECT_EQ(shown_name("${A:-secret}"), "...");
  EXPECT_EQ(shown_name("  "), "  ");
}

TEST(Shown, PathsImagesAndShortTexts) {
  EXPECT_EQ(shown_path("/srv/a=b"), "/srv/a=b");
  EXPECT_EQ(shown_path("TOKEN=secret"), "TOKEN...");
  EXPECT_EQ(shown_path("smb://u:secret@h/x"), "smb...");
  EXPECT_EQ(shown_path("{env:X}"), "{env:X}");
  EXPECT_EQ(shown_image("a/b@sha256:0"), "a/b@sha256:0");
  EXPECT_EQ(shown_image("u:secret@reg/x"), "...");
  EXPECT_EQ(shown_short("12parsecs"), "12parsecs");
  EXPECT_EQ(shown_short("u:secret"), "...");
}

// Nothing that may be a value is left of any line that a finding shows.
TEST(Reveal, HidesWhatIsNotKnownToBePlain) {
  for (const char* text :
       {R"({"sandbox":{"network":{"env":{"T":"canary"}}}})",
        R"({"sandbox":{"network":{"secrets":["T=canary"]}}})",
        R"({"sandbox":{"network":{"secrets":[{"env":"T","value":"canary","hosts":["a.example"]}]}}})",
        R"({"remotes":[{"password":"canary","password":"canary","x":1}]})",
        R"({"remotes":{"password":"canary"}})", R"({"remotes":[{"url":"https://u:canary@a.example","x":1}]})",
        R"({"passwd":"canary"})", R"({"x":1,"loop":{"worktreeOpencodeConfig":{"apiKey":"canary"}}})",
        R"({"A=canary":1})", R"({"remotes":[{"password":'canary'}]})", R"({"remotes":[{"password":canary}]})",
        R"({"remotes":[{"password" "canary"}]})", R"({"x":1} // canary)"}) {
    const policy::SourceText source("f", text);
    policy::DiagnosticSink sink;
    [[maybe_unused]] const Config config = read_config(source, {}, sink);
    const FileReport report = make_report(source, sink, false, Color::Off);
    EXPECT_NE(report.text, "") << text;
    EXPECT_EQ(report.text.find("canary"), std::string::npos) << report.text;
    EXPECT_EQ(render_json({report}).find("canary"), std::string::npos) << text;
  }
}

TEST(DiskSize, IsWhatTheRuntimeCanFormat) {
  EXPECT_FALSE(fit_disk({kMinDiskMebibytes - 1}));
  EXPECT_EQ(fit_disk({kMinDiskMebibytes})->size.count, kMinDiskMebibytes);
  EXPECT_EQ(fit_disk({16384})->rounded, false);
  for (const std::uint32_t excess : {1U, 2U, 3U}) {
    EXPECT_EQ(fit_disk({16384 + excess})->size.count, 16384U);
    EXPECT_TRUE(fit_disk({16384 + excess})->rounded);
  }
  EXPECT_EQ(fit_disk({16384 + 4})->size.count, 16388U);
  EXPECT_TRUE(fit_disk({kMaxDiskMebibytes}));
  EXPECT_FALSE(fit_disk({kMaxDiskMebibytes + 1}));
}

}  // namespace
}  // namespace forge::compiler::test
