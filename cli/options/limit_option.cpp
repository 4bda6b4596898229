#include "cli/options/limit_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verb.h"

namespace bisector::cli {
namespace {

struct NamedLimit {
  std::string_view name;
  std::uint64_t Limits::*value;
};

constexpr std::array<NamedLimit, 6> kLimits = {{{"elements", &Limits::max_elements},
                                                {"features", &Limits::max_features},
                                                {"expansion", &Limits::max_expansion},
                                                {"unpacked-bytes", &Limits::max_unpacked_bytes},
                                                {"metadata-bytes", &Limits::max_metadata_bytes},
                                                {"row-bytes", &Limits::max_row_bytes}}};
// Below this value no sum or product with a limit overflows.
constexpr std::uint64_t kHighest = std::uint64_t{1} << 48;

std::string names() {
  std::vector<std::string_view> all;
  for (const NamedLimit& limit : kLimits) all.push_back(limit.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

std::optional<std::uint64_t> parse_limit(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool is_valid = error == std::errc() && stop == end && value > 0 && value <= kHighest;
  return is_valid ? std::optional(value) : std::nullopt;
}

void set_limit(Limits& limits, const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = std::string_view(text).substr(0, equals);
  for (const NamedLimit& limit : kLimits) {
    if (limit.name != name) continue;
    const auto value =
        parse_limit(std::string_view(text).substr(std::min(equals + 1, text.size())));
    if (!value)
      throw UsageError(
          fmt::format("--limit is \"{}\", expected {}=N with a whole number from 1 to {}", text,
                      name, kHighest));
    limits.*limit.value = *value;
    return;
  }
  throw UsageError(fmt::format("--limit is \"{}\", expected NAME=N with one of {}", text, names()));
}

/// "name=anything", as a limit is written, well or not.
bool is_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  const auto is_letter = [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); };
  return equals != std::string_view::npos && equals > 0 && text.front() != '-' &&
         std::ranges::all_of(text.substr(0, equals), is_letter);
}

}  // namespace

void add_limit_option(CLI::App& app, Limits& limits) {
  app.add_option_function<std::vector<std::string>>(
         "--limit",
         [&limits](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) set_limit(limits, text);
         },
         "Raise a limit for a file that you trust: NAME is " + names() +
             "; may be given several times")
      ->option_text("NAME=N")
      ->allow_extra_args(false)
      ->group("Reading data");
}

std::vector<std::string> resolve_bare_limits(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "evaluate") return arguments;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size() && is_assignment(arguments[i + 1]);
    if (arguments[i] == "--limit" && !has_value) arguments[i] = "--reachable";
  }
  return arguments;
}

}  // namespace bisector::cli
