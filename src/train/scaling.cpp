#include "bisector/train/scaling.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bisector/error.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/vectors.h"
#include "core/models/checks.h"
#include "core/models/rows.h"

namespace bisector {

using namespace detail;

namespace {

constexpr std::size_t kMedianRows = 5000;

/// One over the standard deviation of every feature. A feature is constant if all its values are
/// equal; rounding of the mean would give a tiny standard deviation.
std::vector<double> inverse_deviations(MatrixView<const double> rows,
                                       const std::vector<double>& mean) {
  std::vector<double> scale(rows.cols(), 1.0);
  for (std::size_t d = 0; d < rows.cols(); ++d) {
    bool constant = true;
    double sum = 0.0;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      constant = constant && rows(r, d) == rows(0, d);
      sum += (rows(r, d) - mean[d]) * (rows(r, d) - mean[d]);
    }
    if (!constant && sum > 0.0) scale[d] = std::sqrt(static_cast<double>(rows.rows()) / sum);
  }
  return scale;
}

AffineMap range_map(MatrixView<const double> rows) {
  std::vector<double> low(rows.row(0).begin(), rows.row(0).end()), high = low;
  for (std::size_t r = 1; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      low[d] = std::min(low[d], rows(r, d));
      high[d] = std::max(high[d], rows(r, d));
    }
  }
  std::vector<double> scale(rows.cols(), 1.0);
  for (std::size_t d = 0; d < rows.cols(); ++d) {
    if (high[d] > low[d]) scale[d] = 1.0 / (high[d] - low[d]);
  }
  return {std::move(low), std::move(scale)};
}

AffineMap centered_map(MatrixView<const double> rows, Scaling scaling) {
  if (scaling == Scaling::none) return {};
  std::vector<double> mean = linalg::row_mean(rows);
  std::vector<double> scale = scaling == Scaling::median ? std::vector<double>(rows.cols(), 1.0)
                                                         : inverse_deviations(rows, mean);
  return {std::move(mean), std::move(scale)};
}

AffineMap divided_by(const AffineMap& map, double distance) {
  std::vector<double> scale = map.scale();
  for (double& factor : scale) factor /= distance;
  return {map.shift(), std::move(scale)};
}

}  // namespace

bool look_like_pixels(MatrixView<const double> rows) {
  constexpr std::size_t kFewestColumns = 64;
  if (rows.cols() < kFewestColumns || rows.rows() == 0) return false;
  bool is_whole = true, is_share = true, is_binary = true;
  std::vector<double> largest(rows.cols(), 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      const double value = rows(r, d);
      if (!(value >= 0.0 && value <= 255.0)) return false;
      is_whole = is_whole && value == std::floor(value);
      is_share = is_share && value <= 1.0;
      is_binary = is_binary && (value == 0.0 || value == 1.0);
      largest[d] = std::max(largest[d], value);
    }
  }
  if (is_binary || !(is_whole || is_share)) return false;
  const double top = *std::ranges::max_element(largest);
  const auto near_top = std::ranges::count_if(largest, [&](double v) { return v >= 0.8 * top; });
  return 4 * static_cast<std::size_t>(near_top) >= rows.cols();
}

FittedScaling fit_scaling(MatrixView<const double> rows, Scaling scaling, std::uint64_t seed,
                          unsigned threads) {
  require_points(rows, "training rows");
  if (scaling == Scaling::range) return {range_map(rows), std::nullopt};
  const AffineMap map = centered_map(rows, scaling);
  const double distance = linalg::median_distance(preprocessed(map, rows, rows.cols()).view(),
                                                  {kMedianRows, seed}, threads);
  if (scaling == Scaling::standard || scaling == Scaling::none)
    return {map, distance > 0.0 ? std::optional(distance) : std::nullopt};
  if (!(distance > 0.0))
    throw InvalidInput(
        "the median distance between training rows is 0, because more than half of the pairs of "
        "rows are equal: use --scale standard");
  return {divided_by(map, distance), 1.0};
}

}  // namespace bisector
