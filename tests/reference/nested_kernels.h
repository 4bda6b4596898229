// A kernel machine of any distance as a contrast of two pools, by the sums of its definition
// (METHOD 8): g = phi^-1(S_N / c) - phi^-1(S_P / c), responsibilities |alpha phi'(s)|, and the
// parts of the distances weighed by them.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "bisector/kernel_machine.h"
#include "reference/plain_distances.h"

namespace bisector::reference {

/// f, as it stands.
inline double kernel_decision(const KernelMachine& machine, std::span<const double> x) {
  double f = machine.intercept();
  for (std::size_t n = 0; n < machine.points().rows(); ++n)
    f += machine.coefficients()[n] *
         kernel_value(machine.kernel(),
                      distance_sum(machine.kernel().distance(), x, machine.points().row(n)));
  return f;
}

/// One pool at x: its sum, and p_k with the parts of the distances of its members. The intercept is
/// a member at x, whose parts are zero; its part of the responsibility is that of the sum.
struct KernelPool {
  double sum = 0.0;
  Vector responsibilities;
  std::vector<Vector> parts;
};

inline KernelPool kernel_pool(const KernelMachine& machine, double sign,
                              std::span<const double> x) {
  KernelPool pool;
  double slopes = 0.0;
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    const double alpha = sign * machine.coefficients()[n];
    if (!(alpha > 0.0)) continue;
    const auto u = machine.points().row(n);
    const double s = distance_sum(machine.kernel().distance(), x, u);
    pool.sum += alpha * kernel_value(machine.kernel(), s);
    pool.responsibilities.push_back(alpha * kernel_slope(machine.kernel(), s));
    slopes += pool.responsibilities.back();
    pool.parts.push_back(distance_parts(machine.kernel().distance(), x, u));
  }
  const double intercept = std::max(0.0, sign * machine.intercept());
  const double share = pool.sum / (pool.sum + intercept);
  for (double& p : pool.responsibilities) p *= share / slopes;
  pool.sum += intercept;
  return pool;
}

inline double total_weight(const KernelMachine& machine) {
  double total = std::abs(machine.intercept());
  for (const double value : machine.coefficients()) total += std::abs(value);
  return total;
}

inline double kernel_output(const KernelMachine& machine, std::span<const double> x) {
  const double c = total_weight(machine);
  return kernel_inverse(machine.kernel(), kernel_pool(machine, -1.0, x).sum / c) -
         kernel_inverse(machine.kernel(), kernel_pool(machine, 1.0, x).sum / c);
}

/// E_1: sum over all pairs of p_i p_j (delta_d(x, u_j) - delta_d(x, u_i)).
inline Vector kernel_relevance(const KernelMachine& machine, std::span<const double> x) {
  const KernelPool positive = kernel_pool(machine, 1.0, x),
                   negative = kernel_pool(machine, -1.0, x);
  Vector relevance(x.size(), 0.0);
  const auto add = [&](const KernelPool& pool, double sign) {
    for (std::size_t k = 0; k < pool.parts.size(); ++k) {
      for (std::size_t d = 0; d < x.size(); ++d)
        relevance[d] += sign * pool.responsibilities[k] * pool.parts[k][d];
    }
  };
  add(negative, 1.0);
  add(positive, -1.0);
  return relevance;
}

}  // namespace bisector::reference
