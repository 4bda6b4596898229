// The checks that constructors and entries share; where nothing else is said, each throws
// InvalidModel with what was expected.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/distance.h"
#include "bisector/matrix.h"

namespace bisector::detail {

/// Coordinates beyond this cannot be squared and summed safely.
inline constexpr double kLargestCoordinate = 1e100;
/// False for a NaN too.
inline bool is_coordinate(double value) { return std::abs(value) <= kLargestCoordinate; }

void require_equal(std::size_t actual, std::size_t expected, std::string_view what,
                   std::string_view expected_what);
void require_finite(std::span<const double> values, std::string_view what);
/// Points: at least one row and one column, every coordinate finite and within
/// kLargestCoordinate. Messages count points from `first` on.
void require_points(MatrixView<const double> points, std::string_view what, std::size_t first = 0);
/// InvalidInput unless every entry is finite and within `limit`; the default allows to square
/// and sum.
void require_numbers(MatrixView<const double> rows, std::string_view what,
                     double limit = kLargestCoordinate);
/// The first entry that is not within `limit`, row by row; a NaN is not.
struct Entry {
  std::size_t row, col;
};
std::optional<Entry> first_beyond(MatrixView<const double> rows, double limit = kLargestCoordinate);
/// Between these points: one weight of a category for each feature, and a direction of every point
/// where the distance is the cosine.
void require_distance(const Distance& distance, MatrixView<const double> points);
void require_distinct(const std::vector<std::string>& labels);

}  // namespace bisector::detail
