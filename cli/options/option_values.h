// Options with strictly parsed values: an invalid number or word is a usage error with the expected
// values. `value` is the placeholder of the value in --help.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "bisector/enum_names.h"
#include "cli/verb.h"

namespace bisector::cli {

/// Options that are added to the verb while this object exists are in this group of its help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& verb, const std::string& name)
      : defaults_(*verb.option_defaults()), outer_(defaults_.get_group()) {
    defaults_.group(name);
  }
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;
  ~OptionGroup() { defaults_.group(outer_); }

 private:
  CLI::OptionDefaults& defaults_;
  std::string outer_;
};

/// The verb's action is run(arguments, out, notes). Notes about the input go to `notes`, too.
template <class Arguments, class Run>
void set_action(CLI::App& verb, Action& action, const std::shared_ptr<Arguments>& arguments,
                Run run) {
  verb.callback([arguments, run, &action] {
    action = [arguments, run](std::ostream& out, std::ostream& notes) {
      if constexpr (requires { arguments->input.notes; }) arguments->input.notes = &notes;
      run(*arguments, out, notes);
    };
  });
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& target,
                      const std::string& value, const std::string& description);
CLI::Option* add_text(CLI::App& app, const std::string& name, std::optional<std::string>& target,
                      const std::string& value, const std::string& description);
CLI::Option* add_path(CLI::App& app, const std::string& name, std::filesystem::path& target,
                      const std::string& value, const std::string& description);
/// A file to write; add_path() is for files to read.
CLI::Option* add_output(CLI::App& app, const std::string& name, std::filesystem::path& target,
                        const std::string& value, const std::string& description);
/// An option that may be given several times.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& value, const std::string& description);

/// The valid numbers of an option, and their description.
struct NumberRange {
  double low, high;
  const char* words;
};
inline constexpr NumberRange kAnyNumber = {std::numeric_limits<double>::lowest(),
                                           std::numeric_limits<double>::max(), "a number"};
inline constexpr NumberRange kFraction = {0.0, 1.0, "a number from 0 to 1"};
inline constexpr NumberRange kInsideFraction = {std::numeric_limits<double>::denorm_min(),
                                                0x1.fffffffffffffp-1,
                                                "a number above 0 and below 1"};
inline constexpr NumberRange kNotNegative = {0.0, std::numeric_limits<double>::max(),
                                             "a number of at least 0"};
inline constexpr NumberRange kPositive = {std::numeric_limits<double>::denorm_min(),
                                          std::numeric_limits<double>::max(), "a number above 0"};

CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<double>& target,
                        const NumberRange& range, const std::string& value,
                        const std::string& description);
/// An integer of at least `least`.
CLI::Option* add_count(CLI::App& app, const std::string& name, std::optional<std::size_t>& target,
                       std::size_t least, const std::string& value, const std::string& description);

/// Numbers separated by commas.
CLI::Option* add_numbers(CLI::App& app, const std::string& name, std::vector<double>& target,
                         const NumberRange& range, const std::string& value,
                         const std::string& description);
CLI::Option* add_counts(CLI::App& app, const std::string& name, std::vector<std::size_t>& target,
                        std::size_t least, const std::string& value,
                        const std::string& description);

[[noreturn]] void refuse_choice(const std::string& option, const std::string& text,
                                const std::vector<std::string>& expected);

template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& target,
                        std::vector<std::pair<std::string, T>> choices,
                        const std::string& description) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.push_back(choice.first);
  const auto parse = [name, &target, choices = std::move(choices), words](const std::string& text) {
    for (const auto& [word, meaning] : choices) {
      if (word == text) {
        target = meaning;
        return;
      }
    }
    refuse_choice(name, text, words);
  };
  return app.add_option_function<std::string>(name, parse, description)
      ->option_text(CLI::detail::join(words, "|"));
}

/// A choice among `values` of an enum, by their names. T is the enum, or an optional of it.
template <class T, NamedEnum E>
CLI::Option* add_choice(CLI::App& app, const std::string& option, T& target,
                        const std::vector<E>& values, const std::string& description) {
  std::vector<std::pair<std::string, T>> choices;
  for (const E value : values) choices.emplace_back(name(value), value);
  return add_choice<T>(app, option, target, std::move(choices), description);
}

}  // namespace bisector::cli
