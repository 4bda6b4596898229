// bisector help and bisector completion: what the command says about itself.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "bisector/method_table.h"
#include "cli/options/file_roles.h"
#include "cli/options/help.h"
#include "cli/options/option_values.h"
#include "cli/options/parser_errors.h"
#include "cli/options/wrap.h"
#include "cli/verbs.h"

namespace bisector::cli {
namespace {

constexpr auto kMethods = "methods";

/// The methods of --method, what they do, and their parameters.
std::string methods_text() {
  std::string text =
      wrapped(
          "Methods of --method NAME[:PARAMETER=VALUE,...], such as --method lrp:eta=0.5,kappa=2. "
          "Without --method it is auto.",
          0) +
      "\n\nMethods:\n";
  for (const MethodInfo& method : method_table())
    text +=
        list_line(std::string(method.name), fmt::format("{}: {}", method.title, method.help), 16);
  text += "\nParameters:\n";
  for (const SharedParameter& parameter : parameter_table())
    text += list_line(std::string(parameter.info.name),
                      fmt::format("{}. {}", expected_text(parameter.info), parameter.help), 20);
  return text;
}

/// The help of a verb, of the methods, or of the command itself for no name.
std::string help_on(const CLI::App& app, const std::string& name) {
  if (name.empty()) return help_text(app);
  if (name == kMethods) return methods_text();
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return help_text(*verb);
    names.push_back(verb->get_name());
  }
  names.emplace_back(kMethods);
  throw UsageError(unknown_verb(name, names));
}

/// The command and its verbs.
std::vector<const CLI::App*> with_verbs(const CLI::App& command) {
  auto all = command.get_subcommands({});
  all.insert(all.begin(), &command);
  return all;
}

/// The verb after "bisector", or nothing for the command itself.
std::string word_of(const CLI::App& verb) {
  return verb.get_parent() == nullptr ? "" : verb.get_name();
}

/// The words of a choice such as "auto|yes|no"; otherwise nothing.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const auto words = CLI::detail::split(option.get_option_text(), '|');
  const bool are_words =
      words.size() > 1 && std::ranges::all_of(words, [](const auto& word) {
        return std::ranges::none_of(word, [](unsigned char c) { return std::isupper(c) != 0; });
      });
  return are_words ? words : std::vector<std::string>{};
}

/// In single quotes of a shell.
std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// The words behind the option before the cursor, for each verb and option that has some.
std::string bash_values(const CLI::App& command) {
  std::string text;
  for (const CLI::App* verb : with_verbs(command)) {
    for (const CLI::Option* option : verb->get_options()) {
      if (option->get_positional() || option->get_items_expected_max() == 0) continue;
      std::vector<std::string> patterns;
      for (const auto& name : names_of(*option))
        patterns.push_back(shell_quoted(word_of(*verb) + ' ' + name));
      const std::string reply =
          role_of(*option) != FileRole::none
              ? "COMPREPLY=($(compgen -f -- \"$word\")); compopt -o filenames 2>/dev/null"
              : fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\"))",
                            shell_quoted(fmt::format("{}", fmt::join(choices_of(*option), " "))));
      text += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), reply);
    }
  }
  return text;
}

std::string bash_words(const CLI::App& command) {
  std::string text;
  for (const CLI::App* verb : with_verbs(command)) {
    std::vector<std::string> words;
    for (const CLI::App* nested : verb->get_subcommands({})) words.push_back(nested->get_name());
    for (const CLI::Option* option : verb->get_options()) {
      const auto names = names_of(*option);
      if (!option->get_positional()) words.insert(words.end(), names.begin(), names.end());
    }
    text += fmt::format("    {}) words={} ;;\n", shell_quoted(word_of(*verb)),
                        shell_quoted(fmt::format("{}", fmt::join(words, " "))));
  }
  return text;
}

std::string completion_script(const CLI::App& command) {
  return fmt::format(R"(# Completion of bisector for bash: source this, or install it as bisector in
# share/bash-completion/completions. zsh reads it after
# autoload -U compinit bashcompinit && compinit && bashcompinit.
_bisector() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb= words=
  COMPREPLY=()
  ((COMP_CWORD > 1)) && verb=${{COMP_WORDS[1]}}
  case "$verb $before" in
{}  esac
  case "$verb" in
{}  esac
  if [[ $word == -* || -z $verb ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
    compopt -o filenames 2>/dev/null
  fi
}}
complete -F _bisector bisector
)",
                     bash_values(command), bash_words(command));
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  CLI::App& verb =
      *app.add_subcommand("help", "Shows the help of a verb, or of the methods of explanation.");
  const auto name = std::make_shared<std::string>();
  add_text(verb, "VERB", *name, "", "The verb, such as explain, or methods");
  verb.footer(fmt::format("Examples:\n  {0} help explain\n  {0} help methods", app.get_name()));
  verb.callback([name, &app, &action] {
    action = [name, &app](std::ostream& out, std::ostream&) { out << help_on(app, *name); };
  });
}

void add_completion(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "completion",
      "Writes a script for bash that completes verbs, options and their values. zsh reads it after "
      "autoload -U compinit bashcompinit && compinit && bashcompinit.");
  verb.footer("Example:\n  source <(bisector completion)");
  verb.callback([&app, &action] {
    action = [&app](std::ostream& out, std::ostream&) { out << completion_script(app); };
  });
}

}  // namespace bisector::cli
