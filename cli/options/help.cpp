#include "cli/options/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/wrap.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kNameColumn = 20;
constexpr auto kMostUsed = "Options used most";

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

std::string option_entry(const CLI::Option& option) {
  const std::string name = fmt::format("{}", fmt::join(names_of(option), ","));
  return entry(broken_choices(with_value(option, name)), option.get_description());
}

/// The options for which `is_listed` holds, below a title.
template <class Listed>
std::string section(const CLI::App& app, const std::string& title, const Listed& is_listed) {
  std::string text;
  for (const CLI::Option* option : app.get_options(is_listed)) text += option_entry(*option);
  return text.empty() ? text : fmt::format("\n{}:\n{}", title, text);
}

/// The start of a verb's description, up to its first colon.
std::string summary_of(const CLI::App& verb) {
  std::string description = verb.get_description();
  description.resize(std::min(description.find(':'), description.size()));
  if (description.ends_with('.')) description.pop_back();
  return description;
}

}  // namespace

std::string help_text(const CLI::App& app) {
  std::string text =
      fmt::format("{}\n\nUsage: {}\n", wrapped(app.get_description(), 0), usage_of(app));
  text += section(app, "Arguments", [](const CLI::Option* o) { return o->get_positional(); });
  auto groups = app.get_groups();
  std::ranges::stable_partition(groups, [](const auto& group) { return group == kMostUsed; });
  for (const std::string& group : groups) {
    if (!group.empty())
      text += section(app, group, [&](const CLI::Option* option) {
        return option->get_group() == group && !option->get_positional();
      });
  }
  const auto verbs = app.get_subcommands({});
  if (!verbs.empty()) text += "\nVerbs:\n";
  for (const CLI::App* verb : verbs) text += entry(verb->get_name(), summary_of(*verb));
  return fmt::format("{}\n{}\n", text, app.get_footer());
}

void list_first(CLI::App& verb, const std::vector<std::string>& options) {
  for (const std::string& name : options) verb.get_option(name)->group(kMostUsed);
}

std::string usage_of(const CLI::App& app) {
  std::string usage = app.get_name();
  for (const CLI::App* above = app.get_parent(); above != nullptr; above = above->get_parent())
    usage = above->get_name() + ' ' + usage;
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* o) { return o->get_positional(); }))
    usage += option->get_required() ? ' ' + option->get_name(true)
                                    : fmt::format(" [{}]", option->get_name(true));
  return usage + (app.get_subcommands({}).empty() ? "" : " VERB") + " [options]";
}

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string with_value(const CLI::Option& option, const std::string& name) {
  const std::string value = option.get_positional() ? "" : option.get_option_text();
  return value.empty() ? name : name + ' ' + value;
}

}  // namespace bisector::cli
