// Small vector arithmetic on plain spans, in double and in a fixed order.
#pragma once

#include <array>
#include <cmath>
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

inline double absolute_sum(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

/// Adds in eight independent sums, as simd::Kernels::squared_distance does. For up to eight entries
/// it is the plain sum.
inline double squared_distance(std::span<const double> x, std::span<const double> y) {
  std::array<double, 8> sums{};
  std::size_t d = 0;
  for (; d + sums.size() <= x.size(); d += sums.size()) {
    for (std::size_t l = 0; l < sums.size(); ++l)
      sums[l] += (x[d + l] - y[d + l]) * (x[d + l] - y[d + l]);
  }
  for (std::size_t l = 0; d < x.size(); ++d, ++l) sums[l] += (x[d] - y[d]) * (x[d] - y[d]);
  double sum = 0.0;
  for (const double part : sums) sum += part;
  return sum;
}

/// Entry by entry, the sum of point - center and of its square over the points given by where they
/// start, in their order.
void sum_moments(std::span<const double* const> points, std::span<const double> center,
                 std::span<double> first, std::span<double> second);

/// The same for weighted points. `moments` gets the first and, if it is long enough, the second.
void sum_weighted_moments(std::span<const double* const> points, std::span<const double> weights,
                          std::span<const double> center, std::span<double> moments);

/// The largest norm of a row.
double largest_norm(MatrixView<const double> rows);

/// The mean of the rows.
std::vector<double> row_mean(MatrixView<const double> rows);
std::vector<double> row_mean(const SharedMatrix& rows);

/// The Moore-Penrose pseudo-inverse, cols x rows.
Matrix pseudo_inverse(const Matrix& matrix);

}  // namespace bisector::linalg
