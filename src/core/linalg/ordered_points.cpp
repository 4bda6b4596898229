#include "core/linalg/ordered_points.h"

#include <algorithm>
#include <cmath>

#include "core/linalg/vectors.h"

namespace bisector::linalg {

OrderedPoints::OrderedPoints(const Matrix& points, std::span<const std::size_t> rows,
                             std::span<const double> x) {
  order_.reserve(rows.size());
  for (const std::size_t row : rows) order_.push_back({squared_distance(x, points.row(row)), row});
  std::ranges::sort(order_, std::less<>());
  Matrix relative(rows.size(), x.size());
  distances_.reserve(rows.size());
  for (std::size_t n = 0; n < order_.size(); ++n) {
    distances_.push_back(std::sqrt(order_[n].squared_distance));
    const auto point = points.row(order_[n].index);
    for (std::size_t d = 0; d < x.size(); ++d) relative(n, d) = point[d] - x[d];
  }
  relative_ = PackedMatrix<double>::of_transposed(relative);
}

std::size_t OrderedPoints::within(double distance) const {
  return static_cast<std::size_t>(std::upper_bound(distances_.begin(), distances_.end(), distance) -
                                  distances_.begin());
}

void OrderedPoints::multiply(std::span<const double> direction, std::size_t first, std::size_t last,
                             double* values) const {
  if (first >= last) return;
  simd::kernels<double>().multiply(direction.data(), direction.size(), 1, relative_.panel(first),
                                   relative_.panel_stride(), direction.size(), last - first, values,
                                   round_up(last - first, kBlock), false);
}

void OrderedPoints::relative_squares(std::span<const double> moved, std::size_t first,
                                     std::size_t last, double* values) const {
  multiply(moved, first, last, values);
  for (std::size_t n = first; n < last; ++n)
    values[n - first] = order_[n].squared_distance - 2.0 * values[n - first];
}

}  // namespace bisector::linalg
