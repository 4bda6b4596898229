#include "cli/options/limit_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/verb.h"

namespace bisector::cli {
namespace {

/// The limits of files, and those of the verb.
std::vector<OwnLimit> all_limits(Limits& limits, std::vector<OwnLimit> own) {
  const auto add = [&](const char* name, std::uint64_t Limits::*value) {
    own.push_back({name, [&limits, value](std::uint64_t most) { limits.*value = most; }});
  };
  add("elements", &Limits::max_elements);
  add("features", &Limits::max_features);
  add("expansion", &Limits::max_expansion);
  add("unpacked-bytes", &Limits::max_unpacked_bytes);
  add("metadata-bytes", &Limits::max_metadata_bytes);
  add("row-bytes", &Limits::max_row_bytes);
  return own;
}

// Below this value no sum or product with a limit overflows.
constexpr std::uint64_t kHighest = std::uint64_t{1} << 48;

std::string names(const std::vector<OwnLimit>& limits) {
  std::vector<std::string_view> all;
  for (const OwnLimit& limit : limits) all.push_back(limit.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

std::optional<std::uint64_t> parse_limit(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool is_valid = error == std::errc() && stop == end && value > 0 && value <= kHighest;
  return is_valid ? std::optional(value) : std::nullopt;
}

void set_limit(const std::vector<OwnLimit>& limits, const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = std::string_view(text).substr(0, equals);
  for (const OwnLimit& limit : limits) {
    if (limit.name != name) continue;
    const auto value =
        parse_limit(std::string_view(text).substr(std::min(equals + 1, text.size())));
    if (!value)
      throw UsageError(
          fmt::format("--limit is \"{}\", expected {}=N with a whole number from 1 to {}", text,
                      name, kHighest));
    limit.set(*value);
    return;
  }
  throw UsageError(
      fmt::format("--limit is \"{}\", expected NAME=N with one of {}", text, names(limits)));
}

}  // namespace

void add_limit_option(CLI::App& app, Limits& limits, std::vector<OwnLimit> own) {
  own = all_limits(limits, std::move(own));
  const std::string list = names(own);
  app.add_option_function<std::vector<std::string>>(
         "--limit",
         [own = std::move(own)](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) set_limit(own, text);
         },
         "Raise a limit for a file that you trust: NAME is " + list +
             "; may be given several times")
      ->option_text("NAME=N")
      ->allow_extra_args(false)
      ->group("Reading data");
}

}  // namespace bisector::cli
