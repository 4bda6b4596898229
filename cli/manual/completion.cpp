// Scripts that complete the command in bash, zsh and fish. They contain all names and run no
// command.
#include <fmt/format.h>

#include "cli/manual/manual.h"
#include "cli/verb.h"

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

std::string bash_script(const VerbManual& command) {
  return fmt::format(R"(# Completion of bisector for bash: source this, or install it as bisector in
# share/bash-completion/completions.
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

/// Text of a specification of _arguments, where brackets and colons mean something.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_value(const OptionManual& option) {
  if (!option.takes_value) return "";
  const auto choices = option.choices();
  const std::string word = zsh_text(option.is_argument ? option.names.front() : option.value);
  if (!choices.empty()) return fmt::format(":{}:({})", word, fmt::join(choices, " "));
  return fmt::format(":{}:{}", word, option.is_file() ? "_files" : " ");
}

std::string zsh_arguments(const VerbManual& verb) {
  std::string text;
  std::size_t position = 0;
  for (const OptionManual& option : verb.options) {
    if (option.is_argument) {
      text += fmt::format(" \\\n        {}",
                          quoted(fmt::format("{}{}", ++position, zsh_value(option))));
      continue;
    }
    for (const auto& name : option.names)
      text += fmt::format(
          " \\\n        {}",
          quoted(fmt::format("{}[{}]{}", name, zsh_text(first_words(option.description)),
                             zsh_value(option))));
  }
  return text;
}

std::string zsh_verb_list(const VerbManual& verb) {
  std::string text;
  for (const VerbManual& nested : verb.verbs)
    text += fmt::format(" {}", quoted(nested.word() + ":" + first_words(nested.description)));
  return text;
}

/// A function for each verb; one that has verbs of its own describes them, or calls theirs.
std::string zsh_function(const VerbManual& verb) {
  std::string name = "_" + verb.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  std::string text;
  for (const VerbManual& nested : verb.verbs) text += zsh_function(nested);
  if (verb.verbs.empty())
    return text + fmt::format("{}() {{\n  _arguments -s{}\n}}\n", name, zsh_arguments(verb));
  std::string cases;
  for (const VerbManual& nested : verb.verbs)
    cases += fmt::format("      {}) {}_{} ;;\n", nested.word(), name, nested.word());
  return text + fmt::format(R"({}() {{
  local curcontext=$curcontext state line
  _arguments -C{} \
        '1:verb:->verb' '*::argument:->rest'
  case $state in
    verb)
      local -a verbs=({})
      _describe verb verbs ;;
    rest)
      case $words[1] in
{}      esac ;;
  esac
}}
)",
                            name, zsh_arguments(verb), zsh_verb_list(verb), cases);
}

std::string zsh_script(const VerbManual& command) {
  return "#compdef bisector\n# Completion of bisector for zsh: install it as _bisector in a folder "
         "of fpath.\n" +
         zsh_function(command) +
         "if [ \"$funcstack[1]\" = _bisector ]; then\n  _bisector \"$@\"\nelse\n"
         "  compdef _bisector bisector\nfi\n";
}

/// The place of the command line in which a line of fish's list applies.
std::string fish_condition(const VerbManual& verb) {
  const std::string path = path_of(verb);
  return path.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + path;
}

std::string fish_option(const VerbManual& verb, const OptionManual& option) {
  std::string text = fmt::format("complete -c bisector -n {}", quoted(fish_condition(verb)));
  for (const auto& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_value) {
    const auto choices = option.choices();
    text += option.is_file() ? " -r -F" : " -x";
    if (!choices.empty()) text += " -a " + quoted(fmt::format("{}", fmt::join(choices, " ")));
  }
  return text + " -d " + quoted(first_words(option.description)) + "\n";
}

std::string fish_script(const VerbManual& command) {
  std::string text =
      "# Completion of bisector for fish: install it as bisector.fish in a folder of "
      "fish_complete_path.\n";
  for_each_verb(command, [&](const VerbManual& verb) {
    for (const VerbManual& nested : verb.verbs)
      text +=
          fmt::format("complete -c bisector -f -n {} -a {} -d {}\n", quoted(fish_condition(verb)),
                      nested.word(), quoted(first_words(nested.description)));
    for (const OptionManual& option : verb.options) {
      if (!option.is_argument) text += fish_option(verb, option);
    }
  });
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, const VerbManual& command) {
  if (shell == "bash") return bash_script(command);
  if (shell == "zsh") return zsh_script(command);
  if (shell == "fish") return fish_script(command);
  throw UsageError(fmt::format("there is no completion for \"{}\", expected {}", shell,
                               fmt::join(kShells, " or ")));
}

}  // namespace bisector::cli
