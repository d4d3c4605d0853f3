#include "app.hpp"

#include <fmt/format.h>

#include <new>

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

const CLI::App& chosen(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : *verbs.front();
}

ExitStatus usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& place = chosen(app);
  std::vector<std::string> extras = place.remaining();
  const std::string help = fmt::format("\n(see `{} --help`)",
                                       &place == &app ? "forge-policy" : "forge-policy " + place.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extras.empty()) {
    const std::string& wrong = extras.front();
    const bool flag = wrong.starts_with('-');
    const std::string_view kind = flag ? "flag" : &place == &app ? "verb" : "argument";
    return complain(fmt::format("unknown {} `{}`{}", kind, policy::excerpt(wrong),
                                flag || &place == &app ? suggestion(place, wrong) : "") +
                    help);
  }
  return complain(policy::escape_for_display(error.what()) + help);
}

ExitStatus show(const std::string& text) {
  const auto written = write_output({}, text);
  return written ? ExitStatus::Ok : complain(written.error());
}

ExitStatus parse_and_run(int argc, const char* const* argv) {
  CLI::App app("forge-policy: a policy compiler for the sandboxes of AI coding agents", "forge-policy");
  app.set_version_flag("--version", "forge-policy " + compiler::compiler_info().version);
  app.require_subcommand(0, 1);
  const std::vector<Verb> verbs = add_verbs(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return show(chosen(app).help());
  } catch (const CLI::CallForVersion& version) {
    return show(std::string(version.what()) + '\n');
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  }
  for (const Verb& verb : verbs) {
    if (verb.app->parsed()) {
      return verb.run();
    }
  }
  return complain("no verb given\n(see `forge-policy --help`)");
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
