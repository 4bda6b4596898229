// A distance relative to one row: its sum to a point, and the parts of the features.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "bisector/distance.h"
#include "bisector/matrix.h"

namespace bisector::linalg {

/// True for Manhattan distances without categories.
inline bool is_plain_manhattan(const Distance& distance) {
  return distance.power() == 1.0 && distance.categories().empty() && !distance.is_cosine();
}

/// True for sums over numbers and categories.
inline bool is_of_categories(const Distance& distance) {
  return distance.power() == 1.0 && !distance.categories().empty() && !distance.is_cosine();
}

/// True for sums of other powers of numbers.
inline bool is_minkowski(const Distance& distance) {
  return distance.power() != 1.0 && distance.power() != 2.0 && distance.categories().empty();
}

/// The largest change of a length when a row moves by a Euclidean distance of 1. Infinite for
/// categories and the cosine distance, which have no bound.
inline double largest_stretch(const Distance& distance, std::size_t features) {
  if (distance.is_cosine() || !distance.categories().empty())
    return std::numeric_limits<double>::infinity();
  if (distance.power() >= 2.0) return 1.0;
  return std::pow(static_cast<double>(features), 1.0 / distance.power() - 0.5);
}

class RowDistance {
 public:
  /// Refers to both.
  RowDistance(const Distance& distance, std::span<const double> row);

  /// s, to a point as long as the row.
  double sum(const double* point) const;
  /// sum(point) <= limit; stops at the feature that decides.
  bool is_within(const double* point, double limit) const;
  /// Adds, feature by feature, `weight` times minus half of the derivative of s by the row and,
  /// if the buffers are not empty, times the parts that add up to s.
  void add(const double* point, double weight, std::span<double> half_slopes,
           std::span<double> parts) const;

 private:
  double cosine_sum(const double* point) const;
  void add_cosine(const double* point, double weight, std::span<double> half_slopes,
                  std::span<double> parts) const;

  const Distance& distance_;
  std::span<const double> row_;
  double inverse_norm_ = 0.0;  // of the cosine; 0 of a row without a direction
};

/// The rows as unit vectors; rows of zeros stay zero.
Matrix unit_rows(MatrixView<const double> rows);

// Vector code for distances that are sums over features, except Euclidean and cosine distances.

/// has_kernel: true if there is vector code for the sums of a distance. has_exact_kernel: true if
/// its sums have the bits of RowDistance::sum.
bool has_kernel(const Distance& distance);
bool has_exact_kernel(const Distance& distance);

/// sums(r, n) = s between row r and point n, `stride` apart, for points packed as simd/kernels.h
/// says; `columns` is a multiple of the panel width.
void kernel_sums(const Distance& distance, MatrixView<const double> rows, const double* panels,
                 std::size_t panel_stride, std::size_t columns, double* sums, std::size_t stride);

}  // namespace bisector::linalg
