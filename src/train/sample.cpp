#include "bisector/train/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/random.h"
#include "core/models/model_fields.h"

namespace bisector {

using namespace detail;

namespace {

/// The rows of each class; all rows if there are no classes.
std::vector<std::vector<std::size_t>> rows_by_class(const Target& target, std::size_t rows) {
  const auto* classes = std::get_if<ClassTarget>(&target);
  std::vector<std::vector<std::size_t>> members(classes ? classes->labels.size() : 1);
  for (std::size_t row = 0; row < rows; ++row)
    members[classes ? classes->classes.at(row) : 0].push_back(row);
  return members;
}

/// All rows, in an order where every beginning has the classes in their proportions, after one row
/// of each class.
std::vector<std::size_t> balanced_order(const Target& target, std::size_t rows,
                                        std::uint64_t seed) {
  struct Place {
    double share;  // fraction of its class that comes before
    std::size_t row;
  };
  std::vector<Place> places;
  Random random(seed);
  for (auto& members : rows_by_class(target, rows)) {
    random.shuffle(std::span(members));
    const auto count = static_cast<double>(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      places.push_back({i == 0 ? -1.0 : (static_cast<double>(i) + 0.5) / count, members[i]});
  }
  std::ranges::stable_sort(places, {}, &Place::share);
  std::vector<std::size_t> order;
  for (const Place& place : places) order.push_back(place.row);
  return order;
}

}  // namespace

RowSplit split_rows(const Target& target, std::size_t rows, const RowSplitOptions& options) {
  if (!(options.holdout >= 0.0 && options.holdout < 1.0))
    throw InvalidInput(fmt::format(
        "the fraction to hold out is {}, expected a number from 0, below 1", options.holdout));
  const auto* classes = std::get_if<ClassTarget>(&target);
  const std::size_t fewest = classes ? classes->labels.size() : 1;
  std::size_t held_out = 0;
  if (options.holdout > 0.0)
    held_out = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(options.holdout * static_cast<double>(rows))));
  const std::size_t left = rows - std::min(held_out, rows);
  const std::size_t taken = std::min(options.sample.value_or(left), left);
  if (taken < fewest)
    throw InvalidInput(fmt::format("{} of {} rows are left to train on, expected at least {}{}",
                                   taken, rows, fewest, classes ? ": one of each class" : ""));
  const std::vector<std::size_t> order = balanced_order(target, rows, options.seed);
  const auto place = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  RowSplit split{{order.begin(), place(taken)}, {place(left), order.end()}};
  std::ranges::sort(split.training);
  std::ranges::sort(split.held_out);
  return split;
}

Target target_of_rows(const Target& target, std::span<const std::size_t> rows) {
  return std::visit(Overloaded{[](std::monostate) -> Target { return {}; },
                               [&](const ClassTarget& classes) -> Target {
                                 ClassTarget some{{}, classes.labels};
                                 for (const std::size_t row : rows)
                                   some.classes.push_back(classes.classes.at(row));
                                 return some;
                               },
                               [&](const std::vector<double>& numbers) -> Target {
                                 std::vector<double> some;
                                 for (const std::size_t row : rows) some.push_back(numbers.at(row));
                                 return some;
                               }},
                    target);
}

}  // namespace bisector
