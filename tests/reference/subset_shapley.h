// Shapley values from their definition: the weighted mean over all subsets of the other features of
// what a feature adds to them.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

#include "reference/baselines.h"

namespace bisector::reference {

struct SubsetShapley {
  Vector value;      // the mean contribution of each feature over all orders
  Vector deviation;  // and the standard deviation of the contribution in one random order
};

inline SubsetShapley subset_shapley(const Function& f, const Vector& x, const Vector& r) {
  const std::size_t features = x.size(), subsets = std::size_t{1} << features;
  std::vector<double> values(subsets);
  for (std::size_t kept = 0; kept < subsets; ++kept) {
    Vector mixed = r;
    for (std::size_t d = 0; d < features; ++d) {
      if (kept >> d & 1) mixed[d] = x[d];
    }
    values[kept] = f(mixed);
  }
  SubsetShapley result{Vector(features, 0.0), Vector(features, 0.0)};
  for (std::size_t d = 0; d < features; ++d) {
    double square = 0.0;
    for (std::size_t others = 0; others < subsets; ++others) {
      if (others >> d & 1) continue;
      // |S|! (D - |S| - 1)! / D!: how often S are the ones that are there when d comes.
      const auto size = static_cast<double>(std::popcount(others));
      const double weight =
          std::exp(std::lgamma(size + 1.0) + std::lgamma(static_cast<double>(features) - size) -
                   std::lgamma(static_cast<double>(features) + 1.0));
      const double added = values[others | std::size_t{1} << d] - values[others];
      result.value[d] += weight * added;
      square += weight * added * added;
    }
    result.deviation[d] = std::sqrt(std::max(0.0, square - result.value[d] * result.value[d]));
  }
  return result;
}

}  // namespace bisector::reference
