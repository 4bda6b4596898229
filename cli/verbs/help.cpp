// bisector help and bisector completion: what the command says about itself.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/manual/manual.h"
#include "cli/options/option_values.h"
#include "cli/options/parser_errors.h"
#include "cli/verbs.h"
#include "tools/output_file.h"

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

/// A page for the command and each of its verbs, as files of their names.
void write_man_pages(const VerbManual& verb, const std::filesystem::path& folder) {
  std::string name = verb.name;
  std::ranges::replace(name, ' ', '-');
  tools::OutputFile file(folder / (name + ".1"));
  file.stream() << man_page(verb);
  file.commit();
  for (const VerbManual& nested : verb.verbs) write_man_pages(nested, folder);
}

struct HelpArguments {
  std::string verb;
  bool as_man_page = false;
  std::filesystem::path folder;
};

void help_command(const HelpArguments& arguments, const CLI::App& app, std::ostream& out) {
  if (!arguments.folder.empty()) {
    tools::make_folder(arguments.folder);
    return write_man_pages(manual_of(app), arguments.folder);
  }
  const CLI::App& verb = find_verb(app, arguments.verb);
  out << (arguments.as_man_page ? man_page(manual_of(verb)) : help_text(app, verb));
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand("help", "Shows the help of a verb.");
  const auto arguments = std::make_shared<HelpArguments>();
  add_text(verb, "VERB", arguments->verb, "", "The verb, such as explain");
  verb.add_flag("--man", arguments->as_man_page, "As a page for man, in roff");
  add_path(verb, "--man-pages", arguments->folder, "DIR", "All pages, as files of this folder");
  verb.footer(fmt::format("Examples:\n  {0} help explain\n  {0} help --man explain | man -l -",
                          app.get_name()));
  verb.callback([arguments, &app, &action] {
    action = [arguments, &app](std::ostream& out, std::ostream&) {
      help_command(*arguments, app, out);
    };
  });
}

void add_completion(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "completion",
      "Writes a script for your shell: it completes verbs, options and their values.");
  const auto shell = std::make_shared<std::string>();
  add_text(verb, "SHELL", *shell, "", fmt::format("{}", fmt::join(kShells, ", ")))->required();
  verb.footer(
      "Examples:\n"
      "  source <(bisector completion bash)\n"
      "  bisector completion zsh > ~/.zsh/completions/_bisector\n"
      "  bisector completion fish > ~/.config/fish/completions/bisector.fish");
  verb.callback([shell, &app, &action] {
    action = [shell, &app](std::ostream& out, std::ostream&) {
      out << completion_script(*shell, manual_of(app));
    };
  });
}

}  // namespace bisector::cli
