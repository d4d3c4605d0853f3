// The flags of every verb that reports findings.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "io.hpp"

namespace forge::cli {

enum class Format { Text, Json };

struct FindingFlags {
  Format format = Format::Text;
  ColorChoice color = ColorChoice::Auto;
  bool strict = false;

  void add(CLI::App& verb);
  [[nodiscard]] compiler::Strictness strictness() const {
    return strict ? compiler::Strictness::WarningsToo : compiler::Strictness::ErrorsOnly;
  }
};

/// The report (FP1023) of a config, or a folder of configs, that cannot be read.
[[nodiscard]] compiler::FileReport unreadable_report(const std::string& path, std::string_view reason,
                                                     compiler::Color color);

/// Why an operation failed, as the reason of such a report.
[[nodiscard]] std::string reason_of(const policy::Error& error);

}  // namespace forge::cli
