// Man pages in roff.
#include <fmt/format.h>

#include <algorithm>

#include "bisector/version.h"
#include "cli/manual/manual.h"

namespace bisector::cli {
namespace {

/// Text escaped for roff: hyphens that can be copied, and no line that starts with a command.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool starts_line = result.empty() || result.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '-')
      result += "\\-";
    else if (c == '\\')
      result += "\\e";
    else
      result += c;
  }
  return result;
}

std::string section(const std::string& title) { return fmt::format(".SH {}\n", title); }

std::string bold_names(const OptionManual& option) {
  std::vector<std::string> names;
  for (const auto& name : option.names) names.push_back("\\fB" + roff(name) + "\\fR");
  const std::string value = option.value.empty() || option.is_argument
                                ? ""
                                : fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format("{}{}", fmt::join(names, ", "), value);
}

std::string entry(const OptionManual& option) {
  return fmt::format(".TP\n{}\n{}\n", bold_names(option), roff(option.description));
}

/// Groups in the order of their first option, as in --help.
std::string option_sections(const VerbManual& verb) {
  std::vector<std::string> groups;
  for (const OptionManual& option : verb.options) {
    const bool is_new = std::ranges::find(groups, option.group) == groups.end();
    if (!option.is_argument && !option.group.empty() && is_new) groups.push_back(option.group);
  }
  std::string text = groups.empty() ? "" : section("OPTIONS");
  for (const auto& group : groups) {
    text += fmt::format(".SS {}\n", roff(group));
    for (const OptionManual& option : verb.options) {
      if (!option.is_argument && option.group == group) text += entry(option);
    }
  }
  return text;
}

std::string argument_section(const VerbManual& verb) {
  std::string text;
  for (const OptionManual& option : verb.options) {
    if (option.is_argument) text += entry(option);
  }
  return text.empty() ? "" : section("ARGUMENTS") + text;
}

std::string verb_section(const VerbManual& verb) {
  std::string text = verb.verbs.empty() ? "" : section("VERBS");
  for (const VerbManual& nested : verb.verbs)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(nested.word()),
                        roff(first_words(nested.description)));
  return text;
}

std::string page_name(const VerbManual& verb) {
  std::string name = verb.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string example_section(const VerbManual& verb) {
  const std::size_t end_of_title = verb.footer.find('\n');
  if (end_of_title == std::string::npos) return "";
  return section("EXAMPLES") + ".nf\n" + roff(verb.footer.substr(end_of_title + 1)) + "\n.fi\n";
}

constexpr auto kExitStatus =
    "0 for success, 1 where a file or its content is at fault, 2 where the command line is; an "
    "error "
    "is one line on standard error.\n";

}  // namespace

std::string man_page(const VerbManual& verb) {
  std::string title = page_name(verb);
  std::ranges::transform(title, title.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text =
      fmt::format(".TH {} 1 \"\" \"bisector {}\" \"bisector\"\n", roff(title), kVersion);
  text += section("NAME") +
          fmt::format("{} \\- {}\n", roff(page_name(verb)), roff(first_words(verb.description)));
  text += section("SYNOPSIS") + fmt::format("\\fB{}\\fR\n", roff(verb.usage()));
  text += section("DESCRIPTION") + roff(verb.description) + '\n';
  text += verb_section(verb) + argument_section(verb) + option_sections(verb);
  text += example_section(verb) + section("EXIT STATUS") + kExitStatus;
  if (verb.name != "bisector") text += section("SEE ALSO") + ".BR bisector (1)\n";
  return text;
}

}  // namespace bisector::cli
