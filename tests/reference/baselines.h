// The paper's baselines as they are defined, one row and one feature at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/random.h"

namespace bisector::reference {

using Vector = std::vector<double>;
using Function = std::function<double(const Vector&)>;
using Gradient = std::function<Vector(const Vector&)>;

inline Vector to_vector(std::span<const double> x) { return Vector(x.begin(), x.end()); }

/// (x - r) * grad f(x).
inline Vector gradient_times_input(const Gradient& gradient, const Vector& x, const Vector& r) {
  Vector relevance = gradient(x);
  for (std::size_t d = 0; d < x.size(); ++d) relevance[d] *= x[d] - r[d];
  return relevance;
}

/// The midpoint rule over the path from r to x.
inline Vector integrated_gradients(const Gradient& gradient, const Vector& x, const Vector& r,
                                   std::size_t steps) {
  Vector relevance(x.size(), 0.0);
  for (std::size_t t = 1; t <= steps; ++t) {
    Vector on_the_way(x.size());
    for (std::size_t d = 0; d < x.size(); ++d)
      on_the_way[d] =
          r[d] + (static_cast<double>(t) - 0.5) / static_cast<double>(steps) * (x[d] - r[d]);
    const Vector slope = gradient(on_the_way);
    for (std::size_t d = 0; d < x.size(); ++d)
      relevance[d] += (x[d] - r[d]) * slope[d] / static_cast<double>(steps);
  }
  return relevance;
}

inline Vector sensitivity(const Function& f, const Gradient& gradient, const Vector& x) {
  Vector relevance = gradient(x);
  for (double& value : relevance) value *= f(x) > 0.0 ? value : -value;
  return relevance;
}

inline Vector occlusion(const Function& f, const Vector& x, const Vector& r) {
  Vector relevance(x.size());
  for (std::size_t d = 0; d < x.size(); ++d) {
    Vector without = x;
    without[d] = r[d];
    relevance[d] = f(x) - f(without);
  }
  return relevance;
}

/// The library's random orders, walked one by one.
inline Vector sampled_shapley(const Function& f, const Vector& x, const Vector& r,
                              std::size_t sequences, std::uint64_t seed, std::size_t row_number) {
  Random random(derived_seed(seed, row_number));
  Vector relevance(x.size(), 0.0);
  for (std::size_t s = 0; s < sequences; ++s) {
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    Vector left = x;
    for (const std::size_t d : order) {
      const double before = f(left);
      left[d] = r[d];
      relevance[d] += (before - f(left)) / static_cast<double>(sequences);
    }
  }
  return relevance;
}

/// Central differences.
inline Vector numerical_gradient(const Function& f, const Vector& x, double h) {
  Vector slope(x.size());
  for (std::size_t d = 0; d < x.size(); ++d) {
    Vector up = x, down = x;
    up[d] += h;
    down[d] -= h;
    slope[d] = (f(up) - f(down)) / (up[d] - down[d]);
  }
  return slope;
}

}  // namespace bisector::reference
