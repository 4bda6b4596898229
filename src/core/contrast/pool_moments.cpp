#include "core/contrast/pool_moments.h"

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "core/models/checks.h"

namespace bisector::detail {
namespace {

linalg::SoftmaxRows no_points(std::size_t rows, std::size_t columns) {
  linalg::SoftmaxRows result(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    result[r].log_sum = kNothing;
    std::ranges::fill(result[r].mean, 0.0);
  }
  return result;
}

std::optional<SharedMatrix> own_values(const linalg::PointSet& points, const PointValues* values) {
  if (values == nullptr) return std::nullopt;
  Matrix result(points.size(), values->columns());
  std::vector<double> centered(points.features());
  for (std::size_t n = 0; n < points.size(); ++n) {
    for (std::size_t d = 0; d < centered.size(); ++d)
      centered[d] = points[n][d] - points.center()[d];
    values->compute(centered, points.center(), result.row(n));
  }
  return SharedMatrix(std::move(result));
}

}  // namespace

double log_add(double a, double b) {
  if (b == kNothing) return a;
  const double high = std::max(a, b), low = std::min(a, b);
  return high + std::log1p(std::exp(low - high));
}

Stiffness safe_stiffness(const KernelPools& pools, double beta) {
  constexpr double kSafeExponent = 1e300;
  // A row and the center are within kLargestCoordinate.
  const double norm =
      2.0 * kLargestCoordinate * std::sqrt(static_cast<double>(pools.center.size()));
  double largest = std::max(1.0, 2.0 * pools.gamma * norm * norm);
  if (pools.intercept != 0.0)
    largest = std::max(largest, std::abs(std::log(std::abs(pools.intercept))));
  for (const SoftPool* pool : {&pools.positive, &pools.negative}) {
    for (const double value : pool->log_weights) largest = std::max(largest, std::abs(value));
  }
  const double ratio = beta / pools.gamma, limit = std::max(1.0, kSafeExponent / largest);
  return ratio <= limit ? Stiffness{beta, ratio} : Stiffness{limit * pools.gamma, limit};
}

PoolMoments::PoolMoments(const KernelPools& pools, const SoftPool& pool,
                         std::optional<double> log_intercept, Stiffness stiffness,
                         const PoolOptions& options)
    : values_(options.values && options.values->are_own() ? options.values : nullptr),
      center_(pools.center),
      is_gaussian_(pools.is_gaussian()),
      phi_(pools.kernel),
      log_total_(pools.log_total),
      virtual_weight_(kNothing),
      virtual_forward_(log_intercept.value_or(kNothing)) {
  if (options.ignore_intercept && pool.empty())
    throw InvalidModel("a pool holds the intercept alone, expected points when it is ignored");
  if (log_intercept && !options.ignore_intercept)
    virtual_weight_ = stiffness.ratio * *log_intercept;
  if (pool.empty()) return;
  if (!is_gaussian_) {
    kernel_.emplace(pool.points, pool.log_weights, pools.kernel,
                    linalg::KernelPass::Weights::slopes, own_values(*pool.points, values_.get()));
    return;
  }

  const double gamma = pools.gamma, radius = pools.radius;
  const auto serves = linalg::MixedSoftmax::serves_single;
  const bool single =
      options.single_precision && (serves(gamma, radius, {}) || serves(stiffness.beta, radius, {}));
  const linalg::MixedPanels panels(pool.points, single);
  const linalg::ExponentTolerance of_sums = sum_tolerance(pools.weight_sum);
  const bool has_second = options.values && options.values->has_second();
  const auto pass = [&](const std::vector<double>& log_weights, double stiff,
                        linalg::ExponentTolerance tolerance) {
    linalg::MixedPanels own = panels;
    if (!fit_single(log_weights)) own.f32 = nullptr;
    return linalg::MixedSoftmax(own, log_weights, stiff, own_values(*pool.points, values_.get()),
                                radius, tolerance, has_second ? 2 : 1);
  };
  if (stiffness.ratio == 1.0) {
    weights_.emplace(pass(pool.log_weights, gamma, of_sums));
    return;
  }
  // The same points with another gamma and as much steeper log-weights.
  std::vector<double> steeper = pool.log_weights;
  for (double& value : steeper) value *= stiffness.ratio;
  weights_.emplace(pass(steeper, stiffness.beta, {}));
  sums_.emplace(pass(pool.log_weights, gamma, of_sums));
}

linalg::SoftmaxRows PoolMoments::run(MatrixView<const double> centered, std::size_t columns,
                                     unsigned threads) const {
  if (!is_gaussian_) return run_kernel(centered, columns);
  linalg::SoftmaxRows result =
      weights_ ? weights_->run(centered, columns, threads) : no_points(centered.rows(), columns);
  const linalg::SoftmaxRows sums = sums_ ? sums_->run(centered, 0, threads) : linalg::SoftmaxRows();
  for (std::size_t r = 0; r < centered.rows(); ++r) {
    if (weighs_virtual_point()) add_virtual_point(centered.row(r), result[r]);
    if (sums_) {
      result[r].log_sum = sums[r].log_sum;
      result[r].offset = sums[r].offset;
    }
    result[r].log_points = result[r].log_sum + result[r].offset;
    // Far from the points the offset is so large that log_sum loses the virtual point's digits.
    result[r].log_total = log_add(result[r].log_points, virtual_forward_);
    result[r].log_sum = log_add(result[r].log_sum, virtual_forward_ - result[r].offset);
  }
  return result;
}

/// The virtual point has no slope. Its part of the means is its part of the sum.
linalg::SoftmaxRows PoolMoments::run_kernel(MatrixView<const double> centered,
                                            std::size_t columns) const {
  linalg::SoftmaxRows result =
      kernel_ ? kernel_->run(centered, columns) : no_points(centered.rows(), columns);
  for (std::size_t r = 0; r < centered.rows(); ++r) {
    linalg::SoftmaxRow& row = result[r];
    if (!kernel_) row.log_slope = kNothing;
    row.log_points = row.log_sum;
    row.log_total = row.log_sum = log_add(row.log_sum, virtual_forward_);
    row.effective = phi_.inverse(row.log_sum - log_total_);
    if (!weighs_virtual_point()) continue;
    mix(centered.row(r), std::exp(virtual_forward_ - row.log_sum), row);
    row.log_slope += row.log_sum - row.log_points;
    if (!kernel_) row.log_slope = kNothing;
  }
  return result;
}

linalg::SoftmaxRows PoolMoments::run_on_lines(MatrixView<const double> centered,
                                              const linalg::Lines<double>& lines,
                                              unsigned threads) const {
  const std::size_t steps = lines.steps.size();
  if (!is_gaussian_) {
    linalg::SoftmaxRows at_points(centered.rows() * steps, centered.cols());
    linalg::run_at_line_points(centered, lines, 0, at_points, [&](MatrixView<const double> points) {
      return run_kernel(points, points.cols());
    });
    return at_points;
  }
  linalg::SoftmaxRows result = weights_ ? weights_->run_on_lines(centered, lines, threads)
                                        : no_points(centered.rows() * steps, centered.cols());
  if (!weighs_virtual_point()) return result;
  std::vector<double> point(centered.cols());
  for (std::size_t i = 0; i < centered.rows() * steps; ++i) {
    linalg::point_on_line(centered.row(i / steps), lines, lines.steps[i % steps], point);
    add_virtual_point(point, result[i]);
  }
  return result;
}

bool PoolMoments::weighs_virtual_point() const { return virtual_weight_ > kNothing; }

/// Mixes the virtual point's values into a row's means. The row's log-sum is still that of the
/// points alone, under beta.
void PoolMoments::add_virtual_point(std::span<const double> centered,
                                    linalg::SoftmaxRow& row) const {
  const double exponent = virtual_weight_ - row.offset;
  mix(centered, std::exp(exponent - log_add(row.log_sum, exponent)), row);
}

/// Gives the virtual point's values a share of the means.
void PoolMoments::mix(std::span<const double> centered, double share,
                      linalg::SoftmaxRow& row) const {
  const std::size_t features = centered.size();
  const auto mix_in = [&](const auto& at_x) {  // at_x(v): a value of the virtual point
    for (std::size_t v = 0; v < row.mean.size(); ++v)
      row.mean[v] = (1.0 - share) * row.mean[v] + share * at_x(v);
  };
  if (kernel_ && kernel_->means_from_rows()) return mix_in([](std::size_t) { return 0.0; });
  if (values_ && row.mean.size() > features) {
    std::vector<double> own(values_->columns());
    values_->compute(centered, center_, own);
    return mix_in([&](std::size_t v) { return own[v]; });
  }
  mix_in([&](std::size_t v) {
    return v < features ? centered[v] : centered[v - features] * centered[v - features];
  });
}

}  // namespace bisector::detail
