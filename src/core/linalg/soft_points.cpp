#include "core/linalg/soft_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg/vectors.h"

namespace bisector::linalg {
namespace {

/// The most points per tile. A tile of scores (rows x points) and a panel of values stay in the
/// second-level cache; where the sums of the values do not, longer tiles fetch them less often.
template <class T>
std::size_t longest_tile(std::size_t value_columns) {
  constexpr std::size_t kSecondLevel = 512 * 1024;
  return kRowTile * value_columns * sizeof(T) > kSecondLevel ? 528 : 264;
}

/// The exponent of a padding point: finite, and far below anything that matters.
template <class T>
constexpr T kNegligible = -std::numeric_limits<T>::max() / 4;

}  // namespace

template <class T>
SoftPoints<T>::SoftPoints(MatrixView<const double> points, std::span<const double> log_weights,
                          double gamma, MatrixView<const double> values)
    : points_(PackedMatrix<T>::of_transposed(points)),
      values_(PackedMatrix<T>::of(values)),
      product_bias_(points_.padded_columns(), kNegligible<T>),
      difference_bias_(points_.padded_columns(), kNegligible<T>),
      gamma_(gamma) {
  for (std::size_t n = 0; n < points.rows(); ++n) {
    const double squared = squared_norm(points.row(n));
    product_bias_[n] = static_cast<T>(log_weights[n] - gamma * squared);
    difference_bias_[n] = static_cast<T>(log_weights[n]);
  }
}

template <class T>
void SoftPoints<T>::reduce(MatrixView<const T> rows, DistanceForm form, std::size_t value_columns,
                           SoftSums<T>& sums) const {
  const auto& kernels = simd::kernels<T>();
  const bool by_products = form == DistanceForm::inner_products;
  const auto distance = by_products ? kernels.multiply : kernels.squared_distances;
  const T scale = static_cast<T>(by_products ? 2.0 * gamma_ : -gamma_);
  const T* bias = by_products ? product_bias_.data() : difference_bias_.data();

  sums.largest.assign(rows.rows(), -std::numeric_limits<double>::infinity());
  sums.sum.assign(rows.rows(), 0.0);
  sums.stride = round_up(value_columns, PackedMatrix<T>::kWidth);
  sums.weighted.resize(rows.rows() * sums.stride);

  // Tiles of equal size: a short last one would cost every row as many calls as a long one.
  const std::size_t longest = longest_tile<T>(value_columns);
  const std::size_t tiles = (size() + longest - 1) / longest;
  const std::size_t tile = round_up((size() + tiles - 1) / tiles, PackedMatrix<T>::kWidth);
  AlignedVector<T> scores(rows.rows() * tile);
  for (std::size_t first = 0; first < size(); first += tile) {
    const std::size_t count = std::min(tile, size() - first);
    const std::size_t padded = round_up(count, PackedMatrix<T>::kWidth);
    distance(rows.data(), rows.stride(), rows.rows(), points_.panel(first), points_.panel_stride(),
             points_.depth(), padded, scores.data(), tile, false);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      weigh(r, bias + first, scale, scores.data() + r * tile, padded, value_columns, sums);
    if (value_columns > 0)
      kernels.multiply(scores.data(), tile, rows.rows(), values_.from_row(first),
                       values_.panel_stride(), count, value_columns, sums.weighted.data(),
                       sums.stride, first > 0);
  }
}

/// Turns a row's scores of one tile into weights against the running maximum.
template <class T>
void SoftPoints<T>::weigh(std::size_t row, const T* bias, T scale, T* scores, std::size_t count,
                          std::size_t value_columns, SoftSums<T>& sums) const {
  const auto& kernels = simd::kernels<T>();
  const double tile_largest = kernels.scale_and_max(scores, bias, scale, count);
  double& largest = sums.largest[row];
  if (tile_largest > largest) {
    if (largest > -std::numeric_limits<double>::infinity()) {
      const double shrink = std::exp(largest - tile_largest);
      sums.sum[row] *= shrink;
      T* weighted = sums.weighted.data() + row * sums.stride;
      for (std::size_t v = 0; v < value_columns; ++v) weighted[v] *= static_cast<T>(shrink);
    }
    largest = tile_largest;
  }
  sums.sum[row] += static_cast<double>(kernels.exp_and_sum(scores, static_cast<T>(largest), count));
}

template <class T>
double product_error(double gamma, double radius, double row_norm) {
  return std::numeric_limits<T>::epsilon() * gamma * radius * (radius + 2.0 * row_norm);
}

template <class T>
DistanceForm choose_form(double gamma, double radius, double row_norm, double tolerance) {
  const bool exact_enough = product_error<T>(gamma, radius, row_norm) <= tolerance;
  return is_far(radius, row_norm) || exact_enough ? DistanceForm::inner_products
                                                  : DistanceForm::differences;
}

template class SoftPoints<double>;
template class SoftPoints<float>;
template double product_error<double>(double, double, double);
template double product_error<float>(double, double, double);
template DistanceForm choose_form<double>(double, double, double, double);
template DistanceForm choose_form<float>(double, double, double, double);

}  // namespace bisector::linalg
