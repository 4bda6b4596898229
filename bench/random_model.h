// Models and rows of any shape, for measurements that need no data.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "bisector/model.h"
#include "bisector/random.h"

namespace bisector::bench {

struct Shape {
  std::size_t rows, points, features;
};

/// Normal numbers, scaled so that the median distance of two rows is about one.
inline Matrix normal_matrix(Random& random, std::size_t rows, std::size_t cols) {
  const double scale = 1.0 / std::sqrt(2.0 * static_cast<double>(cols));
  Matrix m(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) m(r, c) = scale * random.normal();
  }
  return m;
}

/// A two-class machine with gamma = 1, half of its points on each side.
inline Model random_machine(const Shape& shape) {
  Random random(1);
  std::vector<double> coefficients;
  for (std::size_t n = 0; n < shape.points; ++n)
    coefficients.push_back((n % 2 == 0 ? 1.0 : -1.0) * (0.5 + random.uniform()));
  return Model(
      KernelClassifier::two_class(KernelMachine(normal_matrix(random, shape.points, shape.features),
                                                coefficients, 1.0, 0.1),
                                  "for", "against"),
      {}, {}, 1.0);
}

inline Matrix random_rows(const Shape& shape) {
  Random random(2);
  return normal_matrix(random, shape.rows, shape.features);
}

}  // namespace bisector::bench
