#include "core/linalg/quadrature.h"

#include <cmath>
#include <numbers>

namespace bisector::linalg {
namespace {

// The rounding of the recurrence grows with the degree, and the weights square it; the longer
// format keeps that below a double's last digit.
using Real = long double;

struct Legendre {
  Real value, slope;
};

/// P_n and its derivative at x, by the three-term recurrence; |x| < 1.
Legendre legendre(std::size_t n, Real x) {
  Real before = 1.0L, value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto degree = static_cast<Real>(k);
    const Real next = ((2.0L * degree - 1.0L) * x * value - (degree - 1.0L) * before) / degree;
    before = value;
    value = next;
  }
  const auto degree = static_cast<Real>(n);
  return {value, degree * (x * value - before) / (x * x - 1.0L)};
}

/// The k-th largest root of P_n, counted from zero: Tricomi's formula and Newton's steps, which
/// from there converge at once.
Real root(std::size_t n, std::size_t k) {
  const auto count = static_cast<Real>(n);
  const Real angle = std::numbers::pi_v<Real> * (static_cast<Real>(k) + 0.75L) / (count + 0.5L);
  Real x = (1.0L - (count - 1.0L) / (8.0L * count * count * count)) * std::cos(angle);
  for (int iteration = 0; iteration < 10; ++iteration) {
    const Legendre p = legendre(n, x);
    const Real step = p.value / p.slope;
    x -= step;
    if (std::abs(step) < 1e-18L) break;
  }
  return x;
}

}  // namespace

Quadrature gauss_legendre(std::size_t count) {
  Quadrature result{std::vector<double>(count), std::vector<double>(count)};
  // Roots lie symmetrically about zero, the middle one of an odd number at zero.
  for (std::size_t k = 0; k < (count + 1) / 2; ++k) {
    const Real x = 2 * k + 1 == count ? 0.0L : root(count, k);
    const Real slope = legendre(count, x).slope;
    const std::size_t mirror = count - 1 - k;
    result.nodes[mirror] = static_cast<double>((1.0L + x) / 2.0L);
    result.nodes[k] = static_cast<double>((1.0L - x) / 2.0L);
    result.weights[k] = result.weights[mirror] =
        static_cast<double>(1.0L / ((1.0L - x * x) * slope * slope));
  }
  return result;
}

}  // namespace bisector::linalg
