// Seeded random models and inputs for property tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/random.h"

namespace bisector::reference {

inline Matrix random_matrix(Random& random, std::size_t rows, std::size_t cols,
                            double spread = 1.0) {
  Matrix m(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) m(r, c) = spread * random.normal();
  }
  return m;
}

/// 10^uniform(low, high).
inline double log_uniform(Random& random, double low, double high) {
  return std::pow(10.0, low + (high - low) * random.uniform());
}

struct RandomMachine {
  Matrix points;
  std::vector<double> coefficients;
  double gamma;
  double intercept;
  Matrix rows;  // inputs to try; the first one is a point of the model

  KernelMachine machine() const {
    return KernelMachine(points, coefficients, Kernel(gamma), intercept);
  }
};

/// At least one point of either sign. The intercept is positive, negative or zero in turn.
inline RandomMachine random_machine(std::uint64_t seed, std::size_t row_count = 3) {
  Random random(seed);
  RandomMachine m;
  const std::size_t count = 2 + random.below(40), features = 1 + random.below(12);
  m.points = random_matrix(random, count, features);
  for (std::size_t n = 0; n < count; ++n) {
    const bool positive = n == 0 || (n > 1 && random.below(2) == 0);
    m.coefficients.push_back((positive ? 1.0 : -1.0) * log_uniform(random, -2, 2));
  }
  m.gamma = log_uniform(random, -3, 2);
  m.intercept = static_cast<double>(static_cast<int>(seed % 3) - 1) * log_uniform(random, -2, 1);
  m.rows = random_matrix(random, row_count, features);
  for (std::size_t d = 0; d < features; ++d) m.rows(0, d) = m.points(0, d);
  return m;
}

struct RandomNeighbors {
  Matrix points;
  std::vector<std::size_t> classes;
  std::size_t class_count;
  std::size_t k;
  Matrix rows;

  Model model() const {
    std::vector<std::string> labels;
    for (std::size_t c = 0; c < class_count; ++c) labels.push_back("class " + std::to_string(c));
    return Model(NeighborModel(points, classes, labels, k));
  }
};

/// Coordinates are small integers for every other seed, so that distances tie.
inline RandomNeighbors random_neighbors(std::uint64_t seed, std::size_t class_count, bool odd_k) {
  Random random(seed);
  RandomNeighbors m;
  m.class_count = class_count;
  const std::size_t count = class_count + 3 + random.below(60), features = 1 + random.below(8);
  m.points = random_matrix(random, count, features);
  m.rows = random_matrix(random, 4, features);
  if (seed % 2 == 0) {
    for (Matrix* matrix : {&m.points, &m.rows}) {
      for (std::size_t r = 0; r < matrix->rows(); ++r) {
        for (std::size_t d = 0; d < features; ++d) (*matrix)(r, d) = std::round((*matrix)(r, d));
      }
    }
  }
  for (std::size_t n = 0; n < count; ++n)
    m.classes.push_back(n < class_count ? n : random.below(class_count));
  m.k = 1 + random.below(std::min<std::size_t>(count, 11));
  if (odd_k && m.k % 2 == 0) --m.k;
  return m;
}

/// Two-class model from a machine, "for" where f > 0.
inline Model two_class(const RandomMachine& m) {
  return Model(KernelClassifier::two_class(m.machine(), "for", "against"));
}

}  // namespace bisector::reference
