#include "core/linalg/row_distance.h"

#include <cmath>

#include "core/linalg/vectors.h"
#include "core/simd/kernels.h"

namespace bisector::linalg {
namespace {

double inverse_norm(std::span<const double> row) {
  const double norm = std::sqrt(squared_norm(row));
  return norm > 0.0 ? 1.0 / norm : 0.0;
}

/// The term that makes the cosine distance 1 if a row or a point is zero.
double without_direction(double inverse) { return inverse > 0.0 ? 0.0 : 0.5; }

}  // namespace

RowDistance::RowDistance(const Distance& distance, std::span<const double> row)
    : distance_(distance), row_(row) {
  if (distance.is_cosine()) inverse_norm_ = inverse_norm(row);
}

double RowDistance::sum(const double* point) const {
  if (distance_.is_cosine()) return cosine_sum(point);
  double sum = 0.0;
  for (std::size_t d = 0; d < row_.size(); ++d) sum += distance_.part(d, point[d] - row_[d]);
  return sum;
}

bool RowDistance::is_within(const double* point, double limit) const {
  if (distance_.is_cosine()) return cosine_sum(point) <= limit;
  double sum = 0.0;
  for (std::size_t d = 0; d < row_.size() && sum <= limit; ++d)
    sum += distance_.part(d, point[d] - row_[d]);
  return sum <= limit;
}

void RowDistance::add(const double* point, double weight, std::span<double> half_slopes,
                      std::span<double> parts) const {
  if (distance_.is_cosine()) return add_cosine(point, weight, half_slopes, parts);
  if (is_minkowski(distance_))
    return simd::kernels<double>().add_power_parts(point, row_.data(), row_.size(),
                                                   distance_.power(), weight, half_slopes.data(),
                                                   parts.empty() ? nullptr : parts.data());
  for (std::size_t d = 0; d < row_.size(); ++d) {
    const double t = point[d] - row_[d];
    half_slopes[d] += weight * distance_.half_slope(d, t);
    if (!parts.empty()) parts[d] += weight * distance_.part(d, t);
  }
}

double RowDistance::cosine_sum(const double* point) const {
  const double of_point = inverse_norm({point, row_.size()});
  double sum = 0.0;
  for (std::size_t d = 0; d < row_.size(); ++d) {
    const double t = point[d] * of_point - row_[d] * inverse_norm_;
    sum += t * t;
  }
  return 0.5 * sum + without_direction(of_point) + without_direction(inverse_norm_);
}

/// With x' and u' at length one, s = |x' - u'|^2 / 2, and the derivative of s by x is that by x'
/// less what it has along x', over |x|.
void RowDistance::add_cosine(const double* point, double weight, std::span<double> half_slopes,
                             std::span<double> parts) const {
  const double of_point = inverse_norm({point, row_.size()});
  double cosine = 0.0;
  for (std::size_t d = 0; d < row_.size(); ++d)
    cosine += (point[d] * of_point) * (row_[d] * inverse_norm_);
  const double rest = (without_direction(of_point) + without_direction(inverse_norm_)) /
                      static_cast<double>(row_.size());
  for (std::size_t d = 0; d < row_.size(); ++d) {
    const double u = point[d] * of_point, x = row_[d] * inverse_norm_;
    half_slopes[d] += weight * 0.5 * (u - cosine * x) * inverse_norm_;
    if (!parts.empty()) parts[d] += weight * (0.5 * (u - x) * (u - x) + rest);
  }
}

Matrix unit_rows(MatrixView<const double> rows) {
  Matrix result(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double inverse = inverse_norm(rows.row(r));
    for (std::size_t d = 0; d < rows.cols(); ++d) result(r, d) = rows(r, d) * inverse;
  }
  return result;
}

bool has_kernel(const Distance& distance) {
  return has_exact_kernel(distance) || is_minkowski(distance);
}

bool has_exact_kernel(const Distance& distance) {
  const bool is_product = is_minkowski(distance) && Distance::is_product(distance.power());
  return is_plain_manhattan(distance) || is_of_categories(distance) || is_product;
}

void kernel_sums(const Distance& distance, MatrixView<const double> rows, const double* panels,
                 std::size_t panel_stride, std::size_t columns, double* sums, std::size_t stride) {
  const auto& kernels = simd::kernels<double>();
  if (is_of_categories(distance))
    kernels.category_distances(rows.data(), rows.stride(), rows.rows(), panels, panel_stride,
                               rows.cols(), columns, distance.categories().data(), sums, stride);
  else if (is_plain_manhattan(distance))
    kernels.absolute_distances(rows.data(), rows.stride(), rows.rows(), panels, panel_stride,
                               rows.cols(), columns, sums, stride, false);
  else
    kernels.power_distances(rows.data(), rows.stride(), rows.rows(), panels, panel_stride,
                            rows.cols(), columns, distance.power(), nullptr, sums, stride);
}

}  // namespace bisector::linalg
