#include "app.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "forge/compiler/compile.hpp"
#include "forge/compiler/suggestion.hpp"
#include "forge/policy/utf8.hpp"
#include "io.hpp"
#include "verb.hpp"

namespace forge::cli {
namespace {

struct Verb {
  CLI::App* app;
  Run run;
};

std::vector<Verb> add_verbs(CLI::App& app) {
  std::vector<Verb> verbs;
#define FORGE_VERB(name, summary)                        \
  {                                                      \
    CLI::App* verb = app.add_subcommand(#name, summary); \
    verbs.push_back({verb, add_##name(*verb)});          \
  }
#include "verbs.def"
#undef FORGE_VERB
  return verbs;
}

// The words that the place of a wrong one knows: flags of its verb, or verbs.
std::vector<std::string> known_words(const CLI::App& app, const std::string& wrong) {
  std::vector<std::string> words;
  if (!wrong.starts_with('-')) {
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(verb->get_name());
    }
    return words;
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      words.push_back("--" + name);
    }
  }
  return words;
}

std::string suggestion(const CLI::App& app, const std::string& wrong) {
  const std::vector<std::string> words = known_words(app, wrong);
  const std::vector<std::string_view> candidates(words.begin(), words.end());
  const std::string_view near = compiler::nearest(wrong.substr(0, wrong.find('=')), candidates);
  return near.empty() ? std::string() : fmt::format("; did you mean `{}`?", near);
}

bool is_flag(const std::string& word) { return word.starts_with('-') && word != kStandardStream; }

// The first flag, where there is one: a verb may take the words beside it.
const std::string& first_wrong(const std::vector<std::string>& extras) {
  const auto flag = std::find_if(extras.begin(), extras.end(), is_flag);
  return flag == extras.end() ? extras.front() : *flag;
}

// `place` is what was read: a verb or, at the root, the tool.
ExitStatus usage_error(const CLI::App& place, bool at_root, const CLI::ParseError& error) {
  const std::vector<std::string> extras = place.remaining();
  const std::string help =
      fmt::format("(see `{} --help`)", at_root ? "forge-policy" : "forge-policy " + place.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extras.empty()) {
    return complain(error.what(), help);
  }
  const std::string& wrong = first_wrong(extras);
  const bool flag = wrong.starts_with('-');
  const std::string_view kind = flag ? "flag" : at_root ? "verb" : "argument";
  return complain(fmt::format("unknown {} `{}`{}", kind, policy::excerpt(wrong),
                              flag || at_root ? suggestion(place, wrong) : ""),
                  help);
}

ExitStatus show(const std::string& text) {
  const auto written = write_output({}, text);
  return written ? ExitStatus::Ok : complain(written.error());
}

// The words before the first `--`, and those behind it.
struct CommandLine {
  std::vector<std::string> words;
  Operands behind_dashes;
};

CommandLine split_at_dashes(int argc, const char* const* argv) {
  CommandLine line;
  bool behind = false;
  for (int at = 1; at < argc; ++at) {
    if (!behind && std::string_view(argv[at]) == "--") {
      behind = true;
    } else {
      (behind ? line.behind_dashes : line.words).emplace_back(argv[at]);
    }
  }
  return line;
}

// In `--flag= x` CLI11 takes the next word for the value.
void refuse_blank_values(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      throw CLI::ValidationError(policy::excerpt(word.substr(0, word.size() - 1)), "the value is empty");
    }
  }
}

// A verb that takes any number of arguments takes them as what its flags left.
void refuse_stray_flags(const CLI::App& place) {
  const std::vector<std::string> rest = place.remaining();
  if (std::any_of(rest.begin(), rest.end(), is_flag)) {
    throw CLI::ExtrasError(place.get_name(), rest);
  }
}

void read_words(CLI::App& place, const std::vector<std::string>& words) {
  refuse_blank_values(words);
  // CLI11 takes the words from the back.
  place.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  refuse_stray_flags(place);
}

ExitStatus parse_and_run(int argc, const char* const* argv) {
  CLI::App app("forge-policy: a policy compiler for the sandboxes of AI coding agents", "forge-policy");
  app.set_version_flag("--version", "forge-policy " + compiler::compiler_info().version);
  app.require_subcommand(0, 1);
  const std::vector<Verb> verbs = add_verbs(app);
  CommandLine line = split_at_dashes(argc, argv);
  const auto verb = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& known) {
    return !line.words.empty() && line.words.front() == known.app->get_name();
  });
  // A verb is read as a tool of its own: as a part of another, CLI11 gives the
  // words behind `++` back to it.
  const bool at_root = verb == verbs.end();
  CLI::App& place = at_root ? app : *verb->app;
  if (!at_root) {
    line.words.erase(line.words.begin());
  }
  try {
    read_words(place, line.words);
  } catch (const CLI::CallForHelp&) {
    return show(place.help(at_root ? "" : "forge-policy"));
  } catch (const CLI::CallForVersion& version) {
    return show(std::string(version.what()) + '\n');
  } catch (const CLI::ParseError& error) {
    return usage_error(place, at_root, error);
  }
  return at_root ? complain("no verb given", "(see `forge-policy --help`)") : verb->run(line.behind_dashes);
}

}  // namespace

ExitStatus run_tool(int argc, const char* const* argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace forge::cli
