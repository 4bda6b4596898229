#include "core/neuralize/soft_pool_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

linalg::SoftRows no_points(std::size_t rows, std::size_t columns) {
  linalg::SoftRows result(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    result[r].log_sum = kNothing;
    std::ranges::fill(result[r].mean, 0.0);
  }
  return result;
}

}  // namespace

double log_add(double a, double b) {
  if (b == kNothing) return a;
  const double high = std::max(a, b), low = std::min(a, b);
  return high + std::log1p(std::exp(low - high));
}

SoftPoolPass::SoftPoolPass(const SoftPool& pool, double gamma, std::optional<double> log_intercept,
                           std::span<const double> center, double radius, std::size_t columns,
                           PointValues values, const SoftPoolOptions& options)
    : columns_(columns),
      values_(std::move(values)),
      virtual_weight_(kNothing),
      virtual_forward_(log_intercept.value_or(kNothing)) {
  if (options.ignore_intercept && pool.indices.empty())
    throw InvalidModel("a pool holds the intercept alone, expected points when it is ignored");
  const double ratio = options.beta / gamma;
  if (log_intercept && !options.ignore_intercept) virtual_weight_ = ratio * *log_intercept;
  if (pool.indices.empty()) return;

  const Matrix centred = centered(pool.points.view(), center);
  Matrix point_values(centred.rows(), columns_);
  for (std::size_t n = 0; n < centred.rows(); ++n) values_(centred.row(n), point_values.row(n));
  // Responsibilities are softmax(-beta z) = softmax((beta / gamma) e): the same points with a
  // stiffer gamma and steeper log-weights.
  std::vector<double> steeper = pool.log_weights;
  for (double& value : steeper) value *= ratio;
  const linalg::SoftPass::Tolerance tolerance;
  weights_.emplace(centred.view(), steeper, options.beta, point_values.view(), radius,
                   options.single_precision, tolerance);
  if (ratio != 1.0)
    forward_.emplace(centred.view(), pool.log_weights, gamma,
                     MatrixView<const double>(nullptr, centred.rows(), 0), radius,
                     options.single_precision, tolerance);
}

linalg::SoftRows SoftPoolPass::run(MatrixView<const double> centred, std::size_t columns) const {
  linalg::SoftRows result =
      weights_ ? weights_->run(centred, columns) : no_points(centred.rows(), columns);
  linalg::SoftRows forward;
  if (forward_) forward = forward_->run(centred, 0);
  for (std::size_t r = 0; r < centred.rows(); ++r) {
    if (virtual_weight_ > kNothing) add_virtual_point(centred.row(r), result[r]);
    if (forward_) {
      result[r].log_sum = forward[r].log_sum;
      result[r].offset = forward[r].offset;
    }
    result[r].log_sum = log_add(result[r].log_sum, virtual_forward_ - result[r].offset);
  }
  return result;
}

bool SoftPoolPass::weighs_virtual_point() const { return virtual_weight_ > kNothing; }

/// Mixes the virtual point's values into a row's means; the row's log-sum is still that of the
/// points alone, under beta.
void SoftPoolPass::add_virtual_point(std::span<const double> centred, linalg::SoftRow& row) const {
  const double exponent = virtual_weight_ - row.offset;
  const double share = std::exp(exponent - log_add(row.log_sum, exponent));
  std::vector<double> at_x(columns_);
  if (!row.mean.empty()) values_(centred, at_x);
  for (std::size_t v = 0; v < row.mean.size(); ++v)
    row.mean[v] = (1.0 - share) * row.mean[v] + share * at_x[v];
}

}  // namespace bisector::detail
