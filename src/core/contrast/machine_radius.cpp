#include "core/contrast/machine_radius.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

/// f has a relative error of about 1e-10 in predictions, and so has the radius at most.
constexpr double kError = 1e-10, kSafety = 1.0 - 1e-9;

double linear_radius(const KernelMachine& machine, std::span<const double> row) {
  const KernelTerm& term = machine.kernel().terms()[0];
  std::vector<double> slope(row.size(), 0.0);
  double f = machine.intercept(), sizes = std::abs(f);
  for (std::size_t l = 0; l < machine.points().rows(); ++l) {
    const auto point = machine.points().row(l);
    const double c = machine.coefficients()[l];
    const double part = c * (term.gamma * linalg::dot(row, point) + term.offset);
    f += part;
    sizes += std::abs(part);
    for (std::size_t d = 0; d < row.size(); ++d) slope[d] += c * term.gamma * point[d];
  }
  const double left = std::abs(f) - kError * sizes,
               steepness = std::sqrt(linalg::squared_norm(slope));
  if (!(left > 0.0) || !(steepness > 0.0) || !std::isfinite(steepness)) return 0.0;
  return kSafety * left / steepness;
}

/// The largest norm of the Hessian of exp(-gamma d^2) at distances from d - r to d + r. The norm is
/// max(2 gamma, |4 gamma^2 d^2 - 2 gamma|) exp(-gamma d^2). It decreases on both sides of the
/// maximum at gamma d^2 = 3/2, and 2 gamma exp(-gamma d^2) decreases everywhere.
double hessian_bound(double gamma, double d, double r) {
  const double low = std::max(d - r, 0.0), high = d + r;
  const double peak = std::sqrt(1.5 / gamma), at = std::clamp(peak, low, high);
  const double along = (4.0 * gamma * gamma * at * at - 2.0 * gamma) * std::exp(-gamma * at * at);
  return std::max(2.0 * gamma * std::exp(-gamma * low * low), along);
}

double gaussian_radius(const KernelMachine& machine, std::span<const double> row) {
  const double gamma = machine.gamma();
  const std::size_t points = machine.points().rows();
  std::vector<double> slope(row.size(), 0.0), distances(points);
  double f = machine.intercept(), sizes = 1.0 + std::abs(f);
  for (std::size_t l = 0; l < points; ++l) {
    const auto point = machine.points().row(l);
    const double squares = linalg::squared_distance(row, point);
    const double part = machine.coefficients()[l] * std::exp(-gamma * squares);
    f += part;
    sizes += std::abs(machine.coefficients()[l]);
    distances[l] = std::sqrt(squares);
    for (std::size_t d = 0; d < row.size(); ++d)
      slope[d] += 2.0 * gamma * part * (point[d] - row[d]);
  }
  const double left = std::abs(f) - kError * sizes,
               steepness = std::sqrt(linalg::squared_norm(slope));
  if (!(left > 0.0) || !std::isfinite(steepness)) return 0.0;
  const auto holds = [&](double r) {
    double change = steepness * r;
    for (std::size_t l = 0; l < points && change < left; ++l)
      change +=
          0.5 * r * r * std::abs(machine.coefficients()[l]) * hessian_bound(gamma, distances[l], r);
    return change < left;
  };
  // A length beyond which the kernel has vanished around every point.
  double low = 0.0, high = *std::ranges::max_element(distances) + 40.0 / std::sqrt(gamma);
  if (steepness > 0.0) high = std::min(high, left / steepness);
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return kSafety * low;
}

}  // namespace

double machine_radius(const KernelMachine& machine, std::span<const double> row) {
  const KernelTerm& term = machine.kernel().terms()[0];
  if (machine.kernel().is_gaussian()) return gaussian_radius(machine, row);
  if (term.form == KernelForm::polynomial && term.shape == 1.0) return linear_radius(machine, row);
  return 0.0;
}

}  // namespace bisector::detail
