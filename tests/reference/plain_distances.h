// Distances and kernels as their definitions stand, sum by sum: the reference of the passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "bisector/distance.h"
#include "bisector/kernel.h"

namespace bisector::reference {

using Vector = std::vector<double>;

/// The parts of s between x and u, feature by feature.
inline Vector distance_parts(const Distance& distance, std::span<const double> x,
                             std::span<const double> u) {
  Vector parts;
  double x_norm = 0.0, u_norm = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d) {
    x_norm += x[d] * x[d];
    u_norm += u[d] * u[d];
  }
  for (std::size_t d = 0; d < x.size(); ++d) {
    if (distance.is_cosine())
      parts.push_back(0.5 * std::pow(x[d] / std::sqrt(x_norm) - u[d] / std::sqrt(u_norm), 2.0));
    else if (!distance.categories().empty() && distance.categories()[d] > 0.0)
      parts.push_back(x[d] == u[d] ? 0.0 : distance.categories()[d]);
    else
      parts.push_back(std::pow(std::abs(x[d] - u[d]), distance.power()));
  }
  return parts;
}

inline double distance_sum(const Distance& distance, std::span<const double> x,
                           std::span<const double> u) {
  double sum = 0.0;
  for (const double part : distance_parts(distance, x, u)) sum += part;
  return sum;
}

/// phi(s) of one term, without its weight.
inline double kernel_term(const KernelTerm& term, double s) {
  const double t = term.gamma * std::sqrt(s);
  switch (term.form) {
    case KernelForm::exponential:
      return std::exp(-term.gamma * s);
    case KernelForm::matern12:
      return std::exp(-t);
    case KernelForm::matern32:
      return (1.0 + t) * std::exp(-t);
    case KernelForm::matern52:
      return (1.0 + t + t * t / 3.0) * std::exp(-t);
    default:
      return std::pow(1.0 + term.gamma * s, -term.shape);
  }
}

inline double kernel_value(const Kernel& kernel, double s) {
  double sum = 0.0;
  for (const KernelTerm& term : kernel.terms()) sum += term.weight * kernel_term(term, s);
  return sum;
}

/// |phi'(s)|. A root kernel has none where a point stands at x: it is taken as if it stood next to
/// it.
inline double kernel_slope(const Kernel& kernel, double s) {
  double sum = 0.0;
  for (const auto& [form, gamma, shape, weight, offset] : kernel.terms()) {
    const double t = gamma * std::sqrt(s);
    sum +=
        weight *
        (form == KernelForm::exponential ? gamma * std::exp(-gamma * s)
         : form == KernelForm::matern12 ? gamma * gamma / (2.0 * std::max(t, 1e-150)) * std::exp(-t)
         : form == KernelForm::matern32 ? gamma * gamma / 2.0 * std::exp(-t)
         : form == KernelForm::matern52 ? gamma * gamma / 6.0 * (1.0 + t) * std::exp(-t)
                                        : shape * gamma * std::pow(1.0 + gamma * s, -shape - 1.0));
  }
  return sum;
}

/// The s at which phi(s) = value, by halving.
inline double kernel_inverse(const Kernel& kernel, double value) {
  double low = 0.0, high = 1.0;
  while (kernel_value(kernel, high) > value && high < 1e300) high *= 2.0;
  for (int i = 0; i < 2000 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (kernel_value(kernel, middle) > value ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace bisector::reference
