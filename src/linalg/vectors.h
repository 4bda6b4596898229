// Small vector arithmetic on plain spans, in double and in a fixed order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::linalg {

inline double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d) sum += x[d] * y[d];
  return sum;
}

inline double squared_norm(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return sum;
}

inline double squared_distance(std::span<const double> x, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d) sum += (x[d] - y[d]) * (x[d] - y[d]);
  return sum;
}

/// squared_distance() of x and each of points[indices[n]], bit for bit, several at a time so that
/// their sums do not wait for one another.
void squared_distances(std::span<const double> x, const Matrix& points,
                       std::span<const std::size_t> indices, std::span<double> distances);

/// first += point - center, and second, unless it is empty, += (point - center)^2, entry by entry.
void add_moments(std::span<const double> point, std::span<const double> center,
                 std::span<double> first, std::span<double> second);

/// The largest norm of a row.
double largest_norm(MatrixView<const double> rows);

/// The mean of the rows.
std::vector<double> row_mean(MatrixView<const double> rows);

/// The Moore-Penrose pseudo-inverse, cols x rows.
Matrix pseudo_inverse(const Matrix& matrix);

}  // namespace bisector::linalg
