#include "core/contrast/soft_pool_at_row.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

/// The exponents e_k = log alpha_k - gamma |x - u_k|^2 of a pool, then of the virtual point,
/// without -gamma |x - c|^2, which they share: log alpha_k + gamma (2 (x - c) - (u_k - c)) (u_k -
/// c).
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
  std::vector<PoolMember> result;
  for (std::size_t n = 0; n < pool.points->size(); ++n) result.push_back(pool.points->index(n));
  if (with_intercept) result.push_back(std::nullopt);
  return result;
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

/// For kernels other than the Gaussian: the score of a member is its own effective distance.
void set_kernel_pool(const KernelPools& pools, const SoftPool& pool, std::span<const double> row,
                     double virtual_exponent, bool weigh_virtual, PoolAtRow& result) {
  KernelLogs logs = kernel_logs(pools.kernel, pool, row);
  if (!logs.slopes.empty()) result.weights = softmax(logs.slopes, 1.0);
  if (virtual_exponent > kNothing) {
    logs.values.push_back(virtual_exponent);
    const double share = weigh_virtual ? softmax(logs.values, 1.0).back() : 0.0;
    for (double& weight : result.weights) weight *= 1.0 - share;
    result.weights.push_back(share);
  }
  for (const double value : logs.values)
    result.exponents.push_back(-pools.kernel.inverse(value - pools.log_total));
}

}  // namespace

PoolAtRow soft_pool_at(const KernelPools& pools, const SoftPool& pool, const PoolMoments& moments,
                       double ratio, std::span<const double> row, std::span<const double> center) {
  const double virtual_exponent = moments.virtual_exponent();
  const bool has_virtual = virtual_exponent > kNothing;
  const bool weigh_virtual = moments.weighs_virtual_point();
  PoolAtRow result{members(pool, has_virtual), {}, {}};
  if (!pools.is_gaussian()) {
    set_kernel_pool(pools, pool, row, virtual_exponent, weigh_virtual, result);
    return result;
  }
  result.exponents = exponents(pool, pools.gamma, row, center, virtual_exponent);
  std::vector<double> weighed = result.exponents;
  if (has_virtual && !weigh_virtual) weighed.back() = kNothing;
  result.weights = softmax(weighed, ratio);
  return result;
}

double pooled_exponent(const KernelPools& pools, const PoolAtRow& pool) {
  if (pools.is_gaussian()) return log_sum_exp(pool.exponents);
  std::vector<double> logs;
  for (const double e : pool.exponents) logs.push_back(pools.kernel.log_value(-e));
  return -pools.kernel.inverse(log_sum_exp(logs));
}

}  // namespace bisector::detail
