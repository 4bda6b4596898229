#include "cli/options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/table_encoding.h"
#include "cli/options/file_roles.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

/// "degree or offset".
std::string parameter_names(const WordWithNumbers& word) {
  std::vector<std::string> names;
  for (const NumberParameter& parameter : word.parameters) names.push_back(parameter.name);
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace

NumberRange whole_from(std::size_t least) {
  return {static_cast<double>(least), 0x1p53, fmt::format("a whole number from {} up", least),
          true};
}

double parse_in_range(const std::string& name, const std::string& text, const NumberRange& range) {
  const auto value = parse_number(text);
  const bool is_valid = value && *value >= range.low && *value <= range.high;  // false for NaN
  if (!is_valid || (range.is_whole && *value != std::floor(*value)))
    throw UsageError(fmt::format("{} is \"{}\", expected {}", name, text, range.words));
  return *value;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t comma = 0; comma != std::string::npos; start = comma + 1) {
    comma = text.find(',', start);
    parts.push_back(text.substr(start, comma - start));
  }
  return parts;
}

std::optional<std::pair<std::string, std::string>> key_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) return std::nullopt;
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

CLI::Option* add_path(CLI::App& app, const std::string& name, std::filesystem::path& target,
                      const std::string& value, const std::string& description) {
  const auto parse = [name, &target](const std::string& text) {
    if (text.empty()) throw UsageError(fmt::format("{} is empty, expected a file", name));
    target = text;
  };
  return set_role(add_parsed(app, name, value, description, parse), FileRole::input);
}

CLI::Option* add_output(CLI::App& app, const std::string& name, std::filesystem::path& target,
                        const std::string& value, const std::string& description) {
  return set_role(add_path(app, name, target, value, description), FileRole::output);
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& value, const std::string& description) {
  return app.add_option(name, target, description)->option_text(value)->allow_extra_args(false);
}

NameWithParameters parse_parameters(const std::string& option, const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  NameWithParameters result{text.substr(0, colon), {}};
  const auto require = [&](bool is_valid) {
    if (!is_valid)
      throw UsageError(fmt::format(
          "{} is \"{}\", expected NAME, or NAME:PARAMETER=VALUE,... with each parameter once",
          option, text));
  };
  require(colon > 0);
  if (colon == text.size()) return result;
  for (const std::string& part : split(text.substr(colon + 1))) {
    const auto parameter = key_value(part);
    require(parameter &&
            std::ranges::find(result.parameters, parameter->first,
                              &NameWithParameters::Parameter::first) == result.parameters.end());
    result.parameters.push_back(*parameter);
  }
  return result;
}

CLI::Option* add_words(CLI::App& app, const std::string& name, std::optional<GivenWord>& target,
                       std::vector<WordWithNumbers> words, const std::string& description) {
  std::vector<std::string> names;
  for (const WordWithNumbers& word : words) names.push_back(word.word);
  const auto parse = [name, &target, words = std::move(words), names](const std::string& text) {
    const NameWithParameters given = parse_parameters(name, text);
    const auto word = std::ranges::find(words, given.name, &WordWithNumbers::word);
    if (word == words.end()) refuse_choice(name, given.name, names);
    target = GivenWord{given.name, {}};
    for (const auto& [key, value] : given.parameters) {
      const auto known = std::ranges::find(word->parameters, key, &NumberParameter::name);
      if (known == word->parameters.end())
        throw UsageError(fmt::format("{} {} has no parameter \"{}\"{}", name, given.name, key,
                                     word->parameters.empty()
                                         ? ", expected the name alone"
                                         : fmt::format(", expected {}", parameter_names(*word))));
      target->numbers[key] =
          parse_in_range(fmt::format("{} of {} {}", key, name, given.name), value, known->range);
    }
    for (const NumberParameter& parameter : word->parameters) {
      if (target->numbers.contains(parameter.name)) continue;
      if (!parameter.default_value)
        throw UsageError(fmt::format("{0} {1} needs its {2}, expected {0} {1}:{2}=N", name,
                                     given.name, parameter.name));
      target->numbers[parameter.name] = *parameter.default_value;
    }
  };
  return add_parsed(app, name, CLI::detail::join(names, "|"), description, parse);
}

void refuse_choice(const std::string& option, const std::string& text,
                   const std::vector<std::string>& expected) {
  throw UsageError(
      fmt::format("{} is \"{}\", expected {}", option, text, fmt::join(expected, " or ")));
}

}  // namespace bisector::cli
