// Points in the order of their distances from one row x, for many rows y around x.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {

class OrderedPoints {
 public:
  static constexpr std::size_t kBlock = 2 * PackedMatrix<double>::kWidth;

  OrderedPoints() = default;
  /// Of these rows of `points`.
  OrderedPoints(const Matrix& points, std::span<const std::size_t> rows, std::span<const double> x);

  std::size_t size() const { return order_.size(); }
  /// The row in `points` of the point at a position, nearest first.
  std::size_t row(std::size_t position) const { return order_[position].index; }
  /// The distance of a point from x, not squared.
  double distance(std::size_t position) const { return distances_[position]; }
  /// The number of points that are not farther from x than this.
  std::size_t within(double distance) const;

  /// values[i] = (point - x) . direction for the points from `first`, a multiple of kBlock, to
  /// before `last`. Writes whole blocks: `values` is as long as the next multiple of kBlock.
  void multiply(std::span<const double> direction, std::size_t first, std::size_t last,
                double* values) const;
  /// The same with |point - y|^2 - |x - y|^2 for y = x + moved.
  void relative_squares(std::span<const double> moved, std::size_t first, std::size_t last,
                        double* values) const;

 private:
  std::vector<Neighbor> order_;
  std::vector<double> distances_;
  PackedMatrix<double> relative_;  // point - x
};

}  // namespace bisector::linalg
