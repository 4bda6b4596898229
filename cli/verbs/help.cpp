// bisector help and bisector completion: what the command says about itself.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/manual/manual.h"
#include "cli/options/option_values.h"
#include "cli/options/parser_errors.h"
#include "cli/verbs.h"

namespace bisector::cli {
namespace {

/// The verb of this name, or the command itself for no name.
const CLI::App& find_verb(const CLI::App& app, const std::string& name) {
  if (name.empty()) return app;
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return *verb;
    names.push_back(verb->get_name());
  }
  throw UsageError(unknown_verb(name, names));
}

std::string help_text(const CLI::App& app, const CLI::App& verb) {
  const std::string name = &verb == &app ? "" : app.get_name() + ' ';
  // Call the formatter itself: App::help() would show the help of the parsed verb, which is help.
  return verb.get_formatter()->make_help(&verb, name + verb.get_name(), CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand("help", "Shows the help of a verb.");
  const auto name = std::make_shared<std::string>();
  add_text(verb, "VERB", *name, "", "The verb, such as explain");
  verb.footer(fmt::format("Example:\n  {} help explain", app.get_name()));
  verb.callback([name, &app, &action] {
    action = [name, &app](std::ostream& out, std::ostream&) {
      out << help_text(app, find_verb(app, *name));
    };
  });
}

void add_completion(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "completion",
      "Writes a script for bash that completes verbs, options and their values. zsh reads it after "
      "autoload -U compinit bashcompinit && compinit && bashcompinit.");
  verb.footer("Example:\n  source <(bisector completion)");
  verb.callback([&app, &action] {
    action = [&app](std::ostream& out, std::ostream&) { out << completion_script(manual_of(app)); };
  });
}

}  // namespace bisector::cli
