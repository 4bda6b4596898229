// The relevance of the eta rule in long double: an oracle for stiff kernels, where the rounding of
// double distances alone would move the responsibilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "reference/nested_sums.h"

namespace bisector::reference {

/// The softmax of log(alpha) - gamma |x - u|^2 over the points of a pool.
inline std::vector<long double> responsibilities(double gamma, std::span<const double> x,
                                                 std::span<const Point> pool) {
  std::vector<long double> p;
  for (const Point& point : pool) {
    long double squared = 0.0L;
    for (std::size_t d = 0; d < x.size(); ++d) {
      const long double difference = static_cast<long double>(x[d]) - point.u[d];
      squared += difference * difference;
    }
    p.push_back(std::log(static_cast<long double>(point.alpha)) - gamma * squared);
  }
  const long double largest = *std::ranges::max_element(p);
  long double sum = 0.0L;
  for (long double& value : p) sum += value = std::exp(value - largest);
  for (long double& value : p) value /= sum;
  return p;
}

/// Eq. 7 with the origin as the reference point: sum_ij (x - eta m_ij) * w_ij p_i p_j.
inline Vector precise_relevance(double eta, double gamma, std::span<const double> x,
                                const Pools& pools) {
  const auto p_i = responsibilities(gamma, x, pools.positive);
  const auto p_j = responsibilities(gamma, x, pools.negative);
  Vector relevance;
  for (std::size_t d = 0; d < x.size(); ++d) {
    long double sum = 0.0L;
    for (std::size_t i = 0; i < p_i.size(); ++i) {
      for (std::size_t j = 0; j < p_j.size(); ++j) {
        const long double u = pools.positive[i].u[d], v = pools.negative[j].u[d];
        sum += (x[d] - eta * (u + v) / 2.0L) * 2.0L * (u - v) * p_i[i] * p_j[j];
      }
    }
    relevance.push_back(static_cast<double>(sum));
  }
  return relevance;
}

/// What the oracle's own rounding may add at this gamma. It matters only on platforms whose long
/// double is a double.
inline double oracle_error(double gamma) {
  return 50.0 * gamma * static_cast<double>(std::numeric_limits<long double>::epsilon());
}

}  // namespace bisector::reference
