#include "bisector/train/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "bisector/error.h"
#include "bisector/table_encoding.h"
#include "bisector/text.h"
#include "train/values.h"

namespace bisector {

using namespace detail;

namespace {

/// The values as numbers, nothing where one of them is text.
std::optional<std::vector<double>> as_numbers(std::span<const std::string> values) {
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const std::string& value : values) {
    const auto number = parse_number(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Numbers the distinct keys in their order; each is called as its first row.
template <class Key>
SortedValues sorted_keys(const std::vector<Key>& keys, std::span<const std::string> names) {
  std::map<Key, std::size_t> order;  // key to its first row, then to its position
  for (std::size_t r = 0; r < keys.size(); ++r) order.try_emplace(keys[r], r);
  SortedValues sorted;
  for (auto& [key, index] : order) {
    sorted.names.push_back(names[index]);
    index = sorted.names.size() - 1;
  }
  for (const Key& key : keys) sorted.position.push_back(order.at(key));
  return sorted;
}

}  // namespace

SortedValues detail::sorted_values(std::span<const std::string> values) {
  if (const auto numbers = as_numbers(values)) return sorted_keys(*numbers, values);
  return sorted_keys(std::vector<std::string>(values.begin(), values.end()), values);
}

ClassTarget sorted_classes(std::span<const std::string> values) {
  SortedValues sorted = sorted_values(values);
  if (sorted.names.size() < 2)
    throw InvalidInput(
        fmt::format("the target has {} value{}{}, expected at least two classes",
                    sorted.names.size(), sorted.names.size() == 1 ? "" : "s",
                    sorted.names.empty() ? "" : ", " + in_quotes(sorted.names.front())));
  return {std::move(sorted.position), std::move(sorted.names)};
}

ClassTarget one_against_rest(std::span<const std::string> values, const std::string& positive) {
  const ClassTarget all = sorted_classes(values);
  auto found = std::ranges::find(all.labels, positive);
  const auto number = parse_number(positive);
  if (found == all.labels.end() && number && as_numbers(values))
    found =
        std::ranges::find_if(all.labels, [&](const auto& l) { return parse_number(l) == number; });
  if (found == all.labels.end()) {
    constexpr std::size_t kMost = 20;
    std::vector<std::string> shown;
    for (const std::string& label : std::span(all.labels).first(std::min(kMost, all.labels.size())))
      shown.push_back(in_quotes(label));
    throw InvalidInput(fmt::format("no row has the target {}, expected {}{}", in_quotes(positive),
                                   all.labels.size() > kMost ? "one such as " : "one of ",
                                   fmt::join(shown, ", ")));
  }
  const auto index = static_cast<std::size_t>(found - all.labels.begin());
  ClassTarget target{
      {},
      {all.labels.size() == 2 ? all.labels[1 - index] : fmt::format("not {}", all.labels[index]),
       all.labels[index]}};
  for (const std::size_t c : all.classes) target.classes.push_back(c == index ? 1 : 0);
  return target;
}

ClassTarget classes_above(std::span<const double> values, double threshold) {
  ClassTarget target{{}, {"not above", "above"}};
  for (const double value : values) target.classes.push_back(value > threshold ? 1 : 0);
  const auto above = static_cast<std::size_t>(std::ranges::count(target.classes, std::size_t{1}));
  if (above == 0 || above == values.size())
    throw InvalidInput(
        fmt::format("{} of {} targets are above {}, expected some above and some not", above,
                    values.size(), threshold));
  return target;
}

double percentile(std::span<const double> values, double percent) {
  if (values.empty()) throw InvalidInput("a percentile of no values, expected at least one");
  if (!(percent >= 0.0 && percent <= 100.0))
    throw InvalidInput(fmt::format("percentile {}, expected a number from 0 to 100", percent));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = percent / 100.0 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t next = std::min(below + 1, sorted.size() - 1);
  const double fraction = place - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[next] - sorted[below]);
}

double parse_threshold(std::string_view text, std::span<const double> values) {
  if (text == "median") return percentile(values, 50.0);
  if (text.starts_with("p")) {
    if (const auto percent = parse_number(text.substr(1))) return percentile(values, *percent);
  } else if (const auto number = parse_number(text)) {
    return *number;
  }
  throw InvalidInput(fmt::format(
      "the threshold is \"{}\", expected \"median\", a percentile such as \"p90\", or a number",
      text));
}

}  // namespace bisector
