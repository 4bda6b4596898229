// Options with strictly parsed values: an invalid number or word is a usage error with the expected
// values. `value` is the placeholder of the value in --help.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
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

/// An option whose text `parse` reads.
template <class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, const std::string& value,
                        const std::string& description, Parse parse) {
  return app.add_option_function<std::string>(name, std::move(parse), description)
      ->option_text(value);
}

/// `Text` is a string, or an optional of it.
template <class Text>
CLI::Option* add_text(CLI::App& app, const std::string& name, Text& target,
                      const std::string& value, const std::string& description) {
  return add_parsed(app, name, value, description,
                    [&target](const std::string& text) { target = text; });
}
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
  std::string words;
  bool is_whole = false;
};
/// Whole numbers that a double holds exactly, from `least` up.
NumberRange whole_from(std::size_t least);
inline const NumberRange kAnyNumber = {std::numeric_limits<double>::lowest(),
                                       std::numeric_limits<double>::max(), "a number"};
inline const NumberRange kInsideFraction = {std::numeric_limits<double>::denorm_min(),
                                            0x1.fffffffffffffp-1, "a number above 0 and below 1"};
inline const NumberRange kNotNegative = {0.0, std::numeric_limits<double>::max(),
                                         "a number of at least 0"};
inline const NumberRange kPositive = {std::numeric_limits<double>::denorm_min(),
                                      std::numeric_limits<double>::max(), "a number above 0"};

/// Throws UsageError, which names the option, for text that is no number in the range.
double parse_in_range(const std::string& name, const std::string& text, const NumberRange& range);
/// The parts of a list that is separated by commas.
std::vector<std::string> split(const std::string& text);
/// The parts of "KEY=VALUE"; nothing for other text.
std::optional<std::pair<std::string, std::string>> key_value(const std::string& text);

template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<T>& target,
                        const NumberRange& range, const std::string& value,
                        const std::string& description) {
  return add_parsed(app, name, value, description, [name, &target, range](const std::string& text) {
    target = static_cast<T>(parse_in_range(name, text, range));
  });
}
/// Numbers separated by commas.
template <class T>
CLI::Option* add_numbers(CLI::App& app, const std::string& name, std::vector<T>& target,
                         const NumberRange& range, const std::string& value,
                         const std::string& description) {
  return add_parsed(app, name, value, description, [name, &target, range](const std::string& text) {
    target.clear();
    for (const std::string& part : split(text))
      target.push_back(static_cast<T>(parse_in_range(name, part, range)));
  });
}
/// A whole number of at least `least`.
inline CLI::Option* add_count(CLI::App& app, const std::string& name,
                              std::optional<std::size_t>& target, std::size_t least,
                              const std::string& value, const std::string& description) {
  return add_number(app, name, target, whole_from(least), value, description);
}

/// A name with parameters: "lrp:eta=0.5,kappa=2".
struct NameWithParameters {
  using Parameter = std::pair<std::string, std::string>;
  std::string name;
  std::vector<Parameter> parameters;
};
/// Throws UsageError, which names the option, for other text.
NameWithParameters parse_parameters(const std::string& option, const std::string& text);

/// A number that belongs to a word of an option. Without a default it must be given.
struct NumberParameter {
  std::string name;
  NumberRange range;
  std::optional<double> default_value;
};
/// A word of an option, and the numbers that it takes.
struct WordWithNumbers {
  std::string word;
  std::vector<NumberParameter> parameters = {};
};
/// The word that was given, and its numbers by their names.
struct GivenWord {
  std::string word;
  std::map<std::string, double> numbers;
};
/// A choice of words such as "gaussian:width=2".
CLI::Option* add_words(CLI::App& app, const std::string& name, std::optional<GivenWord>& target,
                       std::vector<WordWithNumbers> words, const std::string& description);

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
  return add_parsed(app, name, CLI::detail::join(words, "|"), description, parse);
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
