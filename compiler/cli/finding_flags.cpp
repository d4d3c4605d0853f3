#include "finding_flags.hpp"

#include "choice.hpp"

namespace forge::cli {

void FindingFlags::add(CLI::App& verb) {
  add_choice<Format>(verb, "--format", format, {{"text", Format::Text}, {"json", Format::Json}},
                     "how findings are written")
      ->type_name("FORMAT");
  add_choice<ColorChoice>(
      verb, "--color", color,
      {{"auto", ColorChoice::Auto}, {"always", ColorChoice::Always}, {"never", ColorChoice::Never}}, "colour")
      ->type_name("WHEN");
  verb.add_flag("--strict", strict, "fail on warnings too");
}

}  // namespace forge::cli
