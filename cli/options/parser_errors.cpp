#include "cli/options/parser_errors.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string_view>

#include "bisector/io/nearest_word.h"
#include "bisector/method_table.h"
#include "cli/options/help.h"

namespace bisector::cli {
namespace {

/// "--eta V", or the name alone.
std::string typed(const CLI::App& verb, const std::string& name) {
  const CLI::Option* const option = verb.get_option_no_throw(name);
  return option == nullptr ? name : with_value(*option, name);
}

std::vector<std::string> words_of_verbs(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* verb : app.get_subcommands({})) words.push_back(verb->get_name());
  return words;
}

/// Options that earlier versions had, some of them of one verb, and what to use instead.
const std::map<std::string_view, std::string_view> kRemoved = {
    {"--array", "name the array after the file, as in FILE.npz:NAME"},
    {"--background-drop", "use --drop COL, which holds for every file"},
    {"--categorical", "use --type COL=numeric for a column that must have numbers"},
    {"--category", "use --type COL=category"},
    {"--chunk", "use --limit chunk=ROWS"},
    {"--dates", "use --type COL=day-first or --type COL=month-first"},
    {"--degree", "use --kernel poly:degree=N"},
    {"--figures", "save charts from the page (SVG, PNG, CSV), or plot in Python"},
    {"--for", "use --class predicted"},
    {"--grid-cost", "use --tune --cost A,B,..."},
    {"--grid-gamma", "use --tune --gamma A,B,..."},
    {"--grid-k", "use --tune --k A,B,..."},
    {"--grid-lambda", "use --tune --lambda A,B,..."},
    {"--image", "use --layout HxW"},
    {"--knn", "use bisector train --model knn --k K, whose model every verb takes"},
    {"--level", "use --versus T"},
    {"--man", "use man bisector-VERB, or help2man 'bisector VERB'"},
    {"--man-pages", "use scripts/write-man-pages, which needs help2man"},
    {"--methods", "use --method NAME for each of them"},
    {"--nu", "use --outliers FRACTION"},
    {"--numeric", "use --type COL=numeric"},
    {"--offset", "use --kernel poly:offset=B or --kernel sigmoid:offset=B"},
    {"--one-hot", "use --type COL=one-hot"},
    {"--ordinal", "use --type \"COL=a<b<c\""},
    {"--power", "use --metric minkowski:power=P"},
    {"--range", "use svm-scale -r FILE on the rows before, or train with bisector train"},
    {"--reachable", "use --method lrp --method random to compare with a random order"},
    {"--rows", "use --sample N"},
    {"--rule-background", "use --background DATA, of which the methods see one half"},
    {"--series", "use --layout series"},
    {"--shape", "use --kernel rational-quadratic:shape=S"},
    {"--unit-name", "use --names unit=TEXT"},
    {"--unseen", "use --missing, which also decides about levels that the model does not know"},
    {"--width", "use --weights exponential:width=H or --weights gaussian:width=H"},
    {"--x", "name the array after the file, as in FILE.npz:NAME"},
    {"--y", "use --target NAME"},
    {"inspect --network", "give the file with the row after the model"},
    {"report --seed", "the rows of --sample are drawn with seed 0"}};

/// What to use instead of an option that a parameter of --method replaced.
std::string advice_for_parameter(const CLI::App& verb, const std::string& name) {
  std::string wanted = name.substr(std::min<std::size_t>(2, name.size()));
  std::ranges::replace(wanted, '-', '_');
  const auto found = std::ranges::find(parameter_table(), wanted,
                                       [](const auto& shared) { return shared.info.name; });
  if (found == parameter_table().end() || verb.get_option_no_throw("--method") == nullptr)
    return "";
  const bool is_flag = found->info.type == ParameterInfo::Type::flag;
  return fmt::format(
      "use --method {}:{}={}{}", found->methods.front(), wanted, is_flag ? "true" : "V",
      found->methods.size() == 1 ? ""
                                 : fmt::format(" (or {})", fmt::join(found->methods.begin() + 1,
                                                                     found->methods.end(), ", ")));
}

std::string advice_for_removed(const CLI::App& verb, const std::string& name) {
  for (const std::string& key : {verb.get_name() + ' ' + name, name}) {
    const auto found = kRemoved.find(key);
    if (found != kRemoved.end()) return std::string(found->second);
  }
  return advice_for_parameter(verb, name);
}

std::string unknown_option(const CLI::App& app, const CLI::App& verb, const std::string& name) {
  if (verb.get_option_no_throw(name) != nullptr)
    return fmt::format("{0} is before {1}, expected it after the verb: {3} {1} ... {2}", name,
                       verb.get_name(), typed(verb, name), app.get_name());
  std::vector<std::string> names, owners;
  for (const CLI::Option* option : verb.get_options()) {
    const auto own = names_of(*option);
    if (!option->get_positional()) names.insert(names.end(), own.begin(), own.end());
  }
  const std::string start = fmt::format("{} has no option {}", verb.get_name(), name);
  if (const auto advice = advice_for_removed(verb, name); !advice.empty())
    return fmt::format("{} any more: {}", start, advice);
  const std::string near = nearest_word(name, names);
  if (!near.empty()) return fmt::format("{}, did you mean {}?", start, near);
  for (const CLI::App* owner : app.get_subcommands({})) {
    if (owner->get_option_no_throw(name) != nullptr) owners.push_back(owner->get_name());
  }
  if (!owners.empty()) return fmt::format("{}; use it with {}", start, fmt::join(owners, ", "));
  return start + ", expected one that its help lists";
}

std::string unexpected(const CLI::App& app, const CLI::App& verb, const std::string& argument) {
  if (argument.starts_with('-') && argument.size() > 1)
    return unknown_option(app, verb, argument.substr(0, argument.find('=')));
  if (&verb == &app) return unknown_verb(argument, words_of_verbs(app));
  if (verb.get_name() == "completion")
    return "there is one completion, for bash; zsh reads it: use bisector completion without a "
           "shell";
  return fmt::format("\"{}\" is one argument too many, expected {}", argument, usage_of(verb));
}

std::string missing(const CLI::App& app, const CLI::App& verb, const std::string& name) {
  const auto left = app.remaining(true);
  const bool is_verb = name == "A subcommand";
  if (!left.empty() && (is_verb || left.front().starts_with('-')))
    return unexpected(app, verb, left.front());
  if (is_verb)
    return fmt::format("no verb, expected one of {}", fmt::join(words_of_verbs(app), ", "));
  return fmt::format("{} is missing, expected {}", name, usage_of(verb));
}

/// The option that the parser speaks of: of those in its text the longest, as --eta is in --etas.
const CLI::Option* option_in(const CLI::App& verb, const std::string& text) {
  const CLI::Option* found = nullptr;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    const bool is_in = !name.empty() && text.find(name) != std::string::npos;
    if (is_in && (found == nullptr || name.size() > found->get_name().size())) found = option;
  }
  return found;
}

std::string wrong_value(const CLI::App& verb, const std::string& text) {
  const CLI::Option* const option = option_in(verb, text);
  if (option == nullptr) return "the options do not fit together";
  const std::string name = option->get_name();
  if (option->get_items_expected_max() == 0 && name == "--json")
    return "--json takes no file; use --json -o FILE";
  if (option->get_items_expected_max() == 0)
    return fmt::format("{} was given a value, expected none", name);
  if (option->count() > 1)
    return fmt::format("{} was given {} times, expected once", name, option->count());
  return fmt::format("{} has no value, expected {}", name, typed(verb, name));
}

}  // namespace

std::string unknown_verb(const std::string& word, const std::vector<std::string>& verbs) {
  const std::string near = nearest_word(word, verbs);
  if (!near.empty()) return fmt::format("there is no verb \"{}\", did you mean {}?", word, near);
  return fmt::format("there is no verb \"{}\", expected one of {}", word, fmt::join(verbs, ", "));
}

std::string parser_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& verb = parsed.empty() ? app : *parsed.front();
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto left = app.remaining(true);
    return left.empty() ? "one argument too many" : unexpected(app, verb, left.front());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return missing(app, verb, text.substr(0, text.find(" is required")));
  return wrong_value(verb, text);
}

}  // namespace bisector::cli
