#include "core/contrast/point_values.h"

#include <algorithm>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {

PointValues::PointValues(const AffineMap& input, std::vector<double> reference, Kind kind,
                         Distance distance)
    : reference_(std::move(reference)),
      has_second_(kind == Kind::both),
      distance_(std::move(distance)) {
  if (!input.has_matrix()) return;
  const Matrix& m = input.matrix();
  Matrix forward(m.rows(), m.cols());
  map_ = Matrix(m.cols(), m.rows());
  for (std::size_t o = 0; o < m.rows(); ++o) {
    for (std::size_t d = 0; d < m.cols(); ++d)
      forward(o, d) = map_(d, o) = m(o, d) * input.scale()[d];
  }
  inverse_ = linalg::pseudo_inverse(forward);
}

std::size_t PointValues::columns() const {
  if (!has_second_) return reference_.size();
  return reference_.size() + (has_matrix() ? map_.rows() : reference_.size());
}

/// matrix * (u - r).
std::vector<double> PointValues::to_inputs(const Matrix& matrix, std::span<const double> centered,
                                           std::span<const double> center) const {
  std::vector<double> out(matrix.rows(), 0.0);
  for (std::size_t d = 0; d < matrix.rows(); ++d) {
    for (std::size_t o = 0; o < matrix.cols(); ++o)
      out[d] += matrix(d, o) * (centered[o] + (center[o] - reference_[o]));
  }
  return out;
}

void PointValues::compute(std::span<const double> centered, std::span<const double> center,
                          std::span<double> out) const {
  if (depend_on_row()) {
    std::vector<double> point(centered.begin(), centered.end());
    for (std::size_t d = 0; d < point.size(); ++d) point[d] += center[d];
    std::ranges::fill(out, 0.0);
    linalg::RowDistance(distance_, center)
        .add(point.data(), 1.0, out.first(point.size()), out.subspan(point.size()));
    return;
  }
  std::ranges::copy(centered, out.begin());
  if (!has_second_) return;
  const auto second = out.subspan(centered.size());
  if (!has_matrix()) {
    for (std::size_t d = 0; d < centered.size(); ++d) second[d] = centered[d] * centered[d];
    return;
  }
  const auto a = inverse_mapped(centered, center), b = mapped(centered, center);
  for (std::size_t d = 0; d < a.size(); ++d) second[d] = a[d] * b[d];
}

void PointValues::mean(std::span<const double* const> points, std::span<const double> center,
                       std::span<double> mean, std::span<const double> weights) const {
  const std::size_t features = center.size();
  const bool are_moments = !has_matrix() && !depend_on_row();
  if (weights.empty() && are_moments && has_second_) {
    linalg::sum_moments(points, center, mean.first(features), mean.subspan(features));
  } else if (!weights.empty() && are_moments) {
    linalg::sum_weighted_moments(points, weights, center, mean);
  } else {
    std::vector<double> centered(features), added(columns());
    std::ranges::fill(mean, 0.0);
    for (std::size_t n = 0; n < points.size(); ++n) {
      for (std::size_t d = 0; d < features; ++d) centered[d] = points[n][d] - center[d];
      compute(centered, center, added);
      const double weight = weights.empty() ? 1.0 : weights[n];
      for (std::size_t v = 0; v < added.size(); ++v) mean[v] += weight * added[v];
    }
  }
  if (!weights.empty()) return;
  for (double& value : mean) value /= static_cast<double>(points.size());
}

}  // namespace bisector::detail
