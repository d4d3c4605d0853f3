// The flags of every verb that reports findings.
#pragma once

#include <CLI/CLI.hpp>

#include "io.hpp"

namespace forge::cli {

enum class Format { Text, Json };

struct FindingFlags {
  Format format = Format::Text;
  ColorChoice color = ColorChoice::Auto;
  bool strict = false;

  void add(CLI::App& verb);
};

}  // namespace forge::cli
