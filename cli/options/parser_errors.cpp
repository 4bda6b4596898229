#include "cli/options/parser_errors.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>

#include "cli/manual/manual.h"

namespace bisector::cli {
namespace {

/// The letters to change, add, leave out or exchange with their neighbour.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] =
          std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool is_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchanged) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = std::exchange(last, now);
  }
  return last[b.size()];
}

std::string without_dashes(const std::string& name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// The verb that was being parsed.
const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.front());
}

const OptionManual* find_option(const VerbManual& verb, const std::string& name) {
  for (const OptionManual& option : verb.options) {
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  }
  return nullptr;
}

/// "--eta V", or the name alone.
std::string with_value(const VerbManual& verb, const std::string& name) {
  const OptionManual* const option = find_option(verb, name);
  return option == nullptr || option->value.empty() ? name : name + ' ' + option->value;
}

std::string verb_words(const VerbManual& verb) {
  std::vector<std::string> words;
  for (const VerbManual& nested : verb.verbs) words.push_back(nested.word());
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string unexpected(const VerbManual& verb, const std::string& argument) {
  if (!argument.starts_with('-') && !verb.verbs.empty()) {
    std::vector<std::string> words;
    for (const VerbManual& nested : verb.verbs) words.push_back(nested.word());
    return fmt::format("there is no verb \"{}\" of {}{}, expected one of {}", argument, verb.word(),
                       suggestion(argument, words), verb_words(verb));
  }
  if (!argument.starts_with('-') || argument.size() < 2)
    return fmt::format("\"{}\" is one argument too many, expected {}", argument, verb.usage());
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  for (const OptionManual& option : verb.options) {
    if (!option.is_argument) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{} has no option {}{}", verb.word(), name, suggestion(name, names));
}

std::string missing(const VerbManual& verb, const std::string& name) {
  if (name == "A subcommand")
    return fmt::format("no verb behind {}, expected one of {}", verb.word(), verb_words(verb));
  const OptionManual* const option = find_option(verb, name);
  if (option != nullptr && !option->is_argument)
    return fmt::format("{} is missing, expected {}", name, with_value(verb, name));
  return fmt::format("{} is missing, expected {}", name, verb.usage());
}

/// "A requires B" and "A excludes B" around the word between.
std::pair<std::string, std::string> around(const std::string& text, const std::string& word) {
  const std::size_t place = text.find(word);
  return {text.substr(0, place), text.substr(std::min(place + word.size(), text.size()))};
}

std::string wrong_count(const CLI::App& app, const VerbManual& verb, const std::string& text) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 1 && text.find(option->get_name()) != std::string::npos)
      return fmt::format("{} was given {} times, expected once", option->get_name(),
                         option->count());
  }
  const std::string name = text.substr(0, text.find_first_of(": "));
  const OptionManual* const option = find_option(verb, name);
  if (option != nullptr && !option->takes_value)
    return fmt::format("{} was given a value, expected none", name);
  return fmt::format("{} has no value, expected {}", name, with_value(verb, name));
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string wanted = without_dashes(word);
  const std::string* best = nullptr;
  std::size_t fewest = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::string name = without_dashes(candidate);
    if (name.size() < 2) continue;  // one letter is near to every other
    // A long name that was not written to its end is near, too.
    const bool is_start = wanted.size() >= 3 && name.starts_with(wanted);
    const std::size_t count = is_start ? 1 : edits(wanted, name);
    if (count >= fewest) continue;
    best = &candidate;
    fewest = count;
  }
  return best == nullptr ? "" : fmt::format("; did you mean {}?", *best);
}

std::string parser_message(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& parsed = innermost(app);
  const VerbManual verb = manual_of(parsed);
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto left = app.remaining(true);
    return left.empty() ? text : unexpected(verb, left.front());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return missing(verb, around(text, " is required").first);
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const auto [option, other] = around(text, " requires ");
    return fmt::format("{} was given, expected {} with it", option, with_value(verb, other));
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const auto [option, other] = around(text, " excludes ");
    return fmt::format("{} and {} were given, expected one of them", option, other);
  }
  return wrong_count(parsed, verb, text);
}

}  // namespace bisector::cli
