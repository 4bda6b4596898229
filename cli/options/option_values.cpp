#include "cli/options/option_values.h"

#include <fmt/format.h>

#include <charconv>

#include "bisector/table_encoding.h"
#include "cli/options/file_roles.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

template <class T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

double parse_in_range(const std::string& name, const std::string& text, const NumberRange& range) {
  const auto value = parse_number(text);
  if (!value || !(*value >= range.low && *value <= range.high))  // false for NaN
    throw UsageError(fmt::format("{} is \"{}\", expected {}", name, text, range.words));
  return *value;
}

std::size_t parse_count(const std::string& name, const std::string& text, std::size_t least) {
  const auto value = parsed<std::size_t>(text);
  if (!value || *value < least)
    throw UsageError(
        fmt::format("{} is \"{}\", expected a whole number from {} up", name, text, least));
  return *value;
}

/// Calls use(part) for every part of a list separated by commas.
template <class Use>
void split(const std::string& text, const Use& use) {
  std::size_t start = 0;
  for (std::size_t comma = 0; comma != std::string::npos; start = comma + 1) {
    comma = text.find(',', start);
    use(text.substr(start, comma - start));
  }
}

}  // namespace

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& target,
                      const std::string& value, const std::string& description) {
  return app.add_option(name, target, description)->option_text(value);
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::optional<std::string>& target,
                      const std::string& value, const std::string& description) {
  return app
      .add_option_function<std::string>(
          name, [&target](const std::string& text) { target = text; }, description)
      ->option_text(value);
}

CLI::Option* add_path(CLI::App& app, const std::string& name, std::filesystem::path& target,
                      const std::string& value, const std::string& description) {
  CLI::Option* const option = app.add_option_function<std::string>(
      name,
      [name, &target](const std::string& text) {
        if (text.empty()) throw UsageError(fmt::format("{} is empty, expected a file", name));
        target = text;
      },
      description);
  return set_role(option->option_text(value), FileRole::input);
}

CLI::Option* add_output(CLI::App& app, const std::string& name, std::filesystem::path& target,
                        const std::string& value, const std::string& description) {
  return set_role(add_path(app, name, target, value, description), FileRole::output);
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& value, const std::string& description) {
  return app.add_option(name, target, description)->option_text(value)->allow_extra_args(false);
}

CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<double>& target,
                        const NumberRange& range, const std::string& value,
                        const std::string& description) {
  const auto parse = [name, &target, range](const std::string& text) {
    target = parse_in_range(name, text, range);
  };
  return app.add_option_function<std::string>(name, parse, description)->option_text(value);
}

CLI::Option* add_count(CLI::App& app, const std::string& name, std::optional<std::size_t>& target,
                       std::size_t least, const std::string& value,
                       const std::string& description) {
  const auto parse = [name, &target, least](const std::string& text) {
    target = parse_count(name, text, least);
  };
  return app.add_option_function<std::string>(name, parse, description)->option_text(value);
}

CLI::Option* add_numbers(CLI::App& app, const std::string& name, std::vector<double>& target,
                         const NumberRange& range, const std::string& value,
                         const std::string& description) {
  const auto parse = [name, &target, range](const std::string& text) {
    target.clear();
    split(text,
          [&](const std::string& part) { target.push_back(parse_in_range(name, part, range)); });
  };
  return app.add_option_function<std::string>(name, parse, description)->option_text(value);
}

CLI::Option* add_counts(CLI::App& app, const std::string& name, std::vector<std::size_t>& target,
                        std::size_t least, const std::string& value,
                        const std::string& description) {
  const auto parse = [name, &target, least](const std::string& text) {
    target.clear();
    split(text, [&](const std::string& part) { target.push_back(parse_count(name, part, least)); });
  };
  return app.add_option_function<std::string>(name, parse, description)->option_text(value);
}

void refuse_choice(const std::string& option, const std::string& text,
                   const std::vector<std::string>& expected) {
  throw UsageError(
      fmt::format("{} is \"{}\", expected {}", option, text, fmt::join(expected, " or ")));
}

}  // namespace bisector::cli
