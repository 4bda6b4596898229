#include "cli/help.h"

#include <fmt/format.h>

#include <sstream>

namespace bisector::cli {
namespace {

constexpr std::size_t kWidth = 96, kNameColumn = 28;

/// Breaks text at blanks; every line after the first starts with `indent` blanks.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t used = indent;
  while (words >> word) {
    if (used > indent && used + 1 + word.size() > kWidth) {
      result += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (used > indent) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
  }
  return result;
}

/// A name and its description behind it, or below it where the name is long.
std::string entry(const std::string& name, const std::string& description) {
  const std::string gap = name.size() + 4 > kNameColumn
                              ? '\n' + std::string(kNameColumn, ' ')
                              : std::string(kNameColumn - 2 - name.size(), ' ');
  return fmt::format("  {}{}{}\n", name, gap, wrapped(description, kNameColumn));
}

}  // namespace

HelpFormatter::HelpFormatter() {
  label("Positionals", "Arguments");
  label("Subcommands", "Verbs");
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(app->get_description(), 0) + "\n\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string usage = "Usage: " + (app->get_parent() == nullptr ? app->get_name() : name);
  const auto positionals =
      app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  for (const CLI::Option* option : positionals) usage += ' ' + make_option_usage(option);
  if (!app->get_subcommands({}).empty()) usage += " VERB";
  return usage + " [options]\n";
}

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
  const std::string description = verb->get_description();
  return entry(verb->get_name(), description.substr(0, description.find(':')));
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string value = option->get_option_text();
  return entry(make_option_name(option, is_positional) + (value.empty() ? "" : ' ' + value),
               option->get_description());
}

}  // namespace bisector::cli
