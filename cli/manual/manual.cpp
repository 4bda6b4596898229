#include "cli/manual/manual.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace bisector::cli {
namespace {

OptionManual option_manual(const CLI::Option& option) {
  OptionManual manual;
  manual.is_argument = option.get_positional();
  manual.value = option.get_option_text();
  manual.description = option.get_description();
  manual.group = option.get_group();
  manual.takes_value = option.get_items_expected_max() > 0;
  if (manual.is_argument) manual.names.push_back(option.get_name(true));
  for (const auto& name : option.get_snames()) manual.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) manual.names.push_back("--" + name);
  return manual;
}

bool is_lower(const std::string& word) {
  return !word.empty() && std::ranges::none_of(word, [](unsigned char c) {
    return std::isupper(c) != 0 || std::isspace(c) != 0;
  });
}

}  // namespace

std::vector<std::string> OptionManual::choices() const {
  const auto words = CLI::detail::split(value, '|');
  if (words.size() < 2 || !std::ranges::all_of(words, is_lower)) return {};
  return words;
}

bool OptionManual::is_file() const {
  const std::string& word = is_argument ? names.front() : value;
  for (const auto* part : {"FILE", "DATA", "MODEL", "DIR", "IN", "OUT"}) {
    if (word == part || word.starts_with(std::string(part) + '.') ||
        word.ends_with(std::string("|") + part))
      return true;
  }
  return false;
}

std::string VerbManual::usage() const {
  std::string usage = name;
  for (const OptionManual& option : options) {
    if (option.is_argument) usage += ' ' + option.names.front();
  }
  return usage + (verbs.empty() ? "" : " VERB") + " [options]";
}

std::string VerbManual::word() const { return name.substr(name.rfind(' ') + 1); }

VerbManual manual_of(const CLI::App& app) {
  VerbManual manual;
  for (const CLI::App* part = &app; part != nullptr; part = part->get_parent())
    manual.name = part->get_name() + (manual.name.empty() ? "" : ' ' + manual.name);
  manual.description = app.get_description();
  manual.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    manual.options.push_back(option_manual(*option));
  for (const CLI::App* verb : app.get_subcommands({})) manual.verbs.push_back(manual_of(*verb));
  return manual;
}

}  // namespace bisector::cli
