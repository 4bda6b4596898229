#include "core/models/checks.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "bisector/error.h"

namespace bisector::detail {

void require_equal(std::size_t actual, std::size_t expected, std::string_view what,
                   std::string_view expected_what) {
  if (actual != expected)
    throw InvalidModel(fmt::format("{} {}, expected {}: one for each of the {}", actual, what,
                                   expected, expected_what));
}

void require_finite(std::span<const double> values, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      throw InvalidModel(
          fmt::format("{}: entry {} is {}, expected a finite number", what, i + 1, values[i]));
  }
}

void require_points(MatrixView<const double> points, std::string_view what, std::size_t first) {
  if (points.rows() == 0 || points.cols() == 0)
    throw InvalidModel(fmt::format("{} are {} x {}, expected at least one point with one feature",
                                   what, points.rows(), points.cols()));
  if (const auto bad = first_beyond(points))
    throw InvalidModel(fmt::format("{}: point {}, feature {} is {}, expected a number within ±{}",
                                   what, first + bad->row + 1, bad->col + 1,
                                   points(bad->row, bad->col), kLargestCoordinate));
}

std::optional<Entry> first_beyond(MatrixView<const double> rows, double limit) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t c = 0; c < rows.cols(); ++c) {
      // Written so that a NaN fails too.
      if (!(std::abs(rows(r, c)) <= limit)) return Entry{r, c};
    }
  }
  return std::nullopt;
}

void require_numbers(MatrixView<const double> rows, std::string_view what, double limit) {
  if (const auto bad = first_beyond(rows, limit))
    throw InvalidInput(fmt::format("{}: row {}, column {} is {}, expected a number within ±{}",
                                   what, bad->row + 1, bad->col + 1, rows(bad->row, bad->col),
                                   limit));
}

void require_distance(const Distance& distance, MatrixView<const double> points) {
  const std::size_t weights = distance.categories().size();
  if (weights > 0) require_equal(weights, points.cols(), "weights of categories", "features");
  for (std::size_t n = 0; distance.is_cosine() && n < points.rows(); ++n) {
    bool has_direction = false;
    for (const double value : points.row(n)) has_direction = has_direction || value != 0.0;
    if (!has_direction)
      throw InvalidModel(
          fmt::format("point {} is zero, expected a direction for the cosine distance", n + 1));
  }
}

void require_distinct(const std::vector<std::string>& labels) {
  std::unordered_set<std::string> seen;
  for (const auto& label : labels) {
    if (!seen.insert(label).second)
      throw InvalidModel(fmt::format("label \"{}\" stands twice, expected distinct labels", label));
  }
}

}  // namespace bisector::detail
