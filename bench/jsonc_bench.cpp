// How fast a large config is read into nodes with byte spans, and how fast a
// well-known JSON library only checks the same text, without spans.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "forge/grammar/jsonc.hpp"
#include "forge/policy/diagnostic_sink.hpp"

namespace {

constexpr std::size_t kTargetBytes = 5'000'000;

// The shares of the sections, and how often something out of the ordinary appears.
constexpr double kHostsShare = 0.45;
constexpr double kSecretsShare = 0.70;  // hosts and secrets together
constexpr std::uint32_t kCommentEvery = 6;
constexpr std::uint32_t kEscapeEvery = 25;
constexpr std::uint32_t kForeignEvery = 20;

/// The same numbers on every machine and in every run.
class Numbers {
 public:
  std::uint32_t below(std::uint32_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state_ >> 33U) % limit;
  }
  bool once_in(std::uint32_t count) { return below(count) == 0; }

 private:
  std::uint64_t state_ = 20;
};

enum class TrailingCommas : std::uint8_t { Some, None };

class Config {
 public:
  explicit Config(TrailingCommas commas) : commas_(commas) {}

  std::string text() {
    out_ = "{\n  // generated\n  \"sandbox\": {\n    \"network\": {\n      \"allow\": [\n";
    fill(kHostsShare, [this] { host(); });
    out_ += "      ],\n      \"secrets\": [\n";
    fill(kSecretsShare, [this] { secret(); });
    out_ += "      ]\n    },\n    \"mounts\": [\n";
    fill(1.0, [this] { mount(); });
    out_ += "    ]\n  }\n}\n";
    return std::move(out_);
  }

 private:
  template <class Entry>
  void fill(double share, Entry entry) {
    const auto limit = static_cast<std::size_t>(share * static_cast<double>(kTargetBytes));
    while (out_.size() < limit) {
      out_ += "        ";
      entry();
      out_ += ',';
      if (numbers_.once_in(kCommentEvery)) {
        out_ += numbers_.once_in(2) ? "  // needed by the build" : "  /* asked for in March */";
      }
      out_ += '\n';
    }
    out_ += "        ";
    entry();
    out_ += commas_ == TrailingCommas::Some ? ",\n" : "\n";
  }

  void host() {
    out_ += numbers_.once_in(4) ? "\"*." : "\"";
    domain();
    out_ += '"';
  }

  void domain() {
    static constexpr std::string_view kWords[] = {"registry", "cdn",   "api",    "packages", "mirror",
                                                  "static",   "build", "models", "git",      "files"};
    out_ += kWords[numbers_.below(10)];
    out_ += std::to_string(numbers_.below(100'000));
    if (numbers_.once_in(kForeignEvery)) {
      out_ += "-b\u00fccher\u4f8b";
    }
    out_ += numbers_.once_in(2) ? ".example.com" : ".internal.example.org";
  }

  void secret() {
    out_ += "{ \"env\": \"TOKEN_" + std::to_string(numbers_.below(1'000'000)) + "\", \"hosts\": [";
    const std::uint32_t count = 1 + numbers_.below(3);
    for (std::uint32_t i = 0; i < count; ++i) {
      out_ += i == 0 ? "" : ", ";
      host();
    }
    out_ += "] }";
  }

  void mount() {
    out_ += "{ \"host\": \"/srv/projects/";
    out_ += numbers_.once_in(kEscapeEvery) ? "na\\u00efve\\ud83d\\ude00" : "data";
    out_ += std::to_string(numbers_.below(1'000'000));
    out_ += numbers_.once_in(2) ? "\", \"readonly\": true }" : "/cache\", \"readonly\": false }";
  }

  TrailingCommas commas_;
  Numbers numbers_;
  std::string out_;
};

const std::string& our_text() {
  static const std::string text = Config(TrailingCommas::Some).text();
  return text;
}

// The library knows comments, but not trailing commas.
const std::string& rival_text() {
  static const std::string text = Config(TrailingCommas::None).text();
  return text;
}

void require(bool ok, const char* what) {
  if (!ok) {
    (void)std::fprintf(stderr, "jsonc_bench: %s\n", what);
    std::exit(EXIT_FAILURE);
  }
}

std::size_t read_ours() {
  forge::policy::DiagnosticSink sink;
  const forge::grammar::SyntaxTree tree = forge::grammar::parse_jsonc(our_text(), sink);
  require(tree.complete, "the generated config is faulty");
  return tree.nodes.size();
}

void read_rival() {
  const bool ok = nlohmann::json::accept(rival_text(), true);
  require(ok, "the other library refuses the generated config");
}

void tokens_with_spans(benchmark::State& state) {
  std::size_t nodes = 0;
  for (auto _ : state) {
    nodes = read_ours();
    benchmark::DoNotOptimize(nodes);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(our_text().size()));
  state.counters["nodes"] = static_cast<double>(nodes);
}
BENCHMARK(tokens_with_spans)->Unit(benchmark::kMillisecond);

void nlohmann_accept(benchmark::State& state) {
  for (auto _ : state) {
    read_rival();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(rival_text().size()));
}
BENCHMARK(nlohmann_accept)->Unit(benchmark::kMillisecond);

template <class Work>
double seconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Both in turn, so that whatever else the machine does slows both.
void ours_against_rival(benchmark::State& state) {
  std::vector<double> ours;
  std::vector<double> rivals;
  for (auto _ : state) {
    ours.push_back(seconds([] { benchmark::DoNotOptimize(read_ours()); }));
    rivals.push_back(seconds(read_rival));
  }
  const double our_speed = static_cast<double>(our_text().size()) / median(ours);
  const double rival_speed = static_cast<double>(rival_text().size()) / median(rivals);
  state.counters["ours_MB_s"] = our_speed / 1e6;
  state.counters["rival_MB_s"] = rival_speed / 1e6;
  state.counters["ratio"] = our_speed / rival_speed;
}
BENCHMARK(ours_against_rival)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
