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

const CLI::App& chosen(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : *verbs.front();
}

// The first flag, where there is one: a verb may take the words beside it.
const std::string& first_wrong(const std::vector<std::string>& extras) {
  const auto flag = std::find_if(extras.begin(), extras.end(), is_flag);
  return flag == extras.end() ? extras.front() : *flag;
}

ExitStatus usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& place = chosen(app);
  const std::vector<std::string> extras = place.remaining();
  const std::string help =
      fmt::format("(see `{} --help`)", &place == &app ? "forge-policy" : "forge-policy " + place.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extras.empty()) {
    const std::string& wrong = first_wrong(extras);
    const bool flag = wrong.starts_with('-');
    const std::string_view kind = flag ? "flag" : &place == &app ? "verb" : "argument";
    return complain(fmt::format("unknown {} `{}`{}", kind, policy::excerpt(wrong),
                                flag || &place == &app ? suggestion(place, wrong) : ""),
                    help);
  }
  return complain(error.what(), help);
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

// Refuses the words that CLI11 would take for something else than they say: in
// `--flag= x` it takes the next word for the value, at `++` it leaves the verb.
void refuse_misread(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      throw CLI::ValidationError(fmt::format("{} the value is empty", policy::excerpt(word)));
    }
    if (word == "++") {
      throw CLI::ValidationError("`++` cannot be taken here; write a file of that name as `./++`");
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

ExitStatus parse_and_run(int argc, const char* const* argv) {
  CLI::App app("forge-policy: a policy compiler for the sandboxes of AI coding agents", "forge-policy");
  app.set_version_flag("--version", "forge-policy " + compiler::compiler_info().version);
  app.require_subcommand(0, 1);
  const std::vector<Verb> verbs = add_verbs(app);
  const CommandLine line = split_at_dashes(argc, argv);
  try {
    refuse_misread(line.words);
    // CLI11 takes the words from the back.
    app.parse(std::vector<std::string>(line.words.rbegin(), line.words.rend()));
    refuse_stray_flags(chosen(app));
  } catch (const CLI::CallForHelp&) {
    return show(app.help());
  } catch (const CLI::CallForVersion& version) {
    return show(std::string(version.what()) + '\n');
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  }
  for (const Verb& verb : verbs) {
    if (verb.app->parsed()) {
      return verb.run(line.behind_dashes);
    }
  }
  return complain("no verb given", "(see `forge-policy --help`)");
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
