// A flag or argument that takes one of a few words.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "forge/compiler/suggestion.hpp"
#include "forge/policy/utf8.hpp"

namespace forge::cli {

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// Refuses the empty text, which would be taken for a flag that was not given.
[[nodiscard]] inline CLI::Validator not_empty() {
  return {[](const std::string& text) { return std::string(text.empty() ? "the value is empty" : ""); }, ""};
}

/// The choices as help shows them: `text, json`.
template <class T>
[[nodiscard]] std::string list_of(const Choices<T>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices) {
    words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Adds `flag`; a word that is none of `choices` is a usage error that names
/// them and the nearest one.
template <class T>
CLI::Option* add_choice(CLI::App& verb, const std::string& flag, T& value, const Choices<T>& choices,
                        const std::string& help) {
  const auto read = [flag, choices, &value](const std::string& text) {
    std::vector<std::string_view> words;
    for (const auto& [word, meaning] : choices) {
      words.push_back(word);
      if (word == text) {
        value = meaning;
        return;
      }
    }
    const std::string_view near = compiler::nearest(text, words);
    throw CLI::ValidationError(fmt::format("{}: `{}` is not one of {}{}", flag, policy::excerpt(text),
                                           list_of(choices),
                                           near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  };
  return verb.add_option_function<std::string>(flag, read, fmt::format("{}: {}", help, list_of(choices)));
}

}  // namespace forge::cli
