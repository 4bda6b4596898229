#include "core/explain/soft_pool_at_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// The exponents e_k = log alpha_k - gamma |x - u_k|^2 of a pool, then of the virtual point, but
/// for -gamma |x - c|^2, which they share: log alpha_k + gamma (2 (x - c) - (u_k - c)) (u_k - c).
/// The center c is x itself, or for a far-away x, whose square would swallow all else, a place
/// near the points.
std::vector<double> exponents(const SoftPool& pool, double gamma, std::span<const double> row,
                              std::span<const double> center, double virtual_exponent) {
  std::vector<double> e;
  e.reserve(pool.log_weights.size() + 1);
  for (std::size_t n = 0; n < pool.log_weights.size(); ++n) {
    const auto point = (*pool.points)[n];
    double sum = 0.0;
    for (std::size_t d = 0; d < row.size(); ++d) {
      const double u = point[d] - center[d];
      sum += (2.0 * (row[d] - center[d]) - u) * u;
    }
    e.push_back(pool.log_weights[n] + gamma * sum);
  }
  if (virtual_exponent > kNothing)
    e.push_back(virtual_exponent + gamma * linalg::squared_distance(row, center));
  return e;
}

double log_sum_exp(std::span<const double> e) {
  const double largest = *std::ranges::max_element(e);
  double sum = 0.0;
  for (const double value : e) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

std::vector<double> softmax(std::span<const double> e, double factor) {
  std::vector<double> p(e.size());
  const double largest = *std::ranges::max_element(e);
  double sum = 0.0;
  for (std::size_t k = 0; k < e.size(); ++k) sum += p[k] = std::exp(factor * (e[k] - largest));
  for (double& value : p) value /= sum;
  return p;
}

std::vector<PoolMember> members(const SoftPool& pool, bool with_intercept) {
  std::vector<PoolMember> who;
  for (std::size_t n = 0; n < pool.points->size(); ++n) who.push_back(pool.points->index(n));
  if (with_intercept) who.push_back(std::nullopt);
  return who;
}

/// The log of each point's part of the pool's sum, and of the slope.
struct KernelLogs {
  std::vector<double> values, slopes;
};

KernelLogs kernel_logs(const Kernel& kernel, const SoftPool& pool, std::span<const double> row) {
  KernelLogs logs;
  const linalg::RowDistance from(kernel.distance(), row);
  for (std::size_t n = 0; n < pool.log_weights.size(); ++n) {
    const double s = from.sum((*pool.points)[n].data());
    logs.values.push_back(pool.log_weights[n] + kernel.log_value(s));
    logs.slopes.push_back(pool.log_weights[n] + kernel.log_slope(s));
  }
  return logs;
}

/// Of a kernel other than the Gaussian: scores are effective distances of the members alone.
void set_kernel_pool(const SoftContrast& contrast, const SoftPool& pool,
                     std::span<const double> row, double virtual_exponent, bool weigh_virtual,
                     PoolAtRow& result) {
  KernelLogs logs = kernel_logs(contrast.kernel, pool, row);
  if (!logs.slopes.empty()) result.weights = softmax(logs.slopes, 1.0);
  if (virtual_exponent > kNothing) {
    logs.values.push_back(virtual_exponent);
    const double share = weigh_virtual ? softmax(logs.values, 1.0).back() : 0.0;
    for (double& weight : result.weights) weight *= 1.0 - share;
    result.weights.push_back(share);
  }
  for (const double value : logs.values)
    result.exponents.push_back(-contrast.kernel.inverse(value - contrast.log_total));
}

}  // namespace

PoolAtRow soft_pool_at(const SoftPools& pools, const SoftPool& pool, const PoolMoments& moments,
                       std::span<const double> row, std::span<const double> center) {
  const SoftContrast& contrast = pools.contrast();
  const double virtual_exponent = moments.virtual_exponent();
  const bool has_virtual = virtual_exponent > kNothing;
  const bool weigh_virtual = moments.weighs_virtual_point();
  PoolAtRow result{members(pool, has_virtual), {}, {}};
  if (!contrast.is_gaussian()) {
    set_kernel_pool(contrast, pool, row, virtual_exponent, weigh_virtual, result);
    return result;
  }
  result.exponents = exponents(pool, contrast.gamma, row, center, virtual_exponent);
  std::vector<double> weighed = result.exponents;
  if (has_virtual && !weigh_virtual) weighed.back() = kNothing;
  result.weights = softmax(weighed, pools.ratio());
  return result;
}

double pooled_exponent(const SoftContrast& contrast, const PoolAtRow& pool) {
  if (contrast.is_gaussian()) return log_sum_exp(pool.exponents);
  std::vector<double> logs;
  for (const double e : pool.exponents) logs.push_back(contrast.kernel.log_value(-e));
  return -contrast.kernel.inverse(log_sum_exp(logs));
}

}  // namespace bisector::detail
