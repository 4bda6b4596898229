#include "cli/options/parser_errors.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string_view>

#include "bisector/io/nearest_word.h"
#include "cli/manual/manual.h"

namespace bisector::cli {
namespace {

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

std::vector<std::string> words_of_verbs(const VerbManual& verb) {
  std::vector<std::string> words;
  for (const VerbManual& nested : verb.verbs) words.push_back(nested.word());
  return words;
}

/// The verbs that have an option.
void find_owners(const VerbManual& verb, const std::string& option,
                 std::vector<std::string>& owners) {
  if (find_option(verb, option) != nullptr) owners.push_back(verb.word());
  for (const VerbManual& nested : verb.verbs) find_owners(nested, option, owners);
}

/// Options that earlier versions had, and what to use instead.
std::string_view advice_for_removed(const std::string& option) {
  static const std::map<std::string_view, std::string_view> kRemoved = {
      {"--array", "use --x NAME"},
      {"--figures", "use the page, which saves its charts, or bisector.plots in Python"},
      {"--man", "use man bisector-VERB, or help2man 'bisector VERB'"},
      {"--man-pages", "use scripts/write-man-pages, which needs help2man"},
      {"--range", "use svm-scale -r FILE on the rows before, or train with bisector train"},
      {"--reachable", "use --methods lrp,random to compare with a random order"}};
  const auto found = kRemoved.find(option);
  return found == kRemoved.end() ? std::string_view() : found->second;
}

std::string unknown_option(const CLI::App& app, const VerbManual& verb, const std::string& name) {
  if (find_option(verb, name) != nullptr)
    return fmt::format("{0} is before {1}, expected it after the verb: {3} {1} ... {2}", name,
                       verb.word(), with_value(verb, name), app.get_name());
  std::vector<std::string> names, owners;
  for (const OptionManual& option : verb.options) {
    if (!option.is_argument) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  const std::string start = fmt::format("{} has no option {}", verb.word(), name);
  if (const auto advice = advice_for_removed(name); !advice.empty())
    return fmt::format("{} any more: {}", start, advice);
  const std::string near = nearest_word(name, names);
  if (!near.empty()) return fmt::format("{}, did you mean {}?", start, near);
  find_owners(manual_of(app), name, owners);
  if (!owners.empty()) return fmt::format("{}; use it with {}", start, fmt::join(owners, ", "));
  return start + ", expected one that its help lists";
}

std::string unexpected(const CLI::App& app, const VerbManual& verb, const std::string& argument) {
  if (argument.starts_with('-') && argument.size() > 1)
    return unknown_option(app, verb, argument.substr(0, argument.find('=')));
  if (!verb.verbs.empty()) return unknown_verb(argument, words_of_verbs(verb));
  if (verb.word() == "completion")
    return "there is one completion, for bash; zsh reads it: use bisector completion without a "
           "shell";
  return fmt::format("\"{}\" is one argument too many, expected {}", argument, verb.usage());
}

std::string missing(const CLI::App& app, const VerbManual& verb, const std::string& name) {
  if (name == "A subcommand") {
    const auto left = app.remaining(true);
    if (!left.empty()) return unexpected(app, verb, left.front());
    return fmt::format("no verb, expected one of {}", fmt::join(words_of_verbs(verb), ", "));
  }
  const OptionManual* const option = find_option(verb, name);
  if (option == nullptr || option->is_argument)
    return fmt::format("{} is missing, expected {}", name, verb.usage());
  const std::string& shortest = option->names.front();
  return fmt::format("{} is missing, expected {}", shortest, with_value(verb, shortest));
}

/// "A requires B" and "A excludes B" around the word between.
std::pair<std::string, std::string> around(const std::string& text, const std::string& word) {
  const std::size_t place = text.find(word);
  return {text.substr(0, place), text.substr(std::min(place + word.size(), text.size()))};
}

/// The option that the parser speaks of: of those in its text the longest, as --eta is in --etas.
const CLI::Option* option_in(const CLI::App& app, const std::string& text) {
  const CLI::Option* found = nullptr;
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    const bool is_in = !name.empty() && text.find(name) != std::string::npos;
    if (is_in && (found == nullptr || name.size() > found->get_name().size())) found = option;
  }
  return found;
}

std::string wrong_value(const CLI::App& app, const VerbManual& verb, const std::string& text) {
  const CLI::Option* const option = option_in(app, text);
  if (option == nullptr) return "the options do not fit together";
  const std::string name = option->get_name();
  if (option->get_items_expected_max() == 0 && name == "--json")
    return "--json takes no file; use --json -o FILE";
  if (option->get_items_expected_max() == 0)
    return fmt::format("{} was given a value, expected none", name);
  if (option->count() > 1)
    return fmt::format("{} was given {} times, expected once", name, option->count());
  return fmt::format("{} has no value, expected {}", name, with_value(verb, name));
}

}  // namespace

std::string unknown_verb(const std::string& word, const std::vector<std::string>& verbs) {
  const std::string near = nearest_word(word, verbs);
  if (!near.empty()) return fmt::format("there is no verb \"{}\", did you mean {}?", word, near);
  return fmt::format("there is no verb \"{}\", expected one of {}", word, fmt::join(verbs, ", "));
}

std::string parser_message(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& parsed = innermost(app);
  const VerbManual verb = manual_of(parsed);
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto left = app.remaining(true);
    return left.empty() ? "one argument too many" : unexpected(app, verb, left.front());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return missing(app, verb, around(text, " is required").first);
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const auto [option, other] = around(text, " requires ");
    return fmt::format("{} needs {}; add it, or leave {} out", option, with_value(verb, other),
                       option);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const auto [option, other] = around(text, " excludes ");
    return fmt::format("{} and {} exclude each other; use one of them", option, other);
  }
  return wrong_value(parsed, verb, text);
}

}  // namespace bisector::cli
