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

/// The verb of these words, one below the other.
const CLI::App& find_verb(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* found = &app;
  for (const auto& word : words) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* verb : found->get_subcommands({})) {
      names.push_back(verb->get_name());
      if (verb->get_name() == word) next = verb;
    }
    if (next == nullptr) throw UsageError(unknown_verb(word, names));
    found = next;
  }
  return *found;
}

std::string help_text(const CLI::App& verb) {
  std::string above;
  for (const CLI::App* part = verb.get_parent(); part != nullptr; part = part->get_parent())
    above = part->get_name() + (above.empty() ? "" : ' ' + above);
  // The formatter itself: App::help() would go on to the verb that was parsed, which is help.
  return verb.get_formatter()->make_help(
      &verb, above.empty() ? verb.get_name() : above + ' ' + verb.get_name(),
      CLI::AppFormatMode::Normal);
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
  std::vector<std::string> words;
  bool as_man_page = false;
  std::filesystem::path folder;
};

void help_command(const HelpArguments& arguments, const CLI::App& app, std::ostream& out) {
  if (!arguments.folder.empty()) {
    tools::make_folder(arguments.folder);
    return write_man_pages(manual_of(app), arguments.folder);
  }
  const CLI::App& verb = find_verb(app, arguments.words);
  out << (arguments.as_man_page ? man_page(manual_of(verb)) : help_text(verb));
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand("help", "What a verb does and takes: as its --help.");
  const auto arguments = std::make_shared<HelpArguments>();
  verb.add_option("VERB", arguments->words, "The verb, such as explain or molecule train");
  verb.add_flag("--man", arguments->as_man_page, "As a page for man, in roff");
  add_path(verb, "--man-pages", arguments->folder, "DIR", "All pages, as files of this folder");
  verb.footer("Examples:\n  bisector help explain\n  bisector help --man explain | man -l -");
  verb.callback([arguments, &app, &action] {
    action = [arguments, &app](std::ostream& out, std::ostream&) {
      help_command(*arguments, app, out);
    };
  });
}

void add_completion(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "completion", "A script for your shell: it completes verbs, options and their values.");
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
