#include "cli/options/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/wrap.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kNameColumn = 28;

/// A list of choices, broken after one of them if it is long.
std::string broken_choices(std::string name) {
  if (name.size() + 2 <= kTextWidth) return name;
  const std::size_t bar = name.rfind('|', kTextWidth - 3);
  return bar == std::string::npos ? name : name.insert(bar + 1, "\n      ");
}

/// A name and its description beside it, or below it if the name is long.
std::string entry(const std::string& name, const std::string& description) {
  const std::string gap = name.size() + 4 > kNameColumn
                              ? '\n' + std::string(kNameColumn, ' ')
                              : std::string(kNameColumn - 2 - name.size(), ' ');
  return fmt::format("  {}{}{}\n", name, gap, wrapped(description, kNameColumn));
}

}  // namespace

HelpFormatter::HelpFormatter() { label("Positionals", "Arguments"); }

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  // The parser puts blank lines before and after groups of options.
  return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode),
                                       "\n\n\n", "\n\n");
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
  std::string description = verb->get_description();
  description.resize(std::min(description.find(':'), description.size()));
  if (description.ends_with('.')) description.pop_back();
  return entry(verb->get_name(), description);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string value = option->get_option_text();
  const std::string name = make_option_name(option, is_positional);
  return entry(broken_choices(name + (value.empty() ? "" : ' ' + value)),
               option->get_description());
}

void set_short_help(CLI::App& verb, std::vector<std::string> options) {
  verb.set_help_flag("--help", "All options");
  const auto show = [&verb, options = std::move(options)] {
    const HelpFormatter format;
    const std::string name = "bisector " + verb.get_name();
    std::string text = format.make_description(&verb) + format.make_usage(&verb, name) +
                       format.make_positionals(&verb) + "\nOptions used most:\n";
    for (const std::string& wanted : options) {
      if (const CLI::Option* option = verb.get_option_no_throw(wanted))
        text += format.make_option(option, false);
    }
    throw ShortHelp{
        fmt::format("{}\n{}\n\n{} --help lists all options.\n", text, verb.get_footer(), name)};
  };
  verb.add_flag_callback("-h", show, "The options used most")->group("")->trigger_on_parse();
}

}  // namespace bisector::cli
