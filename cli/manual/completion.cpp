// The script that completes the command in bash. It contains all names and runs no command.
#include <fmt/format.h>

#include "cli/manual/manual.h"

namespace bisector::cli {
namespace {

/// Calls use(verb) for the command and all verbs below it.
template <class Use>
void for_each_verb(const VerbManual& verb, const Use& use) {
  use(verb);
  for (const VerbManual& nested : verb.verbs) for_each_verb(nested, use);
}

/// In single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// The verb after "bisector", or nothing for the command itself.
std::string path_of(const VerbManual& verb) {
  const std::size_t blank = verb.name.find(' ');
  return blank == std::string::npos ? "" : verb.name.substr(blank + 1);
}

std::vector<std::string> words_of(const VerbManual& verb) {
  std::vector<std::string> words;
  for (const VerbManual& nested : verb.verbs) words.push_back(nested.word());
  for (const OptionManual& option : verb.options) {
    if (!option.is_argument) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

/// The words behind the option before the cursor, for each verb and option that has some.
std::string bash_values(const VerbManual& command) {
  std::string text;
  for_each_verb(command, [&](const VerbManual& verb) {
    for (const OptionManual& option : verb.options) {
      if (option.is_argument || !option.takes_value) continue;
      std::vector<std::string> patterns;
      for (const auto& name : option.names) patterns.push_back(quoted(path_of(verb) + " " + name));
      const auto choices = option.choices();
      const std::string reply =
          option.is_file()
              ? "COMPREPLY=($(compgen -f -- \"$word\")); compopt -o filenames 2>/dev/null"
              : fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\"))",
                            quoted(fmt::format("{}", fmt::join(choices, " "))));
      text += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), reply);
    }
  });
  return text;
}

std::string bash_words(const VerbManual& command) {
  std::string text;
  for_each_verb(command, [&](const VerbManual& verb) {
    text += fmt::format("    {}) words={} ;;\n", quoted(path_of(verb)),
                        quoted(fmt::format("{}", fmt::join(words_of(verb), " "))));
  });
  return text;
}

}  // namespace

std::string completion_script(const VerbManual& command) {
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

}  // namespace bisector::cli
