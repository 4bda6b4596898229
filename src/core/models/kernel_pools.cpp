#include "core/models/kernel_pools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

std::vector<linalg::PointIndex> points_of_sign(std::span<const double> coefficients, double sign) {
  std::vector<linalg::PointIndex> indices;
  for (std::size_t n = 0; n < coefficients.size(); ++n) {
    if (coefficients[n] * sign > 0.0) indices.push_back(static_cast<linalg::PointIndex>(n));
  }
  indices.shrink_to_fit();
  return indices;
}

std::vector<double> log_weights(std::span<const double> coefficients,
                                std::span<const linalg::PointIndex> indices) {
  std::vector<double> logs;
  logs.reserve(indices.size());
  for (const linalg::PointIndex n : indices) logs.push_back(std::log(std::abs(coefficients[n])));
  return logs;
}

/// The mean of all points, first those of P.
std::vector<double> mean_of(const Matrix& points, std::span<const linalg::PointIndex> positive,
                            std::span<const linalg::PointIndex> negative) {
  std::vector<double> sum(points.cols(), 0.0);
  const auto count = static_cast<double>(positive.size() + negative.size());
  for (const auto indices : {positive, negative}) {
    for (const linalg::PointIndex n : indices) {
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += points(n, d) / count;
    }
  }
  return sum;
}

double largest_distance(const SoftPool& pool, std::span<const double> center) {
  double largest = 0.0;
  for (std::size_t n = 0; n < pool.points->size(); ++n)
    largest = std::max(largest, linalg::squared_distance((*pool.points)[n], center));
  return std::sqrt(largest);
}

/// log of the sum of all |alpha| and |theta|; the sum itself may overflow.
double log_total(const KernelMachine& machine) {
  double largest = std::abs(machine.intercept());
  for (const double value : machine.coefficients()) largest = std::max(largest, std::abs(value));
  double sum = std::abs(machine.intercept()) / largest;
  for (const double value : machine.coefficients()) sum += std::abs(value) / largest;
  return std::log(largest) + std::log(sum);
}

void require_something(const SoftPool& pool, bool has_intercept, const char* sign,
                       double intercept) {
  if (pool.empty() && !has_intercept)
    throw InvalidModel(
        fmt::format("the model has no {0} coefficient and no {0} intercept "
                    "({1:.6g}), expected something on both sides to contrast",
                    sign, intercept));
}

}  // namespace

std::optional<double> KernelPools::positive_intercept() const {
  return intercept > 0.0 ? std::optional(std::log(intercept)) : std::nullopt;
}
std::optional<double> KernelPools::negative_intercept() const {
  return intercept < 0.0 ? std::optional(std::log(-intercept)) : std::nullopt;
}

KernelPools split_by_sign(const KernelMachine& machine) {
  std::vector<linalg::PointIndex> positive = points_of_sign(machine.coefficients(), 1.0);
  std::vector<linalg::PointIndex> negative = points_of_sign(machine.coefficients(), -1.0);
  KernelPools pools;
  pools.kernel = machine.kernel();
  pools.gamma = machine.gamma();
  pools.intercept = machine.intercept();
  pools.center = pools.kernel.distance().is_euclidean()
                     ? mean_of(machine.points(), positive, negative)
                     : std::vector<double>(machine.features(), 0.0);
  pools.log_total = log_total(machine);
  pools.weight_sum = linalg::absolute_sum(machine.coefficients());
  const auto pool = [&](std::vector<linalg::PointIndex>& indices) {
    std::vector<double> logs = log_weights(machine.coefficients(), indices);
    return SoftPool{std::make_shared<const linalg::PointSet>(machine.shared_points(),
                                                             std::move(indices), pools.center),
                    std::move(logs)};
  };
  pools.positive = pool(positive);
  pools.negative = pool(negative);
  pools.radius = std::max(largest_distance(pools.positive, pools.center),
                          largest_distance(pools.negative, pools.center));
  return pools;
}

void require_both_pools(const KernelPools& pools) {
  require_something(pools.positive, pools.intercept > 0.0, "positive", pools.intercept);
  require_something(pools.negative, pools.intercept < 0.0, "negative", pools.intercept);
}

linalg::ExponentTolerance sum_tolerance(double weight_sum) {
  return {std::min(1e-12, 1e-10 / (1.0 + weight_sum)), 1e-5};
}

bool fit_single(std::span<const double> log_weights) {
  double largest = 0.0;
  for (const double value : log_weights) largest = std::max(largest, std::abs(value));
  return largest * std::numeric_limits<float>::epsilon() <= linalg::ExponentTolerance().f32;
}

}  // namespace bisector::detail
