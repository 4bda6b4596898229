// Kernel machines and neighbors by plain sums and sorting, and random ones to try.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/model.h"
#include "bisector/random.h"
#include "reference/baselines.h"

namespace bisector::reference {

/// f of a machine at a point of its space.
inline double plain_decision(const KernelMachine& machine, const Vector& x) {
  double sum = machine.intercept();
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    double squared = 0.0;
    for (std::size_t d = 0; d < x.size(); ++d)
      squared += (x[d] - machine.points()(n, d)) * (x[d] - machine.points()(n, d));
    sum += machine.coefficients()[n] * std::exp(-machine.gamma() * squared);
  }
  return sum;
}

/// g = log(F_P / F_N) / gamma.
inline double plain_output(const KernelMachine& machine, const Vector& x) {
  const auto pool = [&](double sign) {
    std::vector<double> own = machine.coefficients();
    for (double& value : own) value = std::max(0.0, sign * value);
    const double intercept = std::max(0.0, sign * machine.intercept());
    return plain_decision(KernelMachine(machine.points(), own, Kernel(machine.gamma()), intercept),
                          x);
  };
  return std::log(pool(1.0) / pool(-1.0)) / machine.gamma();
}

inline Matrix normal_matrix(Random& random, std::size_t rows, std::size_t cols) {
  Matrix m(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : m.row(r)) value = random.normal();
  }
  return m;
}

inline Matrix normal_rows(std::uint64_t seed, std::size_t rows, std::size_t features) {
  Random random(seed);
  return normal_matrix(random, rows, features);
}

/// Points of both signs in equal number; kernels neither flat nor narrow.
inline KernelMachine plain_machine(std::uint64_t seed, std::size_t points, std::size_t features,
                                   double intercept) {
  Random random(seed);
  Matrix u = normal_matrix(random, points, features);
  std::vector<double> c(points);
  for (std::size_t n = 0; n < points; ++n)
    c[n] = (n % 2 == 0 ? 1.0 : -1.0) * (0.5 + random.uniform());
  return KernelMachine(std::move(u), std::move(c), Kernel(0.7 / static_cast<double>(features)),
                       intercept);
}

inline Model plain_classifier(const KernelMachine& machine, AffineMap input = {}) {
  return Model(KernelClassifier::two_class(machine, "for", "against"), std::move(input));
}

/// One-vs-one machines of three classes.
inline Model three_classes(std::uint64_t seed, std::size_t features) {
  Random random(seed);
  const std::size_t own = 8;
  Matrix coefficients(2, 3 * own);
  // Row b-1 holds a's coefficients against b, row a those of b against a.
  for (std::size_t n = 0; n < 3 * own; ++n) {
    const double low = 0.2 + random.uniform(), high = 0.2 + random.uniform();
    coefficients(0, n) = n < own ? low : -low;
    coefficients(1, n) = n < 2 * own ? high : -high;
  }
  return Model(KernelClassifier(normal_matrix(random, 3 * own, features), {own, own, own},
                                std::move(coefficients), {0.1, -0.2, 0.05}, Kernel(0.3),
                                {"a", "b", "c"}));
}

inline Model plain_neighbors(std::uint64_t seed, std::size_t points, std::size_t features,
                             std::size_t classes, std::size_t k) {
  Random random(seed);
  Matrix u = normal_matrix(random, points, features);
  std::vector<std::size_t> of(points);
  for (std::size_t n = 0; n < points; ++n) of[n] = n % classes;
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < classes; ++c)
    labels.push_back(std::string(1, static_cast<char>('a' + c)));
  return Model(NeighborModel(std::move(u), std::move(of), std::move(labels), k));
}

}  // namespace bisector::reference
