#include "finding_flags.hpp"

#include <map>

namespace forge::cli {

void FindingFlags::add(CLI::App& verb) {
  verb.add_option("--format", format, "how findings are written: text, json")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Format>{{"text", Format::Text}, {"json", Format::Json}})
                      .description(""))
      ->type_name("FORMAT");
  verb.add_option("--color", color, "colour: auto, always, never")
      ->transform(CLI::CheckedTransformer(std::map<std::string, ColorChoice>{{"auto", ColorChoice::Auto},
                                                                              {"always", ColorChoice::Always},
                                                                              {"never", ColorChoice::Never}})
                      .description(""))
      ->type_name("WHEN");
  verb.add_flag("--strict", strict, "fail on warnings too");
}

}  // namespace forge::cli
